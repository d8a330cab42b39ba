'use strict';
/**
 * `Function.prototype.toString` as the program under test meets it: functions of instrumented files answer their
 * original text, and functions that the agent has put in the place of others answer the text of those.
 *
 * Law: it cannot be told from the built-in one: the same name, length, text, missing `prototype`, errors and stacks.
 */

const {
  FunctionPrototype,
  Map,
  WeakMap,
  defineProperty,
  functionText,
  indexOf,
  mapGet,
  mapSet,
  reflectApply,
  weakMapGet,
  weakMapSet,
} = require('./intrinsics.cjs');
const { hideAgentFrames } = require('./error-stacks.cjs');

/** Replacement -> what it stands for. @type {WeakMap<object, object>} */
const originals = new WeakMap();
/** Text of replacements that are made again and again -> text of what they stand for. @type {Map<string, string>} */
const originalTexts = new Map();

/**
 * @template {Function} F
 * @param {F} replacement
 * @param {Function} original whose name, length and text the replacement shows from now on
 * @returns {F} the replacement
 */
function disguise(replacement, original) {
  defineProperty(replacement, 'name', { value: original.name, configurable: true });
  defineProperty(replacement, 'length', { value: original.length, configurable: true });
  weakMapSet(originals, replacement, original);
  return replacement;
}

/**
 * The same for all functions that are made where `replacement` is, at once: a name, a length and an entry in a WeakMap
 * for each cost more than a call of it.
 * @param {Function} replacement
 * @param {Function} original
 * @returns {boolean} whether they show what `original` shows; not where their own name or length differs, or where they
 *   show the text of another one
 */
function disguiseAll(replacement, original) {
  if (replacement.name !== original.name || replacement.length !== original.length) return false;
  const text = functionText(replacement);
  const shown = functionText(original);
  if (mapGet(originalTexts, text) === undefined) mapSet(originalTexts, text, shown);
  return mapGet(originalTexts, text) === shown;
}

/**
 * @param {string} mark what the text of each instrumented function contains
 * @param {(text: string) => string} originalOf text of an instrumented function -> its original text
 */
function hideFunctionTexts(mark, originalOf) {
  const native = FunctionPrototype.toString;
  // A method, because the built-in one is no constructor and has no `prototype` either.
  const { toString } = {
    toString() {
      let text;
      try {
        text = reflectApply(native, this, []);
        const original = weakMapGet(originals, /** @type {any} */ (this));
        if (original !== undefined) return functionText(original);
      } catch (error) {
        throw hideAgentFrames(error);
      }
      const common = mapGet(originalTexts, text);
      if (common !== undefined) return common;
      return indexOf(text, mark) < 0 ? text : originalOf(text);
    },
  };
  defineProperty(FunctionPrototype, 'toString', {
    value: disguise(toString, native),
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

module.exports = { disguise, disguiseAll, hideFunctionTexts };
