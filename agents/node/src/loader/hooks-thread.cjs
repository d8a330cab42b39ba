'use strict';
/** Which thread of Node this is: `--require` runs in all of them, and the agent has no business in one. */

const threads = require('node:worker_threads');

/**
 * Is this Node's own thread for customization hooks? No code of the SUT's program runs there, only its hooks.
 * `isInternalThread` says so since Node 22.14; before, it is the one thread that has no port to a parent.
 */
function isHooksThread() {
  const { isInternalThread } = /** @type {{isInternalThread?: boolean}} */ (threads);
  return !threads.isMainThread && (isInternalThread ?? threads.parentPort === null);
}

module.exports = { isHooksThread };
