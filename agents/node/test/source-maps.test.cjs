'use strict';
/** Compiled texts are reported in the user's source. */

const assert = require('node:assert');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { spawnSync } = require('node:child_process');
const { after, test } = require('node:test');
const ts = require('typescript');
const { instrument } = require('../src/instrument/index.cjs');
const { encode } = require('@jridgewell/sourcemap-codec');
const { OPEN_FUNCTION } = require('../src/instrument/header.cjs');
const { findSourceMap } = require('../src/instrument/source-map.cjs');
const { Files } = require('../src/runtime/files.cjs');

const folder = mkdtempSync(join(tmpdir(), 'wimble-maps-'));
after(() => rmSync(folder, { recursive: true }));

const SOURCE = `interface Item {
  price: number;
}

enum Size { Small = 'small' }

export async function label(item: Item): Promise<string> {
  if (item.price > 7) {
    throw new RangeError('too dear');
  }
  return Size.Small;
}
`;

/** @param {import('typescript').CompilerOptions} options */
function compile(options) {
  const path = join(folder, 'item.ts');
  writeFileSync(path, SOURCE);
  const compilerOptions = { target: ts.ScriptTarget.ES2015, module: ts.ModuleKind.CommonJS, ...options };
  const { outputText, sourceMapText } = ts.transpileModule(SOURCE, { fileName: path, compilerOptions });
  return { path, outputText, sourceMapText };
}

const linesOf = (/** @type {any} */ table, /** @type {string} */ kind) =>
  table.targets.filter((/** @type {any[]} */ target) => target[0] === kind).map((/** @type {any[]} */ target) => target[1]);

test('targets of a text with an inline map stand in its source, and helpers of the compiler have none', () => {
  const { path, outputText } = compile({ inlineSourceMap: true });
  assert.match(outputText, /__awaiter/);
  const { table } = instrument(outputText, { path, isModule: false });
  assert.deepStrictEqual([...new Set(linesOf(table, 'branch'))].filter((line) => line !== 5), [8]);
  for (const line of [8, 9, 11]) assert.ok(linesOf(table, 'line').includes(line), `line ${line}`);
  assert.ok(Math.max(...linesOf(table, 'line')) <= 12);
  assert.strictEqual(table.original, undefined);
});

test('a text with a map beside it belongs to the source that the map names', () => {
  const { path, outputText, sourceMapText } = compile({ sourceMap: true });
  writeFileSync(join(folder, 'item.js.map'), String(sourceMapText));
  const compiled = join(folder, 'item.js');
  const { table } = instrument(outputText, { path: compiled, isModule: false });
  assert.strictEqual(table.original?.path, path);
  const files = new Files();
  files.register(compiled, 'hash', JSON.stringify(table));
  const line = outputText.split('\n').findIndex((text) => text.includes('too dear')) + 1;
  assert.deepStrictEqual(files.originalPlace({ file: compiled, line }), { file: path, line: 9 });
  assert.deepStrictEqual(files.originalPlace({ file: '/other.js', line: 3 }), { file: '/other.js', line: 3 });
});

test('a stack that Node maps names the same line as without the agent', () => {
  const { path, outputText } = compile({ inlineSourceMap: true, target: ts.ScriptTarget.ES2022 });
  const { code } = instrument(outputText, { path, isModule: false });
  const script = `
    const Module = require('node:module');
    process.setSourceMapsEnabled(true);
    const answers = { get: (_, name) => (/^(?:s|c|x|g)$/.test(name) ? () => undefined : name === 'gt' ? (i, a, b) => a > b : (i, x) => x) };
    globalThis[${JSON.stringify(OPEN_FUNCTION)}] = () => new Proxy({}, answers);
    const made = new Module(${JSON.stringify(path)});
    made._compile(require('node:fs').readFileSync(0, 'utf8'), ${JSON.stringify(path)});
    made.exports.label({ price: 9 }).catch((error) => console.log(error.stack));
  `;
  const placeWith = (/** @type {string} */ text) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { input: text, encoding: 'utf8' });
    return /item\.ts:\d+:\d+/.exec(stdout)?.[0] ?? stdout + stderr;
  };
  assert.strictEqual(placeWith(outputText), 'item.ts:9:11');
  assert.strictEqual(placeWith(code), 'item.ts:9:11');
});

test('what a compiler wraps around a module on one line is left alone', () => {
  const { path, outputText } = compile({ inlineSourceMap: true });
  const { map, mappings } = /** @type {any} */ (findSourceMap(outputText, path));
  const body = outputText.slice(0, outputText.indexOf('//# source'));
  const helper = 'var h=a=>a>1;(()=>{';
  const moved = [helper, ...body.split('\n')].map((_, index) => (index === 0 ? [] : mappings[index - 1] ?? []));
  const inline = Buffer.from(JSON.stringify({ ...map, mappings: encode(moved) })).toString('base64');
  const wrapped = `${helper}\n${body}})()\n//# sourceMappingURL=data:application/json;base64,${inline}`;
  const plain = instrument(outputText, { path, isModule: false }).table;
  assert.deepStrictEqual(instrument(wrapped, { path, isModule: false }).table.targets, plain.targets);
});

test('maps of several sources, of sources that are gone, and damaged ones are left alone', () => {
  const path = join(folder, 'bundle.js');
  const comment = (/** @type {unknown} */ map) =>
    `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  for (const map of [
    { version: 3, sources: ['item.ts', 'bundle.js'], mappings: 'AAAA' },
    { version: 3, sources: ['gone.ts'], mappings: 'AAAA' },
    { version: 3, sources: ['item.ts'], mappings: 7 },
    'no map',
  ]) {
    const { table } = instrument(`\n\nf();\n${comment(map)}`, { path, isModule: false });
    assert.deepStrictEqual(linesOf(table, 'statement'), [3]);
  }
});
