'use strict';
/** Writes members, chains, calls of functions and methods, and constructions. */

const { nameOf } = require('../callees/callee-text.cjs');
const { inner } = require('./name-scopes.cjs');
const { NONE } = require('./pattern-shadows.cjs');
const { positionOfCall, writtenCall, writtenConstruction } = require('./written-calls.cjs');
const { args, argument, isSuper, unwrapped } = require('./written-operands.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {import('./written-operands.cjs').Traced} Traced */
/** @typedef {import('./written-operands.cjs').Writer} Writer */

/** @type {Writer} */
function member(node, writer) {
  if (isSuper(node.object) || node.optional || node.object.type === 'MetaProperty') return undefined;
  const { bind, use, shadow } = writer.object(node);
  const key = writer.key(node);
  return writer.call('m', `${bind},${shadow},${key.bind},${key.shadow},${use}${key.access}`);
}

/** @type {Writer} */
function chain(node, writer) {
  if (isSimpleChain(node.expression)) {
    /** @type {string[]} */
    const guards = [];
    const { code, shadow } = linked(node.expression, writer, guards);
    const { handle } = writer;
    const value = `${handle}.v(${code},${shadow})`;
    return { code: `(${guards.join('||')}?${handle}.v(void 0,0):${value})`, shadow: `${handle}.s` };
  }
  writer.chainDepth += 1;
  try {
    return { code: writer.copied(node), shadow: NONE };
  } finally {
    writer.chainDepth -= 1;
  }
}

/** @param {Node} node a link of a chain @returns {boolean} whether the object of each call is known */
function isSimpleChain(node) {
  if (!hasOptional(node)) return true;
  if (node.type === 'MemberExpression') {
    return !isSuper(node.object) && node.property.type !== 'PrivateIdentifier' && isSimpleChain(node.object);
  }
  const { callee, optional } = node;
  if (callee.type === 'Identifier') return optional && !NATIVE_CALLS.has(callee.name);
  return callee.type === 'MemberExpression' && !isSuper(callee.object) && isLinkable(callee);
}

/** @param {Node} callee a MemberExpression */
const isLinkable = ({ object, property }) => property.type !== 'PrivateIdentifier' && isSimpleChain(object);

/**
 * @param {Node} node a link of a chain
 * @param {Expressions} writer
 * @param {string[]} guards conditions, in their order, under which the chain ends with undefined
 * @returns {Traced}
 */
function linked(node, writer, guards) {
  if (!hasOptional(node)) return writer.expression(node);
  if (node.type === 'CallExpression') {
    if (node.optional) return optionalCall(node, writer, guards);
    const { use, shadow, key } = link(node.callee, writer, guards);
    return methodCall(node, writer, { bind: use, use, shadow }, key);
  }
  const { use, shadow, key } = link(node, writer, guards);
  return writer.call('m', `${use},${shadow},${key.bind},${key.shadow},${use}${key.access}`);
}

/**
 * @param {Node} node a MemberExpression of a chain
 * @param {Expressions} writer
 * @param {string[]} guards
 */
function link(node, writer, guards) {
  const [name, shadow] = [writer.temporary(), writer.temporary()];
  const object = linked(node.object, writer, guards);
  const bound = `${name}=${argument(node.object, object.code)},${shadow}=${object.shadow}`;
  // The object is evaluated before what follows in the chain, whether or not it may be missing.
  guards.push(node.optional ? `(${bound},${name}===null||${name}===void 0)` : `(${bound},false)`);
  return { use: name, shadow, key: writer.key(node) };
}

/**
 * @param {Node} node a CallExpression that is not made if there is no function
 * @param {Expressions} writer
 * @param {string[]} guards
 * @returns {Traced}
 */
function optionalCall(node, writer, guards) {
  const { callee } = node;
  const taken = writer.temporary();
  const guard = (/** @type {string} */ code) => `(${taken}=${code},${taken}===null||${taken}===void 0)`;
  const how = { name: nameOf(callee), at: positionOfCall(node) };
  if (callee.type === 'Identifier') {
    guards.push(guard(writer.source(callee)));
    const head = { bind: taken, use: null, shadow: NONE };
    return writtenCall(writer, { ...how, how: 'f', position: callee.start, head, rest: args(node, writer) });
  }
  const { use, shadow, key } = link(callee, writer, guards);
  guards.push(`(${key.bind},${guard(`${use}${key.access}`)})`);
  const rest = `,${key.use},${taken}${args(node, writer)}`;
  const position = callee.property.start;
  return writtenCall(writer, { ...how, how: 'mc', position, head: { bind: use, use, shadow }, rest });
}

/** @param {Node} node @returns {boolean} */
function hasOptional(node) {
  if (node.type === 'MemberExpression') return node.optional || hasOptional(node.object);
  return node.type === 'CallExpression' ? node.optional || hasOptional(node.callee) : false;
}

/** @type {Writer} */
function called(node, writer) {
  const { callee } = node;
  if (node.optional || hasOptional(node) || isSuper(callee)) return undefined;
  if (callee.type === 'MemberExpression') {
    if (isSuper(callee.object)) return undefined;
    return methodCall(node, writer, writer.object(callee), writer.key(callee));
  }
  if (callee.type === 'Identifier' && NATIVE_CALLS.has(callee.name)) return undefined;
  if (inner(callee).type === 'MemberExpression' || inner(callee).type === 'ChainExpression') return undefined;
  const { code } = unwrapped(callee, writer);
  const head = { bind: code, use: null, shadow: NONE };
  const rest = args(node, writer);
  const how = { how: 'f', name: nameOf(callee) };
  return writtenCall(writer, { ...how, position: callee.start, head, rest, at: positionOfCall(node) });
}

/**
 * @param {Node} node a CallExpression
 * @param {Expressions} writer
 * @param {{bind: string, use: string, shadow: string}} head the object
 * @param {{bind: string, use: string, access: string}} key
 * @returns {Traced}
 */
function methodCall(node, writer, head, key) {
  const { property, computed } = node.callee;
  const how = { how: 'mc', name: nameOf(node.callee), position: property.start, at: positionOfCall(node) };
  const isAbove = computed && key.bind !== key.use && !writer.lines.areOne(property.start, property.end);
  const rest = `,${isAbove ? key.use : key.bind},${head.use}${key.access}${args(node, writer)}`;
  return writtenCall(writer, { ...how, head: isAbove ? { ...head, key: key.bind } : head, rest });
}

/** Calls that mean something else when they are made from another function. */
const NATIVE_CALLS = new Set(['eval', 'require']);

/** @type {Writer} */
function constructed(node, writer) {
  const { callee } = node;
  if (node.arguments.length === 0) return undefined;
  return writtenConstruction(writer, nameOf(callee), `${unwrapped(callee, writer).code}${args(node, writer)}`);
}

module.exports = { called, chain, constructed, hasOptional, member };
