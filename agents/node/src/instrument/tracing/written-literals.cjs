'use strict';
/** Writes literals of objects, arrays and templates. */

const { inner, isNamedByPlace } = require('./name-scopes.cjs');
const { NONE } = require('./pattern-shadows.cjs');
const { argument, isSpread, spread } = require('./written-operands.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {import('./written-operands.cjs').Traced} Traced */
/** @typedef {import('./written-operands.cjs').Writer} Writer */

/** @type {Writer} */
function template(node, writer) {
  const { expressions, quasis } = node;
  if (expressions.length === 0) return undefined;
  const texts = quasis.map((/** @type {Node} */ quasi) => JSON.stringify(quasi.value.cooked)).join(',');
  const { handle } = writer;
  const parts = expressions
    .map((/** @type {Node} */ one) => `${handle}.text(${writer.pair(one)}),${handle}.s`)
    .join(',');
  return writer.call('template', `[${texts}],[${parts}]`);
}

/** @type {Writer} */
function objectLiteral(node, writer) {
  const { properties } = node;
  if (properties.every((/** @type {Node} */ one) => !isSpread(one) && !isTracedProperty(one))) return undefined;
  const list = writer.temporary();
  const { handle } = writer;
  const parts = writer.eachOnItsLine(properties, (/** @type {Node} */ property) => {
    if (isSpread(property)) return `...${handle}.source(${list},${argument(property, writer.text(property.argument))})`;
    if (!isTracedProperty(property)) return writer.text(property);
    const { key, value } = property;
    const name = key.type === 'Identifier' ? JSON.stringify(key.name) : writer.source(key);
    return `${writer.source(key)}:${handle}.kept(${list},${name},${writer.pair(value)})`;
  });
  return { code: `${handle}.literal(${list}=${handle}.list(),{${parts.join(',')}})`, shadow: NONE };
}

/** @param {Node} property */
function isTracedProperty(property) {
  if (property.type !== 'Property' || property.computed || property.method || property.kind !== 'init') return false;
  if (property.key.name === '__proto__' || property.key.value === '__proto__') return false;
  const value = inner(property.value);
  return !isNamedByPlace(value) && value.type !== 'Literal';
}

/** @type {Writer} */
function arrayLiteral(node, writer) {
  const { elements } = node;
  const isWorth = elements.some((/** @type {Node | null} */ one) => one !== null && inner(one).type !== 'Literal');
  if (!isWorth || elements.length > MAX_TRACED_ELEMENTS) return undefined;
  const { handle } = writer;
  if (elements.some((/** @type {Node | null} */ one) => one !== null && isSpread(one))) {
    return spreadArray(node, writer);
  }
  const list = writer.temporary();
  const parts = writer.eachOnItsLine(elements, (/** @type {Node | null} */ one, /** @type {number} */ index) => {
    if (one === null) return '';
    return inner(one).type === 'Literal' ? writer.text(one) : `${handle}.kept(${list},${index},${writer.pair(one)})`;
  });
  const trailing = elements.at(-1) === null ? ',' : '';
  return { code: `${handle}.literal(${list}=${handle}.list(),[${parts.join(',')}${trailing}])`, shadow: NONE };
}

/** @param {Node} node an ArrayExpression @param {Expressions} writer @returns {Traced | undefined} */
function spreadArray({ elements }, writer) {
  const { handle } = writer;
  const [first] = elements;
  if (elements.length === 1 && first !== null) {
    return { code: `${handle}.spreadArray([...${handle}.spread(${writer.pair(first.argument)})])`, shadow: NONE };
  }
  if (elements.includes(null)) return undefined;
  const parts = writer.eachOnItsLine(elements, (/** @type {Node} */ one) =>
    isSpread(one) ? spread(one, 'spreadElements', writer) : writer.pair(one),
  );
  return { code: `${handle}.array([${parts.join(',')}])`, shadow: NONE };
}

const MAX_TRACED_ELEMENTS = 200;

module.exports = { arrayLiteral, objectLiteral, template };
