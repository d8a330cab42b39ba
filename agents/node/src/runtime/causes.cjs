'use strict';
/** Where a failing call went wrong (protocol/README.md, `cause`). */

const { firstOwnFrame, messageOf, stackOf, withoutAgentLines } = require('./stacks.cjs');

const SERVER_ERROR = 500;

/**
 * @typedef {import('./recorder.cjs').CallRecord} CallRecord
 * @typedef {{ call: number | null, file: string, line: number, message: string, stack: string, statement: string }} Cause
 */

class Causes {
  /**
   * @param {import('./files.cjs').Files} files
   * @param {(path: string) => boolean} isOwnFile
   */
  constructor(files, isOwnFile) {
    this.files = files;
    this.isOwn = (/** @type {string} */ path) => files.has(path) || isOwnFile(path);
  }

  /**
   * Keeps where the program is now as the place of the call's trouble, unless that is known.
   * @param {CallRecord} record
   */
  pin(record) {
    if (record.place !== null) return;
    const last = this.files.lastPlace();
    const place = this.files.unfinishedPlace(record.startStamp) || last;
    record.place = {
      file: place === null ? '' : place.file,
      line: place === null ? 0 : place.line,
      statement: last === null ? '' : last.file + ':' + last.line,
    };
  }

  /**
   * The same for an answer that looks well: the last statement that ran, whether it is through or not.
   * @param {CallRecord} record
   */
  pinAnswer(record) {
    const last = this.files.lastPlace();
    if (record.place !== null || last === null) return;
    record.place = { file: last.file, line: last.line, statement: last.file + ':' + last.line };
  }

  /**
   * @param {CallRecord} record of a call that is over
   * @param {boolean} isFull whether to tell where an answer came from that looks well, too
   * @returns {Cause | null} null where nothing is to be told
   */
  ofCall(record, isFull) {
    if (!record.hasError && !isTroubled(record.response)) {
      return isFull && record.place !== null ? this.of(record, false, undefined) : null;
    }
    this.pin(record);
    return this.of(record, record.hasError, record.error);
  }

  /**
   * @param {CallRecord | null} record the running call
   * @param {unknown} error
   * @returns {Cause}
   */
  ofCrash(record, error) {
    const subject = record || noRecord();
    this.pin(subject);
    return this.of(subject, true, error, record);
  }

  /**
   * @param {CallRecord} record pinned
   * @param {boolean} hasError
   * @param {unknown} error
   * @param {CallRecord | null} [running]
   * @returns {Cause}
   */
  of(record, hasError, error, running = record) {
    const stack = hasError ? withoutAgentLines(stackOf(error)) : '';
    const place = /** @type {NonNullable<CallRecord['place']>} */ (record.place);
    const own = firstOwnFrame(stack, this.isOwn);
    const frame = own === null ? place : this.files.originalPlace(own);
    return {
      call: running === null ? null : running.call,
      file: frame.file,
      line: frame.line,
      message: hasError ? messageOf(error) : '',
      stack,
      statement: place.statement,
    };
  }
}

/** @returns {CallRecord} stands for the time outside of calls */
function noRecord() {
  return { call: 0, response: null, startStamp: 0, hasError: false, error: undefined, place: null };
}

/**
 * @param {any} response
 * @returns {boolean} whether the call answered 5xx, or not at all
 */
function isTroubled(response) {
  try {
    return !response.headersSent || response.statusCode >= SERVER_ERROR;
  } catch {
    return false; // a getter of the SUT threw
  }
}

/** @param {any} response */
function isServerError(response) {
  try {
    return response.statusCode >= SERVER_ERROR;
  } catch {
    return false;
  }
}

module.exports = { Causes, isServerError };
