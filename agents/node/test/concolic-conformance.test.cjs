'use strict';
/** Traced programs do what they did, with live symbols: effects in order, results, exceptions, lines. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { functionTexts } = require('../src/instrument/original-functions.cjs');
const { trace } = require('../src/instrument/tracing/trace.cjs');
const { TraceHandle } = require('../src/concolic/trace-handle.cjs');
const { generateProgram } = require('./instrument-support/generator.cjs');
const { PROGRAMS } = require('./instrument-support/programs.cjs');
const { answerTexts, observe } = require('./instrument-support/run.cjs');

const N_PROGRAMS = Number(process.env.N_PROGRAMS || 150);
/** Values that the programs use, so that many of their values get shadows. */
const INPUTS = [1, 2, 'key', 'a', true].map((value, number) => ({ place: `/${number}`, name: 'key', value }));
/** V8 writes the text of the callee into such messages, which is that of the traced text. */
const SHOWS_TEXT = /is not (a function|a constructor|iterable)|Cannot destructure/;
/** V8 keeps ten lines of a stack, and those of the handle are among them. */
const LINES = / at [\d ]+$/;

/** @param {{effects: string[], outcome: string}} observed */
function shown({ effects, outcome }) {
  const plain = (text) => (SHOWS_TEXT.test(text) ? 'TypeError' : text.replace(LINES, ''));
  return { effects: effects.map(plain), outcome: plain(outcome) };
}

async function assertSame(name, text) {
  const code = trace(text, { path: '/sut/file.js', isModule: false });
  const handle = new TraceHandle();
  const original = shown(await observe(text, undefined));
  const restore = answerTexts(functionTexts(code, text, false));
  handle.begin(INPUTS);
  const traced = shown(await observe(code, () => handle).finally(restore));
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
