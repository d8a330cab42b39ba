'use strict';
/**
 * Errors that are printed: frameworks that catch what a handler throws, and hide it from the client, tell the developer
 * with `console.error` (h3, Next.js; micro prints the stack only). If the call fails, this is why.
 */

const { isNativeError, isProxy, regExpExec } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { noteHandled } = require('./framework-taps.cjs');
const { recorder } = require('../calls/recorder.cjs');

const MAX_ARGUMENTS = 4;
/** A stack that is printed as a text, by its class and message. */
const STACK = /^([A-Z][\w$]*): ([^]*?)\n {4}at /;

/** @param {unknown} self @param {ArrayLike<unknown>} args */
function noteArguments(self, args) {
  if (recorder.record === null) return;
  for (let index = 0; index < args.length && index < MAX_ARGUMENTS; index++) {
    const error = args[index];
    if (typeof error === 'object' && error !== null && isNativeError(error)) noteHandled(wrappedIn(error));
    else if (typeof error === 'string') noteStack(error);
  }
}

/** @param {string} text */
function noteStack(text) {
  const found = regExpExec(STACK, text);
  if (found !== null) noteHandled({ name: found[1], message: found[2], stack: text });
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
