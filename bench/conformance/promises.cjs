'use strict';
/** The test suite of the Promises/A+ specification, run on one implementation; prints TAP. */

const path = require('node:path');

const [name] = process.argv.slice(2);
const modules = String(process.env.CONFORMANCE_MODULES);
const library = require(path.join(modules, name));
const Promise = library.Promise ?? library;
const tests = require(path.join(modules, 'promises-aplus-tests'));

/** A promise with its two functions from outside, as the suite wants it. */
function deferred() {
  /** @type {any} */
  const parts = {};
  parts.promise = new Promise((/** @type {unknown} */ resolve, /** @type {unknown} */ reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

tests({ deferred, resolved: Promise.resolve.bind(Promise), rejected: Promise.reject.bind(Promise) }, { reporter: 'tap' }, (/** @type {unknown} */ error) => {
  process.exitCode = error ? 1 : 0;
});
