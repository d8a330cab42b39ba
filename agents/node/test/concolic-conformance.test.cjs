'use strict';
/** Traced programs do what they did, with live symbols: effects in order, results, exceptions, lines. */

const test = require('node:test');
const assert = require('node:assert/strict');
const vm = require('node:vm');
const { OPEN_FUNCTION } = require('../src/instrument/texts/header.cjs');
const { functionTexts } = require('../src/instrument/texts/original-functions.cjs');
const { trace } = require('../src/instrument/tracing/trace.cjs');
const { TraceHandle } = require('../src/concolic/trace-handle.cjs');
const { generateProgram } = require('./instrument-support/generator.cjs');
const { PROGRAMS } = require('./instrument-support/programs.cjs');
const { answerTexts, observe } = require('./instrument-support/run.cjs');

const N_PROGRAMS = Number(process.env.N_PROGRAMS || 150);
/** Values that the programs use, so that many of their values get shadows. */
const INPUTS = [1, 2, 'key', 'a', true].map((value, number) => ({ place: `/${number}`, name: 'key', value }));
/** V8 writes the text of what is spread or taken apart into such messages, which is that of the traced text. */
const SHOWS_TEXT = /is not iterable|Cannot destructure/;
/** V8 writes more of a failed call that is iterated; a traced call throws the shorter message by itself. */
const OF_ITERATED_CALL = /is not a function or its return value is not iterable/;
const OF_CALL = /^throws TypeError: .* is not a function/;
/** A traced call whose text is not rendered: that of V8 has many forms, such as `(a , b).c`. */
const OF_UNNAMED_CALL = /^throws TypeError: \(intermediate value\) is not a function/;
/** V8 keeps ten lines of a stack, and those of callbacks that models call are among them. */
const LINES = / at [\d ]+$/;

/** @param {{effects: string[], outcome: string}} observed */
function shown({ effects, outcome }) {
  const plain = (text) => (SHOWS_TEXT.test(text) ? 'TypeError' : text.replace(LINES, ''));
  return { effects: effects.map(plain), outcome: plain(outcome) };
}

/**
 * The messages of failed calls as V8 writes them, where a traced call is known to write another one.
 * @param {string[]} effects of the traced program
 * @param {string[]} originals
 */
function asWrittenByV8(effects, originals) {
  return effects.map((one, number) => {
    const original = originals[number] ?? '';
    const isIterated = OF_CALL.test(one) && OF_ITERATED_CALL.test(original);
    return isIterated || (OF_UNNAMED_CALL.test(one) && OF_CALL.test(original)) ? original : one;
  });
}

async function assertSame(name, text) {
  const code = trace(text, { path: '/sut/file.js', isModule: false });
  const handle = new TraceHandle();
  const observed = await observe(text, undefined);
  const original = shown(observed);
  const restore = answerTexts(functionTexts(code, text, false));
  handle.begin(INPUTS);
  const { effects, outcome } = await observe(code, () => handle).finally(restore);
  const traced = shown({ effects: asWrittenByV8(effects, observed.effects), outcome });
  assert.deepEqual(traced, original, process.env.SHOW_CODE ? `${name}\n${code}` : name);
  return handle.nodes.list.length;
}

test('the programs of the instrumenter', async () => {
  for (const [name, text] of Object.entries(PROGRAMS)) await assertSame(name, text);
});

test(`${N_PROGRAMS} random programs`, async () => {
  let nNodes = 0;
  for (let seed = 0; seed < N_PROGRAMS; seed += 1) nNodes += await assertSame(`program ${seed}`, generateProgram(seed));
  assert.ok(nNodes > N_PROGRAMS, `${nNodes} expressions: the programs have no live symbols`);
});

