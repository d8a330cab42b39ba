'use strict';
/**
 * Taps methods of packages so that the program cannot notice it.
 *
 * Law: a tapped method calls no function of the SUT, or the agent's frames are removed from the errors that it throws.
 * A method that does call one is only observed when it is read.
 */

const { Error, defineProperty, getOwnPropertyDescriptor, hasOwn, reflectApply } = require('./intrinsics.cjs');
const { disguise } = require('./function-text.cjs');
const { hideAgentFrames, messageOf } = require('./error-stacks.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */
/**
 * Taps the exports of a file of a package. `module` is Node's object, from which other modules take the exports
 * afterwards.
 * @typedef {(exports: any, module: any) => void} Watch
 */

/** Frames of `replaceMethod` between the caller of a method and the original. */
const OUR_FRAMES = 3;

/**
 * Replaces a method by another function, unless there is no method of that name.
 * @param {any} owner
 * @param {string} name
 * @param {(original: AnyFunction) => AnyFunction} make returns the function that runs instead; it may throw the errors
 *   of the original
 * @param {boolean} [throwsItself] whether the method creates the errors that it throws: the stack limit is raised by
 *   the agent's frames, which are removed from the stack
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
 * Calls `before` with the receiver and the arguments, then the original. Errors of `before` are ignored.
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
 * Observes methods that complete all their work before they return.
 * @template {{ fail: (message: string) => void }} Command what is recorded of one call
 * @param {any} owner
 * @param {string} name
 * @param {(self: any, args: ArrayLike<any>) => Command | null} begin returns null if the call is not recorded
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
    // The driver's version has another structure: its commands are not observed.
  }
}

/**
 * Calls `look` with the receiver whenever the method is read, which is immediately before it is called. So no frame of
 * the agent is below the functions that the method calls.
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
