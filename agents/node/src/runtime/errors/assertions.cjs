'use strict';
/**
 * Stand-ins for `assert(value)` and `assert.ok(value)` in instrumented text. Without a message, Node writes the text of
 * the call into the error, which it reads at the place of the call; so the stand-in throws the error that Node would
 * have thrown with the original text.
 *
 * Law: it applies to Node's own functions only; the error is of Node's own class, with the same properties and stack.
 */

const {
  Error,
  defineProperty,
  existsSync,
  getOwnPropertyDescriptor,
  indexOf,
  ObjectCreate,
  reflectApply,
  runInThisContext,
} = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');

/** @typedef {[fromFile: string, fromLine: string]} Shown as in instrument/callees/assertion-text.cjs */

/** Node's own functions, set once a file has been loaded that may call them. */
const known = {
  /** @type {any} */
  AssertionError: undefined,
  /** @type {any} */
  assert: undefined,
  /** @type {any} */
  ok: undefined,
  /** @type {any} */
  strict: undefined,
  /** The index in `Shown` of the text that this version of Node writes. */
  way: 0,
};

/** @param {any} assert Node's module */
function learnAssert(assert) {
  known.AssertionError = ownData(assert, 'AssertionError');
  known.ok = ownData(assert, 'ok');
  known.strict = ownData(assert, 'strict');
  known.assert = assert;
  known.way = readsLines(assert) ? 1 : 0;
}

/**
 * Returns whether this version of Node reads V8's line. For a text without a file there is nothing else that it could
 * read.
 * @param {any} assert
 */
function readsLines(assert) {
  const hook = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  if (hook !== undefined && hook.configurable === false) return false;
  // No hook of the program may receive this error.
  defineProperty(Error, 'prepareStackTrace', { value: undefined, writable: true, configurable: true });
  try {
    runInThisContext('(assert) => assert(0)', { filename: '' })(assert);
  } catch (error) {
    const message = readData(/** @type {object} */ (error), 'message');
    return typeof message === 'string' && indexOf(message, 'assert(0)') >= 0;
  } finally {
    if (hook === undefined) delete (/** @type {any} */ (Error).prepareStackTrace);
    else defineProperty(Error, 'prepareStackTrace', hook);
  }
  return false;
}

/** @param {unknown} value */
function isAssertion(value) {
  return value !== undefined && (value === known.assert || value === known.ok || value === known.strict);
}

class Assertion {
  /**
   * @param {string} path of the file
   * @param {Shown} shown
   */
  constructor(path, shown) {
    const standIn = function (/** @type {unknown[]} */ ...given) {
      const value = given[0];
      const message = given[1];
      if (given.length > 0 && value) return undefined;
      const isGenerated = message === null || message === undefined;
      if (given.length === 0 || !(isGenerated || typeof message === 'string')) return passedOn(given);
      const error = new known.AssertionError({
        actual: value,
        expected: true,
        message: isGenerated ? messageOf(path, shown) : message,
        operator: '==',
        stackStartFn: standIn,
      });
      error.generatedMessage = isGenerated;
      throw error;
    };
    this.standIn = standIn;
    /** An object whose only property is such an `ok`. */
    this.receiver = ObjectCreate(null);
    this.receiver.ok = standIn;
  }
}

/**
 * @param {string} path
 * @param {Shown} shown of a file without a source map if Node uses source maps
 */
function messageOf(path, shown) {
  const isFound = known.way === 0 ? existsSync(path) : !areLinesMapped();
  const text = isFound ? shown[known.way] : '';
  return text === '' ? undefined : 'The expression evaluated to a falsy value:\n\n  ' + text + '\n';
}

/**
 * Returns whether Node reads the lines of calls from their sources, through source maps. For such files it finds the
 * original text for the instrumented text, too.
 */
function areLinesMapped() {
  return known.way === 1 && /** @type {any} */ (process).sourceMapsEnabled === true;
}

/** @param {unknown[]} given the arguments, which contain the program's own error or cause a TypeError about them */
function passedOn(given) {
  try {
    return reflectApply(known.ok, undefined, given);
  } catch (error) {
    throw hideAgentFrames(error);
  }
}

module.exports = { Assertion, areLinesMapped, isAssertion, learnAssert };
