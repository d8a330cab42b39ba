'use strict';
/**
 * Calls of functions that may have a replacement ([WB-JS] §3.5): `R.includes(A)` becomes
 * `$.mx(i,$.mr(i,R,"R.includes").includes($.ma(i,A)))`, `R.includes(...xs)`
 * `$.my(i,$.mr(i,R,"R.includes").includes(...xs),xs,0)`, `isEmail(A)` `$.mx(i,$.mf(i,isEmail,"isEmail")($.ma(i,A)))`,
 * `new URL(A, B)` `$.mx(i,new ($.nf(i,URL,"URL"))($.ma(i,A),$.mb(i,B)))`. The `mf` of `assert(A)` is enclosed in
 * `$.af(i,...)`, the `mr` of `assert.ok(A)` in `$.am(i,...)`. `super.has(A)` in a class C becomes
 * `$.mx($.ms(i,C,this),super.has($.ma(i,A)))`.
 */

const { quoted } = require('../../callees/callee-text.cjs');
const { noteNames } = require('../../names/operand-names.cjs');
const { shownCall } = require('../../callees/assertion-text.cjs');
const { isAssertion, trackedCall } = require('../../callees/tracked-calls.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../callees/tracked-calls.cjs').TrackedCall} TrackedCall */

/** Functions that compare structures, the first of which may lack members. */
const COMPARING = new Set(['isEqual', 'isMatch', 'isDeepStrictEqual', 'deepEqual', 'deepStrictEqual', 'isArray']);
/** Methods of lists, sets and maps that look for their argument. */
const SEARCHING = new Set(['includes', 'indexOf', 'lastIndexOf', 'has']);
const ARGUMENT_PROBES = ['ma', 'mb', 'md'];

/**
 * Returns the entry of a call in the table: the argument after which it begins, how the function is called, and its
 * package.
 * @param {TrackedCall} call
 * @param {number} given the number of arguments
 * @returns {unknown[]} empty if all values are the defaults
 */
function callEntry({ count, via, origin, spread }, given) {
  const last = given > count || spread !== undefined ? -1 : given - 1;
  if (last === 0 && via === '' && origin === undefined) return [];
  return origin === undefined ? (via === '' ? [last] : [last, via]) : [last, via, origin];
}

/** @param {Node} operand @returns {Node} `body` of `body ?? {}` */
function withoutDefault(operand) {
  return operand.type === 'LogicalExpression' && operand.operator !== '&&' ? operand.left : operand;
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleCall(node, rewriter) {
  const call = trackedCall(node, rewriter);
  if (call === undefined) return;
  const { count, name, place } = call;
  const target = rewriter.targets.add('method', place.start, `${name} true`, `${name} false`);
  rewriter.noteReader(node, target);
  if ((COMPARING.has(name) || SEARCHING.has(name)) && call.via === '' && node.arguments.length > 0) {
    noteNames(rewriter, target, [withoutDefault(node.arguments[0])]);
  }
  noteCall(node, call, target, rewriter);
  wrapResult(node, call, target, rewriter);
  wrapCallee(node, call, target, rewriter);
  for (const [position, argument] of node.arguments.slice(0, count).entries()) {
    if (argument.type !== 'SpreadElement') {
      rewriter.wrapArgument(argument, rewriter.probe(ARGUMENT_PROBES[position], target));
    }
  }
}

/**
 * @typedef {(node: Node, call: TrackedCall, target: number, rewriter: import('../../rewriter.cjs').Rewriter) => void}
 *   Step
 */

/** @type {Step} */
function noteCall(node, call, target, rewriter) {
  const entry = callEntry(call, node.arguments.length);
  if (isAssertion(call)) rewriter.targets.addCall(target, [entry[0] ?? 0, '', '', shownCall(node, rewriter.text)]);
  else if (entry.length > 0) rewriter.targets.addCall(target, entry);
}

/** @type {Step} */
function wrapResult(node, { home, spread }, target, rewriter) {
  const index =
    home === undefined
      ? String(target)
      : `${rewriter.probe('ms', target)}${home.name},this${home.isStatic ? ',1' : ''})`;
  if (spread === undefined) rewriter.wrap(node, `${rewriter.handle}.mx(${index},`, ')');
  else {
    rewriter.wrap(node, `${rewriter.handle}.my(${index},`, `,${rewriter.textOf(spread)},${node.arguments.length - 1})`);
  }
}

/** @type {Step} */
function wrapCallee(node, call, target, rewriter) {
  const { base, home, probe, text } = call;
  if (isAssertion(call)) rewriter.wrap(base, rewriter.probe(probe === 'mf' ? 'af' : 'am', target), ')');
  const isNew = probe === 'nf';
  if (home === undefined) {
    rewriter.wrap(
      base,
      `${isNew ? '(' : ''}${rewriter.probe(probe, target)}`,
      `,${quoted(text)}${node.optional ? ',1' : ''})${isNew ? ')' : ''}`,
    );
  }
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = { CallExpression: handleCall, NewExpression: handleCall };
