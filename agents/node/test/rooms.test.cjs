'use strict';
/**
 * Which room may require which, as the table of README.md has it.
 *
 * Every require counts: those inside functions, `import` and the types of JSDoc as well.
 */

const assert = require('node:assert');
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const test = require('node:test');
const { parse } = require('acorn');

const AGENT = path.join(__dirname, '..');
const SRC = path.join(AGENT, 'src');
/** The room that may use the packages that are shipped with the agent: its realm is its own. Types are everybody's. */
const INSTRUMENTER = 'instrument';
/** The thread of hooks is told which file makes the test of own files; modules of Node that are loaded are listed. */
const COMPUTED = [
  "library/exported-functions.cjs: require('node:' + name)",
  'loader/module-hooks.mjs: require(ownFilesModule)',
];

const files = fs.readdirSync(SRC, { recursive: true }).filter((file) => /\.[cm]js$/.test(file));

/** @param {string} file in src */
const roomOf = (file) => path.dirname(file);

/** Room -> its row in the table, from 0; rooms of one row count as one. */
function rowsOfReadme() {
  const readme = fs.readFileSync(path.join(AGENT, 'README.md'), 'utf8');
  const cells = [...readme.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell]) => cell);
  return Object.fromEntries(
    cells.flatMap((cell, row) => [...cell.matchAll(/`([^`]+)\/`/g)].map(([, room]) => [room, row])),
  );
}

/** What a file requires: names of modules and files, with their lines. */
function requiredBy(file) {
  const text = fs.readFileSync(path.join(SRC, file), 'utf8');
  const comments = [];
  const program = parse(text, {
    ecmaVersion: 'latest',
    sourceType: file.endsWith('.mjs') ? 'module' : 'script',
    locations: true,
    onComment: comments,
  });
  const found = [];
  const note = (source, node) => {
    if (source?.type === 'Literal') found.push({ name: source.value, line: node.loc.start.line });
    else found.push({ name: null, text: text.slice(node.start, node.end), line: node.loc.start.line });
  };
  const visit = (node) => {
    if (node.type === 'CallExpression' && isRequire(node.callee)) note(node.arguments[0], node);
    if (/^(Import|Export).*Declaration$|^ImportExpression$/.test(node.type) && node.source) note(node.source, node);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === 'string') visit(child);
    }
  };
  visit(program);
  for (const { value, loc } of comments) {
    for (const [, name] of value.matchAll(/import\('([^']+)'\)/g)) {
      found.push({ name, line: loc.start.line, isType: true });
    }
  }
  return found;
}

function isRequire(callee) {
  return (
    (callee.type === 'Identifier' && callee.name === 'require') ||
    (callee.type === 'MemberExpression' && callee.object.name === 'require' && callee.property.name === 'resolve')
  );
}

/** @returns {{ from: string, to: string, line: number }[]} between files of src */
function requires() {
  return files.flatMap((from) =>
    requiredBy(from)
      .filter(({ name }) => name?.startsWith('.'))
      .map(({ name, line }) => ({ from, to: path.join(roomOf(from), name), line })),
  );
}

test('the table of README.md names each room once', () => {
  const rooms = new Set(files.map(roomOf));
  assert.deepStrictEqual(Object.keys(rowsOfReadme()).sort(), [...rooms].sort());
});

test('a room requires rooms above it alone', () => {
  const rows = rowsOfReadme();
  const violations = requires().filter(({ from, to }) => {
    const [own, other] = [rows[roomOf(from)], rows[roomOf(to)]];
    return to === '../package.json' ? false : other === undefined || other > own;
  });
  assert.deepStrictEqual(
    violations.map(({ from, to, line }) => `${from}:${line} requires ${to}`),
    [],
  );
});

test('no file requires itself by way of others', () => {
  const required = new Map();
  for (const { from, to } of requires()) required.set(from, (required.get(from) ?? new Set()).add(to));
  const state = new Map();
  const cycles = [];
  const visit = (file, way) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') return cycles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    state.set(file, 'open');
    for (const next of required.get(file) ?? []) visit(next, [...way, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  assert.deepStrictEqual(cycles, []);
});

test("what is required has a literal name and exists, and packages are the instrumenter's alone", () => {
  const computed = [];
  for (const from of files) {
    for (const { name, text, line, isType } of requiredBy(from)) {
      const place = `${from}:${line} requires ${name}`;
      if (name === null) computed.push(`${from}: ${text}`);
      else if (name.startsWith('.')) assert.ok(fs.existsSync(path.join(SRC, roomOf(from), name)), place);
      else if (!isBuiltin(name)) assert.ok(isType || from.split(path.sep)[0] === INSTRUMENTER, place);
    }
  }
  assert.deepStrictEqual(computed, COMPUTED);
});

test('no two files have the same name, and each room says what belongs there', () => {
  const names = files.map((file) => path.basename(file).replace(/\.[cm]js$/, ''));
  assert.deepStrictEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  for (const room of new Set(files.map(roomOf))) assert.ok(fs.existsSync(path.join(SRC, room, 'README.md')), room);
});
