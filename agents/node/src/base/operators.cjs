'use strict';
/**
 * The numbers of the comparison operators that probes get. The instrumenter writes them in its own realm, and the
 * runtime reads them, so this file requires nothing.
 */

const OPERATOR = /** @type {const} */ ({ EQ3: 1, NE3: 2, EQ2: 3, NE2: 4, LT: 5, LE: 6, GT: 7, GE: 8 });

/** The same by the text of the operator. @type {Record<string, number | undefined>} */
const COMPARISONS = {
  // @ts-expect-error so that it has no members beside these
  __proto__: null,
  '===': OPERATOR.EQ3,
  '!==': OPERATOR.NE3,
  '==': OPERATOR.EQ2,
  '!=': OPERATOR.NE2,
  '<': OPERATOR.LT,
  '<=': OPERATOR.LE,
  '>': OPERATOR.GT,
  '>=': OPERATOR.GE,
};

module.exports = { COMPARISONS, OPERATOR };
