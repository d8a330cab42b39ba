'use strict';
/** Compiled texts are reported in the user's source. */

const assert = require('node:assert');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { spawnSync } = require('node:child_process');
const { after, test } = require('node:test');
const ts = require('typescript');
const { instrument } = require('../src/instrument/instrument.cjs');
const { encode } = require('@jridgewell/sourcemap-codec');
const { OPEN_FUNCTION } = require('../src/instrument/texts/header.cjs');
const { findSourceMap } = require('../src/instrument/texts/source-map.cjs');
const { Causes } = require('../src/runtime/errors/error-causes.cjs');
const { Files } = require('../src/runtime/process/instrumented-files.cjs');

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
  table.targets
    .filter((/** @type {any[]} */ target) => target[0] === kind)
    .map((/** @type {any[]} */ target) => target[1]);

test('targets of a text with an inline map stand in its source, and helpers of the compiler have none', () => {
  const { path, outputText } = compile({ inlineSourceMap: true });
  assert.match(outputText, /__awaiter/);
  const { table } = instrument(outputText, { path, isModule: false });
  assert.deepStrictEqual(
    [...new Set(linesOf(table, 'branch'))].filter((line) => line !== 5),
    [8],
  );
  for (const line of [8, 9, 11]) assert.ok(linesOf(table, 'line').includes(line), `line ${line}`);
  assert.ok(Math.max(...linesOf(table, 'line')) <= 12);
  assert.deepStrictEqual(table.parts, [[0, path]]);
});

test('a text with a map beside it belongs to the source that the map names', () => {
  const { path, outputText, sourceMapText } = compile({ sourceMap: true });
  writeFileSync(join(folder, 'item.js.map'), String(sourceMapText));
  const compiled = join(folder, 'item.js');
  const { code, table } = instrument(outputText, { path: compiled, isModule: false });
  assert.deepStrictEqual(table.parts, [[0, path]]);
  const files = new Files();
  files.register(compiled, 'hash', JSON.stringify(table), () => findSourceMap(code, compiled));
  const lines = code.split('\n');
  const line = lines.findIndex((text) => text.includes('too dear'));
  const column = lines[line].indexOf('RangeError');
  assert.deepStrictEqual(files.originalPlace(compiled, line + 1, column + 1), { file: path, line: 9, column: 15 });
  assert.strictEqual(files.originalPlace('/other.js', 3, 1), null);
  assert.deepStrictEqual(
    [files.isSource(path), files.isSource(compiled), files.isSource('/other.js')],
    [true, false, undefined],
  );
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
  const moved = [helper, ...body.split('\n')].map((_, index) => (index === 0 ? [] : (mappings[index - 1] ?? [])));
  const inline = Buffer.from(JSON.stringify({ ...map, mappings: encode(moved) })).toString('base64');
  const wrapped = `${helper}\n${body}})()\n//# sourceMappingURL=data:application/json;base64,${inline}`;
  const plain = instrument(outputText, { path, isModule: false }).table;
  assert.deepStrictEqual(instrument(wrapped, { path, isModule: false }).table.targets, plain.targets);
});

