'use strict';
/**
 * The table of functions with a replacement, by the identity of the function, independent of its name and of the form
 * of the call.
 *
 * Built-in functions are registered from the start (those of rarely loaded modules when a call of such a name is
 * found); functions of a library when the loader has run the module that exports them. The functions themselves are
 * never changed.
 */

const {
  WeakMap,
  functionPrototypeApply,
  functionPrototypeCall,
  isProxy,
  loadModule,
  reflectApply,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { learnAssert } = require('../errors/assertions.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { ARRAYS } = require('./array-methods.cjs');
const { replacementOfBound } = require('./bound-functions.cjs');
const { COLLECTIONS } = require('./collection-methods.cjs');
const { ASSERT_ITSELF, COMPARING, EXPORTS } = require('./comparing-functions.cjs');
const { OF_LUXON } = require('./date-libraries.cjs');
const { DATES } = require('./date-functions.cjs');
const { ENDS_OF_CHAINS, LIBRARIES } = require('./library-functions.cjs');
const { INTL } = require('./intl-constructors.cjs');
const { NUMBERS } = require('./number-functions.cjs');
const { OBJECTS } = require('./object-methods.cjs');
const { PARSING } = require('./parsing-functions.cjs');
const { STRINGS } = require('./string-methods.cjs');

/** @typedef {import('./replacement.cjs').Replacement} Replacement */

/** @type {WeakMap<object, Replacement>} */
const replacements = new WeakMap();

/**
 * @param {unknown} value
 * @param {Replacement} replacement
 */
function register(value, replacement) {
  if (typeof value === 'function' && weakMapGet(replacements, value) === undefined) {
    weakMapSet(replacements, value, replacement);
  }
}

const FAMILIES = [STRINGS, ARRAYS, COLLECTIONS, OBJECTS, NUMBERS, DATES, PARSING, COMPARING, INTL];
for (let index = 0; index < FAMILIES.length; index++) {
  const family = FAMILIES[index];
  for (let at = 0; at < family.length; at++) register(family[at][0], family[at][1]);
}

/**
 * Lets a function with which the agent has replaced another one count as that one.
 * @param {unknown} wrapper
 * @param {object} original
 */
function noteWrapper(wrapper, original) {
  const replacement = weakMapGet(replacements, original);
  if (replacement !== undefined) register(wrapper, replacement);
}

/** Built-in modules whose exports are registered. @type {Record<string, boolean>} */
const isKnown = { __proto__: /** @type {any} */ (null) };

/**
 * Registers the exports of a built-in module with a name that a file calls.
 * @param {string} name
 */
function expect(name) {
  for (const module in EXPORTS) {
    if (isKnown[module] || !(name in EXPORTS[module])) continue;
    isKnown[module] = true;
    try {
      const exported = loadModule(module);
      registerExports(exported, EXPORTS[module]);
      if (module === 'assert') registerAssert(exported);
    } catch {
      // This Node does not have the module, for example if it was built without crypto.
    }
  }
}

/** @param {any} assert */
function registerAssert(assert) {
  register(assert, ASSERT_ITSELF);
  learnAssert(assert);
  const strict = ownData(assert, 'strict');
  if (typeof strict !== 'function') return;
  const strictly = EXPORTS.assert;
  register(strict, ASSERT_ITSELF);
  registerExports(strict, {
    __proto__: /** @type {any} */ (null),
    ok: strictly.ok,
    equal: strictly.strictEqual,
    notEqual: strictly.notStrictEqual,
    deepEqual: strictly.deepStrictEqual,
  });
}

/**
 * @param {any} exported object or function
 * @param {Record<string, Replacement>} table
 */
function registerExports(exported, table) {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null || isProxy(exported)) {
    return;
  }
  for (const name in table) register(ownData(exported, name), table[name]);
}

/**
 * Registers the exports of a library's CommonJS module, without running its getters.
 * @param {string} packageName
 * @param {string} fileName without folder and extension
 * @param {unknown} module Node's
 */
function noticeExports(packageName, fileName, module) {
  const table = packageName in LIBRARIES ? LIBRARIES[packageName] : undefined;
  if (table === undefined || typeof module !== 'object' || module === null || isProxy(module)) return;
  const exported = /** @type {any} */ (ownData(module, 'exports'));
  registerExports(exported, table);
  registerWithin(packageName, exported);
  if (!(fileName in table)) return;
  register(exported, table[fileName]);
  if (typeof exported === 'object' && exported !== null && !isProxy(exported)) {
    register(ownData(exported, 'default'), table[fileName]);
  }
}

/**
 * Registers functions of what a library exports.
 * @param {string} packageName
 * @param {any} exported
 */
function registerWithin(packageName, exported) {
  if (packageName === 'lodash' && typeof exported === 'function' && !isProxy(exported)) {
    registerExports(ownData(exported, 'prototype'), ENDS_OF_CHAINS);
  }
  if (packageName === 'luxon' && !isProxy(exported)) registerExports(ownData(exported, 'DateTime'), OF_LUXON);
}

/**
 * @param {unknown} called
 * @param {string} name
 * @param {string} origin the package that an ES module imports it from; empty: not known
 * @returns {Replacement | null}
 */
function replacementOf(called, name, origin) {
  if (typeof called !== 'function') return null;
  const known = weakMapGet(replacements, called);
  if (known !== undefined) return known;
  if (
    origin === '' ||
    !(origin in LIBRARIES) ||
    !(name in LIBRARIES[origin]) ||
    isProxy(called) ||
    ownData(called, 'name') !== name
  ) {
    return null;
  }
  register(called, LIBRARIES[origin][name]);
  return LIBRARIES[origin][name];
}

/**
 * @param {unknown} made by `bind`
 * @param {unknown} target
 * @param {unknown} receiver
 * @param {unknown[]} given
 */
function noteBound(made, target, receiver, given) {
  const replacement = replacementOfBound(target, receiver, given, (called) => replacementOf(called, '', ''));
  if (replacement !== null) register(made, replacement);
}

/**
 * @param {unknown} value
 * @param {string} via
 * @returns {boolean} whether it is the built-in function that calls another one in this way
 */
function isCaller(value, via) {
  if (via === 'call') return value === functionPrototypeCall;
  return value === (via === 'apply' ? functionPrototypeApply : reflectApply);
}

module.exports = { expect, isCaller, noteBound, noteWrapper, noticeExports, replacementOf };
