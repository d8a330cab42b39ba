'use strict';
/**
 * Which value a `throw` of an instrumented file has thrown, or a `catch` has got, last, and where: V8 keeps that from
 * JavaScript.
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

/** @param {unknown} value that a `catch` has got; where it is thrown next is not known */
function noteCatch(value) {
  noteThrow(value, '', 0);
}

function forgetThrow() {
  noteThrow(undefined, '', 0);
}

module.exports = { forgetThrow, latest, noteCatch, noteThrow };
