'use strict';
/**
 * Models of functions that encode and decode texts: JSON, bytes, addresses. The bytes of a buffer are a text of Latin-1,
 * which is the text itself as long as it is ASCII.
 */

const {
  BufferPrototype,
  JSON,
  ObjectKeys,
  TextDecoder,
  TextEncoder,
  URLSearchParamsPrototype,
  atob,
  btoa,
  bufferFrom,
  charCodeAt,
  decodeURI,
  decodeURIComponent,
  encodeURI,
  encodeURIComponent,
  isUint8Array,
  latin1Slice,
  toLowerCase,
} = require('../base/intrinsics.cjs');
const { isPlainValue } = require('./shadow-nodes.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('./model-support.cjs').After} After */
/** @typedef {import('./model-support.cjs').Handle} Handle */

/** The key under which the heap keeps the text that an object was made of. */
const CONTENT = '#content';
const MAX_MEMBERS = 300;
const MAX_DEPTH = 6;
const URL_PARTS = ['protocol', 'hostname', 'port', 'host', 'pathname', 'search', 'hash', 'origin'];

/** @param {string} op @returns {After} of a function of one text */
const ofOneText =
  (op) =>
  ({ nodes }, { values, shadows, result }) => {
    const text = typeof values[0] === 'string' ? nodes.of(values[0], shadows[0]) : 0;
    return text && text.isSymbolic ? nodes.node(op, [text], result) : 0;
  };

/** @param {string} text */
function isAscii(text) {
  for (let index = 0; index < text.length; index++) if (charCodeAt(text, index) > 0x7f) return false;
  return true;
}

// ---- JSON -------------------------------------------------------------------------------------------------------------

/** @type {After} */
function parse({ nodes }, { values, shadows, result }) {
  const text = typeof values[0] === 'string' ? nodes.of(values[0], shadows[0]) : 0;
  if (!text || !text.isSymbolic || values.length > 1) return 0;
  if (isPlainValue(result)) return memberNode(nodes, text, '', result);
  let nLeft = MAX_MEMBERS;
  /** @param {any} object @param {string} pointer @param {number} depth */
  const visit = (object, pointer, depth) => {
    const keys = ObjectKeys(object);
    for (let index = 0; index < keys.length && nLeft > 0; index++) {
      const value = object[keys[index]];
      const place = `${pointer}/${escaped(keys[index])}`;
      if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) visit(value, place, depth + 1);
      else if (isPlainValue(value)) {
        nLeft -= 1;
        nodes.keep(object, keys[index], memberNode(nodes, text, place, value));
      }
    }
  };
  if (typeof result === 'object' && result !== null) visit(result, '', 0);
  return 0;
}

/** @param {Nodes} nodes @param {Node} text @param {string} pointer @param {unknown} value */
const memberNode = (nodes, text, pointer, value) => nodes.node('jsonMember', [text, nodes.text(pointer)], value);

/** @param {string} key @returns {string} as a step of a JSON pointer */
function escaped(key) {
  let found = '';
  for (let index = 0; index < key.length; index++) {
    if (key[index] === '~') found += '~0';
    else found += key[index] === '/' ? '~1' : key[index];
  }
  return found;
}

/** @type {After} Of texts and numbers alone: the text of an object is not followed. */
function stringify({ nodes }, { values, shadows, result }) {
  const node = values.length === 1 ? nodes.of(values[0], shadows[0]) : 0;
  if (!node || !node.isSymbolic) return 0;
  return typeof node.value === 'number' ? nodes.node('toText', [node], result) : 0;
}

// ---- bytes ------------------------------------------------------------------------------------------------------------

/** Operations that read bytes, by encoding; empty: the text is its own bytes. */
const PLAIN = { __proto__: null, utf8: '', 'utf-8': '', latin1: '', binary: '', ascii: '' };
const FROM_ENCODING = { ...PLAIN, __proto__: null, base64: 'fromBase64', base64url: 'fromBase64', hex: 'fromHex' };
const TO_ENCODING = { ...PLAIN, __proto__: null, base64: 'toBase64', hex: 'toHex' };

/** @param {object} table @param {unknown} encoding @returns {string | undefined} */
function operationOf(table, encoding) {
  if (encoding === undefined) return '';
  return typeof encoding === 'string' ? /** @type {any} */ (table)[toLowerCase(encoding)] : undefined;
}

/** @type {After} */
function fromText({ nodes }, { values, shadows, result }) {
  const text = typeof values[0] === 'string' ? nodes.of(values[0], shadows[0]) : 0;
  if (!text || !text.isSymbolic) return 0;
  const op = operationOf(FROM_ENCODING, values[1]);
  if (op === undefined || (op === '' && !isAscii(values[0]))) return 0;
  const content = op === '' ? text : nodes.node(op, [text], latin1(result));
  if (!content) return 0;
  nodes.keep(result, CONTENT, content);
  keepBytes(nodes, result, content);
  return 0;
}

