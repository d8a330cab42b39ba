'use strict';
/**
 * Prisma: what a schema demands of the columns of its models. Each generated client carries the schema's text (`inlineSchema`), and it is read there, as the
 * client's file is loaded: the runtime keeps less of it, and what that exports cannot be replaced.
 */

const { ObjectKeys, indexOf, parseJson, readFileSync, regExpExec, slice } = require('../../intrinsics.cjs');
const { readData } = require('../../runtime/stacks.cjs');
const { noteModel } = require('./models.cjs');
const { addValues } = require('./validators.cjs');

const KEY = 'inlineSchema';
const BEFORE_TEXT = /\binlineSchema["']?\s*:\s*(?=["'`])/;
const BLOCK = /^\s*(model|enum|datasource)\s+([A-Za-z]\w*)\s*\{/;
const BLOCK_END = /^\s*\}/;
/** Names of types with brackets (`Unsupported("point")`) are of columns that a client does not read. */
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
const SCALARS = /** @type {any} */ ({ __proto__: null, String: true, Int: true, BigInt: true, Float: true, Decimal: true, Boolean: true, DateTime: true, Json: true, Bytes: true });

/** Clients generated to the usual place; those generated into a project are files of its own. @type {Record<string, import('../../runtime/tapped-packages.cjs').Watch>} */
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
    // It only looks like a client.
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

/**
 * @param {string} text
 * @param {number} start of a string literal: bundlers write it with the quotes that need the fewest escapes
 * @returns {string | null} what it stands for
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
    } else if (character === '"') json += '\\"';
    else if (character === '\n') json += '\\n';
    else if (character === '\r') json += '\\r';
    else if (character === '\t') json += '\\t';
    else if (character === '$' && quote === '`' && text[at + 1] === '{') return null;
    else json += character;
  }
  return null;
}

/** @param {string} escaped what stands behind a backslash */
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
  for (let start = 0; start < schema.length; ) {
    const found = indexOf(schema, '\n', start);
    const end = found < 0 ? schema.length : found;
    const line = match(BEFORE_COMMENT, slice(schema, start, end))[0];
    start = end + 1;
    if (open === null) {
      const [, kind, name] = match(BLOCK, line);
      if (name !== undefined) blocks[blocks.length] = open = { kind, name, lines: [] };
    } else if (regExpExec(BLOCK_END, line) !== null) open = null;
    else open.lines[open.lines.length] = line;
  }
  return blocks;
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @returns {string[]} the match and its groups; none: nothing
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
      const [, value, attributes = ''] = match(ENUM_VALUE, lines[at]);
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
  const [, quoted] = match(pattern, text);
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
 * @param {Block} model
 * @param {{ enums: Record<string, string[]>, isSqlite: boolean }} known
 * @returns {import('./models.cjs').TableRules | null}
 */
function tableOf({ name: model, lines }, known) {
  /** @type {import('./models.cjs').ColumnRules[]} */
  const columns = [];
  for (let index = 0; index < lines.length; index++) {
    const [, name, type, many, attributes = ''] = match(FIELD, lines[index]);
    if (regExpExec(IGNORED, lines[index]) !== null) {
      if (name === undefined) return null; // the client does not know the model
      continue;
    }
    // What is neither a scalar nor an enumeration is a relation; it has no column.
    if (name === undefined || many === '[]' || (SCALARS[type] !== true && known.enums[type] === undefined)) continue;
    const rules = rulesOf(type, attributes, known);
    if (many !== '?' && regExpExec(DRAWN_BY_DATABASE, attributes) === null) rules.not_null = true;
    if (ObjectKeys(rules).length > 0) columns[columns.length] = { column: quotedIn(MAPPED_FIELD, attributes) ?? name, rules };
  }
  return { table: firstQuoted(MAPPED_BLOCK, lines) ?? model, schema: firstQuoted(SCHEMA_OF_BLOCK, lines) ?? '', columns };
}

/**
 * @param {string} type
 * @param {string} attributes
 * @param {{ enums: Record<string, string[]>, isSqlite: boolean }} known
 */
function rulesOf(type, attributes, { enums, isSqlite }) {
  /** @type {import('./models.cjs').Rules} */
  const rules = {};
  const [, length] = match(LENGTH, attributes);
  if (enums[type] !== undefined) addValues(rules, enums[type]);
  if (type === 'Json') rules.is_json = true;
  if (type === 'DateTime' && isSqlite) rules.format = 'date-time'; // where its column takes any text
  if (regExpExec(UUID, attributes) !== null) rules.format = 'uuid';
  if (length !== undefined) rules.max_length = Number(length);
  return rules;
}

module.exports = { noteSchemaIn, watchPrisma };
