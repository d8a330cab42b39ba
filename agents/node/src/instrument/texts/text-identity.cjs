'use strict';
/** Identifiers of texts: the name of a source file in the protocol, in headers and in the cache. */

const { createHash } = require('node:crypto');

// Taken before the program can patch them: this file also runs in the program's realm.
const { update, digest } = Object.getPrototypeOf(createHash('sha256'));
const { apply } = Reflect;
const { slice } = String.prototype;

/** @param {string} text @returns {string} SHA-256 in hex: the `hash` of a file in the protocol */
function hashOf(text) {
  return apply(digest, apply(update, createHash('sha256'), [text]), ['hex']);
}

/**
 * @param {string} hash of the original text
 * @param {string} path
 * @returns {string} identifies the pair; it is short, because it is inserted into the user's first line
 */
function keyOf(hash, path) {
  // 80 bits: two of a million files collide with probability 1e-12.
  return apply(slice, hashOf(`${path}\0${hash}`), [0, 20]);
}

module.exports = { hashOf, keyOf };
