'use strict';
/**
 * Determines from the text where in an input a value lies: `items.0.owner` of the body for `x.owner` in
 * `for (const x of req.body.items)`. Variables keep the place of what they are declared with, and parameters that of
 * the elements of a list.
 *
 * Names may deceive; then the search tries an input in vain.
 */

const { NAMES, inner, lastName, locationOf, locationOfMember } = require('./input-names.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */
/**
 * What leads to a value from the input. Location `given`: the path begins in an argument of the function, which may be
 * an input of the call.
 * @typedef {{ location: 'query' | 'cookie' | 'body' | 'given', path: string[] }} Place
 */

/** What lists are destructured by, as V8 writes it. */
const ITERATOR = 'Symbol(Symbol.iterator)';
/** Variables that usually hold an answer. */
const ANSWERS = new Set(['res', 'response', 'resp', 'reply', 'answer', 'result']);
/** Locations whose members may have members. */
const NESTED = new Set(['query', 'cookie', 'body']);
/** An element of a list whose index is not in the text. */
const ELEMENT = '0';
/** A member whose name is data; with a name after it: the value that the program calls so. */
const ANY = '*';
/** Methods that return elements of their list. */
const PICKING = new Set(['at', 'find', 'findLast', 'pop', 'shift']);
/** Methods that return a list with the same elements. */
const KEEPING = new Set(['filter', 'slice', 'sort', 'reverse', 'toSorted', 'toReversed', 'concat']);
/** Methods of lists, with the position of the parameter of their callback that is an element. */
const OF_ELEMENTS = new Map([
  ['map', 0],
  ['forEach', 0],
  ['filter', 0],
  ['some', 0],
  ['every', 0],
  ['find', 0],
  ['findIndex', 0],
  ['flatMap', 0],
  ['sort', 0],
  ['reduce', 1],
]);
const MAX_DEPTH = 12;

/**
 * @param {Node} expression
 * @param {Rewriter} rewriter
 * @param {number} [depth]
 * @returns {Place | undefined} undefined: the text does not tell
 */
function placeOf(expression, rewriter, depth = 0) {
  const node = inner(expression);
  if (depth > MAX_DEPTH) return undefined;
  switch (node.type) {
    case 'Identifier':
      return rewriter.inputPlaces.get(node.name) ?? placeNamed(namedLocation(node.name, rewriter));
    case 'MemberExpression':
      return placeOfMember(node, rewriter, depth);
    case 'CallExpression':
      return placeOfCall(node, rewriter, depth);
    case 'LogicalExpression':
      return node.operator === '&&' ? undefined : placeOf(node.left, rewriter, depth + 1);
    default:
      return undefined;
  }
}

/** @param {string} name of a variable @param {Rewriter} rewriter @returns {string | undefined} */
const namedLocation = (name, rewriter) => rewriter.inputNames.get(name) ?? NAMES.get(name);

/** @param {string | undefined} location @returns {Place | undefined} */
function placeNamed(location) {
  const isNested = location !== undefined && NESTED.has(location);
  return isNested ? { location: /** @type {any} */ (location), path: [] } : undefined;
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @param {number} depth
 * @returns {Place | undefined}
 */
function placeOfMember(node, rewriter, depth) {
  const { object, property } = node;
  if (ANSWERS.has(object.name)) return undefined;
  const holder = placeOf(object, rewriter, depth + 1);
  const isOfInput = holder !== undefined && holder.location !== 'given';
  const named = isOfInput ? '' : locationOfMember(node);
  if (named !== '') return placeNamed(named);
  return holder === undefined || property.type === 'PrivateIdentifier'
    ? undefined
    : below(holder, keyOf(node, rewriter));
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @param {number} depth
 * @returns {Place | undefined}
 */
function placeOfCall(node, rewriter, depth) {
  const callee = inner(node.callee);
  const name = lastName(callee);
  if (isOfObject(callee)) return undefined;
  if (callee.type === 'MemberExpression' && (PICKING.has(name) || KEEPING.has(name))) {
    const list = placeOf(callee.object, rewriter, depth + 1);
    if (list !== undefined) return KEEPING.has(name) ? list : below(list, ELEMENT);
  }
  return placeNamed(locationOf(node, rewriter));
}

/** @param {Node} callee @returns {boolean} whether it is `Object.entries` or the like */
function isOfObject(callee) {
  return callee.type === 'MemberExpression' && callee.object.name === 'Object';
}

/**
 * @param {Place} place of what is read as a list
 * @returns {string[]} the path of what is missing if there is none: of a content that is a list itself, an element
 */
function missingList({ location, path }) {
  return path.length === 0 && location === 'body' ? [ELEMENT] : path;
}

/** @param {Place} place @param {string} key @returns {Place} */
function below({ location, path }, key) {
  return { location, path: [...path, key] };
}

/**
 * @param {Node} member
 * @param {Rewriter} rewriter
 * @returns {string} its key, as far as the text tells
 */
function keyOf({ property, computed }, rewriter) {
  if (!computed) return property.name;
  if (property.type === 'Literal') return String(property.value);
  const isIndex = property.type === 'BinaryExpression' || property.type === 'UpdateExpression';
  return isIndex || rewriter.indexNames.has(property.name) ? ELEMENT : ANY + lastName(property);
}

/**
 * @param {Node} list
 * @param {Rewriter} rewriter
 * @returns {{ place: Place, isEntry: boolean } | undefined} where its elements lie; `isEntry`: they are keys and values
 */
function elementOf(list, rewriter) {
  const node = inner(list);
  const callee = node.type === 'CallExpression' ? inner(node.callee) : undefined;
  if (callee === undefined || !isOfObject(callee)) {
    const place = placeOf(node, rewriter);
    return place === undefined ? undefined : { place: below(place, ELEMENT), isEntry: false };
  }
  const isEntry = lastName(callee) === 'entries';
  const holder = isEntry || lastName(callee) === 'values' ? placeOf(node.arguments[0] ?? node, rewriter) : undefined;
  return holder === undefined ? undefined : { place: below(holder, ANY), isEntry };
}

/**
 * What a pattern takes apart.
 * @typedef {object} Visitor
 * @property {(name: string, place: Place | undefined) => void} bound called with each variable
 * @property {(position: number, next: string, place: Place) => void} read called with what is read of a value
 */

/**
 * Goes through the values that a pattern takes apart.
 * @param {Node | null} pattern
 * @param {Place | undefined} place of the value
 * @param {Visitor} visitor
 */
function visitPattern(pattern, place, visitor) {
  switch (pattern?.type) {
    case 'Identifier':
      return visitor.bound(pattern.name, place);
    case 'AssignmentPattern':
      return visitPattern(pattern.left, place, visitor);
    case 'ArrayPattern':
      return visitElements(pattern, place, visitor);
    case 'ObjectPattern':
      return visitMembers(pattern, place, visitor);
  }
}

/** @param {Node} pattern @param {Place | undefined} place @param {Visitor} visitor */
function visitElements(pattern, place, visitor) {
  if (place !== undefined) visitor.read(pattern.start, ITERATOR, place);
  for (const [at, element] of pattern.elements.entries()) {
    visitPattern(element, place && below(place, String(at)), visitor);
  }
}

/** @param {Node} pattern @param {Place | undefined} place @param {Visitor} visitor */
function visitMembers(pattern, place, visitor) {
  let isFirst = true;
  for (const { type, computed, key, value, argument } of pattern.properties) {
    const name = type === 'Property' && !computed ? (key.name ?? String(key.value)) : undefined;
    if (isFirst && name !== undefined && place !== undefined) visitor.read(pattern.start, name, place);
    isFirst = false;
    if (type === 'RestElement') visitPattern(argument, undefined, visitor);
    else visitPattern(value, name === undefined ? undefined : placeWithin(place, name), visitor);
  }
}

/** @param {Place | undefined} holder @param {string} name @returns {Place | undefined} */
function placeWithin(holder, name) {
  const isOfInput = holder !== undefined && holder.location !== 'given';
  return isOfInput || !NAMES.has(name) ? holder && below(holder, name) : placeNamed(NAMES.get(name));
}

module.exports = { ANY, ITERATOR, OF_ELEMENTS, elementOf, missingList, placeOf, visitPattern };
