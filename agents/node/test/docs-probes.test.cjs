'use strict';
/** docs/what-the-agent-sees.md knows each probe, kind of target, operator of hints and replaced method. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..', '..');
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(ROOT, name), 'utf8');

const PAGE = read('docs/what-the-agent-sees.md');
const KNOWN = new Set([...PAGE.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name));
const SCHEMA = JSON.parse(read('protocol/messages.schema.json'));

/** @param {Iterable<string>} names */
function assertOnPage(names) {
  const all = [...new Set(names)];
  assert.ok(all.length > 0);
  const missing = all.filter((name) => !KNOWN.has(name));
  assert.deepEqual(missing, [], `docs/what-the-agent-sees.md does not say \`${missing.join('`, `')}\``);
}

test('each probe', () => {
  assertOnPage([...read('agents/node/PROBES.md').matchAll(/\$\.([a-z]+[0-9]?)(?=[(`])/g)].map(([, name]) => name));
});

test('each kind of target', () => {
  const [kinds] = SCHEMA.$defs.target.prefixItems.map((/** @type {any} */ item) => item.enum);
  assertOnPage(kinds);
});

test('each operator whose outcomes are targets', () => {
  const row = /^\| `branch` \|(.*)\|[^|]*\|$/m.exec(read('protocol/README.md'));
  assert.ok(row);
  const words = [...row[1].matchAll(/`([^`]+)`/g)].flatMap(([, text]) => text.split(' '));
  assertOnPage(words.filter((word) => !['OP', '/', 'true', 'false', 'A[B]', 'COND'].includes(word)));
});

test('each kind of hint', () => {
  assertOnPage(
    SCHEMA.$defs.hint.oneOf.map((/** @type {any} */ { $ref }) => {
      const name = $ref.split('/').pop().replace(/Hint$/, '');
      return name.replace(/[A-Z]/g, (/** @type {string} */ letter) => '-' + letter.toLowerCase());
    }),
  );
});

test('each replaced method', () => {
  const {
    CONSTRUCTORS,
    EXPORTED,
    GLOBAL_FUNCTIONS,
    METHODS,
    ON_OWNERS,
    VALIDATORS,
  } = require('../src/instrument/callees/tracked-names.cjs');
  assertOnPage(
    [CONSTRUCTORS, EXPORTED, GLOBAL_FUNCTIONS, METHODS, ON_OWNERS, VALIDATORS].flatMap((names) => [...names.keys()]),
  );
});
