'use strict';
/**
 * The state of the process: the evaluation, the running call, the latest error, and the hints recorded so far.
 *
 * One object per process, shared by the probes of all files. It is read and written in slow paths only.
 */

const { ErrorPrototype, getPrototypeOf, indexOf, isNativeError, isProxy } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { RawJson } = require('../../base/json-text.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { currentWork, isLate, work } = require('./async-attribution.cjs');
const { isLeftToOthers, noteFull, noteTold, turnToNext } = require('./crowded-hints.cjs');

const MAX_HINTS = 200;
/** The same for an evaluation that has hints about covered targets, too. */
const MAX_HINTS_OF_ALL = 1000;
const MAX_HINTS_PER_TARGET = 2;
/** The same in a call of an unknown path: a program without a router may compare it with those of a list of routes. */
const MAX_HINTS_OF_PATHS = 60;
/** How the segments of a path begin that the core makes up to see with what it is compared. */
const UNKNOWN_PATH = '/wimbleq';
const MAX_PROTOTYPES = 10;

/**
 * An error of a field of a GraphQL answer.
 * @typedef {object} LocatedError
 * @property {string} path of the field in the answer: `films/1/country`
 * @property {unknown} error
 * @property {{ file: string, line: number } | null} place the statement executed last when the field failed, or that
 *   which gave a wrong value
 * @property {{ file: string, line: number } | null} resolver the statement of its resolver that ran last, if
 *   the error is about no value
 * @property {boolean} isOfValue whether the error says that a resolver's value is not as the schema allows
 */

/**
 * Something that the program did in a call and cannot have meant.
 * @typedef {object} Mistake
 * @property {string} file
 * @property {number} line
 * @property {string} text what the program did there, in words
 * @property {string[]} [members] where an answer holds the value, if the mistake counts only then; `*`: an element
 * @property {boolean} [isFault] whether it is one whatever the call is answered
 * @property {boolean} [isNull] whether the answer holds null in place of the value, rather than an empty object
 */

/**
 * One call of the core, with the data from which its cause can be determined.
 * @typedef {object} CallRecord
 * @property {number} call
 * @property {any} request the SUT's IncomingMessage; hostile
 * @property {any} response the SUT's ServerResponse; hostile
 * @property {number} startStamp value of the clock of statements when it began
 * @property {boolean} isOfUnknownPath whether the core asks with what the program compares paths
 * @property {number} caughtStamp the same when a `catch` was entered last: statements that an error has left are over
 * @property {boolean} isAnswered
 * @property {boolean} isWell whether it was answered with a status below 500
 * @property {boolean} hasError
 * @property {unknown} error the latest error that was noted
 * @property {number} errorStamp value of the clock of statements when that was noted first
 * @property {number} errorStatement global id of the statement that had begun last by then; -1: none
 * @property {LocatedError[]} located errors of fields of a GraphQL answer
 * @property {Mistake[]} mistakes of the program that were seen in the call
 * @property {{ file: string, line: number, statement: string } | null} place the place of the program when it answered
 *   5xx
 */

const recorder = {
  /** The newest call, numbered as in results: 0 before the first one. */
  call: 0,
  /** The record of the newest call. @type {CallRecord | null} */
  record: null,
  /** The records of the running evaluation, in order. @type {CallRecord[]} */
  records: [],
  areHintsWanted: false,
  /** The number of the evaluation. */
  seq: 0,
  /** Whether the evaluation looks at everything, also what is known. */
  isFull: false,
  isTracing: false,
  /** @type {((path: string, line: number) => void)} */
  trace: () => {},
  /** The same for a statement that completes. @type {((path: string, line: number) => void)} */
  traceEnd: () => {},
  /** @type {RawJson[]} */
  hints: [],
  /** The target of each hint of this thread. @type {number[]} */
  hintTargets: [],
  /** Kind and fields of each hint of this thread. @type {string[]} */
  hintTexts: [],
  /** Number of hints of inputs. */
  inputHints: 0,
  /** In a worker: sends a hint that was kept to the main thread. @type {((text: string) => void) | null} */
  forward: null,
};

const FIRST_ERROR_STATUS = 400;
const LAST_STATUS = 599;

/**
 * @param {number} call
 * @param {any} request
 * @param {any} response
 * @param {number} startStamp
 * @returns {CallRecord}
 */
function newRecord(call, request, response, startStamp) {
  return {
    call,
    request,
    response,
    startStamp,
    isOfUnknownPath: isUnknownPath(request),
    caughtStamp: startStamp,
    isAnswered: false,
    isWell: false,
    hasError: false,
    error: undefined,
    errorStamp: startStamp,
    errorStatement: -1,
    located: [],
    mistakes: [],
    place: null,
  };
}

/** @param {any} request hostile; null for a call of a library */
function isUnknownPath(request) {
  const url = request === null ? undefined : readData(request, 'url');
  return typeof url === 'string' && indexOf(url, UNKNOWN_PATH) >= 0;
}

/** @param {number} limit @returns {number} how many hints of a kind with this limit the running call can have */
function hintsOfCall(limit) {
  return recorder.record !== null && recorder.record.isOfUnknownPath ? MAX_HINTS_OF_PATHS : limit;
}

/** @returns {CallRecord} stands for the time outside of calls */
const noRecord = () => newRecord(0, null, null, 0);

/**
 * Returns the record of the call that the running code belongs to (async-attribution.cjs).
 * @returns {CallRecord | null} null outside of the calls of the evaluation
 */
function runningRecord() {
  return recordOf(currentWork());
}

/**
 * @param {number} number of work; 0: not known
 * @returns {CallRecord | null} null if it belongs to none of the calls of the evaluation
 */
function recordOf(number) {
  if (number === 0 || number === work.newest) return recorder.record;
  return number < work.first ? null : recorder.records[number - work.first] || null;
}

/** Returns the running call, numbered as in results. */
function runningCall() {
  const number = currentWork();
  if (number === 0 || number === work.newest) return recorder.call;
  const record = number < work.first ? undefined : recorder.records[number - work.first];
  return record === undefined ? recorder.call : record.call;
}

/**
 * Notes a thrown value as the running call's latest error.
 * @param {unknown} error
 */
function noteThrown(error) {
  const record = recorder.record === null ? null : runningRecord();
  if (record !== null) noteThrownIn(record, error);
}

/**
 * An error that is made of the latest one, with its message, does not take its place: its stack begins at whoever has
 * made it, such as the error handler of a framework.
 * @param {CallRecord} record
 * @param {unknown} error
 */
function noteThrownIn(record, error) {
  if (record.hasError && error !== record.error && isSaidBy(record.error, error)) return;
  if (!record.hasError || error !== record.error) {
    record.errorStamp = memory.clock[0];
    record.errorStatement = memory.last[0];
  }
  record.hasError = true;
  record.error = error;
}

/** @param {unknown} first @param {unknown} second @returns {boolean} whether both have the same message */
function isSaidBy(first, second) {
  if (typeof first !== 'object' || first === null || typeof second !== 'object' || second === null) return false;
  const message = readData(first, 'message');
  return typeof message === 'string' && message !== '' && readData(second, 'message') === message;
}

/**
 * Notes a value in the same way if it is an error.
 * @param {unknown} value any value, hostile ones too
 */
function noteIfError(value) {
  if (recorder.record !== null && typeof value === 'object' && value !== null && isError(value)) noteThrown(value);
}

/** @param {unknown} status */
function isErrorStatus(status) {
  return typeof status === 'number' && status >= FIRST_ERROR_STATUS && status <= LAST_STATUS;
}

/**
 * Returns whether a value is an error, or an object that packages make in the place of one: with a message, and a stack
 * or the status of an error.
 * @param {object} value
 * @returns {boolean}
 */
function isError(value) {
  if (isNativeError(value)) return true;
  if (typeof readData(value, 'message') === 'string') {
    if (typeof readData(value, 'stack') === 'string') return true;
    if (isErrorStatus(readData(value, 'status')) || isErrorStatus(readData(value, 'statusCode'))) return true;
  }
  // Errors of the old style are objects made by Object.create(Error.prototype).
  let object = value;
  for (let depth = 0; depth < MAX_PROTOTYPES && object !== null && !isProxy(object); depth++) {
    if (object === ErrorPrototype) return true;
    object = getPrototypeOf(object);
  }
  return false;
}

/** @returns {number} how many hints the running evaluation can have */
const hintLimit = () => (recorder.isFull ? MAX_HINTS_OF_ALL : MAX_HINTS);

/**
 * Keeps a hint unless this target has enough hints already, or an equal one.
 * @param {number} target global id of the uncovered outcome
 * @param {import('./hint-kinds.cjs').Hint | null} hint
 * @param {number} limit how many hints of this target are kept
 */
function addHint(target, hint, limit) {
  if (hint === null) return;
  const { hints, hintTargets, hintTexts } = recorder;
  if (isLate() || isLeftToOthers(target, recorder.seq)) return;
  if (hints.length >= hintLimit()) return noteFull();
  const { kind, fields } = hint;
  const own = kind + fields;
  const most = limit === MAX_HINTS_PER_TARGET ? hintsOfCall(limit) : limit;
  let known = 0;
  for (let index = 0; index < hintTargets.length; index++) {
    if (hintTargets[index] !== target) continue;
    if (hintTexts[index] === own || ++known >= most) return;
  }
  noteTold(target, recorder.seq);
  hintTargets[hintTargets.length] = target;
  hintTexts[hintTexts.length] = own;
  const text = '{"kind":"' + kind + '","target":' + target + ',"call":' + runningCall() + fields + '}';
  hints[hints.length] = new RawJson(text);
  if (recorder.forward !== null) recorder.forward(text);
}

/** @param {string} text JSON of a hint that a worker has recorded */
function keepHint(text) {
  if (recorder.hints.length < MAX_HINTS) recorder.hints[recorder.hints.length] = new RawJson(text);
}

/** Deletes the data of the evaluation that was answered. */
function clearRecorder() {
  recorder.call = 0;
  recorder.record = null;
  recorder.records = [];
  turnToNext(recorder.hints.length, hintLimit());
  recorder.hints = [];
  recorder.hintTargets = [];
  recorder.hintTexts = [];
  recorder.inputHints = 0;
}

module.exports = {
  MAX_HINTS,
  MAX_HINTS_PER_TARGET,
  addHint,
  clearRecorder,
  hintsOfCall,
  isError,
  keepHint,
  newRecord,
  noRecord,
  noteIfError,
  noteThrown,
  noteThrownIn,
  recordOf,
  recorder,
  runningCall,
  runningRecord,
};
