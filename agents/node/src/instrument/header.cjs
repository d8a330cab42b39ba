'use strict';
/**
 * How an instrumented text gets its handle: by a key that stands in its header.
 *
 * CommonJS calls a function that the loader has left on the global object. An ES module imports it instead, because in
 * a cycle of imports its functions can be called before its first statement has run.
 */

const { createHash } = require('node:crypto');

const OPEN_FUNCTION = '__wimble_open__';
const MODULE_SCHEME = 'wimble:';

/**
 * @param {string} text original text
 * @param {string} path
 * @returns {string} names the pair; short, because it stands in the user's first line
 */
function keyOf(text, path) {
  // 80 bits: two of a million files collide with probability 1e-12.
  return createHash('sha1').update(path).update('\0').update(text).digest('hex').slice(0, 20);
}

/**
 * @param {{handle: string, text: string, path: string, isModule: boolean}} file
 * @returns {string}
 */
function handleHeader({ handle, text, path, isModule }) {
  const key = keyOf(text, path);
  if (isModule) return `import{h as ${handle}}from"${MODULE_SCHEME}${key}";`;
  return `const ${handle}=${OPEN_FUNCTION}("${key}");`;
}

module.exports = { OPEN_FUNCTION, MODULE_SCHEME, keyOf, handleHeader };
