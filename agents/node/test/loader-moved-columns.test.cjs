'use strict';
/** Columns of the original text are known from the disk cache in each process after the first. */
const test = require('node:test');
const assert = require('node:assert/strict');
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Sources } = require('../src/loader/source-texts.cjs');
const { Transformer } = require('../src/loader/transform.cjs');

const PATH = '/project/sum.js';
const TEXT = `'use strict';
function sum(a, b) { if (a > 1 && b) { return a.total() + nothing.there; } }
const last = (one) => one.x;
`;

/** @param {string | null} folder @returns {Sources} as in a process that has just begun */
function sourcesWith(folder) {
  const sources = new Sources(new Transformer(folder));
  sources.add({ path: PATH, text: TEXT, isModule: false });
  return sources;
}

test('each piece has its column in the original text, with and without the cache', () => {
  const folder = mkdtempSync(join(tmpdir(), 'columns-'));
  try {
    for (const sources of [sourcesWith(null), sourcesWith(folder), sourcesWith(folder)]) {
      const lines = String(sources.runningTextOf(PATH)).split('\n');
      for (const [line, piece] of /** @type {const} */ ([
        [2, 'a.total'],
        [2, 'nothing'],
        [3, '(one)'],
      ])) {
        const column = sources.columnOf(PATH, line, lines[line - 1].indexOf(piece));
        assert.equal(column, TEXT.split('\n')[line - 1].indexOf(piece), piece);
      }
      assert.equal(sources.columnOf(PATH, 40, 1), -1);
      assert.equal(sources.columnOf('/project/other.js', 1, 1), -1);
    }
    assert.equal(readdirSync(folder).length, 2, 'the instrumented text, and its columns');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