test('maps of sources that are gone, and damaged ones are left alone', () => {
  const path = join(folder, 'bundle.js');
  const comment = (/** @type {unknown} */ map) =>
    `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  for (const map of [
    { version: 3, sources: ['gone.ts'], mappings: 'AAAA' },
    { version: 3, sources: ['item.ts'], mappings: 7 },
    'no map',
  ]) {
    const { table } = instrument(`\n\nf();\n${comment(map)}`, { path, isModule: false });
    assert.deepStrictEqual(linesOf(table, 'statement'), [3]);
  }
});

/** A text of which each line comes from a place in one of `sources`: `[source, line, column]`, or null. */
function bundle(lines, sources) {
  const mappings = lines.map(([, place]) =>
    place === null ? [] : [/** @type {[number, number, number, number]} */ ([0, place[0], place[1] - 1, place[2]])],
  );
  const map = { version: 3, sources, names: [], mappings: encode(mappings) };
  return `${lines.map(([text]) => text).join('\n')}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

test('a bundle: each target stands in its own source, and packages have none', () => {
  const [a, b] = ['a.ts', 'b.ts'].map((name) => join(folder, name));
  for (const source of [a, b]) writeFileSync(source, '');
  const lines = [
    ['var helper = (x) => x === 0;', null],
    ['var early = 1 === 1;', [0, 4, 0]],
    ['var lib = 2 === 2;', [1, 1, 0]],
    ['var b = 3 === 3;', [2, 4, 2]],
    ['var more = lib;', [0, 9, 0]],
    ['var gone = 4 === 4;', [3, 1, 0]],
  ];
  const path = join(folder, 'dist', 'bundle.js');
  const sources = ['../a.ts', '../node_modules/lib/index.js', '../b.ts', '../gone.ts'];
  const { code, table } = instrument(bundle(lines, sources), { path, isModule: false });
  assert.deepStrictEqual(table.parts, [
    [0, a],
    [3, b],
    [6, a],
    [10, b],
  ]);
  const kinds = table.targets.map(([kind, line]) => `${kind} ${line}`);
  assert.deepStrictEqual(kinds, [
    'file 0',
    'line 4',
    'statement 4',
    'file 0',
    'line 4',
    'statement 4',
    'line 9',
    'statement 9',
    'branch 4',
    'branch 4',
    'branch 4',
    'branch 4',
  ]);
  assert.doesNotMatch(code.split('\n')[2], /\$wmb/);

  const files = new Files();
  const { probes } = files.register(path, 'hash', JSON.stringify(table), () => findSourceMap(code, path));
  assert.deepStrictEqual(
    table.targets.map((_, index) => probes.fileTarget[index]),
    [0, 0, 0, 3, 3, 3, 0, 0, 0, 0, 3, 3],
  );
  assert.deepStrictEqual(
    [2, 3, 9, 10].map((index) => probes.sourceOf(index)),
    [a, b, a, b],
  );
  assert.deepStrictEqual(files.placeOf(probes.base + 7), { file: a, line: 9 });
  assert.deepStrictEqual(files.originalPlace(path, 3, code.split('\n')[2].indexOf('lib') + 1), {
    file: join(folder, 'node_modules/lib/index.js'),
    line: 1,
    column: 1,
  });
  assert.strictEqual(files.isSource(join(folder, 'node_modules/lib/index.js')), undefined);
});

test('webpack names sources from the project on, and a bundle of packages alone has no targets', () => {
  writeFileSync(join(folder, 'package.json'), '{}');
  const path = join(folder, 'dist', 'main.js');
  const webpack = instrument(bundle([['f(1 === 1);', [0, 2, 0]]], ['webpack://shop/./a.ts']), {
    path,
    isModule: false,
  });
  assert.deepStrictEqual(webpack.table.parts, [[0, join(folder, 'a.ts')]]);
  const vendors = instrument(bundle([['f(1 === 1);', [0, 2, 0]]], ['webpack://shop/./node_modules/lib/a.js']), {
    path,
    isModule: false,
  });
  assert.deepStrictEqual(vendors.table, {
    targets: [],
    lineOf: [],
    entryOf: [],
    endOf: [],
    cases: {},
    readers: [],
    firsts: [],
    constants: [],
    parts: [],
  });
});

test('a source that was loaded under its own name is mapped once: not where stacks are mapped already', () => {
  const { path, outputText } = compile({ inlineSourceMap: true, target: ts.ScriptTarget.ES2022 });
  const { code, table } = instrument(outputText, { path, isModule: false });
  const files = new Files();
  files.register(path, 'hash', JSON.stringify(table), () => findSourceMap(code, path));
  const lines = code.split('\n');
  const line = lines.findIndex((text) => text.includes('too dear'));
  const stack = `RangeError: too dear\n    at async label (${path}:${line + 1}:${lines[line].indexOf('new RangeError') + 1})\n    at /other.js:1:1`;
  const causes = new Causes(files, () => false);
  const shown = () => causes.shownStack(Object.assign(new Error(), { stack }));
  assert.strictEqual(shown(), `RangeError: too dear\n    at async label (${path}:9:11)\n    at /other.js:1:1`);
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = () => '';
  try {
    assert.strictEqual(shown(), stack);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
});
