'use strict';
/**
 * Promises that the program uses as values, since an `await` is missing: they are compared with texts or numbers, asked
 * for members or methods that no promise has, put into a text, or into an answer (sent-values.cjs).
 *
 * Promises are also kept, tested and handed on, on purpose. So nothing is noted that a program may mean: no tests for
 * identity with another promise, null, undefined or a boolean, and no reads of what is there. Tests for truth, and of
 * members, are noted where nobody gets the promise, and where there has never been another value.
 *
 * Law: no code of the program runs. Only own data properties are read, and proxies are left alone.
 */

const { indexOf, isPromise, isProxy } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { isLate } = require('../calls/async-attribution.cjs');
const { recorder, runningRecord } = require('../calls/recorder.cjs');

/** Per call. */
const MAX_MISTAKES = 4;
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

/** @param {string} text @param {Place} place @param {boolean} isAnswer */
function noteText(text, place, isAnswer) {
  if (isTextOfPromise(text)) note(place, 'put into a text', undefined, isAnswer);
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
  if (place === null) return;
  const mistake = mistakeAt(place, use, members);
  if (isFault) mistake.isFault = true;
  noteMistake(mistake);
}

/** Notes a mistake in the record of the running call, unless it has such a one. @param {Mistake} mistake */
function noteMistake(mistake) {
  const record = runningRecord();
  if (record === null || isLate() || record.mistakes.length >= MAX_MISTAKES) return;
  const { mistakes } = record;
  for (let at = 0; at < mistakes.length; at++) {
    const { file, line, text, members } = mistakes[at];
    const isHere = line === mistake.line && file === mistake.file && text === mistake.text;
    if (isHere && isSame(members, mistake.members)) return;
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
  note,
  noteCalled,
  noteCompared,
  noteMistake,
  noteRead,
  noteText,
  noteTested,
  withLast,
};
