'use strict';
/**
 * Determines which operand has *truthness of its own*: its probe sets the truthness immediately before the operand's
 * value is available. This is decided from the text alone. All passes use these functions, so that they agree about the
 * same node.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

const { boundCallText } = require('../callees/bound-calls.cjs');
const { calleeText } = require('../callees/callee-text.cjs');
const { RESPONSES, locationOf } = require('../names/input-names.cjs');
const { earlyEnd, hasShortCircuit, maySkip } = require('./short-circuits.cjs');
const { settleChain } = require('../callees/conditional-chains.cjs');
const { trackedCall } = require('../callees/tracked-calls.cjs');
const { isBoolean } = require('../callees/tracked-names.cjs');

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

/** Members that no input has under this name, or that are read too often. */
const NEVER_INPUT = new Set(['length', 'prototype', 'constructor', '__proto__', 'then', 'exports']);
/** Variables that hold no input. */
const GLOBALS = new Set([
  'process',
  'module',
  'exports',
  'console',
  'Math',
  'JSON',
  'Object',
  'Array',
  'Number',
  'String',
  'Date',
  'Promise',
  'Symbol',
  'Buffer',
  'Reflect',
  'Intl',
  'globalThis',
  'global',
  'arguments',
  'require',
  'Infinity',
  'res',
  'response',
]);

/** The members of a service's response that hold its content and headers; the program's own has none of them. */
const CONTENTS = new Set(['data', 'body', 'headers']);

/** Names under which zod, ajv, yup and others store their issues. */
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
 * @returns {string | undefined} name of the probe, if the comparison gets one
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
 * Returns whether the node is a probed `A ?? B`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedNullish(node, rewriter) {
  return node.type === 'LogicalExpression' && node.operator === '??' && !rewriter.isShown(node);
}

/** @param {Node} node whether it gets its name from the assignment; with a probe around it, it would get none */
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
 * Returns whether the node is a plain member `R.NAME` that is read, that V8 does not write into messages, and before
 * which no chain may have ended.
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
 * Returns whether the node reads a member, by a literal name or index, of an object that may hold input of a call.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isInputMember(node, rewriter) {
  if (node.type !== 'MemberExpression' || rewriter.callees.has(node)) return false;
  const isLiteral = node.computed && node.property.type === 'Literal' && !node.optional;
  if (isLiteral ? !isLiteralRead(node, rewriter) : !isPlainRead(node, rewriter)) return false;
  if (!node.computed && NEVER_INPUT.has(node.property.name)) return false;
  const root = rootOf(node.object);
  if (root.type === 'Identifier') return isContent(node.object) || mayHoldInput(root.name, rewriter);
  return root.type === 'CallExpression' || root.type === 'AwaitExpression';
}

/** @param {string} name of a variable @param {Rewriter} rewriter */
function mayHoldInput(name, rewriter) {
  return !GLOBALS.has(name) && !rewriter.bindings.modules.has(name);
}

/** @param {Node} object @returns {boolean} whether it is what clients of services give: `response.data`, or in it */
function isContent(object) {
  if (object.type !== 'MemberExpression' || object.computed) return false;
  if (object.object.type !== 'Identifier') return isContent(object.object);
  return RESPONSES.has(object.object.name) && CONTENTS.has(object.property.name);
}

/**
 * @param {Node} node `R['name']` or `R[0]`
 * @param {Rewriter} rewriter
 */
function isLiteralRead(node, rewriter) {
  const { value } = node.property;
  return (
    (typeof value === 'string' || (Number.isInteger(value) && value >= 0)) &&
    node.object.type !== 'Super' &&
    !rewriter.isShown(node) &&
    !rewriter.targetsOfWrites.has(node) &&
    !hasShortCircuit(node)
  );
}

/** @param {Node} node @returns {Node} the expression with which a path of members begins */
function rootOf(node) {
  for (;;) {
    if (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') node = node.expression;
    else if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'LogicalExpression') node = node.left;
    else return node;
  }
}

/**
 * Returns whether the node reads a member of an object that holds input, judged by its name. V8 writes it into messages
 * if it is part of a receiver; then the call gets a probe that provides the text.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isNamedInput(node, rewriter) {
  return isInputMember(node, rewriter) && locationOf(node.object, rewriter) !== '';
}

/**
 * Returns whether the node reads a member with a name under which libraries store the issues of a document.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isReadOfIssues(node, rewriter) {
  return ISSUES.has(node.property?.name) && isPlainRead(node, rewriter);
}

/**
 * Returns whether the node is a read of `success`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isReadOfSuccess(node, rewriter) {
  return node.property?.name === 'success' && isPlainRead(node, rewriter);
}

/**
 * Returns whether V8 writes a probed part of this expression into messages. V8 writes arguments of calls as `...`.
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
 * @param {Node} node a member access; whether it gets a probe, not counting those of its object
 * @param {Rewriter} rewriter
 */
function isProbedMember(node, rewriter) {
  return (
    node.optional ||
    isReadOfIssues(node, rewriter) ||
    isReadOfSuccess(node, rewriter) ||
    isNamedInput(node, rewriter) ||
    (node.computed && showsProbes(node.property, rewriter))
  );
}

/**
 * Returns the text that V8 would use for the callee of `R.NAME()` if R contains visible probes: R then gets a probe
 * that provides this text instead. Undefined: there are none, or the text is not known.
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

/** @param {Node} node a call of a method; whether its chain may end at a `?.` before the receiver */
function endsEarly({ callee }) {
  return !callee.optional && maySkip(callee.object);
}

/**
 * Returns the text of the callee of `F?.()` or `R.NAME?.()`, if the call gets a probe that records whether there is a
 * function to call. Undefined: no such call, or a callee whose `this` or text would be lost.
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
 * Returns whether the operand has targets for both its outcomes, whatever expression it is part of.
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
 * Returns the expressions whose value is the value of this one, with nothing evaluated in between; several for `??` and
 * `?:`.
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
 * Registers the reader of an operand with truthness of its own: if one of several expressions provides the value, those
 * without truthness get it from `$.b(E)`.
 * @param {Node} operand
 * @param {Rewriter} rewriter
 * @param {number} reader first target of the reader
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
 * Returns whether it is a call of a function that, judged by its name, returns a boolean (or null). If so, its probe
 * sets the truthness of its outcome.
 * @param {Node} operand
 * @param {Rewriter} rewriter
 */
function isTrackedQuestion(operand, rewriter) {
  const node = withoutParentheses(operand);
  if (node.type === 'ChainExpression') settleChain(node, rewriter);
  const call = trackedCall(node.type === 'ChainExpression' ? node.expression : node, rewriter);
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
  isAnonymousFunction,
  isInputMember,
  isProbedAssignment,
  isProbedLogical,
  isProbedNegation,
  isProbedNullish,
  optionalCallText,
  readTruthness,
  withoutParentheses,
};
