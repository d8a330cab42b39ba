'use strict';
/** `switch (D)` becomes `switch ($.sw(i,D))`; `case X:` becomes `case $.cs(i,n,X):` where X is not a literal. */

const { noteNames } = require('../../names/operand-names.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */

/**
 * Returns the entry of a clause in the table: its literal, or the reason why there is none.
 * @param {Node | null} test
 */
function caseEntry(test) {
  if (test === null) return { $default: true };
  const sign = test.type === 'UnaryExpression' && test.operator === '-' ? -1 : 1;
  const literal = sign < 0 ? test.argument : test;
  if (literal.type !== 'Literal' || literal.regex || literal.bigint) return { $expr: true };
  if (sign < 0) return typeof literal.value === 'number' ? -literal.value : { $expr: true };
  // JSON has no Infinity (`case 1e999:`).
  return literal.value === Infinity ? { $expr: true } : literal.value;
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  SwitchStatement(node, rewriter) {
    const { targets } = rewriter;
    /** @type {Node[]} */
    const clauses = node.cases;
    // A switch without clauses still has a discriminant, but nothing to cover.
    if (clauses.length === 0) return;
    const entries = clauses.map((clause) => caseEntry(clause.test));
    const [first] = clauses.map((clause, number) => targets.add('case', clause.start, `case ${number}`));
    targets.table.cases[String(first)] = entries;
    noteNames(rewriter, first, [node.discriminant]);
    rewriter.wrapArgument(node.discriminant, rewriter.probe('sw', first));
    for (const [number, clause] of clauses.entries()) {
      const entry = entries[number];
      const isExpression = typeof entry === 'object' && entry !== null && '$expr' in entry;
      if (isExpression) rewriter.wrapArgument(clause.test, `${rewriter.probe('cs', first)}${number},`);
    }
  },
};
