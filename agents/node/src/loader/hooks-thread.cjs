'use strict';
/**
 * Detects Node's thread for customization hooks: `--require` runs in every thread, but the agent is not needed in that
 * one.
 */

const threads = require('node:worker_threads');

/**
 * Returns whether this is Node's own thread for customization hooks. It runs no code of the SUT's program, only its
 * hooks. `isInternalThread` tells this since Node 22.14; before, it is the only thread without a port to a parent.
 */
function isHooksThread() {
  const { isInternalThread } = /** @type {{isInternalThread?: boolean}} */ (threads);
  return !threads.isMainThread && (isInternalThread ?? threads.parentPort === null);
}

module.exports = { isHooksThread };
