'use strict';
/**
 * The main module of a process that hosts a library. The core copies it to a folder from which the library resolves,
 * and names the library in WIMBLE_LIBRARY_NAME and WIMBLE_LIBRARY_MODULE.
 */

const KEY = Symbol.for('wimble.library');
const { WIMBLE_LIBRARY_NAME, WIMBLE_LIBRARY_MODULE } = process.env;
const start = /** @type {any} */ (globalThis)[KEY];
delete (/** @type {any} */ (globalThis)[KEY]);

start({
  name: WIMBLE_LIBRARY_NAME,
  module: WIMBLE_LIBRARY_MODULE,
  means: { require, load: (/** @type {string} */ name) => import(name) },
});
