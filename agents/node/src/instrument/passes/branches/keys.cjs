'use strict';
/**
 * `A[B]`, if it is read and B is not a literal: `$.kx(i,A[B],A,B)` if A and B are names of this file or `this`, else
 * `$.kv(i,$.ko(i,A)[$.kk(i,B)])`. If V8 writes `A[B]` into messages, as in a callee, the whole call becomes
 * `$.kq(i,A,B).v(A[B](C))`, if it begins with such an `A[B]`. If A holds input of a call, as far as names tell, a
 * property that is not there may be an input that the call lacks (input-reads.cjs).
 */

const { locationOf } = require('../../names/input-names.cjs');
const { isNameOrThis } = require('../../evaluation/repeatable-expressions.cjs');
const { hasShortCircuit } = require('../../evaluation/short-circuits.cjs');
const { withoutParentheses } = require('../../evaluation/truthness.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/**
 * Returns whether the key can vary, so that the property may exist or not.
 * @param {Node} key
 */
function isVariable(key) {
  const node = withoutParentheses(key);
  if (node.type === 'Literal') return false;
  if (node.type === 'TemplateLiteral') return node.expressions.length > 0;
  if (node.type === 'UnaryExpression') return node.argument.type !== 'Literal';
  // `Symbol.iterator` and the like.
  return node.type !== 'MemberExpression' || node.object.name !== 'Symbol';
}

/** @param {Node} node */
function isKeyed(node) {
  return node.type === 'MemberExpression' && node.computed && node.object.type !== 'Super' && isVariable(node.property);
}

/**
 * @param {Node} member
 * @param {Rewriter} rewriter
 */
function isSimple(member, rewriter) {
  return isNameOrThis(member.object, rewriter) && isNameOrThis(member.property, rewriter);
}

/**
 * @param {Node} member
 * @param {Rewriter} rewriter
 */
function addTarget(member, rewriter) {
  return rewriter.targets.add('branch', member.property.start, 'key true', 'key false');
}

/**
 * @param {Node} member
 * @param {Node} whole the expression whose value is the property: the member, or the chain that ends with it
 * @param {Rewriter} rewriter
 */
function wrapRead(member, whole, rewriter) {
  const target = addTarget(member, rewriter);
  rewriter.noteReader(member, target);
  const { object, property } = member;
  const location = locationOf(object, rewriter);
  if (location !== '') rewriter.targets.addKeyedRead(target, location);
  // After `?.` the key may not have been evaluated, so it is not evaluated again either.
  if (!member.optional && isSimple(member, rewriter)) {
    rewriter.wrap(whole, rewriter.probe('kx', target), `,${rewriter.textOf(object)},${rewriter.textOf(property)})`);
    return;
  }
  rewriter.wrap(whole, rewriter.probe('kv', target), ')');
  rewriter.wrapArgument(object, rewriter.probe('ko', target));
  rewriter.wrapArgument(property, rewriter.probe('kk', target));
}

/**
 * The links of `A?.[B]?.[C]`, from the last one on: each is a value of its own, since the next one allows it to be
 * missing.
 * @param {Node} link
 * @param {Node} whole
 * @param {Rewriter} rewriter
 */
function wrapLinks(link, whole, rewriter) {
  if (link.type !== 'MemberExpression' || !link.optional) return;
  if (rewriter.isShown(link) || rewriter.targetsOfWrites.has(link)) return;
  if (isKeyed(link)) wrapRead(link, whole, rewriter);
  wrapLinks(link.object, link.object, rewriter);
}

/**
 * Returns the `A[B]` with which a callee begins.
 * @param {Node} callee
 */
function headOf(callee) {
  let node = callee;
  for (;;) {
    if (node.type === 'MemberExpression') {
      if (isKeyed(node) && node.object.type !== 'MemberExpression' && node.object.type !== 'CallExpression') {
        return node;
      }
      node = node.object;
    } else if (node.type === 'CallExpression') node = node.callee;
    else return undefined;
  }
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  MemberExpression(node, rewriter) {
    if (!isKeyed(node) || rewriter.isShown(node) || rewriter.targetsOfWrites.has(node) || hasShortCircuit(node)) return;
    if (node.object.name === 'arguments') return;
    wrapRead(node, node, rewriter);
  },
  ChainExpression(node, rewriter) {
    if (!rewriter.isShown(node)) wrapLinks(node.expression, node, rewriter);
  },
  CallExpression(node, rewriter) {
    if (rewriter.isShown(node) || !rewriter.isShown(node.callee) || node.optional || hasShortCircuit(node.callee)) {
      return;
    }
    const head = headOf(node.callee);
    if (head === undefined || !isSimple(head, rewriter)) return;
    const target = addTarget(head, rewriter);
    const parts = [head.object, head.property].map((part) => rewriter.textOf(part));
    rewriter.wrap(node, `${rewriter.handle}.kq(${target},${parts.join()}).v(`, ')');
  },
};
