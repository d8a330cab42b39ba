'use strict';
/** The SUT cannot tell: every construct gives the same effects, results and exceptions with and without probes. */

const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const assert = require('node:assert/strict');
const { NULL_HANDLE } = require('../src/runtime/probes/null-handle.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { PROGRAMS } = require('./instrument-support/programs.cjs');
const { observeBoth } = require('./instrument-support/run.cjs');

for (const [name, text] of Object.entries(PROGRAMS)) {
  test(name, async () => {
    const { original, rewritten, code } = await observeBoth(text);
    assert.doesNotMatch(original.outcome, /^throws SyntaxError/, 'the program of the test itself is wrong');
    assert.deepEqual(rewritten, original, code);
    assert.equal(
      code.split(/\r\n?|[\n\u2028\u2029]/).length,
      text.split(/\r\n?|[\n\u2028\u2029]/).length,
      'a line came or went',
    );
  });
}

test('the handle that measures nothing has all probes', () => {
  const text = fs.readFileSync(path.join(__dirname, '..', 'PROBES.md'), 'utf8');
  const names = [...text.matchAll(/\$\.([a-z][a-z0-9]*)\(/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(names)].filter((name) => !(name in NULL_HANDLE)), []); // prettier-ignore
});

test('the same with the handle that measures nothing', async () => {
  for (const [name, text] of Object.entries(PROGRAMS)) {
    // It makes no stand-ins, so V8 writes the probe into the message.
    if (
      [
        'arguments are evaluated before a missing method throws',
        'optional calls that throw',
        'calls in optional chains that throw',
        'bind that is missing, or is not what it seems',
      ].includes(name)
    ) {
      continue;
    }
    const { original, rewritten } = await observeBoth(text, () => NULL_HANDLE);
    assert.deepEqual(rewritten, original, name);
  }
});

test('the same with the probes of the runtime', async () => {
  for (const [name, text] of Object.entries(PROGRAMS)) {
    const { original, rewritten } = await observeBoth(text, (table) => new FileProbes('/sut/file.js', 0, table));
    assert.deepEqual(rewritten, original, name);
  }
});
