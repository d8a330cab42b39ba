'use strict';
/**
 * Chains of express-validator as JSON Schema. A chain names the part of the request, and the member, that it checks.
 */

const {
  WeakMap,
  functionText,
  indexOf,
  isProxy,
  slice,
  startsWith,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { demand, elements, merged, node, optional, read } = require('./schema-translation.cjs');
const { textRule } = require('./text-rules.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */

/** Locations of express-validator -> parts of a call. @type {Record<string, string>} */
const PARTS = {
  __proto__: /** @type {any} */ (null),
  body: 'body',
  query: 'query',
  params: 'path',
  headers: 'header',
  cookies: 'cookie',
};
const MAX_FIELDS = 20;

/** List of checks -> the limits of `isArray`, by its place in the list. @type {WeakMap<object, Node>} */
const listLimits = new WeakMap();

/**
 * Contexts are made for each request: list of checks -> an object that stands for the chain.
 * @type {WeakMap<object, object>}
 */
const chains = new WeakMap();

/**
 * @param {any} context of a chain that was run
 * @param {any} request
 * @returns {{ key: object, value: unknown, place: string[] }[]}
 */
function placesOf(context, request) {
  const found = [];
  const fields = /** @type {any[]} */ (elements(read(context, 'fields')));
  const locations = elements(read(context, 'locations'));
  const stack = read(context, 'stack');
  if (typeof stack !== 'object' || stack === null) return [];
  const first = elements(stack)[0];
  // The checks of a chain are the same objects in each of its contexts.
  const owner = typeof first === 'object' && first !== null && !isProxy(first) ? first : stack;
  const key = weakMapGet(chains, owner) ?? {};
  weakMapSet(chains, owner, key);
  for (let at = 0; at < fields.length && at < MAX_FIELDS; at++) {
    const location = locationOf(locations, request);
    if (typeof fields[at] !== 'string' || location === '') continue;
    const path = pathOf(fields[at]);
    let value = read(request, location);
    for (let index = 0; index < path.length; index++) value = read(value, path[index]);
    found[found.length] = { key, value, place: [PARTS[location], ...path] };
  }
  return found;
}

/**
 * `check()` looks into several parts: the body is the likeliest for calls that have one.
 * @param {unknown[]} locations
 * @param {any} request
 */
function locationOf(locations, request) {
  if (locations.length === 1) return PARTS[/** @type {string} */ (locations[0])] === undefined ? '' : '' + locations[0];
  const method = read(request, 'method');
  const wanted = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? 'query' : 'body';
  for (let index = 0; index < locations.length; index++) if (locations[index] === wanted) return wanted;
  return '';
}

/** @param {string} field `a.b[0].c`; `*` stands for all elements @returns {string[]} */
function pathOf(field) {
  const path = [];
  let name = '';
  for (let index = 0; index <= field.length; index++) {
    const character = index === field.length ? '.' : field[index];
    if (character === '.' || character === '[' || character === ']') {
      if (name !== '') path[path.length] = name;
      name = '';
    } else if (character !== '"' && character !== "'") name += character;
  }
  return path;
}

/**
 * @param {any} context
 * @returns {Node} of the member
 */
function contextSchema(context) {
  const result = node();
  const checks = read(context, 'stack');
  const stack = elements(checks);
  const limits = limitsOf(checks);
  const isOptional = read(context, 'optional') !== false && read(context, 'optional') !== undefined;
  let isDemanded = false;
  for (let index = 0; index < stack.length; index++) {
    const item = stack[index];
    const check = read(item, 'validator');
    // What follows a sanitizer is about its result, except for one that cuts blanks off.
    if (typeof read(item, 'sanitizer') === 'function' && !isHarmless(read(item, 'sanitizer'))) break;
    if (typeof check !== 'function' || isProxy(check)) continue;
    const isClosure = read(item, 'options') === undefined;
    const added = isClosure ? closureRule(check, read(item, 'negated') === true, limits[index]) : rule(item, check);
    if (added === null) continue;
    isDemanded = true;
    demand(result, added);
  }
  return isDemanded && !isOptional ? result : optional(result);
}

/**
 * Called before a chain gets the check `isArray`.
 * @param {any} builder of the chain's contexts
 * @param {any} options
 */
function noteListLimits(builder, options) {
  const stack = read(builder, 'stack');
  if (typeof stack !== 'object' || stack === null || isProxy(stack)) return;
  const known = weakMapGet(listLimits, stack) ?? node();
  known[elements(stack).length] = options;
  weakMapSet(listLimits, stack, known);
}

/** @param {unknown} checks of a chain @returns {Node} the limits of `isArray` by its place in them */
function limitsOf(checks) {
  const known = typeof checks === 'object' && checks !== null ? weakMapGet(listLimits, checks) : undefined;
  return known ?? node();
}

/** @param {any} options of `isArray` @returns {Node} */
function listSchema(options) {
  const result = node({ type: 'array' });
  const min = read(options, 'min');
  const max = read(options, 'max');
  if (typeof min === 'number') result.minItems = min;
  if (typeof max === 'number') result.maxItems = max;
  return result;
}

/** @param {unknown} sanitizer */
function isHarmless(sanitizer) {
  const name = read(sanitizer, 'name');
  return name === 'trim' || name === 'escape' || name === 'rtrim' || name === 'ltrim' || name === 'normalizeEmail';
}

/**
 * @param {any} item a check of the package `validator`
 * @param {Function} check
 * @returns {Node | null}
 */
function rule(item, check) {
  const name = read(check, 'name');
  if (typeof name !== 'string') return null;
  if (read(item, 'negated') === true) return name === 'isEmpty' ? node({ minLength: 1 }) : null;
  const known = textRule(name, elements(read(item, 'options')));
  return known === null || known.type !== undefined || known.enum !== undefined
    ? known
    : merged(node({ type: 'string' }), known);
}

/**
 * Checks that the library has as closures of its own, recognised by their texts.
 * @param {Function} check
 * @param {boolean} isNegated
 * @param {any} listOptions
 * @returns {Node | null}
 */
function closureRule(check, isNegated, listOptions) {
  const text = functionText(check);
  if (isNegated) return null;
  if (text === "value => typeof value === 'string'") return node({ type: 'string' });
  if (startsWith(text, 'value => Array.isArray(value) &&')) return listSchema(listOptions);
  if (startsWith(text, "value => typeof value === 'object' &&")) return node({ type: 'object' });
  if (text === 'value => value !== undefined' || text === 'value => !!value' || text === 'value => value != null') {
    return node();
  }
  if (indexOf(slice(text, 0, 40), 'ulid') >= 0) return textRule('isULID', []);
  return null;
}

module.exports = { contextSchema, noteListLimits, placesOf };
