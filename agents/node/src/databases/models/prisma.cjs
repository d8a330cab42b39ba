'use strict';
/**
 * Prisma: the requirements of a schema for the columns of its models. Each generated client contains the schema's text
 * (`inlineSchema`), which is read when the client's file is loaded: the runtime keeps only a part of it, and the
 * runtime's exports cannot be replaced.
 */

const {
  Number,
  ObjectKeys,
  indexOf,
  parseJson,
  readFileSync,
  regExpExec,
  slice,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { noteModel } = require('./seen-models.cjs');
const { addValues } = require('./validator-rules.cjs');

const KEY = 'inlineSchema';
const BEFORE_TEXT = /\binlineSchema["']?\s*:\s*(?=["'`])/;
const BLOCK = /^\s*(model|enum|datasource)\s+([A-Za-z]\w*)\s*\{/;
const BLOCK_END = /^\s*\}/;
/** Types whose names contain brackets (`Unsupported("point")`) belong to columns that a client does not read. */
const FIELD = /^\s*([A-Za-z]\w*)\s+([A-Za-z]\w*)(\[\]|\?)?(?:\s+(.*))?$/;
const ENUM_VALUE = /^\s*([A-Za-z]\w*)(?:\s+(.*))?$/;
const BEFORE_COMMENT = /^(?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?!\/))*/;
const MAPPED_FIELD = /(?:^|\s)@map\(\s*(?:name\s*:\s*)?("(?:[^"\\]|\\.)*")/;
const MAPPED_BLOCK = /^\s*@@map\(\s*(?:name\s*:\s*)?("(?:[^"\\]|\\.)*")/;
const SCHEMA_OF_BLOCK = /^\s*@@schema\(\s*("(?:[^"\\]|\\.)*")/;
const PROVIDER = /^\s*provider\s*=\s*("(?:[^"\\]|\\.)*")/;
const IGNORED = /@@?ignore\b/;
const LENGTH = /@\w+\.(?:Var|NVar|N)?Char\(\s*(\d+)\s*\)/;
const UUID = /@\w+\.(?:Uuid|UniqueIdentifier)\b/;
const DRAWN_BY_DATABASE = /@default\(\s*autoincrement\(/;

/** @type {Record<string, true>} */
const SCALARS = /** @type {any} */ ({
  __proto__: null,
  String: true,
  Int: true,
  BigInt: true,
  Float: true,
  Decimal: true,
  Boolean: true,
  DateTime: true,
  Json: true,
  Bytes: true,
});

/**
 * Clients generated to the usual place; those generated into a project are files of the project.
 * @type {Record<string, import('../../base/patching.cjs').Watch>}
 */
const watchPrisma = {
  'client/index.js'(_, module) {
    const path = readData(module, 'filename');
    if (typeof path === 'string') noteSchemaIn(readFileSync(path, 'utf8'));
  },
};

/** @typedef {{ kind: string, name: string, lines: string[] }} Block */

/** @param {string} text of a file that is loaded */
function noteSchemaIn(text) {
  if (indexOf(text, KEY) < 0) return;
  try {
    noteModelsIn(text);
  } catch {
    // The file only looks like a client.
  }
}

/** @param {string} text */
function noteModelsIn(text) {
  const before = regExpExec(BEFORE_TEXT, text);
  if (before === null) return;
  const schema = literalAt(text, before.index + before[0].length);
  if (schema === null) return;
  const blocks = blocksOf(schema);
  const known = { enums: enumsOf(blocks), isSqlite: isOnSqlite(blocks) };
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index];
    if (block.kind === 'model') noteModel(() => tableOf(block, known));
  }
}

/** Characters of a literal that JSON escapes with a backslash. @type {Record<string, string>} */
const IN_JSON = { __proto__: /** @type {any} */ (null), '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * @param {string} text
 * @param {number} start of a string literal; bundlers use the quotes that need the fewest escapes
 * @returns {string | null} its value
 */
function literalAt(text, start) {
  const quote = text[start];
  let json = '"';
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === quote) return parseJson(json + '"');
    if (character === '\\') {
      at++;
      json += unescaped(text[at]);
    } else if (character === '$' && quote === '`' && text[at + 1] === '{') return null;
    else json += IN_JSON[character] ?? character;
  }
  return null;
}

/** @param {string} escaped the characters after a backslash */
function unescaped(escaped) {
  if (escaped === "'" || escaped === '`' || escaped === '$') return escaped;
  return escaped === '\n' ? '' : '\\' + escaped;
}

