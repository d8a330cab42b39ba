'use strict';
/**
 * Makes the call of an operation: of a function or a constructor, or of a method on a new object, after other calls on
 * that object.
 *
 * A call after another one is made on what that has returned, if this has such a method that is not built in; else on
 * the same object. So both objects that change and values with methods that return new ones are used as their users do.
 * Where neither has the method, the calls end, and what the last one has returned is the result. A getter is read in
 * the place of a call, and of an iterable, the object itself is the result: the host goes through it. A setter is
 * called like a method; it returns what it gets, as an assignment does.
 *
 * A promise is waited for before the next call, as a user writes `await`; then the result is a promise, too. One that
 * nothing settles meanwhile may wait for the next call (`emitter.once('a')`, and then `emitter.emit('a')`): after
 * STARTED_MS that is made on the same object.
 */

const { decoded, holdsUsed } = require('./call-values.cjs');
const { leaveShadows } = require('./traced-arguments.cjs');
const { isObject, isOwnMethod, memberOf } = require('./callable-members.cjs');
const { parametersOf } = require('./exported-functions.cjs');
const { tracing } = require('../concolic/running-trace.cjs');

const { apply, construct } = Reflect;
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** How long a promise is waited for that nothing but the next call may settle; tests wait as long. */
const STARTED_MS = 20;

/** @typedef {import('./exported-functions.cjs').Operation} Operation */
/** @typedef {import('./exported-functions.cjs').Parameter} Parameter */
/** @typedef {'read' | 'items'} Access of what is no method; undefined for one */
/** @typedef {{ method: string, arguments: any[], access?: Access }} Link */
/**
 * @typedef {{ operation: number, arguments: any[], receiver?: any[], steps?: Link[], method?: string, object?: any,
 *   access?: Access }} WantedCall
 */

/**
 * How far a chain of calls has come. A call on an object that was made has its number in the chain.
 * @typedef {object} Progress
 * @property {boolean[]} chained for each call: whether it was on what the one before has returned
 * @property {boolean[]} awaited for what makes the object, and then for each call: whether it has returned a promise
 *   that was waited for
 * @property {boolean[]} left for the same: whether such a promise was not settled when the next call was made
 * @property {() => boolean} isIdle whether nothing goes on that may settle a promise
 * @property {boolean} isWaiting whether a call has waited for the one before
 * @property {boolean} isOver set by who waits no longer: no more calls are made
 */

/** @param {() => boolean} [isIdle] @returns {Progress} */
const newProgress = (isIdle = () => true) => ({
  chained: [],
  awaited: [],
  left: [],
  isIdle,
  isWaiting: false,
  isOver: false,
});

/**
 * @param {Operation} operation
 * @param {WantedCall} call
 * @param {Progress} progress is filled
 * @param {() => void} [onOtherObject] is called if what makes the object has made one without the method
 */
function madeCall(operation, call, progress, onOtherObject) {
  try {
    const { about, target, owner } = operation;
    makeReady(call, progress);
    if (call.method !== undefined) return onResult(operation, call, call.method, progress);
    if (about.kind === 'method') return onObject(operation, call, progress, onOtherObject);
    const values = decodedAll(call.arguments);
    leaveShadows(tracing, 'argument', about.parameters, values);
    return about.kind === 'constructor' ? construct(target, values) : apply(target, owner, values);
  } finally {
    if (tracing !== null) tracing.frame = null;
  }
}

/**
 * @param {Operation} operation
 * @param {WantedCall} call
 * @param {Progress} progress
 * @param {() => void} [onOtherObject]
 */
function onObject({ about, owner }, call, progress, onOtherObject) {
  const { steps = [], access } = call;
  const isMade = call.object !== undefined && call.object !== null;
  const object = isMade ? call.object[READY] || decoded(call.object) : made(about.receiver, owner, call.receiver || []);
  const last = { method: about.method, arguments: call.arguments, access };
  if (isMade || steps.length > 0) return chain(object, [...steps, last], progress);
  if (isThere(object, about.method, access)) return accessed(object, about.method, access);
  const method = access === undefined ? memberOf(object, about.method) : undefined;
  if (method !== undefined) return called(method, object, 'argument', about.parameters, call.arguments);
  // A constructor may return an object of another kind.
  if (onOtherObject !== undefined) onOtherObject();
  return object;
}

/** @param {Operation} operation @param {WantedCall} call @param {string} method @param {Progress} progress */
function onResult({ about, target, owner }, call, method, progress) {
  const given = call.receiver || [];
  const isNew = about.kind === 'constructor';
  const object = isNew
    ? made(about.parameters, target, given)
    : called(target, owner, 'receiver', about.parameters, given);
  const link = { method, arguments: call.arguments, access: call.access };
  return chain(object, [...(call.steps || []), link], progress);
}

/** @param {readonly Parameter[]} parameters @param {any} owner @param {any[]} given */
function made(parameters, owner, given) {
  const values = decodedAll(given);
  leaveShadows(tracing, 'receiver', parameters, values);
  return construct(owner, values);
}

/** @param {any} object @param {readonly Link[]} links @param {Progress} progress */
const chain = (object, links, progress) => followed({ self: object, result: object }, links, 0, progress);

/**
 * @param {{ self: any, result: any }} values the object, and what the call before has returned
 * @param {readonly Link[]} links
 * @param {number} first the number of the call that comes next
 * @param {Progress} progress
 * @returns {any} a promise, if a call has waited for the one before
 */