/** Functions that nest deeper than V8 keeps frames. */
const NESTED = `
const deep = (n) => n > 0 ? deep(
  n - 1) : new Error('x').stack;
const o = {
  get me() { return this },
  down(n, next) { return next(n) },
};
o.late = function (n) { return deep(n); };
class Made {
  constructor(n, next) { this.stack = next(n) }
}
const caught = (work) => { try { return work() } catch (error) { return error.stack } };
`;
/** Calls as they are written over lines. */
const CALLS = [
  'deep(0)',
  'deep(20)',
  'o.late(1)',
  'o\n.me\n.down(2, function first(n) {\n  return o.late(n);\n})',
  'o.down(\n3,\ndeep)',
  'o?.me\n.down(1, function first(n) {\n  return deep(n);\n})',
  '(function first(n) {\n  return deep(n);\n})(1)',
  '(function first(n, next) {\n  return next(n);\n})(1, function second(n) {\n  return deep(n);\n})',
  'new Made(\n1,\nfunction first(n) { return deep(n) }).stack',
  'deep.call(null, 1)',
  '(() => {\n  const given =\n    deep(0);\n  let other;\n  other =\n    given && deep(1);\n  return given + other;\n})()',
  '[1].length\n  ? deep(2)\n  : 0',
  '![1].length\n  ? 0\n  : deep(2)',
  '(\n  deep(2)\n)',
  '[1].length &&\n  deep(1)',
  '(null ??\n  deep(1)) +\n  deep(2)',
  '(o.kept =\n  deep(1))',
  'deep.apply(null, [1])',
  'Reflect.apply(deep, null, [1])',
  "o['down'](1, deep)",
  'deep(...[1])',
  '[\n1,\ndeep(1)][1]',
  '({\na: 1,\nb: deep(1) }).b',
  '[1].map(function first(n) {\n  return deep(n);\n})[0]',
  '[1, 2].filter(\n  (n) => (o.kept = deep(n)))\n&& o.kept',
  '[3, 1].reduce(function first(all, n) {\n  return all + deep(n);\n}, "")',
  '[3, 1].find((n) =>\n  (o.kept = deep(n)))\n&& o.kept',
  '([3, 1].forEach(function (n) { o.kept = deep(n) }),\no.kept)',
  'caught(() => [1].some(() => [2].every((n) => {\n  throw new Error(n);\n})))',
  'caught(function first() {\no.nothing(\n1) })',
  '(() => {\n  const one = 1,\n    two = [\n      one, deep(1)],\n    three = deep(2);\n  return two[1] + three;\n})()',
  'deep(0) + `\n` +\n  `a\n${deep(\n1)}\n` +\n  deep(2)',
  "(o.me\n  ? 'a\\\nb'\n  : o) + deep(1)",
  'o.me?.me.down(`\n`, () => [`\n`])\n  .map(() => deep(1))[0]',
  'o[`me\n`.trim()].down(1, deep) + o[`down\n`.trim()](1, deep)',
  '(() => {\n  let kept = 1;\n  kept +=\n    deep(1);\n  return (\n    kept);\n})()',
  'caught(() => [null].map((one) => one\n  .me\n  .more))',
  '(0, deep)(\n  1)',
  '(() => { let kept; for (const n of [1])kept=n// last\n return kept + deep(1) })()',
  'caught(function first() {\no.down(1, 2) })',
];
const NESTED_CALLS = CALLS.reduce((text, call, index) => {
  return `${text}function call${index}() {\n  return (${call});\n}\nmodule.exports.push(call${index});\n`;
}, NESTED);

/** @param {string} code @param {unknown} handle @returns {string[]} stacks: functions, and lines of the program */
function stacksOf(code, handle) {
  const [module, open] = [{ exports: /** @type {any} */ ([]) }, OPEN_FUNCTION];
  /** @type {any} */ (globalThis)[open] = () => handle;
  try {
    new vm.Script(`(function (module) {${code}\n})`, { filename: '/sut/nested.js' }).runInThisContext()(module);
    return module.exports.map((/** @type {() => string} */ one) => inThisFile(one()));
  } finally {
    delete (/** @type {any} */ (globalThis)[open]);
  }
}

/** @param {string} stack @returns {string} without the message, which quotes the text of the program, and columns */
const inThisFile = (stack) => stack.replace(/^.*\n/, '').replace(/:\d+(\)?)$/gm, '$1');

test('stacks show the frames of the program alone, each on its line', () => {
  const code = trace(NESTED_CALLS, { path: '/sut/nested.js', isModule: false });
  for (const isOn of [true, false]) {
    const handle = new TraceHandle();
    if (isOn) handle.begin(INPUTS);
    const [traced, original] = [stacksOf(code, handle), stacksOf(NESTED_CALLS, undefined)];
    traced.forEach((stack, index) => assert.equal(stack, original[index], CALLS[index]));
  }
});
