'use strict';
/**
 * The main module of a process that hosts a library. The core copies it to a folder from which the library resolves,
 * and names the library in WIMBLE_LIBRARY_NAME and WIMBLE_LIBRARY_MODULE.
 */

const KEY = Symbol.for('wimble.library');
const { WIMBLE_LIBRARY_NAME, WIMBLE_LIBRARY_MODULE } = process.env;
const start = /** @type {any} */ (globalThis)[KEY];
delete (/** @type {any} */ (globalThis)[KEY]);

/** What `require` says of a package that can only be imported. */
const ONLY_IMPORTED = ['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];

async function load() {
  const name = /** @type {string} */ (WIMBLE_LIBRARY_MODULE);
  try {
    const exported = require(name);
    return { exported, isModule: exported !== null && exported[Symbol.toStringTag] === 'Module' };
  } catch (error) {
    if (!ONLY_IMPORTED.includes(/** @type {any} */ (error).code)) throw error;
  }
  const { pathToFileURL } = require('node:url');
  const { isAbsolute } = require('node:path');
  return { exported: await import(isAbsolute(name) ? pathToFileURL(name).href : name), isModule: true };
}

start({ name: WIMBLE_LIBRARY_NAME, load });
