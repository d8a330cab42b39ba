'use strict';
/**
 * Reads errors of the program under test: type, message, stack, and the first frame in a file of its own.
 *
 * Law: an error may be hostile, so only data properties are read, and no trap of a proxy runs.
 */

const path = require('path');
const {
  ErrorPrototype,
  Number,
  String,
  decodeURIComponent,
  defineProperty,
  getPrototypeOf,
  indexOf,
  isNativeError,
  isProxy,
  quote,
  reflectApply,
  regExpExec,
  slice,
  stackSetter,
  startsWith,
} = require('./intrinsics.cjs');
const { readData } = require('./data-properties.cjs');

const AGENT_FOLDER = path.join(__dirname, '..', '..') + path.sep;
const MAX_MESSAGE_UNITS = 2048;
const MAX_STACK_UNITS = 8192;
/** The first line of a stack, if it has name and message. */
const HEADED = /^[A-Z][A-Za-z]*: .*/;
const FRAME = /^(\s+at (?:.*?[( ])?)((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)(\)?)$/;

/**
 * @param {unknown} error whatever was thrown
 * @returns {string} `TypeError: ...`, or a rendering of the thrown value
 */
function messageOf(error) {
  if (typeof error === 'string') return cutTo(quote(error), MAX_MESSAGE_UNITS);
  if (typeof error === 'symbol' || typeof error === 'function') return typeof error;
  if (typeof error !== 'object' || error === null) return String(error);
  const name = readData(error, 'name');
  const message = readData(error, 'message');
  if (typeof name !== 'string' && typeof message !== 'string') {
    const headed = regExpExec(HEADED, stackOf(error)); // DOMException (AbortError of fetch) has getters for both
    if (headed !== null) return cutTo(headed[0], MAX_MESSAGE_UNITS);
  }
  const shownName = typeof name === 'string' ? name : isNativeError(error) ? 'Error' : 'object';
  return cutTo(
    typeof message === 'string' && message !== '' ? shownName + ': ' + message : shownName,
    MAX_MESSAGE_UNITS,
  );
}

/**
 * @param {unknown} error whatever was thrown
 * @returns {string} empty if there is none
 */
function stackOf(error) {
  if (typeof error !== 'object' || error === null) return '';
  try {
    const stack = readData(error, 'stack');
    return typeof stack === 'string' ? cutTo(stack, MAX_STACK_UNITS) : '';
  } catch {
    return ''; // a prepareStackTrace of the SUT threw
  }
}

/**
 * @param {string} stack
 * @param {(path: string) => boolean} isOwn
 * @param {(path: string, line: number) => boolean} [isRelay] whether a line only hands on what its caller has written
 * @param {boolean} [isInCall] Statements at the top of a module are left out then: what has them in its stack was made
 *   while the module was loaded, such as an error that a package makes once and throws often.
 * @param {(path: string, line: number) => boolean} [isNext] whether a line hands on the request; it is left out
 * @returns {{ file: string, line: number } | null} the first frame in an own file that is no relay; the first relay if
 *   there is no other
 */
function firstOwnFrame(stack, isOwn, isRelay = never, isInCall = false, isNext = never) {
  /** @type {{ file: string, line: number } | null} */
  let relay = null;
  for (let start = 0; start < stack.length;) {
    const newline = indexOf(stack, '\n', start);
    const end = newline < 0 ? stack.length : newline;
    const frame = regExpExec(FRAME, slice(stack, start, end));
    if (frame !== null) {
      const file = pathOf(frame[2]);
      const line = Number(frame[3]);
      if (isOwn(file) && !isNext(file, line) && !(isInCall && isLoading(stack, end + 1))) {
        if (!isRelay(file, line)) return { file, line };
        if (relay === null) relay = { file, line };
      }
    }
    start = end + 1;
  }
  return relay;
}

function never() {
  return false;
}

/** Frames of Node below the statement at the top of a module that is being loaded. */
const LOADING = /^\s+at (?:async )?(?:Module\._compile|ModuleJob\w*\.run\w*) \(/;

/**
 * @param {string} stack
 * @param {number} start of a line
 * @returns {boolean} whether it is a frame of Node that loads a module
 */
function isLoading(stack, start) {
  const newline = indexOf(stack, '\n', start);
  return regExpExec(LOADING, slice(stack, start, newline < 0 ? stack.length : newline)) !== null;
}

/**
 * @param {string} stack
 * @returns {{ file: string, line: number, column: number } | null} the topmost frame with a place (functions of V8 have
 *   none); null for an error of `JSON.parse`
 */
function topPlace(stack) {
  const first = regExpExec(/\n {4}at (?!.*\(<anonymous>\)$)(.*)/m, stack);
  if (first === null || regExpExec(/\n {4}at JSON\.parse \(<anonymous>\)/, slice(stack, 0, first.index)) !== null) {
    return null;
  }
  const frame = regExpExec(FRAME, slice(first[0], 1));
  return frame === null ? null : { file: pathOf(frame[2]), line: Number(frame[3]), column: Number(frame[4]) };
}

/**
 * @typedef {(file: string, line: number, column: number) => { file: string, line: number, column: number } | null}
 *   OriginalPlace
 * @param {string} stack
 * @param {OriginalPlace} originalPlace null: the place is already the original one
 * @returns {string} the stack with places in the user's sources
 */
function mappedStack(stack, originalPlace) {
  let mapped = '';
  for (let start = 0; start <= stack.length;) {
    const newline = indexOf(stack, '\n', start);
    const end = newline < 0 ? stack.length : newline;
    mapped += (start === 0 ? '' : '\n') + mappedLine(slice(stack, start, end), originalPlace);
    start = end + 1;
  }
  return mapped;
}

/**
 * @param {string} line
 * @param {OriginalPlace} originalPlace
 */
function mappedLine(line, originalPlace) {
  const frame = regExpExec(FRAME, line);
  const place = frame === null ? null : originalPlace(pathOf(frame[2]), Number(frame[3]), Number(frame[4]));
  return frame === null || place === null
    ? line
    : frame[1] + place.file + ':' + place.line + ':' + place.column + frame[5];
}

/**
 * @param {string} place path or file URL
 * @returns {string}
 */
function pathOf(place) {
  if (!startsWith(place, 'file://')) return place;
  const query = indexOf(place, '?');
  const encoded = slice(place, 'file://'.length, query < 0 ? place.length : query);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * Removes the agent's own frames from an error that an operand threw while a probe converted it.
 * @template T
 * @param {T} error
 * @returns {T} the same error
 */
function hideAgentFrames(error) {
  try {
    if (!isErrorLike(error)) return error;
    const stack = readData(/** @type {any} */ (error), 'stack');
    if (typeof stack !== 'string' || indexOf(stack, AGENT_FOLDER) < 0) return error;
    const kept = withoutAgentLines(stack);
    if (stackSetter !== undefined) reflectApply(stackSetter, error, [kept]);
    else defineProperty(error, 'stack', { value: kept, writable: true, configurable: true, enumerable: false });
  } catch {
    // Frozen, or a prepareStackTrace of the SUT threw: the error stays as it is.
  }
  return error;
}

/**
 * @param {unknown} error
 * @returns {boolean} true also for errors of the old style: an object that inherits from Error.prototype
 */
function isErrorLike(error) {
  return (
    typeof error === 'object' &&
    error !== null &&
    !isProxy(error) &&
    (isNativeError(error) || inherits(error, ErrorPrototype))
  );
}

/**
 * @param {string} stack
 * @returns {string}
 */
function withoutAgentLines(stack) {
  let kept = '';
  for (let start = 0; start <= stack.length;) {
    const newline = indexOf(stack, '\n', start);
    const end = newline < 0 ? stack.length : newline;
    const line = slice(stack, start, end);
    if (!(startsWith(line, '    at ') && indexOf(line, AGENT_FOLDER) >= 0)) kept += (start === 0 ? '' : '\n') + line;
    start = end + 1;
  }
  return kept;
}

/**
 * @param {string} text
 * @param {number} units
 */
function cutTo(text, units) {
  return text.length > units ? slice(text, 0, units) : text;
}

/**
 * `instanceof` without running traps of a proxy or code of the class.
 * @param {object} object
 * @param {object} prototype
 */
function inherits(object, prototype) {
  /** @type {object | null} */
  let parent = object;
  while (parent !== null && !isProxy(parent)) {
    if (parent === prototype) return true;
    parent = getPrototypeOf(parent);
  }
  return false;
}

module.exports = {
  AGENT_FOLDER,
  firstOwnFrame,
  hideAgentFrames,
  inherits,
  mappedStack,
  messageOf,
  pathOf,
  stackOf,
  topPlace,
  withoutAgentLines,
};
