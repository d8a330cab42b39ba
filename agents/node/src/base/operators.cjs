'use strict';
/**
 * The numbers of the comparisons, as probes get them: written by the instrumenter, in its own realm, and read by the
 * runtime. So nothing is required here.
 */

const OPERATOR = /** @type {const} */ ({ EQ3: 1, NE3: 2, EQ2: 3, NE2: 4, LT: 5, LE: 6, GT: 7, GE: 8 });

module.exports = { OPERATOR };
