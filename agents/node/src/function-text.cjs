'use strict';
/**
 * `Function.prototype.toString` as the program under test meets it: functions of instrumented files answer their original
 * text, and functions that the agent has put in the place of others answer the text of those.
 *
 * Law: it cannot be told from the built-in one: the same name, length, text, missing `prototype`, errors and stacks.
 */

const { WeakMap, defineProperty, functionText, indexOf, reflectApply, weakMapGet, weakMapSet } = require('./intrinsics.cjs');
const { hideAgentFrames } = require('./runtime/stacks.cjs');

/** Replacement -> what it stands for. @type {WeakMap<object, object>} */
const originals = new WeakMap();

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
 * @param {string} mark what the text of each instrumented function contains
 * @param {(text: string) => string} originalOf text of an instrumented function -> its original text
 */
function hideFunctionTexts(mark, originalOf) {
  const native = Function.prototype.toString;
  // A method, because the built-in one is no constructor and has no `prototype` either.
  const { toString } = {
    toString() {
      let text = '';
      try {
        text = reflectApply(native, this, []);
        const original = weakMapGet(originals, /** @type {any} */ (this));
        if (original !== undefined) return functionText(original);
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return indexOf(text, mark) < 0 ? text : originalOf(text);
    },
  };
  defineProperty(Function.prototype, 'toString', { value: disguise(toString, native), writable: true, configurable: true, enumerable: false });
}

module.exports = { disguise, hideFunctionTexts };
