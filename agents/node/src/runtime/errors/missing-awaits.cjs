'use strict';
/**
 * Promises that the program uses as values, since an `await` is missing: they are compared with texts or numbers, asked
 * for members or methods that no promise has, put into a text, or into an answer.
 *
 * Promises are also kept, tested and handed on, on purpose. So nothing is noted that a program may mean: no tests for
 * identity with another promise, null, undefined or a boolean, and no reads of what is there. Tests for truth, and of
 * members, are noted where nobody gets the promise, and where there has never been another value.
 *
 * Law: no code of the program runs. Only own data properties are read, and proxies are left alone.
 */

const { ObjectKeys, indexOf, isArray, isPromise, isProxy } = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { isLate } = require('../calls/async-attribution.cjs');
const { recorder, runningRecord } = require('../calls/recorder.cjs');

/** Per call. */
const MAX_MISTAKES = 4;
/** Values that are searched in one evaluation, and of one value: levels, members, elements of a list. */
const MAX_SEARCHED = 500;
const MAX_DEPTH = 4;
const MAX_NODES = 60;
const MAX_ELEMENTS = 3;
/** What a promise is in a text. */
const AS_TEXT = '[object Promise]';
const MAX_TEXT = 100_000;

/** @typedef {{ file: string, line: number }} Place */
/** @typedef {import('../calls/recorder.cjs').Mistake} Mistake */

const context = {
  /** The statement executed last. @type {() => Place | null} */
  lastPlace: () => null,
  /** The statement entered last that has not completed. @type {(stamp: number) => Place | null} */
  unfinishedPlace: () => null,
};
const searched = { seq: -1, count: 0 };

/** @param {unknown} value */
function isThenable(value) {
  if (typeof value !== 'object' || value === null || isProxy(value)) return false;
  return isPromise(value) || typeof readData(value, 'then') === 'function';
}

/** @param {unknown} value */
function isTextOrNumber(value) {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint';
}

/**
 * Returns whether a comparison by `<` and the like compares a number with a text that was a promise: `count() + 1`.
 * @param {unknown} a
 * @param {unknown} b
 */
function comparesTextOfPromise(a, b) {
  if (recorder.record === null) return false;
  return (typeof b === 'number' && isTextOfPromise(a)) || (typeof a === 'number' && isTextOfPromise(b));
}

/** @param {unknown} value */
function isTextOfPromise(value) {
  return typeof value === 'string' && value.length <= MAX_TEXT && indexOf(value, AS_TEXT) >= 0;
}

/**
 * Returns whether a comparison compares a promise with something that no promise can be.
 * @param {boolean} isOrder whether it is a comparison by `<` and the like
 * @param {unknown} a
 * @param {unknown} b
 */
function comparesPromise(isOrder, a, b) {
  if (recorder.record === null) return false;
  return ((isOrder || isTextOrNumber(b)) && isThenable(a)) || ((isOrder || isTextOrNumber(a)) && isThenable(b));
}

/** @param {Place} place @param {boolean} [isText] whether it was put into a text before */
function noteCompared(place, isText) {
  note(place, isText ? 'added to a number or text, and compared' : 'compared with another value', undefined, true);
}

/**
 * @param {Place} place where only a promise was tested for truth so far
 * @param {string} [member] that was tested instead, or compared, and that no promise there has had
 */
function noteTested(place, member) {
  if (recorder.record === null) return;
  note(place, member === undefined ? 'tested for truth' : `asked for its "${member}"`, undefined, true);
}

/**
 * @param {unknown} object whose member was read, and is undefined
 * @param {string} name
 * @param {string} file that reads it
 */
function noteRead(object, name, file) {
  if (recorder.record === null || typeof object !== 'object' || object === null || !isPromise(object)) return;
  const last = context.lastPlace();
  note(last !== null && last.file === file ? last : unfinished(), `asked for its "${name}"`);
}

/**
 * @param {unknown} receiver that has no such method
 * @param {string} name
 * @param {Place} place
 */
function noteCalled(receiver, name, place) {
  if (recorder.record !== null && isPromise(receiver)) note(place, `asked for its "${name}"`);
}

/**
 * Searches a value for promises. A function that answers takes its argument as it is, so a promise in that is a fault;
 * what is returned may be awaited by who gets it.
 * @param {unknown} value that the program passes to a function that answers (`isAnswer`), or returns
 * @param {boolean} isAnswer
 * @param {Place} place
 */
