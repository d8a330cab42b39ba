'use strict';
/**
 * Models of built-in functions: the expression of a result over the shadows of the receiver and the arguments. The
 * built-in itself computes the result; a call without a model, or outside of what its model covers, has no shadow.
 */

const {
  Boolean,
  Map,
  RegExpPrototype,
  String,
  StringPrototype,
  indexOf,
  mapSet,
  slice,
} = require('../../base/intrinsics.cjs');
const { textNode, truthNode } = require('../shadows/symbolic-operators.cjs');
const { makeNode } = require('../shadows/shadow-support.cjs');
const { REGEXP_MODELS } = require('./regexp-models.cjs');
const { ARRAY_MODELS } = require('./array-models.cjs');
const { DATE_MODELS } = require('./date-models.cjs');
const { ENCODING_MODELS } = require('./encoding-models.cjs');
const { HASH_MODELS } = require('./hash-models.cjs');
const { COLLECTION_MODELS } = require('./collection-models.cjs');
const { MOVING_MODELS } = require('./moving-models.cjs');
const { NUMBER_MODELS } = require('./number-models.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */
/** @typedef {{after: After}} Model */

/** @type {Map<unknown, Model>} */
const MODELS = new Map();

/** @param {unknown} builtIn @param {After} after */
function add(builtIn, after) {
  if (typeof builtIn === 'function') mapSet(MODELS, builtIn, { after });
}

/** @typedef {(values: any[]) => number | undefined} EndOf */
/** @type {EndOf} where the text ends for `endsWith`; undefined: at its end */
const cutAt = (values) => (typeof values[1] === 'number' ? values[1] : undefined);
/** @type {EndOf} the same for `lastIndexOf`, of which the argument is a start */
const cutAfter = ([sought, start]) =>
  typeof start === 'number' && typeof sought === 'string' ? (start > 0 ? start : 0) + sought.length : undefined;

/**
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {Shadow} text
 * @param {number | undefined} end that is a constant
 * @returns {Shadow}
 */
function cut(nodes, text, end) {
  if (!text || end === undefined) return text;
  const [from, to] = [nodes.constant(0), nodes.constant(end)];
  const value = slice(/** @type {string} */ (text.value), 0, end);
  return from && to && end >= 0 ? nodes.node('slice', [text, from, to], value) || nodes.constant(value) : 0;
}

/**
 * A method of strings whose result is `op(receiver, arguments...)`.
 * @param {string} name
 * @param {('text' | 'number')[]} types of the arguments
 * @param {unknown[]} [defaults] of arguments that are not given
 * @param {EndOf} [endOf] how much of the text it looks at
 */
function addTextMethod(name, types, defaults = [], endOf = undefined) {
  add(/** @type {any} */ (StringPrototype)[name], ({ nodes }, { self, selfShadow, values, shadows, result }) => {
    if (typeof self !== 'string') return 0;
    /** @type {Node[]} */
    const nodeList = [];
    let given = cut(nodes, nodes.lifted(self, selfShadow), endOf?.(values));
    for (let index = 0; index <= types.length; index++) {
      if (!given) return 0;
      nodeList[index] = given;
      if (index === types.length) break;
      const isGiven = index < values.length && values[index] !== undefined;
      if (!isGiven && defaults[index] === undefined) return makeNode(nodes, name, nodeList, result);
      const value = isGiven ? values[index] : defaults[index];
      if (typeof value !== (types[index] === 'text' ? 'string' : 'number')) return 0;
      given = isGiven ? nodes.lifted(value, shadows[index]) : nodes.constant(value);
    }
    return makeNode(nodes, name, nodeList, result);
  });
}

addTextMethod('charAt', ['number'], [0]);
addTextMethod('at', ['number'], [0]);
addTextMethod('charCodeAt', ['number'], [0]);
addTextMethod('codePointAt', ['number'], [0]);
addTextMethod('slice', ['number', 'number'], [0]);
addTextMethod('substring', ['number', 'number'], [0]);
addTextMethod('substr', ['number', 'number'], [0]);
addTextMethod('indexOf', ['text', 'number'], [undefined, 0]);
addTextMethod('lastIndexOf', ['text'], [], cutAfter);
addTextMethod('includes', ['text', 'number'], [undefined, 0]);
addTextMethod('startsWith', ['text', 'number'], [undefined, 0]);
addTextMethod('endsWith', ['text'], [], cutAt);
addTextMethod('toLowerCase', []);
addTextMethod('toUpperCase', []);
addTextMethod('trim', []);
addTextMethod('trimStart', []);
addTextMethod('trimEnd', []);
addTextMethod('repeat', ['number']);
addTextMethod('padStart', ['number', 'text'], [undefined, ' ']);
addTextMethod('padEnd', ['number', 'text'], [undefined, ' ']);
addTextMethod('localeCompare', ['text']);

for (const name of ['toString', 'valueOf']) {
  add(/** @type {any} */ (StringPrototype)[name], ({ nodes }, { self, selfShadow }) => nodes.of(self, selfShadow));
}

add(StringPrototype.normalize, ({ nodes }, { self, selfShadow, values, result }) => {
  const [text, form] = [nodes.of(self, selfShadow), nodes.constant(values[0] === undefined ? 'NFC' : values[0])];
  if (!text || !form || typeof form.value !== 'string') return 0;
  // Most texts that a test needs are in their normal form.
  return result === self ? text : nodes.node('normalize', [text, form], result);
});

add(StringPrototype.concat, (handle, { self, selfShadow, values, shadows, result }) => {
  let whole = self;
  let shadow = selfShadow;
  for (let index = 0; index < values.length; index++) {
    if (typeof values[index] !== 'string') return 0;
    whole = handle.b('+', whole, shadow, values[index], shadows[index]);
    shadow = handle.s;
  }
  return handle.nodes.of(result, shadow);
});

for (const name of ['replace', 'replaceAll']) {
  add(/** @type {any} */ (StringPrototype)[name], (handle, call) => {
    const { nodes } = handle;
    const { self, selfShadow, values, shadows, result } = call;
    if (typeof self !== 'string' || typeof values[1] !== 'string') return 0;
    const node = nodes.of(self, selfShadow);
    if (typeof values[0] === 'string') {
      const [whole, sought] = [nodes.lifted(self, selfShadow), nodes.lifted(values[0], shadows[0])];
      const given = nodes.lifted(values[1], shadows[1]);
      const isPlain = indexOf(values[1], '$') < 0;
      return whole && sought && given && isPlain ? makeNode(nodes, name, [whole, sought, given], result) : 0;
    }
    return node ? REGEXP_MODELS.replaced(nodes, node, values, result) : 0;
  });
}

add(String.fromCharCode, (handle, { values, shadows, result }) => {
  const { nodes } = handle;
  let whole = '';
  /** @type {Shadow} */
  let shadow = 0;
  for (let index = 0; index < values.length; index++) {
    const code = typeof values[index] === 'number' ? nodes.lifted(values[index], shadows[index]) : 0;
    if (!code) return 0;
    const char = makeNode(nodes, 'fromCharCode', [code], result[index]);
    whole = index === 0 ? result[index] : handle.b('+', whole, shadow, result[index], char);
    shadow = index === 0 ? char : handle.s;
  }
  return nodes.of(result, shadow);
});

add(String, ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  const text = node && textNode(nodes, node);
  return text ? nodes.of(result, text) : 0;
});

add(RegExpPrototype.test, REGEXP_MODELS.test);
add(StringPrototype.search, REGEXP_MODELS.search);
add(Boolean, ({ nodes }, { values, shadows }) => {
  const node = nodes.of(values[0], shadows[0]);
  return node ? truthNode(nodes, node) : 0;
});
mapSet(MODELS, RegExpPrototype.exec, { after: REGEXP_MODELS.exec });
mapSet(MODELS, StringPrototype.match, { after: REGEXP_MODELS.match });

add(StringPrototype.split, ARRAY_MODELS.split);
mapSet(MODELS, /** @type {any} */ (StringPrototype).matchAll, { after: REGEXP_MODELS.matchAll });
const TABLES = [
  ARRAY_MODELS.others,
  MOVING_MODELS,
  COLLECTION_MODELS,
  ENCODING_MODELS,
  HASH_MODELS,
  DATE_MODELS,
  NUMBER_MODELS,
];
for (const table of TABLES) {
  for (const [builtIn, after] of table) add(builtIn, after);
}

module.exports = { MODELS };