/** @param {Nodes} nodes @param {any} bytes @param {Node} content */
function keepBytes(nodes, bytes, content) {
  nodes.keep(bytes, 'length', nodes.node('length', [content], bytes.length));
  for (let index = 0; index < bytes.length && index < MAX_MEMBERS; index++) {
    const at = nodes.constant(index);
    if (at) nodes.keep(bytes, index, nodes.node('charCodeAt', [content, at], bytes[index]));
  }
}

/** @param {any} bytes @returns {string} */
const latin1 = (bytes) => latin1Slice(bytes, 0, bytes.length);

/** @param {Nodes} nodes @param {any} bytes @returns {Node | 0} its content, if nothing was written to it since */
function contentOf(nodes, bytes) {
  return nodes.has(bytes) ? nodes.member(bytes, CONTENT, latin1(bytes)) : 0;
}

/** @type {After} */
function toText({ nodes }, { self, values, result }) {
  const content = values.length <= 1 ? contentOf(nodes, self) : 0;
  const op = content ? operationOf(TO_ENCODING, values[0]) : undefined;
  if (!content || op === undefined) return 0;
  return op === '' ? nodes.of(result, content) : nodes.node(op, [content], result);
}

/** @type {After} */
function encoded({ nodes }, { values, shadows, result }) {
  const text = typeof values[0] === 'string' && isAscii(values[0]) ? nodes.of(values[0], shadows[0]) : 0;
  if (!text || !text.isSymbolic) return 0;
  nodes.keep(result, CONTENT, text);
  keepBytes(nodes, result, text);
  return 0;
}

/** @type {After} */
function decoded({ nodes }, { values, result }) {
  const content = isUint8Array(values[0]) ? contentOf(nodes, values[0]) : 0;
  return content ? nodes.of(result, content) : 0;
}

/** Reads a number of several bytes. @param {number} size @param {boolean} isBig @returns {After} */
const reading =
  (size, isBig) =>
  (handle, { self, values, result }) => {
    const { nodes } = handle;
    const start = values[0] ?? 0;
    if (!contentOf(nodes, self) || typeof start !== 'number') return 0;
    let total = 0;
    /** @type {Shadow} */
    let shadow = 0;
    for (let step = 0; step < size; step++) {
      const index = isBig ? start + step : start + size - 1 - step;
      total = handle.b('*', total, shadow, 256, 0);
      total = handle.b('+', total, handle.s, self[index], nodes.member(self, index, self[index]));
      shadow = handle.s;
    }
    return nodes.of(result, shadow);
  };

// ---- addresses --------------------------------------------------------------------------------------------------------

/**
 * @param {Nodes} nodes
 * @param {any} made a URL
 * @param {any[]} values
 * @param {Shadow[]} shadows
 */
function madeUrl(nodes, made, values, shadows) {
  const text = typeof values[0] === 'string' && values[1] === undefined ? nodes.of(values[0], shadows[0]) : 0;
  if (!text || !text.isSymbolic) return;
  for (let index = 0; index < URL_PARTS.length; index++) {
    const name = URL_PARTS[index];
    nodes.keep(made, name, nodes.node('urlPart', [text, nodes.text(name)], made[name]));
  }
  const search = nodes.node('urlPart', [text, nodes.text('search')], made.search);
  if (search) nodes.keep(made.searchParams, CONTENT, search);
}

/**
 * @param {Nodes} nodes
 * @param {any} made a URLSearchParams
 * @param {any[]} values
 * @param {Shadow[]} shadows
 */
function madeParams(nodes, made, values, shadows) {
  const text = typeof values[0] === 'string' ? nodes.of(values[0], shadows[0]) : 0;
  if (text && text.isSymbolic) nodes.keep(made, CONTENT, text);
}

/** @type {After} */
function getParameter(handle, { self, values, result }) {
  const { nodes } = handle;
  const content = nodes.sourceOf(self, CONTENT);
  if (!content || typeof values[0] !== 'string') return handle.input(values[0], result);
  return nodes.node('parameter', [content, nodes.text(values[0])], result);
}

/** @type {[unknown, After][]} */
const ENCODING_MODELS = [
  [JSON.parse, parse],
  [JSON.stringify, stringify],
  [atob, ofOneText('fromBase64')],
  [btoa, ofOneText('toBase64')],
  [encodeURIComponent, ofOneText('encodeURIComponent')],
  [encodeURI, ofOneText('encodeURI')],
  [decodeURIComponent, ofOneText('decodeURIComponent')],
  [decodeURI, ofOneText('decodeURIComponent')],
  [bufferFrom, fromText],
  [TextEncoder.prototype.encode, encoded],
  [TextDecoder.prototype.decode, decoded],
  [BufferPrototype.toString, toText],
  [BufferPrototype.readUInt8, reading(1, true)],
  [BufferPrototype.readUInt16BE, reading(2, true)],
  [BufferPrototype.readUInt16LE, reading(2, false)],
  [BufferPrototype.readUInt32BE, reading(4, true)],
  [BufferPrototype.readUInt32LE, reading(4, false)],
  [/** @type {any} */ (URLSearchParamsPrototype).get, getParameter],
];

module.exports = { ENCODING_MODELS, madeParams, madeUrl };
