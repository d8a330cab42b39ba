'use strict';
/** Names of texts: what a source file is called on the wire, in headers and in the cache. */

const { createHash } = require('node:crypto');

/** @param {string} text @returns {string} SHA-256 in hex: the `hash` of a file in the protocol */
function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * @param {string} hash of the original text
 * @param {string} path
 * @returns {string} names the pair; short, because it stands in the user's first line
 */
function keyOf(hash, path) {
  // 80 bits: two of a million files collide with probability 1e-12.
  return hashOf(`${path}\0${hash}`).slice(0, 20);
}

module.exports = { hashOf, keyOf };
