'use strict';
/** The members of objects that calls of a library name: methods, and setters, whose names end with `=`. */

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { toString: textOf } = Function.prototype;
const { includes } = String.prototype;

/** How the name of a setter ends, which is called like a method: `size=`. */
const SET = '=';

/** @param {any} value */
const isObject = (value) => (typeof value === 'object' || typeof value === 'function') && value !== null;

/** @param {any} object @param {string} name empty for the object itself @returns {any} a function, or undefined */
function memberOf(object, name) {
  if (!isObject(object)) return undefined;
  const member = name === '' ? object : object[name];
  if (typeof member === 'function') return member;
  return name[name.length - 1] === SET ? assignment(setterOf(object, name.slice(0, -1))) : undefined;
}

/** @param {any} object @param {string} name of a member @returns {any} what sets it, or undefined */
function setterOf(object, name) {
  for (let at = object; at !== null; at = getPrototypeOf(at)) {
    const described = getOwnPropertyDescriptor(at, name);
    if (described !== undefined) return described.set;
  }
  return undefined;
}

/** @param {any} setter @returns {any} a method that calls it, and returns what an assignment gives */
function assignment(setter) {
  if (!isOwnMethod(setter)) return undefined;
  return /** @this {any} @param {any} value */ function (value) {
    apply(setter, this, [value]);
    return value;
  };
}

/** @param {any} target a function, or undefined */
function isOwnMethod(target) {
  return target !== undefined && !apply(includes, apply(textOf, target, []), ['[native code]']);
}

module.exports = { SET, isObject, isOwnMethod, memberOf };
