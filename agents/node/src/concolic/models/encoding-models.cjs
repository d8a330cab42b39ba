'use strict';
/**
 * Models of functions that encode and decode texts: JSON, bytes, addresses. The bytes of a buffer are a text of
 * Latin-1, which is the text itself as long as it is ASCII.
 */

const {
  BufferPrototype,
  DataViewPrototype,
  JSON,
  ObjectKeys,
  TextDecoder,
  TextEncoder,
  URLSearchParamsPrototype,
  Uint8Array,
  atob,
  btoa,
  bufferConcat,
  bufferFrom,
  bufferOfView,
  charCodeAt,
  decodeURI,
  decodeURIComponent,
  encodeURI,
  encodeURIComponent,
  isArray,
  isDataView,
  isProxy,
  isUint8Array,
  latin1Slice,
  offsetOfView,
  slice,
  toLowerCase,
  viewBuffer,
  viewByteOffset,
} = require('../../base/intrinsics.cjs');
const { isPlainValue } = require('../shadows/shadow-nodes.cjs');
const { isList, keepElements } = require('./array-models.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */
/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */

/** The key under which the heap keeps the text that an object was made of. */
const CONTENT = '#content';
const MAX_MEMBERS = 300;
const MAX_DEPTH = 6;
/** Bytes that are joined to a text. */
const MAX_JOINED = 64;
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

// ---- JSON ----------------------------------------------------------------------------------------------------------

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

// ---- bytes ---------------------------------------------------------------------------------------------------------

/** Operations that read bytes, by encoding; empty: the text is its own bytes. */
const PLAIN = { __proto__: null, utf8: '', 'utf-8': '', latin1: '', binary: '', ascii: '' };
const FROM_ENCODING = { ...PLAIN, __proto__: null, base64: 'fromBase64', base64url: 'fromBase64', hex: 'fromHex' };
const TO_ENCODING = { ...PLAIN, __proto__: null, base64: 'toBase64', base64url: 'toBase64Url', hex: 'toHex' };

/** @param {object} table @param {unknown} encoding @returns {string | undefined} */
function operationOf(table, encoding) {
  if (encoding === undefined) return '';
  return typeof encoding === 'string' ? /** @type {any} */ (table)[toLowerCase(encoding)] : undefined;
}

/** @type {After} */
function madeBuffer({ nodes }, { values, shadows, result }) {
  if (isList(values[0])) keepElements(nodes, result, values[0]);
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
    const byte = at && nodes.node('charCodeAt', [content, at], bytes[index]);
    if (byte) {
      nodes.keep(bytes, index, byte);
      nodes.keep(viewBuffer(bytes), viewByteOffset(bytes) + index, byte);
    }
  }
}

/** @param {any} bytes @returns {string} */
const latin1 = (bytes) => latin1Slice(bytes, 0, bytes.length);

/** @param {Nodes} nodes @param {any} bytes @returns {Node | 0} its content: what it was made of, or its bytes */
function contentOf(nodes, bytes) {
  if (!nodes.has(bytes)) return 0;
  const text = latin1(bytes);
  return nodes.member(bytes, CONTENT, text) || (text.length <= MAX_JOINED ? joinedBytes(nodes, bytes, text) : 0);
}

/**
 * @param {Nodes} nodes
 * @param {any} bytes
 * @param {string} text of them
 * @returns {Node | 0} the text, if any byte depends on inputs
 */
function joinedBytes(nodes, bytes, text) {
  /** @type {Shadow} */
  let whole = 0;
  let nConstant = 0;
  for (let index = 0; index <= text.length; index++) {
    const byte = index < text.length ? nodes.member(bytes, index, bytes[index]) : 0;
    if (index < text.length && !byte) {
      nConstant += 1;
      continue;
    }
    if (nConstant > 0) whole = joined(nodes, whole, nodes.text(slice(text, index - nConstant, index)));
    nConstant = 0;
    if (byte) whole = joined(nodes, whole, nodes.node('fromCharCode', [byte], text[index]));
  }
  return whole && whole.isSymbolic ? whole : 0;
}

