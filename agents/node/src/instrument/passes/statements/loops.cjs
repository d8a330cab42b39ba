'use strict';
/**
 * `for (x of y) { ... }` becomes `{let $_i=0;for (x of y) {$_i||($_i=$.li(i)); ... }$.lo(i,$_i);}`; `for..in` and `for
 * await` likewise.
 *
 * A variable in the user's own scope stores whether the loop was entered. So recursion, `await` and `yield` cannot
 * confuse two executions of a loop, and only the first iteration calls a probe. A loop with a condition has the
 * condition's targets; `for (;;)` decides nothing.
 */

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const LOOPS = new Set(['ForInStatement', 'ForOfStatement']);

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
  const entered = `${name}||(${name}=${handle}.li(${target}));`;
  rewriter.wrap(whole, `{let ${name}=0;`, `${handle}.lo(${target},${name});}`);
  if (loop.body.type === 'BlockStatement') rewriter.insertAtEntry(loop.body, entered);
  else rewriter.wrap(loop.body, `{${entered}`, '}');
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleUnlabelled(node, rewriter) {
  if (!rewriter.labelled.has(node)) handleLoop(node, node, rewriter);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  LabeledStatement(node, rewriter) {
    if (rewriter.labelled.has(node)) return;
    let inner = node.body;
    for (; inner.type === 'LabeledStatement'; inner = inner.body) rewriter.labelled.add(inner);
    rewriter.labelled.add(inner);
    if (LOOPS.has(inner.type)) handleLoop(inner, node, rewriter);
  },
  ForInStatement: handleUnlabelled,
  ForOfStatement: handleUnlabelled,
};
