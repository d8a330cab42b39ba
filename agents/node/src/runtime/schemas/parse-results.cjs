'use strict';
/**
 * Results of `safeParse` and similar functions: `{ success: false, error }`, or `issues` in place of `error` (zod,
 * valibot). zod creates the error when it is first read, and few programs read it.
 *
 * Law: no code of the program runs, and the result is not changed. The only getter that is run is zod's own, recognised
 * by its text: on an object of the agent (version 3, where it only creates the error), or stopped at its first step,
 * before it has changed anything or asked the program for messages (version 4).
 */

const {
  ArrayPrototype,
  WeakMap,
  defineProperty,
  functionText,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  isProxy,
  reflectApply,
  startsWith,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { hintIssues } = require('./schema-errors.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');

/** zod's getters are shorter, comments included. */
const MAX_TEXT = 1500;
const STOP = { stopped: true };

/** Results that have been read. @type {WeakMap<object, boolean>} */
const seen = new WeakMap();

/**
 * Records hints of the issues of a result, once.
 * @param {number} target global id
 * @param {object} result any object, hostile ones too
 */
function hintResult(target, result) {
  if (isProxy(result) || ownData(result, 'success') !== false || weakMapGet(seen, result) === true) return;
  weakMapSet(seen, result, true);
  const found = ownData(result, 'issues') ?? errorOf(result);
  if (typeof found === 'object' && found !== null) hintIssues(target, found);
}

/**
 * @param {object} result
 * @returns {unknown} the error, or the issues from which it would be created
 */
function errorOf(result) {
  const descriptor = getOwnPropertyDescriptor(result, 'error');
  if (descriptor === undefined || hasOwn(descriptor, 'value')) {
    return descriptor === undefined ? undefined : descriptor.value;
  }
  const { get } = descriptor;
  if (get === undefined || isProxy(get)) return undefined;
  const text = functionText(get);
  if (text.length > MAX_TEXT || !startsWith(text, 'get error()')) return undefined;
  if (indexOf(text, 'this._error = error') >= 0 && indexOf(text, 'ZodError(ctx.common.issues)') >= 0) {
    return reflectApply(get, { _error: undefined }, []);
  }
  return indexOf(text, 'issues.map((iss) => ') >= 0 && indexOf(text, 'new Err(') >= 0
    ? listAsked(get, result)
    : undefined;
}

/**
 * Returns the list whose `map` a getter calls first; the call throws, so that nothing runs after it.
 * @param {Function} get
 * @param {object} receiver
 * @returns {unknown} the list, or the getter's result if it does not call `map`
 */
function listAsked(get, receiver) {
  const descriptor = getOwnPropertyDescriptor(ArrayPrototype, 'map');
  if (descriptor === undefined || !descriptor.configurable || !hasOwn(descriptor, 'value')) return undefined;
  /** @type {unknown} */
  let list;
  const { value, writable, enumerable } = descriptor;
  const stop = {
    /** @this {unknown} */
    map() {
      list = this;
      throw STOP;
    },
  }.map;
  defineProperty(ArrayPrototype, 'map', { value: stop, writable, enumerable, configurable: true });
  try {
    return reflectApply(get, receiver, []);
  } catch {
    return isPlainArray(list) ? list : undefined;
  } finally {
    defineProperty(ArrayPrototype, 'map', { value, writable, enumerable, configurable: true });
  }
}

module.exports = { hintResult };
