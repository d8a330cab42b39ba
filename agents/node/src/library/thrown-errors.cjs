'use strict';
/**
 * Describes what a call threw, and whether the program threw it on purpose.
 *
 * An error is thrown on purpose if the program made it: there is `throw`, or a call of something named like an error,
 * in its line. If its message is one that the engine has, too, the text at its very place has to begin so: errors that
 * the engine raises begin where an operation failed. The engine raises no plain `Error`.
 *
 * Two more are what users expect: an error that an object has emitted, and that of a built-in method within a method of
 * the same name, such as `toISOString` of an invalid date.
 */

const { readFileSync } = require('node:fs');
const { types } = require('node:util');
const { isUnheard } = require('./emitted-errors.cjs');
const { apply, getPrototypeOf } = Reflect;
const { exec } = RegExp.prototype;

const FRAME = /^\s+at (?:(.*?) \()?(?:file:\/\/)?(\/.*?):(\d+):(\d+)\)?$/;
const ON_PURPOSE = /^(?:new\b|throw\b|[\w$.]*(?:Error|Exception|error|exception|Err)\s*\(|Object\.assign\(\s*new\b)/;
/** The same anywhere in a line: where a message is none of the engine's, that is enough. */
const MAKES = /\bthrow\b|(?:Error|Exception|error|exception|Err)\s*\(/;
const NATIVE = new Set(['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']);
/** Messages of V8 (messages-templates.h), as far as programs meet them. */
const OF_THE_ENGINE = new RegExp(
  [
    'Cannot (?:read|set) propert|Cannot (?:convert|destructure|redefine|assign to|delete|add|define|perform|mix|use)',
    'Cannot access .* before initialization|Cannot create property',
    'is not (?:a function|iterable|defined|a constructor|an object|extensible|callable|an entry object)',
    'Maximum call stack|Invalid (?:array|string|typed array) length|Invalid (?:count|time) value|Invalid code point',
    'Invalid regular expression|Invalid flags|URI malformed|Reduce of empty array|radix|digits|precision',
    "Right-hand side of|Method .* called on incompatible|Class constructor .* cannot be invoked|'new'",
    'CreateListFromArrayLike|Assignment to constant|Converting circular|serialize a BigInt|called on (?:null|non-object)',
    'Array buffer allocation|normalization form|Incorrect locale|object null is not|is read-only|must not be|out of range',
  ].join('|'),
);
const MAX_CHARS = 2000;
/** @type {Map<string, string[]>} */
const lines = new Map();

/**
 * @typedef {object} ThrownError
 * @property {string} name of its class; the type of a value that is no error
 * @property {string} message
 * @property {string} code
 * @property {string} stack
 * @property {boolean} is_error
 * @property {boolean} has_own_name whether its `name` is not that of its class
 * @property {boolean} is_on_purpose
 */

/**
 * @param {any} error
 * @param {(file: string, line: number, column: number) => { file: string, line: number, column: number } | null}
 *   originalPlace
 * @returns {ThrownError}
 */
function thrownError(error, originalPlace) {
  if (typeof error !== 'object' || error === null || !isErrorLike(error)) {
    return {
      name: typeof error,
      message: safeText(error),
      code: '',
      stack: '',
      is_error: false,
      has_own_name: false,
      is_on_purpose: true,
    };
  }
  const name = className(error);
  const message = textIn(error, 'message');
  const stack = textIn(error, 'stack');
  const code = textIn(error, 'code');
  const isOfNode = code.startsWith('ERR_');
  const mayBeRaised = NATIVE.has(name) || isOfNode;
  // An assertion with a text is a check of arguments; one without says what the program believes.
  const isBelief = name === 'AssertionError' && /** @type {any} */ (error).generatedMessage === true;
  const isExpected = !mayBeRaised || name === 'AssertionError' || isUnheard(error) || isOfWrapped(stack, message);
  const is_on_purpose = !isBelief && (isExpected || isMadeByProgram(stack, message, originalPlace));
  return { name, message, code, stack, is_error: true, has_own_name: textIn(error, 'name') !== name, is_on_purpose };
}

/** @param {any} error */
function isErrorLike(error) {
  return types.isNativeError(error) || error instanceof Error;
}

/** @param {any} error */
function className(error) {
  try {
    const { name } = /** @type {any} */ (getPrototypeOf(error)).constructor;
    return typeof name === 'string' && name !== '' ? name : 'Error';
  } catch {
    return 'Error';
  }
}

/** @param {any} error @param {string} key */
function textIn(error, key) {
  try {
    const value = error[key];
    return typeof value === 'string' ? value.slice(0, MAX_CHARS) : '';
  } catch {
    return '';
  }
}

/** @param {any} value */
function safeText(value) {
  try {
    return String(value).slice(0, MAX_CHARS);
  } catch {
    return '';
  }
}

const NATIVE_FRAME =
  /^\s+at (?:new )?(?:.*\.)?(\w+) \(<anonymous>\)\n\s+at (?:new )?(?:.*\.)?(\w+) (?:\[as (\w+)\] )?\(/;

/** @param {string} stack @param {string} message */
function isOfWrapped(stack, message) {
  const from = stack.indexOf(message);
  const found = apply(exec, NATIVE_FRAME, [from < 0 ? '' : stack.slice(from + message.length + 1)]);
  return found !== null && (found[1] === found[2] || found[1] === found[3]);
}

/**
 * @param {string} stack
 * @param {string} message
 * @param {(file: string, line: number, column: number) => { file: string, line: number, column: number } | null}
 *   originalPlace
 */
function isMadeByProgram(stack, message, originalPlace) {
  // The message may have several lines, which may look like frames.
  const from = stack.indexOf(message);
  const frames = (from < 0 ? stack : stack.slice(from + message.length)).split('\n');
  for (const line of frames) {
    if (!line.includes(' at ')) continue;
    const found = apply(exec, FRAME, [line]);
    // The first frame is a native function, such as `String.repeat`, or one of Node's.
    if (found === null) return false;
    const place = originalPlace(found[2], Number(found[3]), Number(found[4])) || {
      file: found[2],
      line: Number(found[3]),
      column: Number(found[4]),
    };
    const written = lineOf(place.file, place.line);
    return OF_THE_ENGINE.test(message)
      ? ON_PURPOSE.test(written.slice(Math.max(0, place.column - 1)))
      : MAKES.test(written);
  }
  return true;
}

/** @param {string} file @param {number} number from 1 */
function lineOf(file, number) {
  let known = lines.get(file);
  if (known === undefined) {
    try {
      known = readFileSync(file, 'utf8').split('\n');
    } catch {
      known = [];
    }
    lines.set(file, known);
  }
  return known[number - 1] || '';
}

module.exports = { thrownError };
