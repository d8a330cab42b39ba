'use strict';
/**
 * Values that the program answers, or returns, and cannot have meant: promises, since an `await` is missing
 * (missing-awaits.cjs), and numbers and dates that JSON has no notation for. NaN comes from a division by nothing, or
 * from a text that is no number, and reaches the client as `null`.
 *
 * Law: no code of the program runs. Only own data properties are read, and proxies are left alone.
 */

const { ObjectKeys, dateTime, isArray, isDate, isFinite, isPromise, isProxy } = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { recorder } = require('../calls/recorder.cjs');
const { note, noteMistake, noteText, withLast } = require('./missing-awaits.cjs');

/** Values that are searched in one evaluation, and of one value: levels, members, elements of a list. */
const MAX_SEARCHED = 500;
const MAX_DEPTH = 4;
const MAX_NODES = 60;
const MAX_ELEMENTS = 3;

/** @typedef {import('./missing-awaits.cjs').Place} Place */
/** @typedef {{ nodes: number, place: Place, isAnswer: boolean }} Effort */

const searched = { seq: -1, count: 0 };

/**
 * Searches a value. A function that answers takes its argument as it is, so a promise in that is a fault; what is
 * returned may be awaited by who gets it.
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

/**
 * @param {object} value no proxy
 * @param {string[]} path
 * @param {Effort} effort
 */
function search(value, path, effort) {
  if (isPromise(value)) return note(effort.place, 'put into the answer', path, effort.isAnswer);
  if (isDate(value)) {
    if (path.length > 0 && !isFinite(dateTime(value))) noteUnwritten('an invalid date', path, effort.place);
    return;
  }
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
 * @param {Effort} effort
 */
function searchMember(value, key, step, path, effort) {
  if (effort.nodes >= MAX_NODES) return;
  effort.nodes++;
  const member = ownData(value, /** @type {string} */ (key));
  if (typeof member === 'string') noteText(member, effort.place, effort.isAnswer);
  else if (typeof member === 'number') {
    if (!isFinite(member)) noteUnwritten(nameOf(member), withLast(path, step), effort.place);
  } else if (typeof member === 'object' && member !== null && !isProxy(member)) {
    search(member, withLast(path, step), effort);
  }
}

/**
 * @param {string} name of a value that JSON has no notation for
 * @param {string[]} path
 * @param {Place} place
 */
function noteUnwritten(name, path, place) {
  const text = name + ' was put into the answer, where JSON has `null`';
  noteMistake({ file: place.file, line: place.line, text, members: path, isNull: true });
}

/** @param {number} number */
function nameOf(number) {
  return number !== number ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity';
}

function maySearch() {
  if (searched.seq !== recorder.seq) {
    searched.seq = recorder.seq;
    searched.count = 0;
  }
  return searched.count++ < MAX_SEARCHED;
}

module.exports = { noteSent };
