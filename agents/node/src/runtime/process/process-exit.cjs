'use strict';
/**
 * Observes failures and the end of the process: uncaught exceptions, unhandled rejections, exit.
 *
 * Listeners of the agent would change Node's behaviour (a rejection with a listener does not end the process), so the
 * events are observed where they are emitted.
 */

const { defineProperty, getPrototypeOf, reflectApply, uncurryThis } = require('../../base/intrinsics.cjs');
const { disguise } = require('../../base/function-text.cjs');
const { latest } = require('../errors/latest-throw.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { currentWork, makerOf, workOfRejected } = require('../calls/async-attribution.cjs');

const listenerCount = uncurryThis(require('events').prototype.listenerCount);

/** @typedef {import('../errors/fatal-errors.cjs').FatalError} FatalError */

/**
 * @param {object} listener none of them may throw
 * @param {(error: unknown, isFatal: boolean) => void} listener.onUncaught
 * @param {(reason: unknown, about: { number: number, maker: number, isFatal: boolean }) => void}
 *   listener.onUnhandledRejection with the number of the work that caused it, and the statement that made the promise
 *   (async-attribution.cjs)
 * @param {() => void} listener.onBeforeExit called before the program's listeners of `exit` run, one of which may end
 *   the process
 * @param {(worker: unknown) => void} listener.onWorker called when the program has created a worker
 * @param {(code: number) => void} listener.onExit
 * @param {(fatal: FatalError) => void} listener.onFatal called before Node prints this error, when no listener can
 *   receive it any more
 */
function watchProcess({ onUncaught, onUnhandledRejection, onBeforeExit, onWorker, onExit, onFatal }) {
  /** The work of the promise that was rejected last. */
  let rejected = 0;
  /** The statement that made it. */
  let maker = -1;
  /** The error that Node has announced; a program may emit the events itself. @type {FatalError | null} */
  let announced = null;
  /** The error that was left unhandled. @type {FatalError | null} */
  let fatal = null;
  /**
   * @param {unknown} type
   * @param {unknown[]} args
   */
  function notice(type, args) {
    if (type === 'uncaughtExceptionMonitor') {
      announced = { error: args[0], isRejection: args[1] === 'unhandledRejection', thrown: { ...latest } };
      const isFatal = listenerCount(process, 'uncaughtException') === 0;
      if (args[1] === 'unhandledRejection') onUnhandledRejection(args[0], { number: rejected, maker, isFatal });
      else onUncaught(args[0], isFatal);
    } else if (type === 'unhandledRejection') {
      rejected = workOfRejected(/** @type {object} */ (args[1]));
      maker = makerOf(/** @type {object} */ (args[1]));
      // Without a listener it is emitted again as an uncaught error, or as a warning.
      const isHeard = listenerCount(process, 'unhandledRejection') > 0;
      if (isHeard) onUnhandledRejection(args[0], { number: rejected, maker, isFatal: false });
    } else if (type === 'warning' && isRejectionWarning(args[0])) {
      onUnhandledRejection(args[0], { number: currentWork(), maker: -1, isFatal: false });
    } else if (type === 'worker') {
      onWorker(args[0]);
    } else if (type === 'exit') {
      onBeforeExit(); // a listener that calls process.exit again ends the process at once
    }
  }

  function tidyFatal() {
    if (fatal === null) return;
    const shown = fatal;
    fatal = null;
    onFatal(shown);
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
      // The event is more important than its observation.
    }
    try {
      // `arguments`, since spreading would use a patched array iterator.
      const isHandled = reflectApply(theirs.emit, this, /** @type {any} */ (arguments));
      if (type === 'uncaughtException' && !isHandled && announced !== null && args[0] === announced.error) {
        fatal = announced;
        if (/** @type {any} */ (process)._exiting === true) tidyFatal();
      }
      return isHandled;
    } finally {
      if (type === 'exit') {
        onExit(/** @type {number} */ (args[0]));
        tidyFatal();
      }
    }
  }
  defineProperty(ours, 'emit', {
    value: disguise(emit, theirs.emit),
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

/** @param {unknown} warning as Node emits it with `--unhandled-rejections=warn` */
function isRejectionWarning(warning) {
  return (
    typeof warning === 'object' && warning !== null && readData(warning, 'name') === 'UnhandledPromiseRejectionWarning'
  );
}

module.exports = { watchProcess };
