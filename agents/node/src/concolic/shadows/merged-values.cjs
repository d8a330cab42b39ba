'use strict';
/**
 * Computes the branch that was not taken, where both branches only choose a value
 * (instrument/tracing/merged-branches.cjs). Runs no code of the program: only primitive operands, and own members that
 * are data.
 */

const { hasOwn, isProxy, isTypedArray, lengthOfBytes } = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { isPlainValue } = require('./shadow-nodes.cjs');
const { truthNode } = require('./symbolic-operators.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {any} TraceHandle trace-handle.cjs */
/**
 * @typedef {{place: string, isTaken: boolean, node: import('./shadow-nodes.cjs').Node, isMerged: boolean,
 *   isKept?: boolean}} Condition
 */

/** @param {unknown} value @returns {boolean} whether an operator converts it without running code, and never throws */
const isSimple = (value) => typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';

/**
 * @param {TraceHandle} handle
 * @param {any} object
 * @param {Shadow} objectShadow
 * @param {any} key
 * @param {Shadow} keyShadow
 * @returns {unknown} the member, whose shadow is left; undefined if it cannot be read without an effect
 */
function plainMember(handle, object, objectShadow, key, keyShadow) {
  const { nodes } = handle;
  handle.s = 0;
  if (typeof object === 'string') {
    const value = key === 'length' || typeof key === 'number' ? object[key] : undefined;
    if (value !== undefined) handle.s = handle.ofText(object, objectShadow, key, keyShadow, value);
    return value;
  }
  if (!isOrdinaryObject(object) || !isSimple(key) || nodes.of(key, keyShadow)) return undefined;
  if (key === 'length' && isTypedArray(object)) return lengthOfBytes(object);
  if (!hasOwn(object, key)) return undefined;
  const value = ownData(object, key);
  if (isPlainValue(value)) handle.s = nodes.member(object, key, value);
  return value;
}

/** @param {unknown} value @returns {value is object} whether reading an own member of it runs no code, if it is data */
const isOrdinaryObject = (value) => typeof value === 'object' && value !== null && !isProxy(value);

/** Conditions that a test consists of, and the branches after it. */
const MAX_LATEST = 12;

/** @param {import('./shadow-nodes.cjs').Node} node @returns {import('./shadow-nodes.cjs').Node} without negations */
const affirmed = (node) => (node.op === '!' ? affirmed(node.args[0]) : node);

/**
 * Marks the comparison that is the test, which the path has as a condition of its own.
 * @param {Condition[]} path
 * @param {import('./shadow-nodes.cjs').Node} truth
 */
function noteMerged(path, truth) {
  const tested = affirmed(truth);
  for (let index = path.length - 1; index >= 0 && index >= path.length - MAX_LATEST; index--) {
    const one = path[index];
    if (affirmed(one.node) === tested && one.isKept !== true) path[index] = { ...one, isMerged: true };
  }
}

/**
 * @param {import('./shadow-nodes.cjs').Shadow} tested
 * @param {import('./shadow-nodes.cjs').Node} taken
 * @param {import('./shadow-nodes.cjs').Node} left
 * @returns {boolean} whether the value is that of the test anyway: `text || ''`, `number || 0`
 */
function isDefault(tested, taken, left) {
  const other = tested === taken ? left : taken;
  return (tested === taken || tested === left) && other.op === 'k' && (other.value === '' || other.value === 0);
}

/**
 * @param {TraceHandle} handle
 * @param {string} place
 * @param {import('./shadow-nodes.cjs').Node} truth
 * @param {boolean} isMerged if it is not, another value of the same branch may be merged nevertheless
 */
function noteUnless(handle, place, truth, isMerged) {
  if (place === '') return;
  const { path } = handle;
  const length = path.length;
  handle.note(place, truth, isMerged);
  if (!isMerged && path.length > length) path[length] = { ...path[length], isKept: true };
}

/**
 * @param {TraceHandle} handle
 * @param {string} place empty: the outcome of the test is noted already
 * @param {{test: unknown, testShadow: Shadow, value: unknown, shadow: Shadow, isMerging: boolean, other: unknown}}
 *   outcome
 * @param {Shadow} otherShadow
 * @returns {Shadow} of the value
 */
function joined(handle, place, { test, testShadow, value, shadow, isMerging, other }, otherShadow) {
  const { nodes } = handle;
  const tested = testShadow ? nodes.of(test, testShadow) : 0;
  const truth = tested ? truthNode(nodes, tested) : 0;
  if (!truth) return shadow;
  const isPossible = isMerging && isSimple(value) && typeof other === typeof value;
  const taken = isPossible ? nodes.lifted(value, shadow) : 0;
  const left = isPossible ? nodes.lifted(other, otherShadow) : 0;
  if (!taken || !left) {
    noteUnless(handle, place, truth, false);
    return shadow;
  }
  noteUnless(handle, place, truth, true);
  noteMerged(handle.path, truth);
  if (isDefault(tested, taken, left)) return tested;
  return taken === left ? taken : nodes.node('ite', test ? [truth, taken, left] : [truth, left, taken], value);
}

/**
 * @param {TraceHandle} handle
 * @param {{length: number, sites: string[], names: any[][], stays: Shadow, isLost: boolean}} outcome of a `switch`
 * @returns {Shadow[]} of the names
 */
function switched(handle, { length, sites, names, stays, isLost }) {
  const { nodes, path } = handle;
  /** @type {Shadow[]} */
  const before = [];
  /** @type {Shadow[]} */
  const after = [];
  let isMerged = !isLost;
  for (let index = 0; index < names.length; index++) {
    const [value, shadow, made, madeShadow] = [names[index][0], names[index][1], names[index][2], names[index][3]];
    before[index] = shadow;
    after[index] = isSimple(value) && made === value ? nodes.lifted(value, madeShadow) : 0;
    isMerged &&= after[index] !== 0;
  }
  if (!isMerged) return before;
  for (let index = length; index < path.length; index++) {
    for (let at = 0; at < sites.length; at++) {
      if (sites[at] === path[index].place) path[index] = { ...path[index], isMerged: true };
    }
  }
  if (stays) handle.note('switch', stays);
  return after;
}

/**
 * @param {import('./shadow-nodes.cjs').Nodes} nodes
 * @param {{test: unknown, testShadow: Shadow, value: unknown}} chosen
 * @param {Shadow[]} outcomes if the test is true, and if it is false
 * @returns {Shadow} of what a test has chosen
 */
function bothOutcomes(nodes, { test, testShadow, value }, [yes, no]) {
  const tested = testShadow ? nodes.of(test, testShadow) : 0;
  if (!tested || !tested.isSymbolic || yes === no) return test ? yes : no;
  const truth = truthNode(nodes, tested);
  return truth && yes && no ? nodes.node('ite', [truth, yes, no], value) : 0;
}

module.exports = { bothOutcomes, isSimple, joined, plainMember, switched };
