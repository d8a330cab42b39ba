'use strict';
/**
 * Determines from the text what a program takes a value for, by the operators and functions that it gives the value to:
 * `V.map(...)` takes it for a list, `V.startsWith(...)` for a text, `for (E of V)` for one of the two. A value is known
 * by its last name: `rows` of `data.rows`, and of a variable that has that name or was declared with it.
 */

const { inner, lastName } = require('./input-names.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/**
 * @typedef {'list' | 'iterable' | 'record' | 'object' | 'text' | 'number' | 'boolean' | 'condition' | 'date' |
 *   'json' | 'base64' | 'token' | 'address'} Use
 */
// `iterable`: a list or a text. `record`: an object whose keys are data. `condition`: only its truth is read.
// `address`: a URL.
/** @typedef {[value: Node, use: Use]} Used */

const ITSELF = new Set(['constructor', 'toString', 'toLocaleString', 'valueOf']);

/** @param {object} prototype @param {object} other @returns {Set<string>} methods that only the first one has */
function methodsOnlyOf(prototype, other) {
  return new Set(Object.getOwnPropertyNames(prototype).filter((name) => !(name in other) && !ITSELF.has(name)));
}

const OF_LISTS = methodsOnlyOf(Array.prototype, String.prototype);
const OF_TEXTS = methodsOnlyOf(String.prototype, Array.prototype);
/** Methods of lists whose callback returns a condition. */
const TESTERS = new Set(['filter', 'find', 'findIndex', 'findLast', 'some', 'every']);
const OF_NUMBERS = new Set(['toFixed', 'toPrecision', 'toExponential']);

/** Functions -> what they take their first argument for. @type {Map<string, Use>} */
const ARGUMENTS = new Map([
  ['Number', 'number'],
  ['parseInt', 'number'],
  ['parseFloat', 'number'],
  ['isFinite', 'number'],
  ['isInteger', 'number'],
  ['isNaN', 'number'],
  ['isArray', 'list'],
  ['Set', 'iterable'],
  ['Map', 'list'],
  ['fromEntries', 'list'],
  ['allSettled', 'list'],
  ['all', 'list'],
  ['keys', 'record'],
  ['values', 'record'],
  ['entries', 'record'],
  ['Date', 'date'],
  ['parseISO', 'date'],
  ['dayjs', 'date'],
  ['moment', 'date'],
  ['atob', 'base64'],
  ['URL', 'address'],
  ['fetch', 'address'],
  ['jwtDecode', 'token'],
  ['jwt_decode', 'token'],
  ['decodeJwt', 'token'],
  ['decodeProtectedHeader', 'token'],
]);
/**
 * Objects -> their functions, and what these take their first argument for; an empty name: all of them.
 * @type {Map<string, Map<string, Use>>}
 */
const METHODS = new Map([
  ['Math', new Map([['', /** @type {Use} */ ('number')]])],
  ['JSON', new Map([['parse', /** @type {Use} */ ('json')]])],
  ['Date', new Map([['parse', /** @type {Use} */ ('date')]])],
  ['jwt', new Map([['decode', /** @type {Use} */ ('token')]])],
]);
/** Classes whose functions take values: `Object.keys(V)`, but not `map.keys()`. */
const OF_CLASSES = new Set(['Object', 'Array', 'Promise', 'Number', 'Reflect']);
/** Functions of lodash and the like that take a list first, by their own names or as members of these variables. */
const OF_LODASH = new Set(['_', 'lodash', 'fp', 'R']);
const LODASH_LISTS = new Set([
  ...['groupBy', 'keyBy', 'countBy', 'indexBy', 'sortBy', 'orderBy', 'uniqBy', 'sumBy', 'maxBy', 'minBy', 'meanBy'],
  ...['partition', 'chunk', 'compact', 'flatten', 'uniq'],
]);
/** Functions whose name says nothing without the class that has them. */
const ONLY_OF_CLASSES = new Set([
  'keys',
  'values',
  'entries',
  'all',
  'allSettled',
  'fromEntries',
  'isArray',
  'isInteger',
]);
const ARITHMETIC = new Set(['<', '>', '<=', '>=', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);
const EQUALITY = new Set(['===', '!==', '==', '!=']);
/** @type {Record<string, Use>} */
const OF_TYPES = { string: 'text', number: 'number', boolean: 'boolean', object: 'object' };

/**
 * @param {Node} expression
 * @returns {Node} the value that it usually is: without a default, and what only encloses it
 */
function usualValue(expression) {
  const node = inner(expression);
  return node.type === 'LogicalExpression' && node.operator !== '&&' ? usualValue(node.left) : node;
}

/**
 * @param {Node} expression
 * @returns {string} the last name of a value; empty if it has none
 */
function valueName(expression) {
  const node = usualValue(expression);
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') return lastRead(node);
  if (node.type !== 'MemberExpression') return '';
  if (!node.computed) return node.property.name ?? '';
  return typeof node.property.value === 'string' ? node.property.value : '';
}

/** @param {Node} call @returns {string} what it reads by a path: `sku` for `get(data, 'items[0].sku')` */
function lastRead({ callee, arguments: [, path] }) {
  const isRead = lastName(inner(callee)) === 'get' && typeof path?.value === 'string';
  return isRead ? (/[\w$-]+$/.exec(path.value)?.[0] ?? '') : '';
}

/** @param {Node} call or `new` @returns {Used[]} */
function usesOfCall(call) {
  const callee = inner(call.callee);
  const name = lastName(callee);
  const holder = callee.type === 'MemberExpression' && !callee.computed ? callee.object : undefined;
  const found = holder !== undefined && call.type === 'CallExpression' ? usesOfMethod(name, holder, call) : [];
  const [first] = call.arguments;
  if (first === undefined) return found;
  const use = first.type === 'SpreadElement' ? undefined : useOfArgument(name, holder, call);
  if (use !== undefined) found.push([first, use]);
  for (const one of call.arguments) if (isSpread(one)) found.push([one.argument, 'iterable']);
  return found;
}

/** @param {string} name @param {Node} holder of the method @param {Node} call @returns {Used[]} */
function usesOfMethod(name, holder, call) {
  /** @type {Used[]} */
  const found = [];
  const use = useOfMethod(name);
  if (use !== undefined) found.push([holder, use]);
  const [first] = call.arguments;
  if (name === 'split' && first?.value === '.') found.push([holder, 'token']);
  const isShort = first?.type === 'ArrowFunctionExpression' && first.body.type !== 'BlockStatement';
  if (TESTERS.has(name) && isShort) found.push([first.body, 'condition']);
  if (name === 'reduce' && isShort && useOfLiteral(call.arguments[1]) === 'number') {
    found.push(...usesOfSum(first.body, 'number'));
  }
  return found;
}

/** @param {Node} node @param {Use} use of the whole @returns {Used[]} the value, and each that is added up in it */
function usesOfSum(node, use) {
  const sum = inner(node);
  if (use !== 'number' || sum.type !== 'BinaryExpression' || sum.operator !== '+') return [[node, use]];
  if (isTextual(sum.left) || isTextual(sum.right)) return [];
  return [...usesOfSum(sum.left, use), ...usesOfSum(sum.right, use)];
}

/** @param {string} name @returns {Use | undefined} */
function useOfMethod(name) {
  if (OF_LISTS.has(name)) return 'list';
  if (OF_TEXTS.has(name)) return 'text';
  return OF_NUMBERS.has(name) ? 'number' : undefined;
}

/**
 * @param {string} name of the function
 * @param {Node | undefined} holder
 * @param {Node} call
 * @returns {Use | undefined}
 */
function useOfArgument(name, holder, { arguments: [, second] }) {
  const of = holder === undefined ? '' : lastName(holder);
  if (of === 'Buffer') return name === 'from' && /^base64/.test(second?.value) ? 'base64' : undefined;
  if (takesList(name, of)) return 'list';
  const method = METHODS.get(of);
  if (method !== undefined) return method.get(name) ?? method.get('');
  const isOfClass = OF_CLASSES.has(of);
  if (ONLY_OF_CLASSES.has(name) ? !isOfClass : of !== '' && !isOfClass) return undefined;
  return ARGUMENTS.get(name);
}

/** @param {string} name @param {string} of the variable that has it @returns {boolean} */
function takesList(name, of) {
  if (OF_LODASH.has(of)) return LODASH_LISTS.has(name) || OF_LISTS.has(name);
  return of === '' && LODASH_LISTS.has(name);
}

/** @param {Node} binary @returns {Used[]} */
function usesOfBinary({ operator, left, right }) {
  if (ARITHMETIC.has(operator)) {
    const use = isTextual(left) || isTextual(right) ? 'text' : 'number';
    return [...usesOfSum(left, use), ...usesOfSum(right, use)];
  }
  if (!EQUALITY.has(operator)) return [];
  return [...usesOfEquality(left, right), ...usesOfEquality(right, left)];
}

/** @param {Node} assignment @returns {Used[]} what is added up is a number, or a text */
function usesOfAssignment({ operator, right }) {
  if (operator === '+=' && !isTextual(right)) return [[right, 'number']];
  return ARITHMETIC.has(operator.slice(0, -1)) ? [[right, 'number']] : [];
}

/** @param {Node} value @param {Node} other @returns {Used[]} */
function usesOfEquality(value, other) {
  if (inner(value).type === 'UnaryExpression' && value.operator === 'typeof') {
    const use = OF_TYPES[String(other.value)];
    return use === undefined ? [] : [[value.argument, use]];
  }
  const use = useOfLiteral(other);
  return use === undefined ? [] : usesOfSum(value, use);
}

/** @param {Node | undefined} node @returns {Use | undefined} what is equal to it */
function useOfLiteral(node) {
  if (node === undefined) return undefined;
  if (isTextual(node)) return 'text';
  if (node.type === 'UnaryExpression' && node.operator === '-') return useOfLiteral(node.argument);
  if (node.type !== 'Literal') return undefined;
  return typeof node.value === 'number' || typeof node.value === 'boolean' ? OF_TYPES[typeof node.value] : undefined;
}

/** @param {Node} node */
function isTextual(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

/** @param {Node} member @param {boolean} isCalled @returns {Used[]} what its object is, of which it is read */
function usesOfMember({ object, property, computed }, isCalled) {
  if (computed) {
    const isIndex = typeof property.value === 'number';
    if (isIndex) return [[object, 'iterable']];
    if (typeof property.value === 'string') return [[object, 'object']];
    // `rates[currency]`, or `rows[index]`: the name seldom tells which.
    return property.type === 'Identifier'
      ? [
          [object, 'object'],
          [object, 'iterable'],
        ]
      : [];
  }
  const name = property.name ?? '';
  if (isCalled || name in Array.prototype || name in String.prototype || property.type !== 'Identifier') return [];
  return [[object, 'object']];
}

/** @param {Node} node @returns {Used[]} what it takes the values in it for */
function usesIn(node) {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
      return usesOfCall(node);
    case 'BinaryExpression':
      return usesOfBinary(node);
    case 'AssignmentExpression':
      return usesOfAssignment(node);
    case 'ForOfStatement':
      return [[node.right, bindsMembers(node.left) ? 'list' : 'iterable']];
    case 'ForInStatement':
      return [[node.right, 'record']];
    case 'ArrayExpression':
      return node.elements.filter(isSpread).map((/** @type {Node} */ one) => [one.argument, 'iterable']);
    case 'ObjectExpression':
      return node.properties.filter(isSpread).map((/** @type {Node} */ one) => [one.argument, 'object']);
    case 'SwitchStatement':
      return usesOfCases(node);
    case 'TemplateLiteral':
      return node.expressions.map((/** @type {Node} */ one) => [one, 'text']);
    default:
      return usesOfConditions(node);
  }
}

/** @param {Node} node @returns {Used[]} */
function usesOfConditions(node) {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return [[node.test, 'condition']];
    case 'UnaryExpression':
      return node.operator === '!' ? [[node.argument, 'condition']] : [];
    case 'LogicalExpression':
      return node.operator === '??' ? [] : [[node.left, 'condition']];
    default:
      return [];
  }
}

/** @param {Node} left of `of` @returns {boolean} whether it takes its values apart, which no character allows */
function bindsMembers(left) {
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
  return pattern.type === 'ObjectPattern' || pattern.type === 'ArrayPattern';
}

/** @param {Node | null} node */
const isSpread = (node) => node?.type === 'SpreadElement';

/** @param {Node} statement @returns {Used[]} */
function usesOfCases({ discriminant, cases }) {
  const uses = cases.map((/** @type {Node} */ one) => (one.test ? useOfLiteral(one.test) : undefined));
  const use = uses.find((/** @type {Use | undefined} */ one) => one !== undefined);
  return use === undefined ? [] : [[discriminant, use]];
}

module.exports = { usesIn, usesOfMember, usualValue, valueName };
