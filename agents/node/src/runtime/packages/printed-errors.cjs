'use strict';
/**
 * Errors that are printed: frameworks that catch what a handler throws, and hide it from the client, tell the developer
 * with `console.error` (h3, Next.js). If the call fails, this is why.
 */

const { isNativeError, isProxy } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { noteHandled } = require('./framework-taps.cjs');
const { recorder } = require('../calls/recorder.cjs');

const MAX_ARGUMENTS = 4;

/** @param {unknown} self @param {ArrayLike<unknown>} args */
function noteArguments(self, args) {
  if (recorder.record === null) return;
  for (let index = 0; index < args.length && index < MAX_ARGUMENTS; index++) {
    const error = args[index];
    if (typeof error === 'object' && error !== null && isNativeError(error)) noteHandled(wrappedIn(error));
  }
}

/** @param {object} error @returns {object} the error that a framework has made another one of, with the same message */
function wrappedIn(error) {
  const cause = isProxy(error) ? undefined : ownData(error, 'cause');
  const isError = typeof cause === 'object' && cause !== null && isNativeError(cause);
  return isError && readData(cause, 'message') === readData(error, 'message') ? cause : error;
}

function watchPrinting() {
  tapMethod(console, 'error', noteArguments, undefined, true);
}

module.exports = { watchPrinting };
