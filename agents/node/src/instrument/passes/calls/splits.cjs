'use strict';
/**
 * `R.split(A)` in an expression that V8 writes into messages, as in `const [a, b] = R.split(A)` or `R.split(A).map(f)`.
 * V8 writes the arguments of calls as `...`, so A becomes `$.sp(A,R)`, or `$.sp(A)` if R is not a name that may be
 * evaluated a second time; of `R.trim()` it is R. If all parts get names at once, as `a` and `b` here, it is
 * `$.sp(A,R,2,B)`, where B says whether they are read as numbers (`.map(Number)`). The latter is also written where no
 * message shows it, as for `list.map((one) => one.split(A)).every(([a, b]) => ...)`.
 */

const { isNameOrThis } = require('../../evaluation/repeatable-expressions.cjs');
const { untrimmed } = require('../../evaluation/trimmed-texts.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const NUMBERS = new Set(['Number', 'parseFloat', 'parseInt']);

/** Methods that give each element of a list to the function. */
const EACH = new Set(['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'map', 'some']);

/**
 * Notes of the calls that split a text, and its parts, how many parts the program wants of them.
 * @param {Node} pattern
 * @param {Node | null} init what it takes apart
 * @param {Rewriter} rewriter
 */
function noteWanted(pattern, init, rewriter) {
  const { elements } = pattern;
  if (pattern.type !== 'ArrayPattern' || init === null) return;
  const mapped = mappedList(init);
  const call = mapped?.list ?? init;
  const inner = elements.find((/** @type {Node | null} */ one) => one?.type === 'ArrayPattern');
  if (inner !== undefined && mapped?.element) noteWanted(inner, mapped.element, rewriter);
  if (elements.length < 2 || elements.at(-1)?.type === 'RestElement') return;
  if (nameOf(call) === 'split') rewriter.wantedParts.set(call, [elements.length, mapped?.areNumbers === true]);
}

/**
 * @param {Node} call
 * @returns {{list: Node, element: Node | null, areNumbers: boolean} | null} of `LIST.map(f)`: the list, and what `f`
 *   returns if that can be seen
 */
function mappedList(call) {
  if (nameOf(call) !== 'map' || call.arguments.length !== 1) return null;
  const [each] = call.arguments;
  const isArrow = each.type === 'ArrowFunctionExpression' && each.expression;
  return { list: call.callee.object, element: isArrow ? each.body : null, areNumbers: NUMBERS.has(each.name) };
}

/**
 * Notes what `LIST.map((x) => x.split(A)).every(([a, b]) => ...)` wants of the texts in the list.
 * @param {Node} call
 * @param {Rewriter} rewriter
 */
function noteWantedOfEach(call, rewriter) {
  const [each] = call.arguments;
  if (!EACH.has(nameOf(call) ?? '') || each?.params?.[0]?.type !== 'ArrayPattern') return;
  const mapped = mappedList(call.callee.object);
  if (mapped?.element) noteWanted(each.params[0], mapped.element, rewriter);
}

/** @param {Node} call @returns {string | undefined} name of the method */
function nameOf({ type, callee }) {
  const isMethod = type === 'CallExpression' && callee.type === 'MemberExpression' && !callee.computed;
  return isMethod ? callee.property.name : undefined;
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  VariableDeclarator({ id, init }, rewriter) {
    noteWanted(id, init, rewriter);
  },
  CallExpression(node, rewriter) {
    noteWantedOfEach(node, rewriter);
    const { callee, arguments: given } = node;
    if (
      (!rewriter.isShown(node) && !rewriter.wantedParts.has(node)) ||
      callee.type !== 'MemberExpression' ||
      callee.computed ||
      callee.property.name !== 'split'
    ) {
      return;
    }
    if (given.length === 0 || given[0].type === 'SpreadElement') return;
    const object = untrimmed(callee.object);
    const isRepeatable = object.type !== 'Super' && isNameOrThis(object, rewriter);
    const wanted = isRepeatable ? rewriter.wantedParts.get(node) : undefined;
    const parts = wanted === undefined ? '' : `,${wanted.join()}`;
    rewriter.wrap(given[0], `${rewriter.handle}.sp(`, isRepeatable ? `,${rewriter.textOf(object)}${parts})` : ')');
  },
};
