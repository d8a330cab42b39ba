'use strict';
/**
 * The methods by which users write to a stream and read from it. Node's own classes have them, so they are none of the
 * library; but the library's code (`_transform`, `_flush`, `_write`, `_read`) runs only if somebody calls them.
 */

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { asyncIterator } = Symbol;

/** What is written; it is one object, so that those who list methods know it again. */
const CHUNK = Object.freeze({ name: 'chunk', is_rest: false, is_optional: false, members: [], initial: '' });

/** Where the code of a stream is: `new Transform({ transform })` gives these to the object itself. */
const OWN_CODE = new Set(['_transform', '_flush', '_write', '_writev', '_final', '_read']);

/** @typedef {{ method: string, access: 'call' | 'items', parameters: any[], target: any }} StreamMethod */

/**
 * @param {any} object a stream, or the prototype of its class
 * @returns {StreamMethod[]} none, if it is no stream
 */
function methodsOfStream(object) {
  /** @type {StreamMethod[]} */
  const found = [];
  const [end, items] = [methodOf(object, 'end'), methodOf(object, asyncIterator)];
  if (!methodOf(object, 'on') || !methodOf(object, 'emit')) return found;
  if (end && methodOf(object, 'write')) found.push({ method: 'end', access: 'call', parameters: [CHUNK], target: end });
  if (items && methodOf(object, 'read')) {
    found.push({ method: '[Symbol.asyncIterator]', access: 'items', parameters: [], target: items });
  }
  return found;
}

/** @param {any} object a stream @returns {boolean} whether it has code of its own, rather than that of its class */
const hasOwnCode = (object) => ownKeys(object).some((key) => OWN_CODE.has(/** @type {any} */ (key)));

/** @param {any} object @param {string | symbol} key @returns {any} a method; undefined: it has none, or a getter */
function methodOf(object, key) {
  if (typeof object !== 'object' || object === null) return undefined;
  for (let at = object; at !== null; at = getPrototypeOf(at)) {
    const described = getOwnPropertyDescriptor(at, key);
    if (described !== undefined) return typeof described.value === 'function' ? described.value : undefined;
  }
  return undefined;
}

/** @param {{ parameters: readonly any[] }} about of a method @returns {boolean} whether it writes to a stream */
const isWriting = ({ parameters }) => parameters[0] === CHUNK;

module.exports = { hasOwnCode, isWriting, methodsOfStream };
