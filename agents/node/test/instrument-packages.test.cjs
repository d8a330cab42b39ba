'use strict';
/** Real packages: every file can be rewritten and parses again, and a parser that carries probes parses as before. */

const test = require('node:test');
const assert = require('node:assert/strict');
const vm = require('node:vm');
const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const acorn = require('acorn');
const { instrument } = require('../src/instrument/instrument.cjs');
const { parse } = require('../src/instrument/texts/parse.cjs');
const { CheckedHandle } = require('./instrument-support/checked-handle.cjs');

const AGENT = join(__dirname, '..');
const MAX_BYTES = 400_000;

/** Packages for work on the agent: large, and many others come with them. */
const TOOLS = new Set(['@eslint/js', '@types/node', 'eslint', 'prettier', 'typescript']);

/** @returns {Set<string>} folders of the packages that the agent and its tests need, as the lock file has them */
function installed() {
  const { packages } = require('../package-lock.json');
  const found = new Set();
  const add = (from, names) => {
    for (const name of Object.keys(names ?? {})) {
      const nested = join(from, 'node_modules', name);
      const folder = nested in packages ? nested : join('node_modules', name);
      if (TOOLS.has(name) || found.has(folder) || !(folder in packages)) continue;
      found.add(folder);
      add(folder, packages[folder].dependencies);
    }
  };
  add('', packages[''].dependencies);
  add('', packages[''].devDependencies);
  return found;
}

function sources() {
  const files = [...installed()].flatMap((folder) =>
    readdirSync(join(AGENT, folder), { recursive: true, withFileTypes: true }),
  );
  const paths = files
    .filter((file) => file.isFile() && /\.[cm]?js$/.test(file.name))
    .map((file) => join(file.parentPath ?? file.path, file.name));
  return [...new Set(paths.sort())]
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => text.length < MAX_BYTES);
}

/** How Node would take the text: true for an ES module, undefined for one that it would not take (templates, JSX). */
function moduleness({ path, text }) {
  for (const isModule of path.endsWith('.mjs') ? [true] : [false, true]) {
    try {
      parse(text, isModule);
      return isModule;
    } catch {
      // Try the other.
    }
  }
  return undefined;
}

function countLines(text) {
  return text.split(/\r\n?|[\n\u2028\u2029]/).length;
}

test('every file of the installed packages', () => {
  let n = 0;
  for (const { path, text } of sources()) {
    const isModule = moduleness({ path, text });
    if (isModule === undefined) continue;
    const { code, table } = instrument(text, { path, isModule });
    parse(code, isModule);
    assert.equal(countLines(code), countLines(text), path);
    const sourceOf = (index) => (table.parts ?? []).filter(([first]) => first <= index).at(-1)?.[1];
    const targetNames = table.targets.map((target, index) => `${sourceOf(index)} ${target}`);
    assert.equal(new Set(targetNames).size, table.targets.length, `${path}: two targets with one name`);
    n += 1;
  }
  assert.ok(n > 150, `${n} files`);
});

function loadInstrumented(path) {
  const { code, table } = instrument(readFileSync(path, 'utf8'), { path, isModule: false });
  const checked = new CheckedHandle(table);
  checked.calls = { push() {} };
  const module = { exports: {} };
  const body = vm.compileFunction(code, ['exports', 'require', 'module', '__wimble_open__']);
  body.call(module.exports, module.exports, require, module, () => checked.handle());
  return module.exports;
}

test('acorn with probes makes the same trees', () => {
  const instrumented = loadInstrumented(require.resolve('acorn'));
  for (const { path, text } of sources()
    .filter((source) => source.text.length < 60_000)
    .slice(0, 60)) {
    for (const sourceType of ['module', 'script']) {
      const options = { ecmaVersion: 'latest', sourceType, locations: true };
      const outcomes = [acorn, instrumented].map((parser) => {
        try {
          return JSON.stringify(parser.parse(text, options));
        } catch (error) {
          return `${error.name}: ${error.message}`;
        }
      });
      assert.ok(outcomes[0] === outcomes[1], path);
    }
  }
});

test('magic-string with probes writes the same text', () => {
  const path = require.resolve('magic-string');
  const { default: Original } = require(path);
  const { default: Instrumented } = loadInstrumented(path);
  const results = [Original, Instrumented].map((MagicString) => {
    const text = new MagicString('let a = 1;\nlet b = 2;\n', { filename: 'x.js' });
    text.append('c').prepend('d').appendLeft(3, 'e').overwrite(4, 5, 'ff').remove(8, 9).move(11, 14, 0).indent('\t');
    const map = text.generateMap({ hires: true, includeContent: true, source: 'x.js' });
    return [text.toString(), map.toString(), text.snip(0, 8).toString(), text.trim().toString()];
  });
  assert.deepEqual(results[1], results[0]);
});
