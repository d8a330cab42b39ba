'use strict';
/**
 * Determines which calls of `bind` get probes: those whose target may have a replacement, so that calls of the bound
 * function are recognised.
 */

const { calleeText } = require('./callee-text.cjs');
const { GLOBAL_FUNCTIONS, METHODS, VALIDATORS } = require('./tracked-names.cjs');
const { hasShortCircuit } = require('../evaluation/short-circuits.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/** `this`, and two arguments that are given in advance. */
const MAX_GIVEN = 3;

/** @param {Node} callee whether it is `X.bind` */
function isBind(callee) {
  return callee.type === 'MemberExpression' && !callee.computed && !callee.optional && callee.property.name === 'bind';
}

/** @param {Node} argument */
const isSpread = (argument) => argument.type === 'SpreadElement';

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {string | undefined} the callee, as V8 writes it; undefined: the call gets no probes
 */
function boundCallText(node, rewriter) {
  if (node.type !== 'CallExpression' || node.optional || rewriter.isShown(node) || !rewriter.startsInSource(node)) {
    return undefined;
  }
  const { callee, arguments: given } = node;
  if (!isBind(callee)) return undefined;
  if (given.length === 0 || given.length > MAX_GIVEN || given.some(isSpread)) return undefined;
  if (!mayBeReplaced(callee.object, rewriter) || hasShortCircuit(callee.object)) return undefined;
  return calleeText(callee);
}

/**
 * @param {Node} target
 * @param {Rewriter} rewriter
 */
function mayBeReplaced(target, { bindings }) {
  if (target.type === 'Identifier') return bindings.functions.has(target.name) || GLOBAL_FUNCTIONS.has(target.name);
  if (target.type !== 'MemberExpression' || target.computed || target.property.type !== 'Identifier') return false;
  const { name } = target.property;
  return name === 'call' || name === 'apply' || METHODS.has(name) || VALIDATORS.has(name);
}

module.exports = { boundCallText };
