'use strict';
/**
 * The shadows of a call's arguments, if the path of the call is recorded: each scalar in them is an input of its own,
 * whatever its name and its value. An input's place is its part of the call, the name of its parameter, and the names
 * and indexes that lead to it.
 */

const { ObjectCreate, ObjectKeys, isArray, isProxy, startsWith } = require('../base/intrinsics.cjs');
const { isPlainValue } = require('../concolic/shadows/shadow-nodes.cjs');

/** @typedef {import('../concolic/trace-handle.cjs').TraceHandle} TraceHandle */
/** @typedef {import('../concolic/shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {{ name: string, is_rest: boolean }} Named */

const MAX_DEPTH = 6;

/**
 * Leaves the shadows of arguments for the function that is called next, if there is a trace.
 * @param {TraceHandle | null} tracing
 * @param {string} part `argument`, `receiver`, or `steps` with a number
 * @param {readonly Named[]} parameters
 * @param {readonly any[]} values
 */
function leaveShadows(tracing, part, parameters, values) {
  if (tracing === null || !tracing.isOn) return;
  const walk = new Walk(tracing);
  /** @type {Shadow[]} */
  const shadows = [];
  for (let index = 0; index < values.length; index++) {
    const numbered = `/${part}/arg${index + 1}`;
    const place = walk.hasInputs(numbered) ? numbered : `/${part}/${placeOf(parameters, index)}`;
    shadows[index] = walk.shadow(place, values[index], 0);
  }
  tracing.frame = { shadows, values };
}

/** @param {readonly Named[]} parameters @param {number} index */
function placeOf(parameters, index) {
  const last = parameters.length - 1;
  if (last >= 0 && index >= last && parameters[last].is_rest) return `${parameters[last].name}/${index - last}`;
  return index <= last ? parameters[index].name : `arg${index + 1}`;
}

class Walk {
  /** @param {TraceHandle} tracing */
  constructor(tracing) {
    this.nodes = tracing.nodes;
    /** @type {Record<string, string | number | boolean>} */
    this.values = ObjectCreate(null);
    const { inputs } = tracing.inputs;
    for (let index = 0; index < inputs.length; index++) this.values[inputs[index].place] = inputs[index].value;
  }

  /**
   * Whether an argument is known by its number: where a declaration names the arguments of
   * `(...args) => other(...args)`, the core has a parameter for each.
   * @param {string} place
   */
  hasInputs(place) {
    const places = ObjectKeys(this.values);
    for (let index = 0; index < places.length; index++) {
      if (places[index] === place || startsWith(places[index], `${place}/`)) return true;
    }
    return false;
  }

  /** @param {string} place @param {any} value @param {number} depth @returns {Shadow} */
  shadow(place, value, depth) {
    if (isPlainValue(value)) return this.values[place] === value ? this.nodes.input(place, value) : 0;
    if (typeof value === 'object' && value !== null && !isProxy(value) && depth < MAX_DEPTH) {
      this.keep(place, value, isArray(value) ? indexes(value) : ObjectKeys(value), depth);
    }
    return 0;
  }

  /** @param {string} place @param {any} object @param {readonly string[]} keys @param {number} depth */
  keep(place, object, keys, depth) {
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      const shadow = this.shadow(`${place}/${key}`, object[key], depth + 1);
      if (shadow) this.nodes.keep(object, key, shadow);
    }
  }
}

/** @param {readonly any[]} array */
function indexes(array) {
  /** @type {string[]} */
  const keys = [];
  for (let index = 0; index < array.length; index++) keys[index] = `${index}`;
  return keys;
}

module.exports = { leaveShadows };
