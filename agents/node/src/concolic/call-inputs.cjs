'use strict';
/**
 * The inputs of the running call: a value that the program reads under the name of an input, and that equals it, is
 * that input. So inputs are recognised behind every framework and parser.
 */

const { ObjectCreate, String, charCodeAt, toLowerCase } = require('../base/intrinsics.cjs');

/** @typedef {{place: string, name: string, value: string | number | boolean}} CallInput */
/** @typedef {import('./shadow-nodes.cjs').Nodes} Nodes */

/** A value of at least so many characters that only one input has is recognised under any name. */
const DISTINCT_LENGTH = 4;

class CallInputs {
  /** @param {CallInput[]} inputs */
  constructor(inputs) {
    this.inputs = inputs;
    /** @type {Record<string, CallInput | null>} null: several have it */
    this.byValue = ObjectCreate(null);
    for (let index = 0; index < inputs.length; index++) {
      const key = keyOf(inputs[index].value);
      this.byValue[key] = key in this.byValue ? null : inputs[index];
    }
  }

  /**
   * @param {Nodes} nodes
   * @param {unknown} name under which the value was read; anything else than a string: none
   * @param {import('./shadow-nodes.cjs').Value} value
   * @returns {import('./shadow-nodes.cjs').Shadow}
   */
  find(nodes, name, value) {
    const { inputs } = this;
    if (inputs.length === 0) return 0;
    const only = this.byValue[keyOf(value)];
    if (only === undefined) return 0;
    if (typeof name === 'string') {
      const sought = plainName(name);
      for (let index = 0; index < inputs.length; index++) {
        const input = inputs[index];
        if (input.value === value && plainName(input.name) === sought) return nodes.input(input.place, value);
      }
    }
    return only !== null && isDistinct(value) ? nodes.input(only.place, value) : 0;
  }
}

/** @param {import('./shadow-nodes.cjs').Value} value */
const keyOf = (value) => `${typeof value} ${String(value)}`;

/** @param {import('./shadow-nodes.cjs').Value} value */
function isDistinct(value) {
  return typeof value !== 'boolean' && String(value).length >= DISTINCT_LENGTH;
}

/** @param {string} name @returns {string} letters and digits, in lower case */
function plainName(name) {
  let plain = '';
  for (let index = 0; index < name.length; index++) {
    const code = charCodeAt(name, index);
    if (code !== 45 && code !== 95) plain += name[index];
  }
  return toLowerCase(plain);
}

module.exports = { CallInputs };
