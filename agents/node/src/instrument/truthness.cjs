'use strict';
/**
 * Which operand has *truthness of its own*: its probe has set the truthness just before the operand's value is there.
 * Decided from the text alone. Every pass asks here, so that they cannot disagree about the same node.
 */

/** @typedef {import('./parse.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

const { boundCallText } = require('./bound-calls.cjs');
const { calleeText } = require('./callee-text.cjs');
const { earlyEnd, hasShortCircuit } = require('./short-circuits.cjs');
const { trackedCall } = require('./tracked-calls.cjs');
const { isBoolean } = require('./tracked-names.cjs');

const COMPARISONS = new Map([
  ['===', 'eq3'],
  ['!==', 'ne3'],
  ['==', 'eq2'],
  ['!=', 'ne2'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
  ['in', 'in'],
  ['instanceof', 'io'],
]);

/** Where zod, ajv, yup and others keep their issues. */
const ISSUES = new Set(['error', 'errors', 'issues']);

const LOGICAL_ASSIGNMENTS = new Set(['??=', '||=', '&&=']);

/** @param {Node} node */
function withoutParentheses(node) {
  while (node.type === 'ParenthesizedExpression') node = node.expression;
  return node;
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {string | undefined} name of the probe, when the comparison gets one
 */
function comparisonProbe(node, rewriter) {
  if (node.type !== 'BinaryExpression' || rewriter.isShown(node) || node.left.type === 'PrivateIdentifier') {
    return undefined;
  }
  const probe = COMPARISONS.get(node.operator);
  return probe !== undefined && rewriter.operatorStart(node) >= 0 ? probe : undefined;
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedLogical(node, rewriter) {
  return node.type === 'LogicalExpression' && node.operator !== '??' && !rewriter.isShown(node);
}

/**
 * `A ?? B`, whose left operand is nullish or not.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedNullish(node, rewriter) {
  return node.type === 'LogicalExpression' && node.operator === '??' && !rewriter.isShown(node);
}

/** @param {Node} node does it take its name from what it is assigned to? A probe around it would leave it without */
function isAnonymousFunction(node) {
  const { type, id } = withoutParentheses(node);
  return type === 'ArrowFunctionExpression' || ((type === 'FunctionExpression' || type === 'ClassExpression') && !id);
}

/**
 * `A ??= B`, `A ||= B` and `A &&= B`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedAssignment(node, rewriter) {
  return (
    node.type === 'AssignmentExpression' &&
    LOGICAL_ASSIGNMENTS.has(node.operator) &&
    !rewriter.isShown(node) &&
    !isAnonymousFunction(node.right)
  );
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedNegation(node, rewriter) {
  return node.type === 'UnaryExpression' && node.operator === '!' && !rewriter.isShown(node);
}

/**
 * A plain member `R.NAME` that is read, where neither V8 writes it into messages nor a chain may have ended.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isPlainRead(node, rewriter) {
  if (
    node.type !== 'MemberExpression' ||
    node.computed ||
    node.optional ||
    node.object.type === 'Super' ||
    node.property.type !== 'Identifier'
  ) {
    return false;
  }
  return (
    !rewriter.isShown(node) &&
    !rewriter.targetsOfWrites.has(node) &&
    !hasShortCircuit(node) &&
    rewriter.startsInSource(node)
  );
}

/**
 * A member by a name under which libraries keep what they found wrong with a document.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isReadOfIssues(node, rewriter) {
  return ISSUES.has(node.property?.name) && isPlainRead(node, rewriter);
}

/**
 * Is it a read of `success`?
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isReadOfSuccess(node, rewriter) {
  return node.property?.name === 'success' && isPlainRead(node, rewriter);
}

/**
 * Does V8 write something into messages about this expression that gets a probe? Arguments of calls it writes as `...`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {boolean}
 */
function showsProbes(node, rewriter) {
  if (comparisonProbe(node, rewriter) !== undefined || isProbedOperator(node, rewriter)) return true;
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
      return (
        trackedCall(node, rewriter) !== undefined ||
        boundCallText(node, rewriter) !== undefined ||
        showsProbes(node.callee, rewriter)
      );
    case 'MemberExpression':
      return isProbedMember(node, rewriter) || showsProbes(node.object, rewriter);
    case 'ParenthesizedExpression':
      return showsProbes(node.expression, rewriter);
    default:
      return false;
  }
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedOperator(node, rewriter) {
  return (
    isProbedLogical(node, rewriter) ||
    isProbedNegation(node, rewriter) ||
    isProbedNullish(node, rewriter) ||
    isProbedAssignment(node, rewriter)
  );
}

/**
 * @param {Node} node a member access: does it get a probe, its object apart?
 * @param {Rewriter} rewriter
 */
function isProbedMember(node, rewriter) {
  return (
    node.optional ||
    isReadOfIssues(node, rewriter) ||
    isReadOfSuccess(node, rewriter) ||
    (node.computed && showsProbes(node.property, rewriter))
  );
}

/**
 * The text that V8 would use for the callee of `R.NAME()` where R shows probes: R gets a probe around it that says the
 * text in their place. Undefined: there are none, or the text is not known.
 * @param {Node} node a call that is not tracked
 * @param {Rewriter} rewriter
 * @returns {string | undefined}
 */
function checkedCallText(node, rewriter) {
  if (node.type !== 'CallExpression' || node.optional || rewriter.isShown(node)) return undefined;
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  if (
    callee.object.type === 'Super' ||
    (endsEarly(node) && (earlyEnd(callee.object) === undefined || !rewriter.startsInSource(node)))
  ) {
    return undefined;
  }
  // `R?.NAME()` has a probe around R.
  if (!callee.optional && !showsProbes(callee.object, rewriter)) return undefined;
  return calleeText(callee);
}

/** @param {Node} node a call of a method: may its chain end at a `?.` before the receiver is there? */
function endsEarly({ callee }) {
  return !callee.optional && hasShortCircuit(callee.object);
}

/**
 * The text of the callee of `F?.()` or `R.NAME?.()`, where the call gets a probe that tells whether there is something
 * to call. Undefined: none, or a callee whose `this` or text would be lost.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {string | undefined}
 */
function optionalCallText(node, rewriter) {
  if (node.type !== 'CallExpression' || !node.optional || rewriter.isShown(node) || !rewriter.startsInSource(node)) {
    return undefined;
  }
  const { callee } = node;
  if (callee.type === 'Identifier' || callee.type === 'CallExpression') {
    return hasShortCircuit(callee) ? undefined : calleeText(callee);
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  return callee.object.type === 'Super' || hasShortCircuit(callee.object) ? undefined : calleeText(callee);
}

/**
 * Does the operand have both its outcomes as targets, whatever it is part of?
 * @param {Node} operand
 * @param {Rewriter} rewriter
 * @returns {boolean}
 */
function hasOwnOutcomes(operand, rewriter) {
  const node = withoutParentheses(operand);
  if (
    comparisonProbe(node, rewriter) !== undefined ||
    isProbedLogical(node, rewriter) ||
    isProbedNegation(node, rewriter)
  ) {
    return true;
  }
  if (isProbedAssignment(node, rewriter)) return node.operator !== '??=';
  const passedOn = passedOnBy(node);
  return passedOn.length === 1 && hasOwnOutcomes(passedOn[0], rewriter);
}

/**
 * The expressions whose value is the value of this one, with nothing evaluated in between; several for `??` and `?:`.
 * @param {Node} node
 * @returns {Node[]}
 */
function passedOnBy(node) {
  switch (node.type) {
    case 'SequenceExpression':
      return [node.expressions[node.expressions.length - 1]];
    case 'AssignmentExpression':
      return node.operator === '=' && node.left.type === 'Identifier' ? [node.right] : [];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    case 'LogicalExpression':
      return node.operator === '??' ? [node.left, node.right] : [];
    default:
      return [];
  }
}

/**
 * @param {Node} operand
 * @param {Rewriter} rewriter
 * @returns {boolean}
 */
function hasOwnTruthness(operand, rewriter) {
  if (hasOwnOutcomes(operand, rewriter)) return true;
  const node = withoutParentheses(operand);
  if (isTrackedQuestion(node, rewriter)) return true;
  return !rewriter.isShown(node) && passedOnBy(node).some((each) => hasOwnTruthness(each, rewriter));
}

/**
 * To be called for an operand with truthness of its own that is read: where that is passed on by one of several
 * expressions, those that have none get it from `$.b(E)`.
 * @param {Node} operand
 * @param {Rewriter} rewriter
 * @param {number} reader first target of what reads it
 */
function readTruthness(operand, rewriter, reader) {
  const node = withoutParentheses(operand);
  rewriter.readers.set(node.type === 'ChainExpression' ? node.expression : node, reader);
  for (const each of passedOnBy(node)) {
    if (hasOwnTruthness(each, rewriter)) readTruthness(each, rewriter, reader);
    else rewriter.wrapArgument(each, `${rewriter.handle}.b(`);
  }
}

/**
 * Is it a call of what answers a boolean (or null), if it is what its name says? Then its probe sets the truthness of
 * its outcome.
 * @param {Node} operand
 * @param {Rewriter} rewriter
 */
function isTrackedQuestion(operand, rewriter) {
  const node = withoutParentheses(operand);
  const call =
    node.type === 'ChainExpression' ? trackedCall(node.expression, rewriter, true) : trackedCall(node, rewriter);
  return call !== undefined && isBoolean(call.name);
}

module.exports = {
  checkedCallText,
  isReadOfIssues,
  isReadOfSuccess,
  comparisonProbe,
  endsEarly,
  hasOwnOutcomes,
  hasOwnTruthness,
  isProbedAssignment,
  isProbedLogical,
  isProbedNegation,
  isProbedNullish,
  optionalCallText,
  readTruthness,
  withoutParentheses,
};
