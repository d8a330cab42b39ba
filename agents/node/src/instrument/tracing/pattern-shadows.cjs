'use strict';
/** Code for the shadow of a name that a pattern binds. */

/** The code for a shadow that is not known. */
const NONE = '0';

/**
 * @param {string} handle
 * @param {string} whole what the pattern took apart
 * @param {import('./name-scopes.cjs').Leaf} leaf
 */
function taken(handle, whole, { name, key, outer, first }) {
  let from = outer === null || (key === null && first === null) ? NONE : whole;
  if (from !== NONE && outer !== null && outer.length > 0) from = `${handle}.at(${whole},${JSON.stringify(outer)})`;
  return first === null
    ? `${handle}.d(${from},${JSON.stringify(key)},${name})`
    : `${handle}.others(${from},${first},${name})`;
}

module.exports = { NONE, taken };
