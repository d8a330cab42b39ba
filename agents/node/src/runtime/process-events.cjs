'use strict';
/**
 * Sees the process break or end: uncaught exceptions, unhandled rejections, exit.
 *
 * Listeners of our own would change what Node does (a rejection with a listener kills nobody), so the events are seen where they are emitted.
 */

const { defineProperty, getPrototypeOf, reflectApply, uncurryThis } = require('../intrinsics.cjs');
const { disguise } = require('../function-text.cjs');
const { readData } = require('./stacks.cjs');
const { currentWork, workOf } = require('./work.cjs');

const listenerCount = uncurryThis(require('events').prototype.listenerCount);

/**
 * @param {object} listener none of them may throw
 * @param {(error: unknown) => void} listener.onUncaught
 * @param {(reason: unknown, number: number) => void} listener.onUnhandledRejection with the number of the work that it comes of (work.cjs)
 * @param {() => void} listener.onBeforeExit the program's listeners of `exit` are about to run, and may be the last to
 * @param {(code: number) => void} listener.onExit
 */
function watchProcess({ onUncaught, onUnhandledRejection, onBeforeExit, onExit }) {
  /** Work of the promise that was rejected last. */
  let rejected = 0;
  /**
   * @param {unknown} type
   * @param {unknown[]} args
   */
  function notice(type, args) {
    if (type === 'uncaughtExceptionMonitor') {
      if (args[1] === 'unhandledRejection') onUnhandledRejection(args[0], rejected);
      else onUncaught(args[0]);
    } else if (type === 'unhandledRejection') {
      rejected = workOf(/** @type {object} */ (args[1]));
      // Without a listener it comes again as uncaught, or as a warning.
      if (listenerCount(process, 'unhandledRejection') > 0) onUnhandledRejection(args[0], rejected);
    } else if (type === 'warning' && isRejectionWarning(args[0])) {
      onUnhandledRejection(args[0], currentWork());
    } else if (type === 'exit') {
      onBeforeExit(); // a listener that calls process.exit again ends the process at once
    }
  }

  const ours = getPrototypeOf(process);
  const theirs = getPrototypeOf(ours);
  /**
   * @this {unknown}
   * @param {unknown} type
   * @param {unknown[]} args
   */
  function emit(type, ...args) {
    try {
      notice(type, args);
    } catch {
      // The event matters more than the news of it.
    }
    try {
      // `arguments`, since spreading would meet a patched array iterator.
      return reflectApply(theirs.emit, this, /** @type {any} */ (arguments));
    } finally {
      if (type === 'exit') onExit(/** @type {number} */ (args[0]));
    }
  }
  defineProperty(ours, 'emit', { value: disguise(emit, theirs.emit), writable: true, configurable: true, enumerable: false });
}

/** @param {unknown} warning as Node raises it with `--unhandled-rejections=warn` */
function isRejectionWarning(warning) {
  return typeof warning === 'object' && warning !== null && readData(warning, 'name') === 'UnhandledPromiseRejectionWarning';
}

module.exports = { watchProcess };
