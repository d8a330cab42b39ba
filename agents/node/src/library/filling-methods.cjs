'use strict';
/**
 * The methods by which users fill an object whose class extends a collection: `class Table extends Array`. They are
 * none of the library, but most of its code runs only if the object holds something.
 */

const { getPrototypeOf } = Reflect;

/** @param {string} name @param {boolean} [is_rest] @returns {any} a parameter */
const parameter = (name, is_rest = false) => ({ name, is_rest, is_optional: false, members: [], initial: '' });

/** @type {Map<any, { method: string, access: 'call', parameters: any[], target: any }>} */
const FILLS = new Map(
  [
    { method: 'push', prototype: Array.prototype, parameters: [parameter('items', true)] },
    { method: 'set', prototype: Map.prototype, parameters: [parameter('key'), parameter('value')] },
    { method: 'add', prototype: Set.prototype, parameters: [parameter('value')] },
  ].map(({ method, prototype, parameters }) => {
    const target = /** @type {any} */ (prototype)[method];
    return [prototype, { method, access: 'call', parameters, target }];
  }),
);

/**
 * @param {any} prototype of a class
 * @returns {import('./stream-methods.cjs').StreamMethod[]} what fills its objects, if they are collections
 */
function methodsOfCollection(prototype) {
  for (let at = prototype; at !== null; at = getPrototypeOf(at)) {
    const known = FILLS.get(at);
    if (known !== undefined) return at === prototype ? [] : [known];
  }
  return [];
}

module.exports = { methodsOfCollection };
