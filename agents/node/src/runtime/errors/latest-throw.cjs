'use strict';
/**
 * The value that a `throw` of an instrumented file has thrown, or a `catch` has received, last, and the place: V8 does
 * not expose this to JavaScript.
 */

const latest = {
  /** @type {unknown} */
  value: undefined,
  /** Path of the file; empty: not known. */
  path: '',
  /** The statement's target in that file. */
  statement: 0,
};

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} statement
 */
function noteThrow(value, path, statement) {
  latest.value = value;
  latest.path = path;
  latest.statement = statement;
}

/** @param {unknown} value that a `catch` has received; the place where it will be thrown again is not known */
function noteCatch(value) {
  noteThrow(value, '', 0);
}

function forgetThrow() {
  noteThrow(undefined, '', 0);
}

module.exports = { forgetThrow, latest, noteCatch, noteThrow };
