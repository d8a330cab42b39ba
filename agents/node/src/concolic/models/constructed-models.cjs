'use strict';
/** Models of constructors: what is known of the made object. */

const {
  Date,
  Float64Array,
  Int32Array,
  Map,
  Set,
  URL,
  URLSearchParams,
  Uint8Array,
  Uint32Array,
  mapSet,
} = require('../../base/intrinsics.cjs');
const { keepElements } = require('./array-models.cjs');
const { madeDate } = require('./date-models.cjs');
const { madeParams, madeUrl } = require('./encoding-models.cjs');
const { madeOfPairs, madeSet } = require('./collection-models.cjs');

/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */
/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {(handle: Handle, made: any, values: any[], shadows: Shadow[]) => void} Constructed */

/** @type {Map<unknown, Constructed>} */
const CONSTRUCTED_MODELS = new Map();

/** @param {unknown} constructor @param {Constructed} model */
const add = (constructor, model) => mapSet(CONSTRUCTED_MODELS, constructor, model);

add(Date, madeDate);
add(Map, (handle, made, values) => madeOfPairs(handle, made, values[0]));
add(Set, madeSet);
add(URL, ({ nodes }, made, values, shadows) => madeUrl(nodes, made, values, shadows));
add(URLSearchParams, ({ nodes }, made, values, shadows) => madeParams(nodes, made, values, shadows));

for (const constructor of [Uint8Array, Int32Array, Uint32Array, Float64Array]) {
  add(constructor, ({ nodes }, made, values) => keepElements(nodes, made, values[0]));
}

module.exports = { CONSTRUCTED_MODELS };
