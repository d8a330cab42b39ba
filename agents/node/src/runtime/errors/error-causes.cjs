'use strict';
/** Determines the place where a failing call went wrong (protocol/README.md, `cause`). */

const { Error } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { callerOf } = require('./handed-on-answers.cjs');
const { noRecord } = require('../calls/recorder.cjs');
const { mistakeInMessage, withLast } = require('./missing-awaits.cjs');
const { messageOfQuery } = require('./failed-queries.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { firstOwnFrame, mappedStack, stackOf, withoutAgentLines } = require('../../base/error-stacks.cjs');

const SERVER_ERROR = 500;
const NOWHERE = { file: '', line: 0 };

/**
 * @typedef {import('../calls/recorder.cjs').CallRecord} CallRecord
 * @typedef {{ call: number | null, file: string, line: number, message: string, stack: string, statement: string,
 *   mistakes?: import('../calls/recorder.cjs').Mistake[] }} Cause
 */

/** @typedef {{ file: string, line: number }} Place */
/**
 * The instrumented files of the process (process/instrumented-files.cjs).
 * @typedef {object} Files
 * @property {() => Place | null} lastPlace the statement executed last
 * @property {(stamp: number, until?: number) => Place | null} unfinishedPlace the latest statement after `stamp`, up to
 *   `until`, that has not completed
 * @property {(target: number) => Place | null} placeOf a statement
 * @property {(path: string, line: number) => boolean} isRelay
 * @property {(path: string, line: number) => boolean} isNext
 * @property {(path: string) => boolean | undefined} isSource undefined: no text of it was loaded
 * @property {import('../../base/error-stacks.cjs').OriginalPlace} originalPlace
 */

class Causes {
  /**
   * @param {Files} files
   * @param {(path: string) => boolean} isOwnFile
   */
  constructor(files, isOwnFile) {
    this.files = files;
    this.isOwn = (/** @type {string} */ path) => {
      const isSource = files.isSource(path);
      return isSource === undefined ? isOwnFile(path) : isSource;
    };
    this.isRelay = (/** @type {string} */ path, /** @type {number} */ line) => files.isRelay(path, line);
    this.isNext = (/** @type {string} */ path, /** @type {number} */ line) => files.isNext(path, line);
  }

  /**
   * @param {string} stack
   * @param {boolean} isInCall
   */
  ownFrame(stack, isInCall) {
    return firstOwnFrame(stack, this.isOwn, this.isRelay, isInCall, this.isNext);
  }

  /**
   * Stores the present place of the program as the place of the call's failure, unless it is known already.
   * @param {CallRecord} record
   */
  pin(record) {
    if (record.place !== null) return;
    // What ran before the call began has nothing to do with it: a package has refused the request by itself.
    const last = memory.clock[0] > record.startStamp ? this.files.lastPlace() : null;
    // What an error has left before the answer never completes, and has not given the answer.
    const stamp = record.isAnswered ? record.caughtStamp : record.startStamp;
    const place = this.files.unfinishedPlace(stamp) || last;
    record.place = {
      file: place === null ? '' : place.file,
      line: place === null ? 0 : place.line,
      statement: last === null ? '' : last.file + ':' + last.line,
    };
  }

  /**
   * The same for an answer that is not an error: the last statement that ran, whether it has completed or not. If it
   * only hands on an answer, the one that called its function.
   * @param {CallRecord} record
   */
  pinAnswer(record) {
    const latest = this.files.lastPlace();
    if (record.place !== null || latest === null) return;
    const last = callerOf(latest);
    record.place = { file: last.file, line: last.line, statement: last.file + ':' + last.line };
  }

  /**
   * @param {CallRecord} record of a call that is over
   * @param {boolean} isFull whether to report the origin of answers that are not errors, too
   * @returns {Cause | null} null if there is nothing to report
   */
  ofCall(record, isFull) {
    if (!isTroubled(record)) {
      const isTold = isFull ? record.place !== null : pinMistake(record);
      return isTold ? this.of(record, false, undefined) : null;
    }
    this.pin(record);
    return this.of(record, record.hasError, record.error);
  }

  /**
   * @param {CallRecord | null} record the running call
   * @param {unknown} error
   * @param {Place | null} [origin] the statement that made the promise which was rejected: what the program did last
   *   may have nothing to do with it
   * @returns {Cause}
   */
  ofCrash(record, error, origin = null) {
    const subject = record || noRecord();
    this.pin(subject);
    const cause = this.of(subject, true, error, record);
    if (origin === null || this.ownFrame(cause.stack, record !== null) !== null) return cause;
    return { ...cause, file: origin.file, line: origin.line, statement: origin.file + ':' + origin.line };
  }

  /**
   * @param {number} call
   * @param {import('../calls/recorder.cjs').LocatedError} located
   * @returns {Cause & { path: string }}
   */
  ofLocated(call, { path, error, place, resolver, isOfValue }) {
    let stack = this.shownStack(error);
    // Where graphql-js looks at a value, the program's frames are those that have called it.
    const own = isOfValue ? null : this.ownFrame(stack, true);
    // A resolver that returns a promise, and does not wait for it, is in no stack of what rejects that.
    const handsOn = own !== null && resolver !== null && this.isRelay(own.file, own.line);
    if (handsOn) stack += `\n    at ${resolver.file}:${resolver.line}`;
    const frame = (handsOn ? resolver : own) || place || { file: '', line: 0 };
    return {
      call,
      path,
      file: frame.file,
      line: frame.line,
      message: messageOfQuery(error),
      stack,
      statement: place === null ? '' : place.file + ':' + place.line,
    };
  }

  /**
   * @param {unknown} error
   * @returns {string} its stack, with places in the user's sources
   */
  shownStack(error) {
    const stack = withoutAgentLines(stackOf(error));
    const { files } = this;
    return mappedStack(stack, (file, line, column) => {
      // A place in a source that was loaded under its own name (ts-node) is either a place in the compiled text, or
      // already mapped.
      if (files.isSource(file) === true && areStacksMapped()) return null;
      return files.originalPlace(file, line, column);
    });
  }

  /**
   * Returns the statement that the record's error has left. An error that was made in a package, some time after the
   * program called it, has no frame of the program. What ran last may be a getter that the package has read, or the
   * program's handler of errors. If it has left none (`query.then(answer, next)`), what ran last before it arrived; and
   * nothing where that was before the call: middleware of a package fails before a statement of the program runs.
   * @param {CallRecord} record
   * @param {unknown} error
   * @returns {Place | null} null if it is not the record's latest error
   */
  leftBy(record, error) {
    const isNoted = record.hasError && record.error === error;
    if (!isNoted) return null;
    if (record.errorStamp === record.startStamp) return NOWHERE;
    return (
      this.files.unfinishedPlace(record.startStamp, record.errorStamp) || this.files.placeOf(record.errorStatement)
    );
  }

  /**
   * @param {CallRecord} record
   * @param {unknown} error whose stack has no frame of the program's own doing
   * @param {string} stack
   * @param {boolean} isInCall
   * @returns {Place | null}
   */
  placeWithoutFrame(record, error, stack, isInCall) {
    if (stack === '') return null;
    // Middleware alone is in the stack: a package fails that has got the request from there. What ran last, such as the
    // handler of errors, has nothing to do with it.
    const isHandedOn = firstOwnFrame(stack, this.isOwn, this.isRelay, isInCall) !== null;
    if (!isHandedOn) return this.leftBy(record, error);
    return this.files.unfinishedPlace(record.startStamp, record.errorStamp) || NOWHERE;
  }

  /**
   * @param {CallRecord} record pinned
   * @param {boolean} hasError
   * @param {unknown} error
   * @param {CallRecord | null} [running]
   * @returns {Cause}
   */
  of(record, hasError, error, running = record) {
    const stack = hasError ? this.shownStack(error) : '';
    const place = /** @type {NonNullable<CallRecord['place']>} */ (record.place);
    const isInCall = running !== null;
    const frame = this.ownFrame(stack, isInCall) || this.placeWithoutFrame(record, error, stack, isInCall) || place;
    const message = hasError ? messageOfQuery(error) : '';
    const inMessage = mistakeInMessage(message, frame);
    const mistakes = inMessage === null ? record.mistakes : withLast(record.mistakes, inMessage);
    return {
      call: running === null ? null : running.call,
      file: frame.file,
      line: frame.line,
      message,
      stack,
      statement: place.statement,
      ...(mistakes.length > 0 ? { mistakes } : {}),
    };
  }
}

/**
 * Makes the first mistake that is a fault whatever the call is answered, or that its answer may show, the place of the
 * call.
 * @param {CallRecord} record
 * @returns {boolean} whether there is one
 */
function pinMistake(record) {
  for (let at = 0; at < record.mistakes.length; at++) {
    const { file, line, isFault, members } = record.mistakes[at];
    if (isFault !== true && members === undefined) continue;
    record.place = { file, line, statement: file + ':' + line };
    return true;
  }
  return false;
}

/** The value of Error.prepareStackTrace before the SUT could set its own. */
const PREPARE = readData(Error, 'prepareStackTrace');

/**
 * Returns whether stacks are mapped already, by Node or by a package that the SUT has installed (source-map-support).
 */
function areStacksMapped() {
  return readData(Error, 'prepareStackTrace') !== PREPARE || /** @type {any} */ (process).sourceMapsEnabled === true;
}

/**
 * @param {CallRecord} record
 * @returns {boolean} whether the call answered 5xx, or not at all, or not to the end, or something was thrown in it
 */
function isTroubled({ hasError, isWell, response }) {
  if (hasError || isWell) return hasError;
  try {
    return !response.headersSent || response.statusCode >= SERVER_ERROR || response.writableEnded === false;
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

module.exports = { Causes, isServerError, isTroubled };
