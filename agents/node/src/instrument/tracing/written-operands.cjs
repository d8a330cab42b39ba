'use strict';
/** Writes operands and arguments with their shadows. */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {{code: string, shadow: string}} Traced */
/** @typedef {(node: Node, writer: Expressions) => Traced | undefined} Writer undefined: as it is */

/** @param {Node} node @param {string} code @returns {string} the code as an argument of a call */
function argument(node, code) {
  return node.type === 'SequenceExpression' || node.type === 'YieldExpression' ? `(${code})` : code;
}

/** @param {Node} node @param {Expressions} writer @returns {Traced} */
function unwrapped(node, writer) {
  const { code, shadow } = writer.expression(node);
  return { code: argument(node, code), shadow };
}

/** @param {Node} node a callee or an object */
const isSuper = (node) => node.type === 'Super';

/** @param {Node} node a call @param {Expressions} writer @returns {string} `value,shadow` of each argument */
function args({ arguments: list }, writer) {
  const write = (/** @type {Node} */ one) =>
    `,${isSpread(one) ? spread(one, 'spreadArguments', writer) : writer.pair(one)}`;
  return writer.eachOnItsLine(list, write).join('');
}

/**
 * @param {Node} node a SpreadElement
 * @param {string} how
 * @param {Expressions} writer
 * @returns {string} elements and shadows
 */
const spread = (node, how, writer) => `...${writer.handle}.${how}(${writer.pair(node.argument)})`;

/** @param {Node} node */
const isSpread = (node) => node.type === 'SpreadElement';

module.exports = { args, argument, isSpread, isSuper, spread, unwrapped };
