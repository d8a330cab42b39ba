'use strict';
/**
 * The inputs of the running call: a value that the program reads under the name of an input, and that equals it, is
 * that input. So inputs are recognised behind every framework and parser.
 */

const {
  ObjectCreate,
  ObjectKeys,
  String,
  WeakMap,
  charCodeAt,
  isProxy,
  toLowerCase,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');

/** @typedef {{place: string, name: string, value: string | number | boolean}} CallInput */
/** @typedef {{steps: string[], input: CallInput}[]} Group the inputs within one object or list of the call */
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
    /** The groups by the name of the object or list, and by its place. @type {Record<string, Record<string, Group>>} */
    this.groups = ObjectCreate(null);
    for (let index = 0; index < inputs.length; index++) this.addToGroups(inputs[index]);
    /** Objects that were compared with the groups of their name. @type {WeakMap<object, boolean>} */
    this.compared = new WeakMap();
  }

  /** @param {CallInput} input */
  addToGroups(input) {
    const steps = stepsOf(input.place);
    let place = '';
    for (let index = 0; index + 1 < steps.length; index++) {
      const name = plainName(steps[index]);
      place += `/${steps[index]}`;
      this.groups[name] ??= ObjectCreate(null);
      const group = (this.groups[name][place] ??= []);
      const inner = [];
      for (let at = index + 1; at < steps.length; at++) inner[inner.length] = steps[at];
      group[group.length] = { steps: inner, input };
    }
  }

  /**
   * Keeps the shadows of all that is in an object or list which the program reads under its name, if it holds what the
   * call has there: an element of a list has no name of its own.
   * @param {Nodes} nodes
   * @param {unknown} name
   * @param {object} object
   */
  adopt(nodes, name, object) {
    if (typeof name !== 'string' || this.inputs.length === 0) return;
    const groups = this.groups[plainName(name)];
    if (groups === undefined || weakMapGet(this.compared, object) === true) return;
    weakMapSet(this.compared, object, true);
    const places = ObjectKeys(groups);
    for (let index = 0; index < places.length; index++) {
      if (keepGroup(nodes, groups[places[index]], object)) return;
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

/** @param {Nodes} nodes @param {Group} group @param {object} object @returns {boolean} whether it holds all of it */
function keepGroup(nodes, group, object) {
  /** @type {any[]} */
  const holders = [];
  for (let index = 0; index < group.length; index++) {
    const { steps, input } = group[index];
    /** @type {any} */
    let holder = object;
    for (let at = 0; at + 1 < steps.length; at++) holder = ownValue(holder, steps[at]);
    if (ownValue(holder, steps[steps.length - 1]) !== input.value) return false;
    holders[index] = holder;
  }
  for (let index = 0; index < group.length; index++) {
    const { steps, input } = group[index];
    nodes.keep(holders[index], steps[steps.length - 1], nodes.input(input.place, input.value));
  }
  return true;
}

/** @param {any} object @param {string} key @returns {unknown} the value of its own member, without running a getter */
function ownValue(object, key) {
  return typeof object !== 'object' || object === null || isProxy(object) ? undefined : ownData(object, key);
}

/** @param {string} place a JSON pointer @returns {string[]} */
function stepsOf(place) {
  const steps = [];
  let step = '';
  for (let index = 1; index <= place.length; index++) {
    const char = index < place.length ? place[index] : '/';
    if (char === '/') {
      steps[steps.length] = step;
      step = '';
    } else if (char === '~') {
      index += 1;
      step += place[index] === '1' ? '/' : '~';
    } else step += char;
  }
  return steps;
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
