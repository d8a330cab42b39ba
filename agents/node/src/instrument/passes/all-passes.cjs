'use strict';
/** The passes, in the order in which they handle a node: text of earlier passes encloses that of later ones. */

const shown = require('./shown-expressions.cjs');
const writes = require('./writes.cjs');

/** @typedef {import('../rewriter.cjs').Handler} Handler */
/** @typedef {import('../rewriter.cjs').Pass} Pass */

/** @type {readonly Pass[]} */
const PASSES = [
  shown,
  writes,
  require('./catches.cjs'),
  require('./arriving-errors.cjs'),
  require('./answer-relays.cjs'),
  require('./functions.cjs'),
  require('./loops.cjs'),
  require('./statements.cjs'),
  require('./conditions.cjs'),
  require('./switch.cjs'),
  require('./ternary.cjs'),
  require('./logical.cjs'),
  require('./nullish.cjs'),
  require('./assignments.cjs'),
  require('./optional-calls.cjs'),
  require('./comparisons.cjs'),
  require('./negation.cjs'),
  require('./tested-promises.cjs'),
  require('./calls.cjs'),
  require('./splits.cjs'),
  require('./shown-matches.cjs'),
  require('./binds.cjs'),
  require('./keys.cjs'),
  require('./answers.cjs'),
  require('./parsed-texts.cjs'),
  require('./input-reads.cjs'),
  require('./result-reads.cjs'),
  require('./constants.cjs'),
  require('./relays.cjs'),
];

/** Nodes with lists of statements, for each of which it is checked whether it is the user's. */
const LISTS = new Set(['Program', 'BlockStatement', 'StaticBlock', 'SwitchCase']);

/** @type {(handler: Handler) => Handler} */
const inSource = (handler) => (node, rewriter) => {
  if (rewriter.startsInSource(node)) handler(node, rewriter);
};

/**
 * @param {readonly Pass[]} passes
 * @returns {Map<string, Handler[]>} by type of node
 */
function handlersByType(passes) {
  const handlers = new Map();
  for (const pass of passes) {
    for (const [type, handler] of Object.entries(pass)) {
      if (!handlers.has(type)) handlers.set(type, []);
      // Expressions that V8 writes into messages, and expressions that are not values, must remain unchanged in added
      // code, too.
      const isAlways = pass === shown || pass === writes || LISTS.has(type);
      handlers.get(type).push(isAlways ? handler : inSource(handler));
    }
  }
  return handlers;
}

module.exports = { HANDLERS: handlersByType(PASSES), handlersByType };
