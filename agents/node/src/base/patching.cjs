'use strict';
/**
 * How methods of packages are tapped, so that the program cannot tell.
 *
 * Law: what is tapped calls no function of the SUT's, or its frames are taken out of what it throws; what does call one
 * is only looked at as it is read.
 */

const { Error, defineProperty, getOwnPropertyDescriptor, hasOwn, reflectApply } = require('./intrinsics.cjs');
const { disguise } = require('./function-text.cjs');
const { hideAgentFrames, messageOf } = require('./error-stacks.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */
/**
 * Taps what a file of a package exports. `module` is Node's object, from which others take the exports afterwards.
 * @typedef {(exports: any, module: any) => void} Watch
 */

/** Frames of `replaceMethod` between the caller of a method and the original. */
const OUR_FRAMES = 3;

/**
 * Puts another function in the place of a method, unless there is none of that name.
 * @param {any} owner
 * @param {string} name
 * @param {(original: AnyFunction) => AnyFunction} make answers what runs instead; it may throw what the original throws
 * @param {boolean} [throwsItself] whether it makes the errors that it throws: their stacks get room for our frames,
 *   which are taken out
 * @returns {AnyFunction | null} the original
 */
function replaceMethod(owner, name, make, throwsItself = false) {
  const descriptor = getOwnPropertyDescriptor(owner, name);
  if (descriptor === undefined || typeof descriptor.value !== 'function' || descriptor.configurable === false) {
    return null;
  }
  const original = descriptor.value;
  const inner = make(original);
  const run = (/** @type {any} */ self, /** @type {any} */ args) => {
    const limit = throwsItself ? Error.stackTraceLimit : undefined;
    if (typeof limit === 'number') Error.stackTraceLimit = limit + OUR_FRAMES;
    try {
      return reflectApply(inner, self, args);
    } catch (error) {
      throw hideAgentFrames(error);
    } finally {
      if (typeof limit === 'number') Error.stackTraceLimit = limit;
    }
  };
  const wrapper = hasOwn(original, 'prototype')
    ? /** @this {any} */ function () {
        return run(this, arguments);
      }
    : {
        /** @this {any} */
        method() {
          return run(this, arguments);
        },
      }.method;
  const { enumerable, configurable, writable } = descriptor;
  defineProperty(owner, name, { value: disguise(wrapper, original), enumerable, configurable, writable });
  return original;
}

/**
 * Calls `before` with the receiver and the arguments, then the original. Whatever `before` throws is dropped.
 * @param {any} owner
 * @param {string} name
 * @param {(self: any, args: ArrayLike<any>) => void} before
 * @param {(self: any, args: ArrayLike<any>, result: any) => void} [after] when it has not thrown
 * @param {boolean} [throwsItself] as of `replaceMethod`
 */
function tapMethod(owner, name, before, after, throwsItself = false) {
  return replaceMethod(
    owner,
    name,
    (original) =>
      /** @this {any} */ function () {
        quietly(before, this, arguments, undefined);
        const result = reflectApply(original, this, /** @type {any} */ (arguments));
        if (after !== undefined) quietly(after, this, arguments, result);
        return result;
      },
    throwsItself,
  );
}

/**
 * For methods that do all of their work before they return.
 * @template {{ fail: (message: string) => void }} Command what is recorded of one call
 * @param {any} owner
 * @param {string} name
 * @param {(self: any, args: ArrayLike<any>) => Command | null} begin null: not recorded
 * @param {(command: Command, result: any) => void} end when it has not thrown
 */
function aroundMethod(owner, name, begin, end) {
  return replaceMethod(
    owner,
    name,
    (original) =>
      /** @this {any} */ function () {
        /** @type {Command | null} */
        let command = null;
        quietly((self, args) => (command = begin(self, args)), this, arguments, undefined);
        try {
          const result = reflectApply(original, this, /** @type {any} */ (arguments));
          if (command !== null) quietly(() => end(/** @type {any} */ (command), result), null, [], undefined);
          return result;
        } catch (error) {
          const begun = /** @type {Command | null} */ (command);
          if (begun !== null) begun.fail(messageOf(error));
          throw error;
        }
      },
    true,
  );
}

/**
 * @param {(self: any, args: ArrayLike<any>, result: any) => void} look
 * @param {any} self
 * @param {ArrayLike<any>} args
 * @param {any} result
 */
function quietly(look, self, args, result) {
  try {
    look(self, args, result);
  } catch {
    // A version of the driver that is made otherwise: its commands are not seen.
  }
}

/**
 * Calls `look` with the receiver whenever a method is read, which is right before it is called: no frame of ours stands
 * below what it calls.
 * @param {any} owner
 * @param {string} name
 * @param {(self: any) => void} look
 */
function noteReads(owner, name, look) {
  const descriptor = getOwnPropertyDescriptor(owner, name);
  if (descriptor === undefined || !hasOwn(descriptor, 'value') || descriptor.configurable === false) return;
  const { value, enumerable } = descriptor;
  defineProperty(owner, name, {
    configurable: true,
    enumerable,
    get() {
      quietly(look, this, [], undefined);
      return value;
    },
    set(replaced) {
      defineProperty(this, name, { value: replaced, writable: true, configurable: true, enumerable: true });
    },
  });
}

module.exports = { aroundMethod, noteReads, replaceMethod, tapMethod };
