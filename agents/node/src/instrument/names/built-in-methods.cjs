'use strict';
/** Names of methods that values of the language have: what they are read of is no object of data. */

const PROTOTYPES = [Array.prototype, String.prototype, Number.prototype, Date.prototype];

/** @param {string} name of a member @returns {boolean} whether texts, lists, numbers or dates have it */
function isBuiltIn(name) {
  return PROTOTYPES.some((prototype) => name in prototype);
}

module.exports = { isBuiltIn };
