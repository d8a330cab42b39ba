'use strict';
/**
 * How an instrumented text gets its handle: by a key that stands in its header.
 *
 * CommonJS calls a function that the loader has left on the global object. An ES module imports it instead, because in
 * a cycle of imports its functions can be called before its first statement has run.
 */

const { hashOf, keyOf } = require('./identity.cjs');

const OPEN_FUNCTION = '__wimble_open__';
const MODULE_SCHEME = 'wimble:';

/**
 * @param {{handle: string, text: string, path: string, isModule: boolean}} file
 * @returns {string}
 */
function handleHeader({ handle, text, path, isModule }) {
  const key = keyOf(hashOf(text), path);
  if (isModule) return `import{h as ${handle}}from"${MODULE_SCHEME}${key}";`;
  return `const ${handle}=${OPEN_FUNCTION}("${key}");`;
}

module.exports = { OPEN_FUNCTION, MODULE_SCHEME, handleHeader };
