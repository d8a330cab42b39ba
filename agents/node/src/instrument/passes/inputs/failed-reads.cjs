'use strict';
/**
 * Notes in the table where in an input the values lie whose members are read: if there is no such value, the error
 * tells the member that could not be read, and the table what is missing (names/input-places.cjs).
 *
 * `R?.NAME.f()`, which ends early without an error, becomes `$.xu(n,R?.NAME.f())`. If no name tells where R lies, and
 * the chain ends early for want of a member, as `R.NAME?.f()` does, NAME may be missing in an answer of a service.
 */

const { isBuiltIn } = require('../../names/built-in-methods.cjs');
const { lastName } = require('../../names/input-names.cjs');
const {
  ANY,
  ITERATOR,
  OF_ELEMENTS,
  elementOf,
  missingList,
  placeOf,
  visitPattern,
} = require('../../names/input-places.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */
/** @typedef {import('../../names/input-places.cjs').Place} Place */

/** Parameters that hold no input themselves. */
const NO_INPUT = new Set(['req', 'request', 'ctx', 'context', 'c', 'res', 'response', 'reply', 'next', 'err', 'error']);

/** The location of what may be missing in an answer, where a chain ends early. */
const CHAIN = 'chain';

/** @param {string} name of a member @returns {boolean} whether a list has it, and no text */
function isOfListOnly(name) {
  return name in Array.prototype && !(name in String.prototype);
}

/** @param {Node} member @returns {string} its name as V8 writes it; ANY: it is data */
function nameOf({ computed, property }) {
  if (!computed) return property.name;
  return property.type === 'Literal' ? String(property.value) : ANY;
}

/** @param {Rewriter} rewriter @param {boolean} isOfFunction whether the pattern is a parameter */
function visitorOf(rewriter, isOfFunction) {
  return {
    bound(/** @type {string} */ name, /** @type {Place | undefined} */ place) {
      if (place === undefined || (place.location === 'given' && NO_INPUT.has(name))) rewriter.inputPlaces.delete(name);
      else rewriter.inputPlaces.set(name, place);
    },
    read(/** @type {number} */ position, /** @type {string} */ next, /** @type {Place} */ place) {
      const { location, path } = place;
      const missing = next === ITERATOR ? missingList(place) : [...path, next];
      if (location !== 'given' && missing.length > 0) rewriter.targets.addPlace(position, next, location, missing);
      else if (isOfFunction && path.length > 0) rewriter.targets.addGivenPlace(next, missing);
    },
  };
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  const elements = rewriter.givenElements.get(node);
  for (let at = 0; at < node.params.length; at++) {
    if (elements === undefined) bind(node.params[at], { location: 'given', path: [] }, rewriter, true);
    else if (elements.position === at) bindElement(node.params[at], elements, rewriter);
    else bind(node.params[at], undefined, rewriter);
  }
}

/**
 * @param {Node} pattern
 * @param {Place | undefined} place
 * @param {Rewriter} rewriter
 * @param {boolean} [isOfFunction]
 */
function bind(pattern, place, rewriter, isOfFunction = false) {
  visitPattern(pattern, place, visitorOf(rewriter, isOfFunction));
}

/**
 * @param {Node} pattern
 * @param {{ place: Place, isEntry: boolean }} element
 * @param {Rewriter} rewriter
 */
function bindElement(pattern, { place, isEntry }, rewriter) {
  if (!isEntry) return bind(pattern, place, rewriter);
  bind(pattern, undefined, rewriter);
  if (pattern.type === 'ArrayPattern' && pattern.elements[1]) bind(pattern.elements[1], place, rewriter);
}

/** @param {Node} call @param {Rewriter} rewriter */
function noteCallback({ callee, arguments: [callback] }, rewriter) {
  const position = callee.type === 'MemberExpression' ? OF_ELEMENTS.get(lastName(callee)) : undefined;
  if (position === undefined || !/^(?:Arrow)?FunctionExpression$/.test(callback?.type)) return;
  const element = elementOf(callee.object, rewriter);
  if (element !== undefined) rewriter.givenElements.set(callback, { ...element, position });
}

/**
 * @param {Node} chain
 * @param {Rewriter} rewriter
 * @returns {string[] | undefined} the path of what is missing if the chain ends early; undefined: it is not known
 */
function endOf({ expression }, rewriter) {
  const isCall = expression.type === 'CallExpression';
  const value = isCall && expression.callee.type === 'MemberExpression' ? expression.callee.object : expression;
  if (!isCall && (expression.type !== 'MemberExpression' || expression.optional)) return undefined;
  const place = placeOf(value, rewriter);
  return place === undefined || place.location === 'given' ? undefined : [place.location, ...place.path];
}

/**
 * @param {Node} chain
 * @returns {string[] | undefined} the path in an answer that is missing if the chain ends early at its first link
 */
function missingBefore({ expression }) {
  let node = expression;
  if (node.type !== 'CallExpression' && node.optional) return undefined; // the last link is a read of its own
  let missing;
  /** @type {string[]} */
  let after = [];
  for (let isCalled = false; node.type === 'CallExpression' || node.type === 'MemberExpression';) {
    if (node.type === 'CallExpression') {
      isCalled = true;
      node = node.callee;
      continue;
    }
    const { object, property, computed } = node;
    const isKept = !isCalled && !computed && property.type === 'Identifier' && !isBuiltIn(property.name);
    after = isKept ? [property.name, ...after] : [];
    if (node.optional && mayBeOfAnswer(object)) missing = [object.property.name, ...after];
    isCalled = false;
    node = object;
  }
  return missing;
}

/** @param {Node} value @returns {boolean} whether it is `R.NAME`, R being no request */
function mayBeOfAnswer(value) {
  if (value.type !== 'MemberExpression' || value.computed || value.property.type !== 'Identifier') return false;
  const isOfName = value.object.type === 'Identifier';
  return value.object.type !== 'ThisExpression' && !(isOfName && NO_INPUT.has(value.object.name));
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  VariableDeclarator({ id, init }, rewriter) {
    if (!init) return;
    if (id.type === 'Identifier') {
      if (init.type === 'Literal' && typeof init.value === 'number') rewriter.indexNames.add(id.name);
      else rewriter.indexNames.delete(id.name);
    }
    bind(id, placeOf(init, rewriter), rewriter);
  },
  ForOfStatement({ left, right }, rewriter) {
    const element = elementOf(right, rewriter);
    const place = placeOf(right, rewriter);
    if (place !== undefined && place.location === 'body' && place.path.length === 0) {
      rewriter.targets.addPlace(right.start, ITERATOR, place.location, missingList(place));
    }
    const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
    if (element === undefined) bind(pattern, undefined, rewriter);
    else bindElement(pattern, element, rewriter);
  },
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
  CallExpression: noteCallback,
  MemberExpression(node, rewriter) {
    if (node.optional || node.property.type === 'PrivateIdentifier' || rewriter.targetsOfWrites.has(node)) return;
    const place = placeOf(node.object, rewriter);
    if (place === undefined || (place.location === 'given' && place.path.length === 0)) return;
    const name = nameOf(node);
    const isLast = name === ANY || rewriter.callees.has(node) || isBuiltIn(name);
    const ofLast = isOfListOnly(name) ? missingList(place) : place.path;
    const path = isLast ? ofLast : [...place.path, name, ...(rewriter.readAfter.get(node) ?? [])];
    if (path.length > 0) rewriter.targets.addPlace(node.property.start, name, place.location, path);
  },
  ChainExpression(node, rewriter) {
    if (rewriter.isShown(node) || rewriter.callees.has(node) || rewriter.targetsOfWrites.has(node.expression)) return;
    const end = endOf(node, rewriter);
    const [location, ...path] = end ?? [CHAIN, ...(missingBefore(node) ?? [])];
    if (path.length > 0) rewriter.wrap(node, rewriter.probe('xu', rewriter.targets.addRead(path, location)), ')');
  },
};