function noteSent(value, isAnswer, place) {
  if (recorder.record === null || !maySearch()) return;
  if (typeof value === 'string') noteText(value, place, isAnswer);
  else if (typeof value === 'object' && value !== null) {
    if (isPromise(value) ? !isAnswer : isProxy(value)) return;
    search(value, [], { nodes: 0, place, isAnswer });
  }
}

/** @param {string} text @param {Place} place @param {boolean} isAnswer */
function noteText(text, place, isAnswer) {
  if (isTextOfPromise(text)) note(place, 'put into a text', undefined, isAnswer);
}

/**
 * @param {object} value no proxy
 * @param {string[]} path
 * @param {{ nodes: number, place: Place, isAnswer: boolean }} effort
 */
function search(value, path, effort) {
  if (isPromise(value)) return note(effort.place, 'put into the answer', path, effort.isAnswer);
  if (path.length >= MAX_DEPTH) return;
  if (isArray(value)) {
    for (let at = 0; at < value.length && at < MAX_ELEMENTS; at++) searchMember(value, at, '*', path, effort);
    return;
  }
  const keys = ObjectKeys(value);
  for (let at = 0; at < keys.length; at++) searchMember(value, keys[at], keys[at], path, effort);
}

/**
 * @param {object} value
 * @param {string | number} key
 * @param {string} step
 * @param {string[]} path
 * @param {{ nodes: number, place: Place, isAnswer: boolean }} effort
 */
function searchMember(value, key, step, path, effort) {
  if (effort.nodes >= MAX_NODES) return;
  effort.nodes++;
  const member = ownData(value, /** @type {string} */ (key));
  if (typeof member === 'string') noteText(member, effort.place, effort.isAnswer);
  else if (typeof member === 'object' && member !== null && !isProxy(member)) {
    search(member, withLast(path, step), effort);
  }
}

/**
 * @template T
 * @param {T[]} list
 * @param {T} last
 * @returns {T[]}
 */
function withLast(list, last) {
  /** @type {T[]} */
  const longer = [];
  for (let at = 0; at < list.length; at++) longer[at] = list[at];
  longer[list.length] = last;
  return longer;
}

function maySearch() {
  if (searched.seq !== recorder.seq) {
    searched.seq = recorder.seq;
    searched.count = 0;
  }
  return searched.count++ < MAX_SEARCHED;
}

/** @returns {Place | null} */
function unfinished() {
  const record = runningRecord();
  return (record === null ? null : context.unfinishedPlace(record.startStamp)) || context.lastPlace();
}

/**
 * @param {Place | null} place
 * @param {string} use
 * @param {string[]} [members]
 * @param {boolean} [isFault]
 */
function note(place, use, members, isFault) {
  const record = runningRecord();
  if (record === null || place === null || isLate() || record.mistakes.length >= MAX_MISTAKES) return;
  const { mistakes } = record;
  const mistake = mistakeAt(place, use, members);
  if (isFault) mistake.isFault = true;
  for (let at = 0; at < mistakes.length; at++) {
    const { file, line, text, members: others } = mistakes[at];
    if (line === place.line && file === place.file && text === mistake.text && isSame(others, members)) return;
  }
  mistakes[mistakes.length] = mistake;
}

/** @param {string[] | undefined} a @param {string[] | undefined} b */
function isSame(a, b) {
  if (a === undefined || b === undefined || a.length !== b.length) return a === b;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * @param {Place} place
 * @param {string} use
 * @param {string[]} [members]
 * @returns {Mistake}
 */
function mistakeAt({ file, line }, use, members) {
  const text = 'a Promise was used as a value (' + use + '): `await` is missing';
  return members === undefined ? { file, line, text } : { file, line, text, members };
}

/**
 * @param {string} message of an error that was thrown at the place
 * @param {Place} place
 * @returns {Mistake | null}
 */
function mistakeInMessage(message, place) {
  return place.file !== '' && indexOf(message, AS_TEXT) >= 0 ? mistakeAt(place, 'put into a text') : null;
}

module.exports = {
  comparesPromise,
  comparesTextOfPromise,
  context,
  isThenable,
  mistakeInMessage,
  noteCalled,
  noteCompared,
  noteRead,
  noteSent,
  noteTested,
  withLast,
};