/** @param {Nodes} nodes @param {Shadow} before @param {Shadow} after @returns {Shadow} */
function joined(nodes, before, after) {
  if (!before || !after) return after;
  return nodes.node('concat', [before, after], `${before.value}${after.value}`);
}

/** @type {After} */
function concatenated({ nodes }, { values, result }) {
  const parts = values[0];
  if (!isArray(parts) || isProxy(parts)) return 0;
  let at = 0;
  for (let number = 0; number < parts.length && at < result.length; number++) {
    const length = isUint8Array(parts[number]) ? parts[number].length : 0;
    for (let index = 0; nodes.has(parts[number]) && index < length && at + index < result.length; index++) {
      nodes.keep(result, at + index, nodes.member(parts[number], index, result[at + index]));
    }
    at += length;
  }
  return 0;
}

/** @type {After} */
function toText({ nodes }, { self, values, result }) {
  const content = values.length <= 1 ? contentOf(nodes, self) : 0;
  const op = content ? operationOf(TO_ENCODING, values[0]) : undefined;
  if (!content || op === undefined) return 0;
  return op === '' ? textOfContent(nodes, content, result) : nodes.node(op, [content], result);
}

/** @param {Nodes} nodes @param {Node} content @param {unknown} text that was decoded from it @returns {Shadow} */
const textOfContent = (nodes, content, text) => nodes.of(text, content) || nodes.node('fromUtf8', [content], text);

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
  return content ? textOfContent(nodes, content, result) : 0;
}

/** @typedef {{size: number, isBig: boolean, isSigned: boolean}} Form of a number of several bytes */

/**
 * @param {Handle} handle
 * @param {object} owner of the shadows
 * @param {(index: number) => number} byteAt
 * @param {number} start
 * @param {Form} form
 * @returns {Shadow} the number, as an expression over its bytes
 */
function numberOfBytes(handle, owner, byteAt, start, { size, isBig, isSigned }) {
  let total = 0;
  /** @type {Shadow} */
  let shadow = 0;
  for (let step = 0; step < size; step++) {
    const index = isBig ? start + step : start + size - 1 - step;
    const byte = byteAt(index);
    total = handle.b('*', total, shadow, 256, 0);
    total = handle.b('+', total, handle.s, byte, handle.nodes.member(owner, index, byte));
    shadow = handle.s;
  }
  if (!isSigned) return shadow;
  const half = 2 ** (8 * size - 1);
  total = handle.b('+', total, shadow, half, 0);
  total = handle.b('%', total, handle.s, 2 * half, 0);
  handle.b('-', total, handle.s, half, 0);
  return handle.s;
}

/** @param {Form} form @returns {After} of a method of buffers; size 0: it is the second argument */
const reading =
  (form) =>
  (handle, { self, values, result }) => {
    const start = values[0] ?? 0;
    const size = form.size || values[1];
    if (!isUint8Array(self) || !handle.nodes.has(self) || typeof start !== 'number' || !(size <= MAX_BYTES)) return 0;
    const shadow = numberOfBytes(handle, self, (index) => self[index], start, { ...form, size });
    return handle.nodes.of(result, shadow);
  };

const MAX_BYTES = 6;

/** @param {Form} form @returns {After} of a method of DataView */
const viewing =
  (form) =>
  (handle, { self, values, result }) => {
    if (!isDataView(self) || typeof values[0] !== 'number') return 0;
    const buffer = bufferOfView(self);
    if (!handle.nodes.has(buffer)) return 0;
    const bytes = new Uint8Array(buffer);
    const isBig = !values[1];
    const start = offsetOfView(self) + values[0];
    return handle.nodes.of(
      result,
      numberOfBytes(handle, buffer, (index) => bytes[index], start, { ...form, isBig }),
    );
  };

