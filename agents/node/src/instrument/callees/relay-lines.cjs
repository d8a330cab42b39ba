'use strict';
/** The lines of expressions that only hand on what their function got. */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/** Of one expression. */
const MAX_LINES = 5;

/**
 * @param {Node} expression
 * @param {Rewriter} rewriter
 * @param {'relays' | 'nexts'} [kind]
 */
function noteLines({ start, end }, { targets }, kind = 'relays') {
  const first = targets.lineAt(start);
  const last = Math.min(targets.lineAt(end), first + MAX_LINES);
  for (let line = first; line <= last; line++) {
    targets.addRelay(line === first ? start : targets.lineStarts[line - 1], kind);
  }
}

module.exports = { noteLines };
