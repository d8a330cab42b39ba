'use strict';
/**
 * Creates the header with which an instrumented text gets its handle: by a key in the header.
 *
 * CommonJS calls a function that the loader has defined on the global object. An ES module imports the handle instead,
 * because in an import cycle its functions can be called before its first statement has run.
 */

const { hashOf, keyOf } = require('./text-identity.cjs');

const OPEN_FUNCTION = '__wimble_open__';

/** The prefix of the name of each handle; a text that contains it gets another one. */
const HANDLE_NAME = '$wmb';

/**
 * The URL of the module that opens a handle, up to the key. It is a `data:` URL, which needs no file: the SUT's own
 * hooks do not change it, and modules loaded by `require` may import no other scheme.
 */
const OPENING_MODULE = `data:text/javascript,export%20const%20h=${OPEN_FUNCTION}(%27`;
const OPENING_MODULE_END = '%27)';

/**
 * @param {{handle: string, text: string, path: string, isModule: boolean}} file
 * @returns {string}
 */
function handleHeader({ handle, text, path, isModule }) {
  const key = keyOf(hashOf(text), path);
  if (isModule) return `import{h as ${handle}}from"${OPENING_MODULE}${key}${OPENING_MODULE_END}";`;
  return `const ${handle}=${OPEN_FUNCTION}("${key}");`;
}

/**
 * @param {string} url
 * @returns {string | undefined} the key, if it is the URL of a module that opens a handle
 */
function openedKey(url) {
  return url.startsWith(OPENING_MODULE) ? url.slice(OPENING_MODULE.length, -OPENING_MODULE_END.length) : undefined;
}

module.exports = { HANDLE_NAME, OPEN_FUNCTION, handleHeader, openedKey };