function followed({ self, result }, links, first, progress) {
  const { chained, awaited } = progress;
  for (let index = first; index < links.length; index++) {
    const { method, access } = links[index];
    const isOnResult = index > 0 && result !== self && isUsable(result, method, access);
    if (isOnResult) self = result;
    else if (isToAwait(result, method, access)) {
      awaited[index] = progress.isWaiting = true;
      return afterPromise({ self, result }, links, index, progress);
    }
    awaited[index] = awaited[index] === true;
    const target = access === undefined ? memberOf(self, method) : undefined;
    if (!(isOwnMethod(target) || isThere(self, method, access))) break;
    chained[index] = isOnResult;
    if (access !== undefined) {
      result = accessed(self, method, access);
      break;
    }
    result = calledLink(target, method === '' ? undefined : self, links, index);
  }
  awaited[chained.length] = awaited[chained.length] === true || isPromise(result);
  return result;
}

/**
 * @param {{ self: any, result: any }} values of which the result is a promise
 * @param {readonly Link[]} links
 * @param {number} next the number of the call that follows it
 * @param {Progress} progress
 * @returns {Promise<any>}
 */
async function afterPromise({ self, result }, links, next, progress) {
  const { method, access } = links[next];
  const isLeft = next > 0 && isUsable(self, method, access) && (await isUnsettled(result, progress));
  const value = isLeft ? undefined : await result;
  if (progress.isOver) return undefined;
  progress.left[next] = isLeft;
  try {
    return followed({ self: self === result ? value : self, result: value }, links, next, progress);
  } finally {
    if (tracing !== null) tracing.frame = null;
  }
}

/**
 * @param {any} promise
 * @param {Progress} progress
 * @returns {Promise<boolean>} whether it is not settled after STARTED_MS, and nothing goes on that may settle it
 */
function isUnsettled(promise, { isIdle }) {
  return new Promise((resolve) => {
    const timer = startTimer(() => resolve(isIdle()), STARTED_MS);
    const onSettled = () => {
      stopTimer(timer);
      resolve(false);
    };
    promise.then(onSettled, onSettled);
  });
}

/** @param {any} target @param {any} self @param {readonly Link[]} links @param {number} index */
function calledLink(target, self, links, index) {
  const isLast = index === links.length - 1;
  const part = isLast ? 'argument' : `steps/${index}`;
  // A step's values are named by their places in it, after the name of the method.
  return called(target, self, part, isLast ? parametersOf(target) : NUMBERED, links[index].arguments);
}

const NUMBERED = Array.from({ length: 20 }, (_, index) => ({ name: `${index + 1}`, is_rest: false }));

/**
 * @param {any} target
 * @param {any} self
 * @param {string} part
 * @param {readonly { name: string, is_rest: boolean }[]} parameters
 * @param {any[]} given
 */
function called(target, self, part, parameters, given) {
  const values = decodedAll(given);
  leaveShadows(tracing, part, parameters, values);
  return apply(target, self, values);
}

/** @type {Record<string, symbol>} */
const ITERATIONS = { '[Symbol.iterator]': Symbol.iterator, '[Symbol.asyncIterator]': Symbol.asyncIterator };

/**
 * @param {any} object with the member
 * @param {string} name
 * @param {Access | undefined} access
 * @returns {any} what a getter gives, or an iterable
 */
const accessed = (object, name, access) => (access === 'read' ? object[name] : object);

/**
 * @param {any} object
 * @param {string} name
 * @param {Access} [access]
 * @returns {boolean} whether it has a member that is no method
 */
function isThere(object, name, access) {
  if (access === undefined || !isObject(object)) return false;
  return access === 'read' ? name in object : typeof object[ITERATIONS[name]] === 'function';
}

/** @param {any} object @param {string} name @param {Access} [access] */
const isUsable = (object, name, access) => isThere(object, name, access) || isOwnMethod(memberOf(object, name));

/** @param {any} value */
function isPromise(value) {
  return memberOf(value, 'then') !== undefined;
}

/** @param {any} value @param {string} name @param {Access} [access] whether only what it gives may have the member */
const isToAwait = (value, name, access) => isPromise(value) && !isUsable(value, name, access);

const READY = Symbol('ready');

/**
 * Decodes all values before the call, if methods are called on one of them: tests write these calls as statements,
 * which come before what makes the object of the call. If one of them throws, the test has all statements, so the
 * chain counts as made.
 * @param {WantedCall} call
 * @param {Progress} progress
 */
function makeReady({ object, receiver = [], steps = [], arguments: last }, progress) {
  const lists = [receiver];
  for (let index = 0; index < steps.length; index++) lists[index + 1] = steps[index].arguments;
  lists[lists.length] = last;
  if (!holdsUsed([object, lists])) return;
  try {
    if (isObject(object)) object[READY] = decoded(object);
    for (let index = 0; index < lists.length; index++) {
      const given = /** @type {any} */ (lists[index]);
      given[READY] = decodedAll(given);
    }
  } catch (error) {
    for (let index = 0; index <= steps.length; index++) progress.chained[index] = false;
    throw error;
  }
}

/** @param {any} given */
function decodedAll(given) {
  if (given[READY] !== undefined) return given[READY];
  const values = [];
  for (let index = 0; index < given.length; index++) values[index] = decoded(given[index]);
  return values;
}

module.exports = { madeCall, newProgress };
