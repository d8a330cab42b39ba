'use strict';
/** The passes, in the order in which they handle a node: text of earlier passes encloses that of later ones. */

const bundledRoutes = require('./inputs/bundled-routes.cjs');
const bundled = require('./inputs/bundled-validators.cjs');
const shown = require('./shown-expressions.cjs');
const writes = require('./writes.cjs');

/** @typedef {import('../rewriter.cjs').Handler} Handler */
/** @typedef {import('../rewriter.cjs').Pass} Pass */

/** @type {readonly Pass[]} */
const PASSES = [
  shown,
  writes,
  require('./statements/catches.cjs'),
  require('./statements/arriving-errors.cjs'),
  require('./calls/answer-relays.cjs'),
  require('./calls/relays.cjs'),
  require('./statements/functions.cjs'),
  require('./statements/loops.cjs'),
  require('./statements/statements.cjs'),
  require('./branches/conditions.cjs'),
  require('./branches/switch.cjs'),
  require('./branches/ternary.cjs'),
  require('./branches/logical.cjs'),
  require('./branches/nullish.cjs'),
  require('./branches/assignments.cjs'),
  require('./branches/optional-calls.cjs'),
  require('./branches/comparisons.cjs'),
  require('./branches/negation.cjs'),
  require('./calls/tested-promises.cjs'),
  require('./calls/calls.cjs'),
  require('./calls/splits.cjs'),
  require('./calls/shown-matches.cjs'),
  require('./calls/binds.cjs'),
  require('./branches/keys.cjs'),
  require('./calls/answers.cjs'),
  require('./inputs/parsed-texts.cjs'),
  require('./inputs/input-reads.cjs'),
  require('./inputs/given-values.cjs'),
  require('./inputs/failed-reads.cjs'),
  require('./inputs/member-uses.cjs'),
  require('./inputs/result-reads.cjs'),
  require('./inputs/constants.cjs'),
  bundled,
  bundledRoutes,
];

/** Those that rewrite what a bundle holds beside the user's code. */
const IN_BUNDLES = new Set([shown, writes, bundled, bundledRoutes]);

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
      const isAlways = IN_BUNDLES.has(pass) || LISTS.has(type);
      handlers.get(type).push(isAlways ? handler : inSource(handler));
    }
  }
  return handlers;
}

module.exports = { HANDLERS: handlersByType(PASSES), handlersByType };
