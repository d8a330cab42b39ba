'use strict';
/** The passes, in the order in which they see a node: what comes earlier stands further outside. */

/** @typedef {import('../rewriter.cjs').Handler} Handler */
/** @typedef {import('../rewriter.cjs').Pass} Pass */

/** @type {readonly Pass[]} */
const PASSES = [
  require('./shown.cjs'),
  require('./errors.cjs'),
  require('./statements.cjs'),
  require('./conditions.cjs'),
  require('./switch.cjs'),
  require('./ternary.cjs'),
  require('./logical.cjs'),
  require('./comparisons.cjs'),
  require('./negation.cjs'),
  require('./calls.cjs'),
];

/**
 * @param {readonly Pass[]} passes
 * @returns {Map<string, Handler[]>} by type of node
 */
function handlersByType(passes) {
  const handlers = new Map();
  for (const pass of passes) {
    for (const [type, handler] of Object.entries(pass)) {
      if (!handlers.has(type)) handlers.set(type, []);
      handlers.get(type).push(handler);
    }
  }
  return handlers;
}

module.exports = { PASSES, HANDLERS: handlersByType(PASSES), handlersByType };
