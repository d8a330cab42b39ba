'use strict';
/** Writes assignments to names and members, and `++` and `--`. */

const { isNamedByPlace } = require('./name-scopes.cjs');
const { NONE } = require('./pattern-shadows.cjs');
const { isSuper, unwrapped } = require('./written-operands.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {import('./written-operands.cjs').Traced} Traced */
/** @typedef {import('./written-operands.cjs').Writer} Writer */

/** @type {Writer} */
function update(node, writer) {
  const { argument: operand, operator, prefix } = node;
  if (operand.type === 'MemberExpression' && !isSuper(operand.object)) return updatedMember(node, writer);
  if (operand.type !== 'Identifier') return undefined;
  const companion = writer.companionOf(operand.name);
  if (companion === NONE) return undefined;
  const { name } = operand;
  const old = writer.temporary();
  const shadow = writer.temporary();
  const step = `${name}=${writer.handle}.n(${old},${shadow},${operator === '++' ? 1 : -1}),${companion}=${writer.handle}.s`;
  const bound = `${old}=${writer.handle}.numeric(${name}),${shadow}=${companion}`;
  return prefix ? writer.call('last', `${bound},${step}`) : writer.call('first', `${bound},${step}`);
}

/** @type {Writer} */
function updatedMember({ argument, operator, prefix }, writer) {
  const { handle } = writer;
  const { bind, use } = writer.object(argument);
  const key = writer.key(argument);
  const place = `${use}${key.access}`;
  const keyShadow = key.shadow === NONE ? NONE : writer.temporary();
  const bound = keyShadow === NONE ? NONE : `${keyShadow}=${key.shadow}`;
  const [old, shadow] = [writer.temporary(), writer.temporary()];
  const read = `${old}=${handle}.numeric(${handle}.m(${use},0,${key.use},${keyShadow},${place})),${shadow}=${handle}.s`;
  const next = `${place}=${handle}.n(${read},${operator === '++' ? 1 : -1})`;
  const written = writer.call('set', `${bind},${key.bind},${bound},${next},${handle}.s`);
  return prefix ? written : writer.call('last', `${written.code},${old},${shadow}`);
}

/** @type {Writer} */
function assignment(node, writer) {
  const { left } = node;
  if (left.type === 'Identifier') return assignedName(node, writer);
  return left.type === 'MemberExpression' && !isSuper(left.object) ? assignedMember(node, writer) : undefined;
}

/** @type {Writer} */
function assignedName({ operator, left, right }, writer) {
  const companion = writer.companionOf(left.name);
  if (companion === NONE || isNamedByPlace(right)) return undefined;
  const { handle } = writer;
  if (operator === '=') {
    const { code, shadow } = unwrapped(right, writer);
    return writer.call('last', `${left.name}=${writer.below(right, code)},${companion}=${shadow}`);
  }
  if (operator === '&&=' || operator === '||=' || operator === '??=') return undefined;
  const operands = `${left.name},${companion},${writer.pair(right)}`;
  const computed = `${handle}.b(${JSON.stringify(operator.slice(0, -1))},${operands})`;
  return writer.call('last', `${left.name}=${computed},${companion}=${handle}.s`);
}

/** @type {Writer} */
function assignedMember({ operator, left, right }, writer) {
  if (operator === '&&=' || operator === '||=' || operator === '??=') return undefined;
  const { handle } = writer;
  if (operator === '=' && isNamedByPlace(right)) {
    // V8 names a function in stacks after the text around it.
    return { code: `(${writer.plain(() => writer.copied(left))}=${writer.text(right)})`, shadow: NONE };
  }
  const { bind, use } = writer.object(left);
  const key = writer.key(left);
  const place = `${use}${key.access}`;
  if (operator === '=') {
    const { code, shadow } = unwrapped(right, writer);
    const assigned = `${place}=${writer.below(right, code)}`;
    return writer.call('set', `${bind},${key.bind},${key.shadow},${assigned},${shadow}`);
  }
  const keyShadow = key.shadow === NONE ? NONE : writer.temporary();
  const bound = keyShadow === NONE ? NONE : `${keyShadow}=${key.shadow}`;
  const old = `${handle}.m(${use},0,${key.use},${keyShadow},${place})`;
  const computed = `${handle}.b(${JSON.stringify(operator.slice(0, -1))},${old},${handle}.s,${writer.pair(right)})`;
  return writer.call('set', `${bind},${key.bind},${bound},${place}=${computed},${handle}.s`);
}

module.exports = { assignment, update };
