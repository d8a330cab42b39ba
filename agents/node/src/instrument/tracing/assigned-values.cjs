'use strict';
/**
 * What statements assign, if they do nothing else: each name with its new value, as an expression over the values that
 * names had before. `if (c === '(') deepest = Math.max(deepest, ++depth); else depth--;` assigns to two names.
 */

const { inner } = require('./name-scopes.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {Map<string, Node>} Values the new values of names */

const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>']);
const MAX_STATEMENTS = 4;
/** @type {Record<string, string>} */
const CHOSEN_BY = { max: '>', min: '<' };

/**
 * @param {Node} statement
 * @param {Expressions} writer
 * @param {Values} [before] what was assigned before it
 * @returns {Values | null} what is assigned then; null if the statement may do anything else
 */
function assignedBy(statement, writer, before = new Map()) {
  const values = new Map(before);
  switch (statement.type) {
    case 'EmptyStatement':
      return values;
    case 'ExpressionStatement':
      return valueOf(statement.expression, writer, values) === null ? null : values;
    case 'BlockStatement':
      return assignedInTurn(statement.body, writer, values);
    case 'IfStatement':
      return ofEither(statement, writer, values);
    default:
      return null;
  }
}

/** @param {Node[]} statements @param {Expressions} writer @param {Values} before @returns {Values | null} */
function assignedInTurn(statements, writer, before) {
  if (statements.length > MAX_STATEMENTS) return null;
  /** @type {Values | null} */
  let values = before;
  for (const one of statements) if (values !== null) values = assignedBy(one, writer, values);
  return values;
}

/** @param {Node} node an IfStatement @param {Expressions} writer @param {Values} values @returns {Values | null} */
function ofEither({ test, consequent, alternate }, writer, values) {
  const condition = valueOf(test, writer, values);
  const yes = assignedBy(consequent, writer, values);
  const no = alternate === null ? values : assignedBy(alternate, writer, values);
  if (condition === null || yes === null || no === null) return null;
  const all = new Map(values);
  for (const name of new Set([...yes.keys(), ...no.keys()])) {
    const old = { type: 'Identifier', name };
    all.set(name, chosen(condition, yes.get(name) ?? old, no.get(name) ?? old));
  }
  return all;
}

/** @param {any} test @param {any} consequent @param {any} alternate @returns {any} */
const chosen = (test, consequent, alternate) => ({ type: 'ConditionalExpression', test, consequent, alternate });

/**
 * @param {Node} node
 * @param {Expressions} writer
 * @param {Values} values gets what the expression assigns
 * @returns {any} the expression over the values of names before; null if it may do anything else than assign
 */
function valueOf(node, writer, values) {
  const plain = inner(node);
  const write = VALUES[plain.type];
  return write === undefined ? null : write(plain, (part, own = values) => valueOf(part, writer, own), values, writer);
}

/** @typedef {(part: Node, own?: Values) => any} Part */

/** @type {Record<string, (node: Node, part: Part, values: Values, writer: Expressions) => any>} */
const VALUES = {
  Literal: (node) => node,
  Identifier: (node, _part, values) => values.get(node.name) ?? node,
  UnaryExpression: (node, part) => withParts(node, part, ['argument']),
  BinaryExpression: (node, part) => withParts(node, part, ['left', 'right']),
  MemberExpression: (node, part) => withParts(node, part, node.computed ? ['object', 'property'] : ['object']),
  LogicalExpression: (node, part, values) => withoutEffect(node, part, ['left', 'right'], values),
  ConditionalExpression: (node, part, values) => withoutEffect(node, part, ['test', 'consequent', 'alternate'], values),
  UpdateExpression: (node, part, values) => {
    if (node.argument.type !== 'Identifier') return null;
    const old = { type: 'UnaryExpression', operator: '+', argument: part(node.argument) };
    const value = { ...node, argument: old };
    values.set(node.argument.name, value);
    return node.prefix ? value : old;
  },
  AssignmentExpression: ({ operator, left, right }, part, values) => {
    if (left.type !== 'Identifier') return null;
    const binary = operator.slice(0, -1);
    const [old, given] = [part(left), part(right)];
    if (given === null || (binary !== '' && !ARITHMETIC.has(binary))) return null;
    const value = binary === '' ? given : { type: 'BinaryExpression', operator: binary, left: old, right: given };
    values.set(left.name, value);
    return value;
  },
  CallExpression: ({ callee, arguments: passed, optional }, part, _values, writer) => {
    const { object, property, computed } = callee;
    if (optional || computed || object?.name !== 'Math' || writer.names.isKnown('Math')) return null;
    const operator = CHOSEN_BY[property.name];
    if (operator === undefined || passed.length !== 2) return null;
    const [left, right] = passed.map((/** @type {Node} */ one) => part(one));
    return left && right && chosen({ type: 'BinaryExpression', operator, left, right }, left, right);
  },
};

/** @param {Node} node @param {Part} part @param {string[]} names of its operands @returns {any} */
function withParts(node, part, names) {
  /** @type {any} */
  const copy = { ...node };
  for (const name of names) {
    copy[name] = part(node[name]);
    if (copy[name] === null) return null;
  }
  return copy;
}

/**
 * @param {Node} node an expression of which perhaps only some operands are evaluated
 * @param {Part} part
 * @param {string[]} names
 * @param {Values} values
 * @returns {any} null also if an operand assigns anything
 */
function withoutEffect(node, part, names, values) {
  const own = new Map(values);
  const value = withParts(node, (one) => part(one, own), names);
  return [...own].every(([name, one]) => values.get(name) === one) ? value : null;
}

module.exports = { assignedBy, assignedInTurn };
