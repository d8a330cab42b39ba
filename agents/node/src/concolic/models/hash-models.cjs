'use strict';
/**
 * Models of cryptographic hashes: no solver inverts them, but values whose hash begins with a few digits can be tried.
 */

const { Hash, createHash } = require('node:crypto');
const { isUint8Array, latin1Slice, toLowerCase } = require('../../base/intrinsics.cjs');
const { CONTENT, contentOf, isAscii, keepBytes } = require('./encoding-models.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */

/** What is kept of a hash: its algorithm, a constant. */
const ALGORITHM = '#algorithm';
const ENCODINGS = {
  __proto__: null,
  hex: 'hex',
  base64: 'base64',
  base64url: 'base64url',
  latin1: 'latin1',
  binary: 'latin1',
};

/** @type {After} */
function created({ nodes }, { values, result }) {
  if (typeof values[0] !== 'string' || values.length > 1) return 0;
  nodes.keep(result, ALGORITHM, nodes.text(toLowerCase(values[0])));
  nodes.keep(result, CONTENT, nodes.text(''));
  return 0;
}

/** @type {After} */
function updated({ nodes }, { self, values, shadows }) {
  const before = nodes.has(self) ? nodes.sourceOf(self, CONTENT) : undefined;
  if (before === undefined) return 0;
  const added = addedBytes(nodes, values, shadows[0]);
  const whole = added && /** @type {string} */ (before.value) + added.value;
  nodes.keep(self, CONTENT, added && whole ? concatenated(nodes, before, added, whole) : 0);
  return 0;
}

/** @param {Nodes} nodes @param {Node} before @param {Node} added @param {string} whole */
function concatenated(nodes, before, added, whole) {
  if (before.value === '') return added;
  return nodes.node('concat', [before, added], whole);
}

/**
 * @param {Nodes} nodes
 * @param {any[]} values
 * @param {import('../shadows/shadow-nodes.cjs').Shadow} shadow
 * @returns {Node | 0}
 */
function addedBytes(nodes, values, shadow) {
  const [data, encoding] = values;
  if (typeof data === 'string') {
    const isPlain = encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';
    return isPlain && isAscii(data) ? /** @type {Node | 0} */ (nodes.lifted(data, shadow)) : 0;
  }
  if (!isUint8Array(data)) return 0;
  return contentOf(nodes, data) || nodes.text(latin1Slice(data, 0, data.length));
}

/** @type {After} */
function digested({ nodes }, { self, values, result }) {
  const [content, algorithm] = [nodes.sourceOf(self, CONTENT), nodes.sourceOf(self, ALGORITHM)];
  if (!content || !algorithm || !content.isSymbolic) return 0;
  const isText = typeof result === 'string';
  const encoding = isText ? /** @type {any} */ (ENCODINGS)[toLowerCase(`${values[0]}`)] : 'latin1';
  if (encoding === undefined) return 0;
  const value = isText ? result : latin1Slice(result, 0, result.length);
  const node = nodes.node('digest', [content, algorithm, nodes.text(encoding)], value);
  if (isText || !node) return node;
  nodes.keep(result, CONTENT, node);
  keepBytes(nodes, result, node);
  return 0;
}

/** @type {[unknown, After][]} */
const HASH_MODELS = [
  [createHash, created],
  [Hash.prototype.update, updated],
  [Hash.prototype.digest, digested],
];

module.exports = { HASH_MODELS };