/** @returns {[unknown, After][]} */
function readers() {
  /** @type {[unknown, After][]} */
  const found = [];
  const [buffers, views] = [/** @type {any} */ (BufferPrototype), /** @type {any} */ (DataViewPrototype)];
  for (const isSigned of [false, true]) {
    const name = isSigned ? 'Int' : 'UInt';
    for (const isBig of [false, true]) {
      const order = isBig ? 'BE' : 'LE';
      found.push([buffers[`read${name}${order}`], reading({ size: 0, isBig, isSigned })]);
      for (const size of [2, 4]) {
        found.push([buffers[`read${name}${8 * size}${order}`], reading({ size, isBig, isSigned })]);
      }
    }
    found.push([buffers[`read${name}8`], reading({ size: 1, isBig: true, isSigned })]);
    const viewed = isSigned ? 'getInt' : 'getUint';
    for (const size of [1, 2, 4]) found.push([views[`${viewed}${8 * size}`], viewing({ size, isBig: true, isSigned })]);
  }
  return found;
}

// ---- addresses -----------------------------------------------------------------------------------------------------

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
  if (result === null) {
    const isThere = named(nodes, content, values[0], false);
    if (isThere) handle.note('parameter', isThere);
    return 0;
  }
  return nodes.node('parameter', [content, nodes.text(values[0])], result);
}

/** @param {Nodes} nodes @param {Node} content @param {string} name @param {boolean} isThere */
const named = (nodes, content, name, isThere) =>
  nodes.node('test', [content, nodes.text(patternOf(name)), nodes.text('')], isThere);

/** @param {string} name @returns {string} a regular expression for the beginning of a parameter */
function patternOf(name) {
  let escapedName = '';
  for (let index = 0; index < name.length; index++) {
    escapedName += (isWordCharacter(charCodeAt(name, index)) ? '' : '\\') + name[index];
  }
  return `(?:^\\??|&)${escapedName}=`;
}

/** @param {number} code */
const isWordCharacter = (code) =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || (code >= 0x61 && code <= 0x7a);

/** @type {After} */
function hasParameter({ nodes }, { self, values, result }) {
  const content = nodes.sourceOf(self, CONTENT);
  return content && values.length === 1 && typeof values[0] === 'string' ? named(nodes, content, values[0], result) : 0;
}

/** @type {After} */
function allParameters(handle, { self, values, result }) {
  const { nodes } = handle;
  const content = nodes.sourceOf(self, CONTENT);
  if (!content || typeof values[0] !== 'string') return 0;
  const name = nodes.text(values[0]);
  for (let index = 0; index < result.length && index < MAX_MEMBERS; index++) {
    const number = /** @type {Node} */ (nodes.constant(index));
    const args = index === 0 ? [content, name] : [content, name, number];
    nodes.keep(result, index, nodes.node('parameter', args, result[index]));
  }
  if (result.length === 0) {
    const isThere = named(nodes, content, values[0], false);
    if (isThere) handle.note('parameter', isThere);
  }
  const beginnings = [content, nodes.text(patternOf(values[0])), nodes.text('g')];
  nodes.keep(result, 'length', nodes.node('matches', beginnings, result.length));
  return 0;
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
  [bufferFrom, madeBuffer],
  [bufferConcat, concatenated],
  [TextEncoder.prototype.encode, encoded],
  [TextDecoder.prototype.decode, decoded],
  [BufferPrototype.toString, toText],
  ...readers(),
  [/** @type {any} */ (URLSearchParamsPrototype).get, getParameter],
  [/** @type {any} */ (URLSearchParamsPrototype).getAll, allParameters],
  [/** @type {any} */ (URLSearchParamsPrototype).has, hasParameter],
];

module.exports = { CONTENT, ENCODING_MODELS, contentOf, isAscii, keepBytes, madeParams, madeUrl };