/** @param {string} schema */
function blocksOf(schema) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Block | null} */
  let open = null;
  for (let start = 0; start < schema.length;) {
    const found = indexOf(schema, '\n', start);
    const end = found < 0 ? schema.length : found;
    const line = match(BEFORE_COMMENT, slice(schema, start, end))[0];
    start = end + 1;
    if (open === null) {
      const { 1: kind, 2: name } = match(BLOCK, line);
      if (name !== undefined) blocks[blocks.length] = open = { kind, name, lines: [] };
    } else if (regExpExec(BLOCK_END, line) !== null) open = null;
    else open.lines[open.lines.length] = line;
  }
  return blocks;
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @returns {string[]} the match and its groups; `['']` if there is none
 */
function match(pattern, text) {
  const found = regExpExec(pattern, text);
  return found === null ? [''] : found;
}

/** @param {Block[]} blocks */
function enumsOf(blocks) {
  /** @type {Record<string, string[]>} */
  const enums = /** @type {any} */ ({ __proto__: null });
  for (let index = 0; index < blocks.length; index++) {
    const { kind, name, lines } = blocks[index];
    if (kind !== 'enum') continue;
    const values = (enums[name] = /** @type {string[]} */ ([]));
    for (let at = 0; at < lines.length; at++) {
      const { 1: value, 2: attributes = '' } = match(ENUM_VALUE, lines[at]);
      if (value !== undefined) values[values.length] = quotedIn(MAPPED_FIELD, attributes) ?? value;
    }
  }
  return enums;
}

/** @param {Block[]} blocks */
function isOnSqlite(blocks) {
  for (let index = 0; index < blocks.length; index++) {
    if (blocks[index].kind === 'datasource' && firstQuoted(PROVIDER, blocks[index].lines) === 'sqlite') return true;
  }
  return false;
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @returns {string | null} its first group, a string in quotes
 */
function quotedIn(pattern, text) {
  const quoted = match(pattern, text)[1];
  return quoted === undefined ? null : parseJson(quoted);
}

/**
 * @param {RegExp} pattern
 * @param {string[]} lines
 */
function firstQuoted(pattern, lines) {
  for (let index = 0; index < lines.length; index++) {
    const quoted = quotedIn(pattern, lines[index]);
    if (quoted !== null) return quoted;
  }
  return null;
}

/**
 * @param {string[]} field match of FIELD
 * @param {{ enums: Record<string, string[]>, isSqlite: boolean }} known
 * @returns {import('./seen-models.cjs').ColumnRules | null} null if nothing is known of it, or it has no column
 */
function columnOf({ 1: name, 2: type, 3: many, 4: attributes = '' }, known) {
  // A type that is neither a scalar nor an enumeration is a relation, which has no column.
  if (name === undefined || many === '[]' || (SCALARS[type] !== true && known.enums[type] === undefined)) return null;
  const rules = rulesOf(type, attributes, known);
  if (many !== '?' && regExpExec(DRAWN_BY_DATABASE, attributes) === null) rules.not_null = true;
  return ObjectKeys(rules).length === 0 ? null : { column: quotedIn(MAPPED_FIELD, attributes) ?? name, rules };
}

/**
 * @param {Block} model
 * @param {{ enums: Record<string, string[]>, isSqlite: boolean }} known
 * @returns {import('./seen-models.cjs').TableRules | null}
 */
function tableOf({ name: model, lines }, known) {
  /** @type {import('./seen-models.cjs').ColumnRules[]} */
  const columns = [];
  for (let index = 0; index < lines.length; index++) {
    const field = match(FIELD, lines[index]);
    if (regExpExec(IGNORED, lines[index]) !== null) {
      if (field[1] === undefined) return null; // the client does not know the model
      continue;
    }
    const column = columnOf(field, known);
    if (column !== null) columns[columns.length] = column;
  }
  return {
    table: firstQuoted(MAPPED_BLOCK, lines) ?? model,
    schema: firstQuoted(SCHEMA_OF_BLOCK, lines) ?? '',
    columns,
  };
}

/**
 * @param {string} type
 * @param {string} attributes
 * @param {{ enums: Record<string, string[]>, isSqlite: boolean }} known
 */
function rulesOf(type, attributes, { enums, isSqlite }) {
  /** @type {import('./seen-models.cjs').Rules} */
  const rules = {};
  const length = match(LENGTH, attributes)[1];
  if (enums[type] !== undefined) addValues(rules, enums[type]);
  if (type === 'Json') rules.is_json = true;
  if (type === 'DateTime' && isSqlite) rules.format = 'date-time'; // on SQLite its column accepts any text
  if (regExpExec(UUID, attributes) !== null) rules.format = 'uuid';
  if (length !== undefined) rules.max_length = Number(length);
  return rules;
}

module.exports = { noteSchemaIn, watchPrisma };
