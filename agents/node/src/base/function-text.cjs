'use strict';
/**
 * Replaces `Function.prototype.toString`: functions of instrumented files return their original text, and functions
 * with which the agent has replaced others return the text of the replaced ones.
 *
 * Law: the program cannot distinguish it from the built-in one: same name, length, text, missing `prototype`, errors
 * and stacks.
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
  slice,
  weakMapGet,
  weakMapSet,
} = require('./intrinsics.cjs');
const { hideAgentFrames } = require('./error-stacks.cjs');

/** They enclose code that the agent has inserted into the text of a library. */
const HIDDEN_START = '/*wimble<*/';
const HIDDEN_END = '/*>wimble*/';

/** Replacement -> the function that it replaces. @type {WeakMap<object, object>} */
const originals = new WeakMap();
/**
 * Text of replacements that are created repeatedly -> text of the function that they replace.
 * @type {Map<string, string>}
 */
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
  const replaced = weakMapGet(originals, original);
  weakMapSet(originals, replacement, replaced === undefined ? original : replaced); // a method may be tapped twice
  return replacement;
}

/** @param {Function} callee @returns {object} the function that it replaces, or itself */
const replacedBy = (callee) => weakMapGet(originals, callee) || callee;

/**
 * The same for all functions that are created at the place of `replacement`, at once: setting a name, a length and an
 * entry in a WeakMap for each would cost more than calling it.
 * @param {Function} replacement
 * @param {Function} original
 * @returns {boolean} whether they now show the properties of `original`; false if their own name or length differs, or
 *   if they show the text of another function
 */
function disguiseAll(replacement, original) {
  if (replacement.name !== original.name || replacement.length !== original.length) return false;
  const text = functionText(replacement);
  const shown = functionText(original);
  if (mapGet(originalTexts, text) === undefined) mapSet(originalTexts, text, shown);
  return mapGet(originalTexts, text) === shown;
}

/** @type {(callee: Function) => string} */
let shownText = functionText;

/** @param {Function} callee @returns {string} its text as the program sees it */
const originalFunctionText = (callee) => shownText(callee);

/**
 * @param {string} mark a text that each instrumented function contains
 * @param {(text: string) => string} originalOf text of an instrumented function -> its original text
 */
function hideFunctionTexts(mark, originalOf) {
  const native = FunctionPrototype.toString;
  // A method, because the built-in function is not a constructor and has no `prototype` either.
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
      const shown = indexOf(text, HIDDEN_START) < 0 ? text : withoutHidden(text);
      return indexOf(shown, mark) < 0 ? shown : originalOf(shown);
    },
  };
  shownText = (callee) => reflectApply(toString, callee, []);
  defineProperty(FunctionPrototype, 'toString', {
    value: disguise(toString, native),
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

/**
 * @param {string} text with insertions, possibly cut off at its end
 * @returns {string} the text without them
 */
function withoutHidden(text) {
  let shown = '';
  let from = 0;
  for (let at = indexOf(text, HIDDEN_START); at >= 0; at = indexOf(text, HIDDEN_START, from)) {
    const end = indexOf(text, HIDDEN_END, at);
    if (end < 0) break;
    shown += slice(text, from, at);
    from = end + HIDDEN_END.length;
  }
  return shown + slice(text, from);
}

module.exports = {
  HIDDEN_END,
  HIDDEN_START,
  disguise,
  disguiseAll,
  hideFunctionTexts,
  originalFunctionText,
  replacedBy,
  withoutHidden,
};
