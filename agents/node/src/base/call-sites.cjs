'use strict';
/** Reads the frames of the call stack, whatever the program has set on Error, and restores that. */

const { Error, captureStackTrace, defineProperty, getOwnPropertyDescriptor } = require('./intrinsics.cjs');

/**
 * @param {Function} above the frames of this function and of the functions that it called are omitted
 * @param {number} limit maximum number of frames
 * @param {(sites: NodeJS.CallSite[]) => void} take gets the frames; not called if the program has sealed Error
 */
function readCallSites(above, limit, take) {
  const prepare = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const previousLimit = getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  try {
    const value = (/** @type {unknown} */ _, /** @type {NodeJS.CallSite[]} */ sites) => {
      take(sites);
      return '';
    };
    defineProperty(Error, 'prepareStackTrace', { value, configurable: true, writable: true });
    defineProperty(Error, 'stackTraceLimit', { value: limit, configurable: true, writable: true, enumerable: true });
    const holder = { stack: '' };
    captureStackTrace(holder, above);
    void holder.stack;
  } catch {
    // The program has sealed Error: its callers are not known.
  } finally {
    restore('prepareStackTrace', prepare);
    restore('stackTraceLimit', previousLimit);
  }
}

/**
 * @param {string} name
 * @param {PropertyDescriptor | undefined} descriptor
 */
function restore(name, descriptor) {
  try {
    if (descriptor === undefined) delete (/** @type {any} */ (Error)[name]);
    else defineProperty(Error, name, descriptor);
  } catch {
    // As above.
  }
}

module.exports = { readCallSites };
