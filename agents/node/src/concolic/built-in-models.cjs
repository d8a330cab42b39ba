'use strict';
/**
 * Models of built-in functions: the expression of a result over the shadows of the receiver and the arguments. The
 * built-in itself computes the result; a call without a model, or outside of what its model covers, has no shadow.
 */

const {
  BigInt,
  Map,
  Math,
  Number,
  NumberPrototype,
  RegExpPrototype,
  String,
  StringPrototype,
  globalIsNaN,
  indexOf,
  mapSet,
  parseFloat,
  parseInt,
} = require('../base/intrinsics.cjs');
const { numberNode, textNode } = require('./symbolic-operators.cjs');
const { makeNode } = require('./model-support.cjs');
const { REGEXP_MODELS } = require('./regexp-models.cjs');
const { ARRAY_MODELS } = require('./array-models.cjs');
const { DATE_MODELS } = require('./date-models.cjs');
const { ENCODING_MODELS } = require('./encoding-models.cjs');
const { MOVING_MODELS } = require('./moving-models.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./model-support.cjs').After} After */
/** @typedef {{after: After}} Model */

/** @type {Map<unknown, Model>} */
const MODELS = new Map();

/** @param {unknown} builtIn @param {After} after */
function add(builtIn, after) {
  if (typeof builtIn === 'function') mapSet(MODELS, builtIn, { after });
}

/**
 * A method of strings whose result is `op(receiver, arguments...)`.
 * @param {string} name
 * @param {('text' | 'number')[]} types of the arguments
 * @param {unknown[]} [defaults] of arguments that are not given
 */
function addTextMethod(name, types, defaults = []) {
  add(/** @type {any} */ (StringPrototype)[name], ({ nodes }, { self, selfShadow, values, shadows, result }) => {
    if (typeof self !== 'string') return 0;
    /** @type {Node[]} */
    const nodeList = [];
    let given = nodes.lifted(self, selfShadow);
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
addTextMethod('lastIndexOf', ['text']);
addTextMethod('includes', ['text', 'number'], [undefined, 0]);
addTextMethod('startsWith', ['text', 'number'], [undefined, 0]);
addTextMethod('endsWith', ['text']);
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

add(StringPrototype.normalize, ({ nodes }, { self, selfShadow, result }) =>
  // Most texts that a test needs are in their normal form.
  result === self ? nodes.of(self, selfShadow) : 0,
);

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

/** @type {After} */
const toNumber = ({ nodes }, { values, shadows }) => {
  const node = nodes.of(values[0], shadows[0]);
  return node ? numberNode(nodes, node) : 0;
};
add(Number, toNumber);

/** @type {After} */
const parsed = ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  if (!node || (values[1] !== undefined && typeof values[1] !== 'number')) return 0;
  if (typeof node.value === 'number') return nodes.of(result, node);
  const radix = nodes.constant(values[1] === undefined ? 0 : values[1]);
  return radix ? nodes.node('parseInt', [node, radix], result) : 0;
};
add(parseInt, parsed);

add(parseFloat, ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  if (!node) return 0;
  return typeof node.value === 'number' ? nodes.of(result, node) : nodes.node('parseFloat', [node], result);
});

/** @type {After} */
const isNotANumber = (handle, { values, shadows, result }) => {
  const node = handle.nodes.of(values[0], shadows[0]);
  if (!node) return 0;
  return typeof node.value === 'string' ? handle.nodes.node('isNaN', [node], result) : 0;
};
add(globalIsNaN, isNotANumber);

add(Number.isInteger, ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  return node && typeof node.value === 'number' ? nodes.node('isInteger', [node], result) : 0;
});

add(Number.isSafeInteger, ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  return node && typeof node.value === 'number' ? nodes.node('isInteger', [node], result) : 0;
});

add(BigInt, ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  if (!node || typeof node.value === 'boolean') return 0;
  return typeof node.value === 'bigint' ? node : nodes.node('toBig', [node], result);
});

add(NumberPrototype.toFixed, ({ nodes }, { self, selfShadow, values, result }) => {
  const node = nodes.of(self, selfShadow);
  const digits = nodes.constant(values[0] === undefined ? 0 : values[0]);
  return node && digits && typeof digits.value === 'number' ? makeNode(nodes, 'toFixed', [node, digits], result) : 0;
});

for (const name of ['floor', 'ceil', 'round', 'trunc', 'abs', 'sign', 'sqrt']) {
  add(/** @type {any} */ (Math)[name], (handle, call) => {
    const number = toNumber(handle, call);
    return number ? handle.nodes.node(name, [number], call.result) : 0;
  });
}
for (const name of ['min', 'max']) {
  add(/** @type {any} */ (Math)[name], ({ nodes }, { values, shadows, result }) => {
    /** @type {Shadow} */
    let best = 0;
    for (let index = 0; index < values.length; index++) {
      const one = typeof values[index] === 'number' ? nodes.lifted(values[index], shadows[index]) : 0;
      if (!one || (index > 0 && !best)) return 0;
      if (!best) best = one;
      else {
        const isBetter = name === 'min' ? one.value < best.value : one.value > best.value;
        best = nodes.node(name, [best, one], isBetter ? one.value : best.value);
      }
    }
    return best && best.isSymbolic ? nodes.of(result, best) : 0;
  });
}
add(Math.pow, (handle, { values, shadows, result }) => {
  const [a, b] = [handle.nodes.lifted(values[0], shadows[0]), handle.nodes.lifted(values[1], shadows[1])];
  return a && b && typeof values[0] === 'number' ? makeNode(handle.nodes, '**', [a, b], result) : 0;
});
add(Math.imul, (handle, { values, shadows, result }) => {
  const [a, b] = [handle.nodes.lifted(values[0], shadows[0]), handle.nodes.lifted(values[1], shadows[1])];
  return a && b && typeof values[0] === 'number' ? makeNode(handle.nodes, 'imul', [a, b], result) : 0;
});

add(NumberPrototype.toString, ({ nodes }, { self, selfShadow, values, result }) => {
  const node = nodes.of(self, selfShadow);
  if (!node || typeof self !== 'number') return 0;
  if (values[0] === undefined || values[0] === 10) return textNode(nodes, node);
  const radix = nodes.constant(values[0]);
  return radix ? nodes.node('toRadix', [node, radix], result) : 0;
});

add(RegExpPrototype.test, REGEXP_MODELS.test);
add(StringPrototype.search, REGEXP_MODELS.search);
mapSet(MODELS, RegExpPrototype.exec, { after: REGEXP_MODELS.exec });
mapSet(MODELS, StringPrototype.match, { after: REGEXP_MODELS.match });

add(StringPrototype.split, ARRAY_MODELS.split);
mapSet(MODELS, /** @type {any} */ (StringPrototype).matchAll, { after: REGEXP_MODELS.matchAll });
for (const table of [ARRAY_MODELS.others, MOVING_MODELS, ENCODING_MODELS, DATE_MODELS]) {
  for (const [builtIn, after] of table) add(builtIn, after);
}

module.exports = { MODELS };
