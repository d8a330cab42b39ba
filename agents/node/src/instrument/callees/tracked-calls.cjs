'use strict';
/**
 * Determines which calls get probes because the called function may have a replacement (src/runtime/methods/), from the
 * text alone. All passes use these functions, so that they agree about the same node.
 */

const { calleeText } = require('./callee-text.cjs');
const { isAssert, isAssertItself, lastPart, packageOf } = require('../names/bindings.cjs');
const { isNameOrThis } = require('../evaluation/repeatable-expressions.cjs');
const { conditions, maySkip } = require('../evaluation/short-circuits.cjs');
const {
  CONSTRUCTORS,
  EXPORTED,
  GLOBAL_FUNCTIONS,
  METHODS,
  ON_OWNERS,
  PACKAGES,
  VALIDATORS,
  argumentsOfFunction,
} = require('./tracked-names.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/**
 * @typedef {object} TrackedCall
 * @property {'mr' | 'mf' | 'nf' | 'ms'} probe around the called object: a receiver, a function, a constructor; ms:
 *   before `super`
 * @property {Node} base the receiver, function, constructor or `super`
 * @property {Node} place the node at whose place the targets are registered
 * @property {string} name of the targets
 * @property {string} text of the callee, as V8 writes it
 * @property {number} count how many arguments are observed
 * @property {Node} [spread] the list whose elements are the arguments from its place on
 * @property {'' | 'call' | 'apply' | 'reflect'} via how the function is called
 * @property {string | undefined} origin the package from which an ES module imports it
 * @property {import('../names/super-homes.cjs').Home} [home] of a method of `super`
 */

/** The number of argument probes. */
const MAX_ARGUMENTS = 3;

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {TrackedCall | undefined}
 */
function trackedCall(node, rewriter) {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  if (rewriter.isShown(node)) return undefined;
  const call = node.type === 'NewExpression' ? constructed(node) : called(node, rewriter);
  if (call === undefined) return undefined;
  const at = node.arguments.findIndex((/** @type {Node} */ argument) => argument.type === 'SpreadElement');
  if (at < 0 || at >= call.count) return call;
  const isSeen =
    at === node.arguments.length - 1 && isNameOrThis(node.arguments[at].argument, rewriter) && !isAssertion(call);
  return isSeen ? { ...call, spread: node.arguments[at].argument } : undefined;
}

/**
 * Returns whether it is a call that Node shows in its message. Its text remains unchanged except for a probe of the
 * called function.
 * @param {TrackedCall} call
 */
function isAssertion(call) {
  return call.name === 'ok' && call.via === '';
}

/**
 * @param {Node} call of a method
 * @param {Rewriter} rewriter
 * @returns {boolean} whether a probe around it would change where its chain ends
 */
function isInChain(call, rewriter) {
  const { callee } = call;
  if (!callee.optional && maySkip(callee.object)) return true;
  return (call.optional || (callee.optional && !conditions.has(callee))) && !rewriter.chains.ends.has(call);
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function called(node, rewriter) {
  const { callee } = node;
  if (callee.type !== 'MemberExpression') return node.optional ? undefined : calledFunction(callee, rewriter);
  if (callee.computed || callee.property.type !== 'Identifier') return undefined;
  if (callee.object.type === 'Super') return calledOnSuper(node, rewriter);
  if (isInChain(node, rewriter)) return undefined;
  const method = calledThrough(callee, rewriter) ?? calledMethod(callee, node, rewriter);
  if (method === undefined) return undefined;
  const text = calleeText(callee) ?? textOfLiteral(callee);
  return text === undefined ? undefined : { ...method, text };
}

/**
 * Returns the tracked call of `super.NAME(...)`. Its text remains unchanged, since V8 identifies the callee by its
 * text, and nothing can replace `super`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {TrackedCall | undefined}
 */
function calledOnSuper(node, rewriter) {
  const { object, property } = node.callee;
  const count = METHODS.get(property.name);
  const home = node.optional || count === undefined ? undefined : rewriter.homeOf(node);
  if (count === undefined || home === undefined) return undefined;
  return {
    probe: 'ms',
    base: object,
    place: property,
    name: property.name,
    text: '',
    count,
    via: '',
    origin: undefined,
    home,
  };
}

/**
 * Returns the tracked call of `X.call(R, ...)` and `X.apply(R, list)`, if X looks like a method.
 * @param {Node} callee
 * @param {Rewriter} rewriter
 * @returns {Omit<TrackedCall, 'text'> | undefined}
 */
function calledThrough({ object, property }, rewriter) {
  if (property.name !== 'call' && property.name !== 'apply') return undefined;
  const isMethod =
    object.type === 'MemberExpression' &&
    !object.computed &&
    object.object.type !== 'Super' &&
    METHODS.has(object.property.name);
  const name = isMethod
    ? object.property.name
    : object.type === 'Identifier' && rewriter.bindings.functions.get(object.name)?.name;
  if (!name) return undefined;
  return {
    probe: 'mr',
    base: object,
    place: property,
    name,
    count: property.name === 'call' ? 3 : 2,
    via: property.name,
    origin: undefined,
  };
}

/**
 * @param {string} name of a method
 * @param {Node} object that has it
 * @param {string | undefined} module that the object is
 * @returns {number | undefined} how many arguments are observed
 */
function argumentsOfMethod(name, object, module) {
  if (module !== undefined && EXPORTED.has(name)) return EXPORTED.get(name);
  const onOwner = ON_OWNERS.get(name);
  if (onOwner !== undefined && object.type === 'Identifier' && onOwner.owners.has(object.name)) return onOwner.count;
  return METHODS.get(name) ?? (VALIDATORS.has(name) ? 3 : undefined);
}

/**
 * @param {Node} callee
 * @param {Node} node the call
 * @param {Rewriter} rewriter
 * @returns {Omit<TrackedCall, 'text'> | undefined}
 */
function calledMethod({ object, property }, node, rewriter) {
  const { name } = property;
  const module = moduleOf(object, rewriter);
  const count = argumentsOfMethod(name, object, module);
  if (count === undefined || (name === 'from' && node.arguments.length < 2)) return undefined;
  const origin =
    module !== undefined && rewriter.isModule && PACKAGES.has(packageOf(module)) ? packageOf(module) : undefined;
  return {
    probe: 'mr',
    base: object,
    place: property,
    name: name === 'apply' ? 'Reflect.apply' : name,
    count,
    via: name === 'apply' ? 'reflect' : '',
    origin,
  };
}

/**
 * Returns the module from which a name was imported or required; compilers also write `NAME.default`, and
 * `assert.strict` counts as `assert`.
 * @param {Node} object
 * @param {Rewriter} rewriter
 * @returns {string | undefined}
 */
function moduleOf(object, rewriter) {
  if (object.type === 'Identifier') return rewriter.bindings.modules.get(object.name);
  if (object.type !== 'MemberExpression' || object.computed) return undefined;
  const module =
    object.object.type === 'Identifier' || object.property.name === 'strict'
      ? moduleOf(object.object, rewriter)
      : undefined;
  const { name } = object.property;
  return name === 'default' || (module !== undefined && isAssertItself(module, name)) ? module : undefined;
}

/**
 * Returns the tracked call of `NAME(...)`, or of the form in which compilers call an imported name: `(0,
 * module_1.NAME)(...)`.
 * @param {Node} callee
 * @param {Rewriter} rewriter
 * @returns {TrackedCall | undefined}
 */
function calledFunction(callee, rewriter) {
  if (callee.type === 'Identifier') return calledByName(callee, rewriter);
  const member = importedMember(callee);
  if (member === undefined) return undefined;
  const text = calleeText(member);
  const module = moduleOf(member, rewriter) ?? moduleOf(member.object, rewriter);
  const isModule = module !== undefined && member.property.name === 'default';
  const name = !isModule ? member.property.name : isAssert(module) ? 'ok' : lastPart(module);
  const count = argumentsOfFunction(name);
  if (count === undefined || text === undefined) return undefined;
  const place = member.property;
  return { probe: 'mf', base: callee, place, name, count, text: `(0 , ${text})`, via: '', origin: undefined };
}

/**
 * @param {Node} callee a name
 * @param {Rewriter} rewriter
 * @returns {TrackedCall | undefined}
 */
function calledByName(callee, rewriter) {
  const bound = rewriter.bindings.functions.get(callee.name);
  const name = bound?.name ?? callee.name;
  const count =
    bound === undefined ? GLOBAL_FUNCTIONS.get(name) : bound.isBound ? MAX_ARGUMENTS : argumentsOfFunction(name);
  if (count === undefined) return undefined;
  return { probe: 'mf', base: callee, place: callee, name, count, text: callee.name, via: '', origin: bound?.origin };
}

/** @param {Node} callee @returns {Node | undefined} the member of `(0, NAME.NAME)` */
function importedMember(callee) {
  const sequence = callee.type === 'ParenthesizedExpression' ? callee.expression : callee;
  if (sequence.type !== 'SequenceExpression' || sequence.expressions.length !== 2) return undefined;
  const [zero, member] = sequence.expressions;
  const isInterop =
    zero.type === 'Literal' &&
    zero.value === 0 &&
    member.type === 'MemberExpression' &&
    !member.computed &&
    !member.optional;
  return isInterop && member.object.type === 'Identifier' ? member : undefined;
}

/**
 * @param {Node} node
 * @returns {TrackedCall | undefined}
 */
function constructed({ callee, arguments: given }) {
  const isMember = callee.type === 'MemberExpression' && !callee.computed && callee.object.type === 'Identifier';
  const name = isMember ? callee.property.name : callee.type === 'Identifier' ? callee.name : undefined;
  const count = CONSTRUCTORS.get(name);
  if (count === undefined || given.length === 0) return undefined;
  const text = isMember ? `${callee.object.name}.${name}` : name;
  return { probe: 'nf', base: callee, place: callee, name: `new ${name}`, count, text, via: '', origin: undefined };
}

/**
 * Returns the text of a callee whose receiver is a literal: empty if the literal certainly has the method, since the
 * text is not needed then.
 * @param {Node} callee
 */
function textOfLiteral({ object, property }) {
  const prototype =
    object.type === 'ArrayExpression' ? Array.prototype : object.type === 'TemplateLiteral' ? String.prototype : {};
  return Object.hasOwn(prototype, property.name) ? '' : undefined;
}

module.exports = { isAssertion, trackedCall };
