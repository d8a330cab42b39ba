'use strict';
/**
 * `for (x of y) { ... }` becomes `{let $_i=0;for (x of y) {$_i||($_i=$.li(i)); ... }$.lo(i,$_i);}`; `for..in` and `for
 * await` likewise. If the body has a `return` or `throw`, the variable counts the rounds: `$_i++||$.li(i);`. Before
 * these statements stands `$.lb(p,$_i);`, and after the loop `$.lp(i,$_i,p);`, where p is the target that the loop is
 * passed: what follows it runs for inputs of which each element is accepted.
 *
 * A variable in the user's own scope stores whether the loop was entered. So recursion, `await` and `yield` cannot
 * confuse two executions of a loop, and only the first iteration calls a probe. A loop with a condition has the
 * condition's targets; `for (;;)` decides nothing.
 */

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const { childFields } = require('../../evaluation/child-nodes.cjs');
const { LOOPS_OVER, isFromSource } = require('../../evaluation/statement-kinds.cjs');

const EXITS = new Set(['ReturnStatement', 'ThrowStatement']);
/** Nodes that hold statements of another function or class, or none. */
const OTHERS = /Function|Class|Expression$|^VariableDeclaration$/;

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @param {Node[]} found
 * @returns {Node[]} the statements in it that leave the function
 */
function exitsIn(node, rewriter, found = []) {
  if (EXITS.has(node.type)) {
    if (isFromSource(node, rewriter)) found.push(node);
    return found;
  }
  if (OTHERS.test(node.type)) return found;
  for (const field of childFields(node.type)) {
    for (const child of [node[field]].flat()) if (child) exitsIn(child, rewriter, found);
  }
  return found;
}

/**
 * @param {Node} loop
 * @param {Node} whole the loop with its labels, which have to stay next to it
 * @param {Rewriter} rewriter
 */
function handleLoop(loop, whole, rewriter) {
  const { handle, targets } = rewriter;
  if (!targets.startsInSource(loop.start)) return;
  const target = targets.add('loop', loop.start, 'entered true', 'entered false');
  const name = `${handle}_${target}`;
  const exits = exitsIn(loop.body, rewriter);
  const passed = exits.length > 0 ? targets.add('branch', loop.start, 'loop passed') : 0;
  const entered = passed ? `${name}++||${handle}.li(${target});` : `${name}||(${name}=${handle}.li(${target}));`;
  for (const exit of exits) {
    rewriter.exits.set(exit, `${rewriter.exits.get(exit) ?? ''}${handle}.lb(${passed},${name});`);
  }
  const after = passed ? `${handle}.lp(${target},${name},${passed});` : `${handle}.lo(${target},${name});`;
  rewriter.wrap(whole, `{let ${name}=0;`, `${after}}`);
  if (loop.body.type === 'BlockStatement') rewriter.insertAtEntry(loop.body, entered);
  else rewriter.wrap(loop.body, `{${entered}`, '}');
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleUnlabelled(node, rewriter) {
  if (!rewriter.labelled.has(node)) handleLoop(node, node, rewriter);
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleExit(node, rewriter) {
  const left = rewriter.exits.get(node);
  if (left !== undefined) rewriter.wrap(node, left, '');
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  ReturnStatement: handleExit,
  ThrowStatement: handleExit,
  LabeledStatement(node, rewriter) {
    if (rewriter.labelled.has(node)) return;
    let inner = node.body;
    for (; inner.type === 'LabeledStatement'; inner = inner.body) rewriter.labelled.add(inner);
    rewriter.labelled.add(inner);
    if (LOOPS_OVER.has(inner.type)) handleLoop(inner, node, rewriter);
  },
  ForInStatement: handleUnlabelled,
  ForOfStatement: handleUnlabelled,
};
