'use strict';
/** The name by which users know a class that a library exports as a whole, or as its default. */

const { getOwnPropertyDescriptor, ownKeys } = Reflect;

/** Minifiers give names of one or two letters; transpilers `_default` or `default_1`. */
const CLASS_NAME = /^[A-Z][A-Za-z0-9]{2,}$/;

/**
 * The name under which the library exports the class as well, or its own, or that of the package.
 * @param {any} target
 * @param {any} owner what has it as its `default`; undefined if it is all that the library exports
 * @param {string} packageName
 * @param {boolean} needsNew
 * @returns {string} empty for a function with methods that is called as one, such as `moment` or `dayjs`
 */
function classNameOf(target, owner, packageName, needsNew) {
  for (const holder of [owner, target]) {
    const exportedAs = holder === undefined ? undefined : ownKeys(holder).find((key) => isNameOf(target, holder, key));
    if (exportedAs !== undefined) return String(exportedAs);
  }
  const described = getOwnPropertyDescriptor(target, 'name');
  const own = described === undefined ? '' : described.value;
  if (isFree(own, target)) return own;
  if (!needsNew) return '';
  const ofPackage = inPascalCase(packageName);
  return isFree(ofPackage, target) ? ofPackage : '';
}

/** @param {any} target @param {any} holder @param {string | symbol} key */
function isNameOf(target, holder, key) {
  if (!isFree(key, target)) return false;
  const described = getOwnPropertyDescriptor(holder, key);
  if (described === undefined) return false;
  try {
    return (described.get === undefined ? described.value : holder[key]) === target; // modules export by getters
  } catch {
    return false;
  }
}

/**
 * @param {unknown} name
 * @param {any} target
 * @returns {name is string} whether it is one of a class, and no other global has it, which tests may use
 */
function isFree(name, target) {
  if (typeof name !== 'string' || !CLASS_NAME.test(name)) return false;
  return !(name in globalThis) || /** @type {any} */ (globalThis)[name] === target;
}

/** @param {string} packageName @returns {string} `Decimal` for decimal.js, `LruCache` for lru-cache */
function inPascalCase(packageName) {
  const last = packageName.slice(packageName.lastIndexOf('/') + 1).replace(/[.-][cm]?js$/, '');
  const words = last.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}

module.exports = { classNameOf };
