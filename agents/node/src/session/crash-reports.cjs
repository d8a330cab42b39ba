'use strict';
/**
 * Reports errors that nothing has caught, and the end of the process, with their cause and the call that they belong
 * to.
 */

const { captureStackTrace, indexOf } = require('../base/intrinsics.cjs');
const { messageOf } = require('../base/error-stacks.cjs');
const { isUnheard } = require('../library/emitted-errors.cjs');
const { currentWork, originOf, work } = require('../runtime/calls/async-attribution.cjs');
const { noteThrownIn, recordOf, runningRecord } = require('../runtime/calls/recorder.cjs');

/** The origin of work that was set off too long ago to be known. */
const UNKNOWN_ORIGIN = { seq: 0, call: null };
/** The message of an exit without a call of `process.exit`. */
const NOTHING_LEFT = 'the process ended because its event loop was empty';

class CrashReports {
  /**
   * @param {import('./channel.cjs').Channel} channel
   * @param {import('../runtime/errors/error-causes.cjs').Causes} causes
   */
  constructor(channel, causes) {
    this.channel = channel;
    this.causes = causes;
    this.hasBegun = false;
    this.hasCrashed = false;
    /** Whether this process is the host of a library. */
    this.isLibrary = false;
  }

  /** The core's evaluations have begun: the end of the process is none of its start. */
  noteEvaluation() {
    this.hasBegun = true;
  }

  noteCall() {
    this.hasCrashed = false;
  }

  noteLibrary() {
    this.isLibrary = true;
  }

  /** @param {unknown} error that nothing has caught */
  kindOf(error) {
    return this.isLibrary && isUnheard(error) ? 'unheard-error' : 'uncaught-exception';
  }

  /**
   * @param {'uncaught-exception' | 'unhandled-rejection' | 'unheard-error'} kind
   * @param {unknown} error
   * @param {number} number of the work that caused it
   * @param {boolean} isFatal whether it ends the process
   * @param {import('../runtime/errors/error-causes.cjs').Place | null} [origin] the statement that made the promise
   */
  noteCrash(kind, error, number, isFatal, origin = null) {
    const isLate = isOfEarlierEvaluation(number);
    const record = isLate ? null : recordOf(number);
    if (record !== null) noteThrownIn(record, error);
    this.hasCrashed = true;
    const cause = this.causes.ofCrash(record, error, origin);
    const call = record === null ? null : record.call;
    this.channel.sendNow({
      type: 'crash',
      kind,
      call,
      cause,
      late: lateOrigin(number),
      ...(isFatal ? { fatal: true } : {}),
    });
  }

  /**
   * Reports the end of the process, except after a crash.
   * @param {number} code
   */
  noteExit(code) {
    try {
      if (!this.hasBegun || this.hasCrashed) return this.channel.flushNow();
      const trail = { name: 'Error', message: '', stack: '' };
      captureStackTrace(trail, this.noteExit);
      const number = currentWork();
      const record = runningRecord();
      const cause = this.causes.ofCrash(record, trail);
      cause.message = indexOf(cause.stack, 'process.exit') < 0 ? NOTHING_LEFT : 'process.exit(' + code + ')';
      if (record !== null && record.hasError) cause.message += ' after ' + messageOf(record.error);
      this.channel.sendNow({
        type: 'crash',
        kind: 'exit',
        call: record === null ? null : record.call,
        exit_code: code,
        cause,
        late: lateOrigin(number),
      });
    } catch {
      // The process ends in any case.
    }
    return undefined;
  }
}

/** @param {number} number of work */
const isOfEarlierEvaluation = (number) => number !== 0 && number < work.first;

/**
 * @param {number} number of work
 * @returns {{seq: number, call: number | null} | null} null for work of this evaluation
 */
const lateOrigin = (number) => (isOfEarlierEvaluation(number) ? originOf(number) || UNKNOWN_ORIGIN : null);

module.exports = { CrashReports };
