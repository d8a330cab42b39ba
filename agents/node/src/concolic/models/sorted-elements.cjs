'use strict';
/**
 * The elements of a sorted list as expressions over those of the list before, whatever their order was: a network of
 * minima and maxima. So no order is part of the path, and the elements of an anagram are solved for in one step.
 *
 * Source: K. E. Batcher, "Sorting networks and their applications", 1968 (for any number of elements).
 */

const { charCodeAt, fromCharCode } = require('../../base/intrinsics.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */

/** Of longer lists, the order is part of the path: networks grow faster than lists. */
const MAX_SORTED = 12;

/**
 * @param {Nodes} nodes
 * @param {readonly (Node | 0)[]} elements as they were given: numbers, or texts of one character
 * @param {boolean} isOfNumbers
 * @returns {import('../shadows/shadow-nodes.cjs').Shadow[] | null} null: no expressions
 */
function sortedNodes(nodes, elements, isOfNumbers) {
  const { length } = elements;
  const sizes = length > 1 && length <= MAX_SORTED ? sizesOf(nodes, elements, isOfNumbers) : null;
  if (sizes === null) return null;
  for (let p = 1; p < length; p *= 2) {
    for (let k = p; k >= 1; k /= 2) {
      if (!merge(nodes, sizes, p, k)) return null;
    }
  }
  return isOfNumbers ? sizes : charactersOf(nodes, sizes);
}

/** @param {Nodes} nodes @param {Node[]} sizes @param {number} p @param {number} k @returns {boolean} one step */
function merge(nodes, sizes, p, k) {
  for (let j = k % p; j + k < sizes.length; j += 2 * k) {
    for (let i = j; i < j + k && i + k < sizes.length; i++) {
      const isOfOneBlock = floor(i / (2 * p)) === floor((i + k) / (2 * p));
      if (isOfOneBlock && !exchange(nodes, sizes, i, i + k)) return false;
    }
  }
  return true;
}

/** @param {number} value not negative */
const floor = (value) => value - (value % 1);

/** @param {Nodes} nodes @param {Node[]} sizes @param {number} at @param {number} other @returns {boolean} */
function exchange(nodes, sizes, at, other) {
  const pair = [sizes[at], sizes[other]];
  const [one, two] = [/** @type {number} */ (pair[0].value), /** @type {number} */ (pair[1].value)];
  const least = nodes.node('min', pair, one < two ? one : two);
  const greatest = nodes.node('max', pair, one < two ? two : one);
  if (!least || !greatest) return false;
  sizes[at] = least;
  sizes[other] = greatest;
  return true;
}

/**
 * @param {Nodes} nodes
 * @param {readonly (Node | 0)[]} elements
 * @param {boolean} isOfNumbers
 * @returns {Node[] | null} the numbers that are sorted
 */
function sizesOf(nodes, elements, isOfNumbers) {
  let isSymbolic = false;
  const sizes = [];
  for (let index = 0; index < elements.length; index++) {
    const node = elements[index];
    if (!node) return null;
    const size = isOfNumbers ? numberOf(node) : codeOf(nodes, node);
    if (!size) return null;
    isSymbolic ||= size.isSymbolic;
    sizes[index] = size;
  }
  return isSymbolic ? sizes : null;
}

/** @param {Node} node */
const numberOf = (node) => (typeof node.value === 'number' ? node : 0);

/** @param {Nodes} nodes @param {Node} node */
function codeOf(nodes, node) {
  if (typeof node.value !== 'string' || node.value.length !== 1) return 0;
  const start = nodes.constant(0);
  return start && nodes.node('charCodeAt', [node, start], charCodeAt(node.value, 0));
}

/** @param {Nodes} nodes @param {readonly Node[]} sizes */
function charactersOf(nodes, sizes) {
  /** @type {import('../shadows/shadow-nodes.cjs').Shadow[]} */
  const found = [];
  for (let index = 0; index < sizes.length; index++) {
    const { value } = sizes[index];
    found[index] = nodes.node('fromCharCode', [sizes[index]], fromCharCode(/** @type {number} */ (value)));
  }
  return found;
}

module.exports = { sortedNodes };
