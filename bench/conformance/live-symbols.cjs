'use strict';
/**
 * Loaded after the agent into processes that run traced text: all that the program reads is unknown. At exit it notes
 * how many expressions there were.
 */

const { appendFileSync } = require('node:fs');
const { OPEN_FUNCTION } = require('../../agents/node/src/instrument/texts/header.cjs');
const { makeLive } = require('../../agents/node/test/instrument-support/live-symbols.cjs');

const open = /** @type {any} */ (globalThis)[OPEN_FUNCTION];

// Not in Node's thread for hooks, where the agent is not.
if (typeof open === 'function') {
  const count = makeLive(open('live symbols'));
  process.on('exit', () => appendFileSync(String(process.env.CONFORMANCE_TRACED), `${count()}\n`));
}
