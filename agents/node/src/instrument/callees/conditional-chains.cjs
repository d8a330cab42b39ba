'use strict';
/**
 * Optional chains in which a tracked call is not all that follows the `?.`: a probe around such a call would change
 * where the chain ends. `A?.split(B).includes(C)` becomes `($.en(j,A)?void 0:$.go().split(B).includes(C))`, where `en`
 * keeps A and `go` returns it, and what is after the colon gets the same probes as `A.split(B).includes(C)`.
 *
 * A chain with several `?.` consists of parts, each of which begins with what is before a `?.`; any of them may be
 * written so.
 */

const { calleeText } = require('./callee-text.cjs');
const { trackedCall } = require('./tracked-calls.cjs');
const { conditions } = require('../evaluation/short-circuits.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/**
 * Decides which parts of a chain are written as conditions. Both the passes that handle the chain and those that handle
 * what encloses it ask for it; whoever comes first decides.
 * @param {Node} chain
 * @param {Rewriter} rewriter
 */
function settleChain(chain, rewriter) {
  const { chains } = rewriter;
  if (chains.settled.has(chain)) return;
  chains.settled.add(chain);
  chains.ends.add(chain.expression);
  // A callee, and what is deleted, is a place; a condition has only its value.
  if (rewriter.isShown(chain) || rewriter.callees.has(chain) || rewriter.targetsOfWrites.has(chain.expression)) return;
  if (rewriter.startsInSource(chain)) settleParts(chain.expression, rewriter);
}

/**
 * @param {Node} whole
 * @param {Rewriter} rewriter
 */
function settleParts(whole, rewriter) {
  let end = whole;
  /** @type {Node[]} */
  let calls = [];
  for (let node = whole; node.type === 'CallExpression' || node.type === 'MemberExpression';) {
    const isCall = node.type === 'CallExpression';
    const before = isCall ? node.callee : node.object;
    if (isCall) calls.push(node);
    if (node.optional) {
      // What is left as it is may be written into messages, with all that is before it.
      if (isCall || !settlePart(node, end, calls, rewriter)) return;
      rewriter.chains.ends.add(before);
      end = before;
      calls = [];
    }
    node = before;
  }
}

/**
 * @param {Node} link
 * @param {Node} end
 * @param {Node[]} calls of the part
 * @param {Rewriter} rewriter
 * @returns {boolean} whether V8 writes nothing of it into messages
 */
function settlePart(link, end, calls, rewriter) {
  if (calls.length === 0) return true;
  if (!calls.every(hasText)) return false;
  if (end.callee === link) return true; // a probe may enclose `A?.b(C)`: it is the whole of the part
  conditions.add(link);
  if (calls.some((call) => trackedCall(call, rewriter) !== undefined)) {
    rewriter.chains.addCondition(link, end);
    return true;
  }
  conditions.delete(link);
  return calls.length === 1; // the probe of its receiver knows its text
}

/** @param {Node} call whether it is known what V8 writes if there is nothing to call */
function hasText({ callee }) {
  return (
    callee.type === 'MemberExpression' &&
    !callee.computed &&
    callee.property.type === 'Identifier' &&
    calleeText(callee) !== undefined
  );
}

module.exports = { settleChain };
