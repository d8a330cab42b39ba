'use strict';
/**
 * For every kind of node that the parser can produce: instrumented programs do what they did, in the same order, and
 * throw the same.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const acorn = require('acorn');
const { inspect } = require('node:util');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { instrument } = require('../src/instrument/instrument.cjs');
const { parse } = require('../src/instrument/texts/parse.cjs');
const { ASSIGNMENTS, BINARY, MODULES_BY_KIND, PROGRAMS_BY_KIND, UNARY } = require('./instrument-support/estree.cjs');
const { firstDifference } = require('./instrument-support/differences.cjs');

/** Every node of a tree, also those that are never probed. */
function* nodesOf(value) {
  if (Array.isArray(value)) for (const element of value) yield* nodesOf(element);
  else if (value && typeof value.type === 'string') {
    yield value;
    for (const child of Object.values(value)) if (child && typeof child === 'object') yield* nodesOf(child);
  }
}

/**
 * The types that acorn's own text gives to nodes: what stands in the second argument of `finishNode`, and assignments
 * to `type`.
 */
function typesOfParser() {
  const text = fs.readFileSync(require.resolve('acorn'), 'utf8');
  const types = new Set();
  const addTexts = (/** @type {unknown} */ tree) => {
    for (const node of nodesOf(tree)) {
      if (node.type === 'Literal' && /^[A-Z][A-Za-z]+$/.test(String(node.value))) types.add(node.value);
    }
  };
  for (const node of nodesOf(parse(text, false))) {
    if (node.type === 'CallExpression' && /^finishNode(At)?$/.test(node.callee.property?.name)) {
      addTexts(node.arguments[1]);
    }
    if (node.type === 'AssignmentExpression' && node.left.property?.name === 'type') addTexts(node.right);
  }
  return types;
}

test('every kind that the parser knows has its programs, and they are about it', () => {
  const types = typesOfParser();
  assert.ok(types.size > 65 && types.has('PropertyDefinition'), [...types].join());
  const kinds = new Set([...Object.keys(PROGRAMS_BY_KIND), ...Object.keys(MODULES_BY_KIND)]);
  assert.deepEqual(
    [...types].filter((type) => !kinds.has(type)),
    [],
  );
  const check = (/** @type {Record<string, string[]>} */ table, /** @type {boolean} */ isModule) => {
    for (const [kind, programs] of Object.entries(table)) {
      assert.ok(types.has(kind), kind);
      for (const text of programs) {
        assert.ok(
          [...nodesOf(parse(text, isModule))].some(({ type }) => type === kind),
          `${kind}: ${text}`,
        );
      }
    }
  };
  check(PROGRAMS_BY_KIND, false);
  check(MODULES_BY_KIND, true);
});

test('every operator that the parser knows is tried', () => {
  const { tokTypes } = acorn;
  const known = Object.values(tokTypes)
    .filter(({ binop }) => binop !== null)
    .flatMap(({ label }) => label.replace('</>/<=/>=', '</>/<=/>=').split(/(?<=\S)\/(?=\S)/));
  const tried = new Set([...BINARY, ...UNARY, '&&', '||', '??']);
  const unknown = known.filter(
    (label) => label !== '' && !tried.has(label) && !['<<', '>>', '>>>', '==', '!=', '===', '!=='].includes(label),
  );
  assert.deepEqual(unknown, []);
  assert.equal(BINARY.length + ASSIGNMENTS.length + UNARY.length, 22 + 16 + 7);
});

for (const [kind, programs] of Object.entries(PROGRAMS_BY_KIND)) {
  test(kind, async () => {
    for (const text of programs) assert.equal((await firstDifference(text)).difference, null);
  });
}

/** What a module exports, and what it logs. */
async function observeModule(/** @type {string} */ text) {
  /** @type {string[]} */
  const effects = [];
  Object.assign(globalThis, {
    log: (/** @type {unknown[]} */ ...values) => (effects.push(inspect(values)), values.at(-1)),
  });
  let outcome;
  try {
    const exported = await import(`data:text/javascript,${encodeURIComponent(`${text}\n//${Math.random()}`)}`);
    outcome = inspect(Object.entries(exported), { depth: 6 });
  } catch (error) {
    outcome = `throws ${error}`;
  }
  return { effects, outcome };
}

for (const [kind, programs] of Object.entries(MODULES_BY_KIND)) {
  test(`${kind} in an ES module`, async () => {
    for (const text of programs) {
      const { code, table } = instrument(text, { path: '/sut/file.mjs', isModule: true });
      const original = await observeModule(text);
      assert.doesNotMatch(original.outcome, /^throws SyntaxError/, text);
      // The header's module opens its handle by this name.
      Object.assign(globalThis, { __wimble_open__: () => new FileProbes('/sut/file.mjs', 0, table) });
      assert.deepEqual(await observeModule(code), original, code);
    }
  });
}
