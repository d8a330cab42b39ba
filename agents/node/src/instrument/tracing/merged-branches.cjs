'use strict';
/**
 * Writes branches that only choose values (`c === 'X' ? 10 : n`, `if (d > 9) d -= 9`) so that the value is an
 * expression over both outcomes, and the path does not depend on which of them it was.
 *
 * The branch that is not taken is computed as well, from names of the same function that are bound already, constants,
 * members and operators. The handle does that only for primitive values and plain members, so it runs no code of the
 * program; where it cannot, the outcome is a condition of the path like any other.
 */

const { inner } = require('./name-scopes.cjs');
const { assignedBy } = require('./assigned-values.cjs');
const { NONE } = require('./pattern-shadows.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {{code: string, shadow: string}} Traced */
/** @typedef {{code: string, shadow: string, isMerging: string}} Former what a name was before a branch assigns to it */

const OPERATORS = new Set(
  ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'].concat(['===', '!==', '<', '<=', '>', '>=']),
);
const SIGNS = new Set(['-', '+', '~', '!']);
const MAX_DEPTH = 8;
const MAX_NAMES = 3;

/**
 * @param {Node} node
 * @param {Expressions} writer
 * @param {Map<string, Former> | null} formers by the names that branches assign to
 * @param {number} [depth]
 * @returns {Traced | null} code that computes the node without an effect; null if there is none
 */
function pure(node, writer, formers, depth = 0) {
  const plain = inner(node);
  if (depth > MAX_DEPTH) return null;
  const write = PURE[plain.type];
  return write === undefined ? null : write(plain, writer, (part) => pure(part, writer, formers, depth + 1), formers);
}

/** @typedef {(part: Node) => Traced | null} Part */

/** @typedef {Map<string, Former> | null} Formers */

/** @type {Record<string, (node: Node, writer: Expressions, part: Part, formers: Formers) => Traced | null>} */
const PURE = {
  Literal: (node, writer) =>
    ['number', 'string', 'boolean'].includes(typeof node.value)
      ? { code: constantText(node, writer), shadow: NONE }
      : null,
  Identifier: ({ name }, writer, _part, formers) => {
    const former = formers?.get(name);
    if (former !== undefined) return { code: former.code, shadow: former.shadow };
    return writer.names.isBound(name) ? { code: name, shadow: writer.companionOf(name) } : null;
  },
  UnaryExpression: ({ operator, argument }, writer, part) => {
    const operand = SIGNS.has(operator) ? part(argument) : null;
    return operand && computed(writer, 'pu', operator, [operand]);
  },
  BinaryExpression: ({ operator, left, right }, writer, part) => {
    if (!OPERATORS.has(operator) || left.type === 'PrivateIdentifier') return null;
    const operands = [part(left), part(right)];
    return operands[0] && operands[1] && computed(writer, 'pb', operator, [operands[0], operands[1]]);
  },
  LogicalExpression: ({ operator, left, right }, writer, part) => {
    const operands = [part(left), part(right)];
    if (!operands[0] || !operands[1] || operator === '??') return null;
    return chosen(writer, operator === '&&' ? [operands[0], operands[1], operands[0]] : [operands[0], ...operands]);
  },
  ConditionalExpression: ({ test, consequent, alternate }, writer, part) => {
    const operands = [part(test), part(consequent), part(alternate)];
    return operands.includes(null) ? null : chosen(writer, operands);
  },
  MemberExpression: ({ object, property, computed: isComputed, optional }, writer, part) => {
    if (optional || inner(object).type !== 'Identifier' || property.type === 'PrivateIdentifier') return null;
    const key = isComputed ? part(property) : { code: JSON.stringify(property.name), shadow: NONE };
    const whole = part(object);
    if (!key || !whole) return null;
    return writer.call('pm', `${whole.code},${whole.shadow},${key.code},${key.shadow}`);
  },
};

/**
 * @param {Node} node a Literal, of the program or without a place in it
 * @param {Expressions} writer
 * @returns {string} it on one line, as it is written twice
 */
const constantText = (node, writer) =>
  node.start !== undefined && writer.lines.areOne(node.start, node.end)
    ? writer.source(node)
    : JSON.stringify(node.value);

/** @param {Expressions} writer @param {string} method @param {string} operator @param {Traced[]} operands */
const computed = (writer, method, operator, operands) =>
  writer.call(method, [JSON.stringify(operator), ...operands.map(({ code, shadow }) => `${code},${shadow}`)].join(','));

/** @param {Expressions} writer @param {any[]} operands a test, and the values that it chooses from */
const chosen = (writer, operands) =>
  writer.call('pc', operands.map(({ code, shadow }) => `${code},${shadow}`).join(','));

/** @param {Expressions} writer @param {Traced} traced @returns {string} leaves its shadow in `$.s` */
const leaving = ({ handle }, { code, shadow }) => (shadow === `${handle}.s` ? code : `${handle}.v(${code},${shadow})`);

/**
 * @param {Node} test
 * @param {Expressions} writer
 * @returns {boolean} whether it has an outcome before all is evaluated
 */
function isSplit(test, writer) {
  const { type, operator, left, right } = inner(test);
  if (type !== 'LogicalExpression') return false;
  return operator === '??' || pure(right, writer, null) === null || isSplit(left, writer);
}

/**
 * @param {Node} node a LogicalExpression of `&&` or `||`
 * @param {Expressions} writer
 * @param {{shown: Traced, position: number}} left its left operand, and where the operator stands
 * @returns {Traced | undefined} both operands as one value: `c >= '0' && c <= '9'` does not depend on which one decided
 */
function mergedLogical({ operator, right }, writer, { shown, position }) {
  const other = pure(right, writer, null);
  if (other === null) return undefined;
  const [tested, shadow, isMerging] = [writer.temporary(), writer.temporary(), writer.temporary()];
  const noted = writer.condition(position, `${operator} left`, shown);
  const decided = writer.call('v', `${tested},${shadow}`).code;
  const evaluated = writer.below(right, writer.left(right));
  const isAnd = operator === '&&';
  const parts = [
    `['',${tested}=(${noted.code}),${shadow}=${noted.shadow}]`,
    `${tested}?${isAnd ? `${evaluated}:${decided}` : `${decided}:${evaluated}`}`,
    `${writer.handle}.s`,
    `${isMerging}=${writer.handle}.isMerging(${tested},${shadow})`,
    `${isMerging}?(${tested}?${isAnd ? decided : leaving(writer, other)}:${isAnd ? leaving(writer, other) : decided}):0`,
  ];
  return writer.call('join', parts.join(','));
}

/** @param {Node} node a ConditionalExpression @param {Expressions} writer @returns {Traced | undefined} */
function mergedConditional({ test, consequent, alternate }, writer) {
  const [yes, no] = [pure(consequent, writer, null), pure(alternate, writer, null)];
  if (yes === null || no === null || isSplit(test, writer)) return undefined;
  const names = [writer.temporary(), writer.temporary(), writer.temporary()];
  const [tested, shadow, isMerging] = names;
  const condition = writer.expression(test);
  const parts = [
    `[${writer.place(test.start, '?:')},${tested}=(${condition.code}),${shadow}=${condition.shadow}]`,
    `${tested}?${writer.below(consequent, writer.left(consequent))}:${writer.below(alternate, writer.left(alternate))}`,
    `${writer.handle}.s`,
    `${isMerging}=${writer.handle}.isMerging(${tested},${shadow})`,
    `${isMerging}?(${tested}?${leaving(writer, no)}:${leaving(writer, yes)}):0`,
  ];
  return writer.call('join', parts.join(','));
}

/**
 * @param {Node} node an IfStatement
 * @param {Expressions} writer
 * @returns {string | undefined} the statement, if its branches only assign to a few names
 */
function mergedIf(node, writer) {
  if (isSplit(node.test, writer)) return undefined;
  const yes = assignedBy(node.consequent, writer);
  const no = node.alternate === null ? new Map() : assignedBy(node.alternate, writer);
  if (yes === null || no === null) return undefined;
  const formers = formersOf(new Set([...yes.keys(), ...no.keys()]), writer);
  const [tested, shadow] = [writer.temporary(), writer.temporary()];
  const { test } = node;
  const parts = [...formers].map(([name, former]) => {
    const outcomes = [yes, no].map((of) => (of.has(name) ? pure(of.get(name), writer, formers) : former));
    if (outcomes[0] === null || outcomes[1] === null) return null;
    const companion = writer.companionOf(name);
    const joined = [
      `[${writer.place(test.start, 'if')},${tested},${shadow}],${name},${companion}`,
      `${former.isMerging}=${writer.handle}.isMerging(${tested},${shadow})`,
      `${former.isMerging}?(${tested}?${leaving(writer, outcomes[1])}:${leaving(writer, outcomes[0])}):0`,
    ];
    return `${companion}=(${writer.handle}.join(${joined.join(',')}),${writer.handle}.s);`;
  });
  if (parts.length === 0 || parts.includes(null)) return undefined;
  const condition = writer.expression(test);
  const kept = [`${tested}=(${condition.code}),${shadow}=${condition.shadow}`].concat(
    [...formers].map(([name, { code, shadow: old }]) => `${code}=${name},${old}=${writer.companionOf(name)}`),
  );
  const body = writer.copiedRange({ ...node, test: null }, test.end, node.end);
  const before = writer.original.slice(node.start, test.start);
  return `{${before}(${kept.join(',')},${tested})${body};${parts.join('')}}`;
}

/**
 * @param {Set<string>} names
 * @param {Expressions} writer
 * @returns {Map<string, Former>} where their values before the statement are kept; empty if one of them has none
 */
function formersOf(names, writer) {
  const formers = new Map();
  if (names.size > MAX_NAMES) return formers;
  for (const name of names) {
    if (writer.companionOf(name) === NONE || !writer.names.isBound(name)) return new Map();
    formers.set(name, { code: writer.temporary(), shadow: writer.temporary(), isMerging: writer.temporary() });
  }
  return formers;
}

PURE.UpdateExpression = ({ operator, argument }, writer, part) => {
  const old = part(argument);
  return old && computed(writer, 'pb', operator[0], [old, { code: '1', shadow: NONE }]);
};

module.exports = { formersOf, mergedConditional, mergedIf, mergedLogical, pure };
