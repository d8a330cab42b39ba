'use strict';
/**
 * The numbers of the comparison operators that probes get. The instrumenter writes them in its own realm, and the
 * runtime reads them, so this file requires nothing.
 */

const OPERATOR = /** @type {const} */ ({ EQ3: 1, NE3: 2, EQ2: 3, NE2: 4, LT: 5, LE: 6, GT: 7, GE: 8 });

module.exports = { OPERATOR };
