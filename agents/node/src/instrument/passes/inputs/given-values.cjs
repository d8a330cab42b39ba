'use strict';
/**
 * Members of what a loop or a function is given, where a pattern takes it apart and so no variable holds it.
 *
 * Elements of a list: `for (const { NAME } of R)` becomes `$.xk(k,R);for (const { NAME=$.xe(n,k) } of R)`, and
 * `R.map(({ NAME }) => E)` becomes `R.map(($.xk(k,R),({ NAME=$.xe(n,k) }) => E))`: the list is kept.
 *
 * Arguments: `f(R)`, where R is named like input, becomes `f($.xh(R))`, which keeps R, and `function f({ NAME })`
 * becomes `function f({ NAME=$.xe(n,-1) })`.
 */

const { inner, lastName, locationOf } = require('../../names/input-names.cjs');
const { OF_ELEMENTS, placeOf } = require('../../names/input-places.cjs');
const { listOf } = require('../../names/file-scopes.cjs');
const { rootOf, withoutDefault, wrapMembers } = require('./patterns.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/** Stands for the input that was handed on last. */
const HANDED_ON = -1;
/** The same, where the function's only statement has begun before its first member is looked at. */
const HANDED_ON_BEFORE = -2;
const INPUTS = new Set(['query', 'header', 'cookie', 'body']);
/** Objects of the language, whose functions take no input apart. */
const BUILT_IN = new Set(['JSON', 'Object', 'Array', 'Number', 'String', 'Boolean', 'Math', 'Promise', 'console']);

/**
 * @param {Node} list
 * @param {Node} binding none of its names may be that of the variable
 * @param {Rewriter} rewriter
 * @returns {{ kept: number, probe: string } | undefined} undefined: no variable leads to it
 */
function keptList(list, binding, rewriter) {
  const root = rootOf(list, binding, rewriter);
  if (root === undefined) return undefined;
  const kept = rewriter.targets.addRead([], locationOf(list, rewriter), root.path);
  return { kept, probe: `${rewriter.handle}.xk(${kept},${root.name})` };
}

/**
 * @param {Node} pattern
 * @param {number} kept
 * @param {Rewriter} rewriter
 * @returns {string} see wrapPattern
 */
function wrapGiven(pattern, kept, rewriter) {
  if (pattern.type !== 'ObjectPattern') return '';
  return wrapMembers(pattern, { root: undefined, kept, location: '', above: [] }, rewriter);
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleLoop(node, rewriter) {
  const { left, right, body } = node;
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
  if (pattern.type !== 'ObjectPattern' || rewriter.labelled.has(node)) return;
  const list = keptList(listOf(right), left, rewriter);
  if (list === undefined) return;
  rewriter.wrap(node, `${list.probe};`, '');
  const after = wrapGiven(pattern, list.kept, rewriter);
  if (after === '') return;
  if (body.type === 'BlockStatement') rewriter.insertAtEntry(body, after);
  else rewriter.wrap(body, `{${after}`, '}');
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  let after = '';
  const callback = rewriter.callbacks.get(node);
  const isBlock = node.body.type === 'BlockStatement';
  for (let at = 0; at < node.params.length; at++) {
    const kept =
      callback !== undefined && callback.position === at ? callback.kept : isBlock ? HANDED_ON : HANDED_ON_BEFORE;
    after += wrapGiven(withoutDefault(node.params[at]), kept, rewriter);
  }
  if (after === '') return;
  if (isBlock) rewriter.insertAtEntry(node.body, after);
  else rewriter.wrap(node.body, `(${after.slice(0, -1).replaceAll(';', ',')},`, ')');
}

/**
 * @param {Node} call of a method of a list with a function that takes its elements apart
 * @param {Rewriter} rewriter
 */
function keepReceiver({ callee, arguments: given }, rewriter) {
  const position = callee.type === 'MemberExpression' ? OF_ELEMENTS.get(lastName(callee)) : undefined;
  const callback = given[0];
  if (position === undefined || !/^(?:Arrow)?FunctionExpression$/.test(callback?.type)) return;
  const parameter = callback.params[position];
  if (parameter === undefined || withoutDefault(parameter).type !== 'ObjectPattern') return;
  const list = keptList(inner(callee.object), withoutDefault(parameter), rewriter);
  if (list === undefined) return;
  rewriter.callbacks.set(callback, { position, kept: list.kept });
  rewriter.wrap(callback, `(${list.probe},`, ')');
}

/** @param {Node} node @param {Rewriter} rewriter @returns {boolean} whether its names say that it holds input */
function isInput(node, rewriter) {
  if (node.type !== 'ObjectExpression') {
    const place = placeOf(node, rewriter);
    return INPUTS.has(locationOf(node, rewriter)) || (place !== undefined && place.location !== 'given');
  }
  return node.properties.some(
    (/** @type {Node} */ one) => one.type === 'SpreadElement' && INPUTS.has(locationOf(one.argument, rewriter)),
  );
}

/** @type {import('../../rewriter.cjs').Handler} */
function keepHandedOn({ callee, arguments: given }, rewriter) {
  const { type, object } = inner(callee);
  if (type === 'MemberExpression' && BUILT_IN.has(object.name)) return;
  for (const argument of given) {
    if (argument.type === 'SpreadElement' || rewriter.isShown(argument) || !isInput(argument, rewriter)) continue;
    rewriter.wrap(argument, `${rewriter.handle}.xh(`, ')');
  }
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  ForOfStatement: handleLoop,
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
  CallExpression(node, rewriter) {
    keepReceiver(node, rewriter);
    keepHandedOn(node, rewriter);
  },
  NewExpression: keepHandedOn,
};
