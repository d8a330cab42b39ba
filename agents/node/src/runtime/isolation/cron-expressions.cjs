'use strict';
/**
 * Determines for which cron expression a scheduling package sets a timer, as far as the package's functions show it.
 */

const { defineProperty, reflectApply } = require('../../base/intrinsics.cjs');
const { disguise } = require('../../base/function-text.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */

const MAX_EXPRESSION_UNITS = 200;
let expression = '';

/** Returns the expression; empty if it is not known. */
function currentExpression() {
  return expression;
}

/**
 * @param {unknown} value the representation of a time: text, date, or an object of the package
 * @returns {string}
 */
function textOf(value) {
  if (typeof value === 'string') return value.length > MAX_EXPRESSION_UNITS ? '' : value;
  if (typeof value !== 'object' || value === null) return '';
  return textOf(readData(value, 'source') ?? readData(value, 'cronTime') ?? readData(value, 'rule') ?? '');
}

/**
 * @param {AnyFunction} original
 * @param {(self: any, args: ArrayLike<any>) => unknown} find
 * @returns {AnyFunction} the same function; while it runs, the expression is known
 */
function during(original, find) {
  return disguise(
    /** @this {any} */ function () {
      const outer = expression;
      try {
        expression = textOf(find(this, arguments)) || outer;
      } catch {
        // The package's version has another structure.
      }
      try {
        return reflectApply(original, this, /** @type {any} */ (arguments));
      } catch (error) {
        throw hideAgentFrames(error);
      } finally {
        expression = outer;
      }
    },
    original,
  );
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {(self: any, args: ArrayLike<any>) => unknown} find
 */
function tap(owner, name, find) {
  const original = readData(owner, name);
  if (typeof original !== 'function') return;
  defineProperty(owner, name, {
    value: during(/** @type {AnyFunction} */ (original), find),
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

/**
 * @param {any} owner class whose method sets the timers
 * @param {string} name of the method
 * @param {(self: any, args: ArrayLike<any>) => unknown} find
 */
function tapScheduler(owner, name, find) {
  tap(owner.prototype, name, find);
  return owner;
}

module.exports = { MAX_EXPRESSION_UNITS, currentExpression, tapScheduler };
