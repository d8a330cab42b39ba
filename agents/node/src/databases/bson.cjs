'use strict';
/**
 * Reads BSON in its wire format: fields of replies, and whole documents as MongoDB's Extended JSON (canonical), which
 * preserves every type.
 *
 * Law: only bytes are read. No object of the program or of its driver is accessed, so none of their code can run.
 *
 * Formats: https://bsonspec.org/spec.html, and "Extended JSON (v2)" of MongoDB's specifications.
 */

const {
  BigInt,
  Float64Array,
  Number,
  String,
  Uint8Array,
  bufferFrom,
  bufferToString,
  isFinite,
  lengthOfBytes,
  quote,
  slice,
  viewBuffer,
  viewByteOffset,
} = require('../base/intrinsics.cjs');

const DOUBLE = 1;
const STRING = 2;
const DOCUMENT = 3;
const ARRAY = 4;
const BINARY = 5;
const UNDEFINED = 6;
const OBJECT_ID = 7;
const BOOLEAN = 8;
const DATE = 9;
const NULL = 10;
const REGEX = 11;
const DB_POINTER = 12;
const CODE = 13;
const SYMBOL = 14;
const CODE_WITH_SCOPE = 15;
const INT32 = 16;
const TIMESTAMP = 17;
const INT64 = 18;
const DECIMAL128 = 19;
const MIN_KEY = 255;
const MAX_KEY = 127;

const MAX_DEPTH = 100;
/** Thrown for bytes that are not BSON, or exceed the limit; it never leaves the agent. */
const UNREADABLE = { reason: 'no BSON, or too much of it' };

const double = new Float64Array(1);
const doubleBytes = new Uint8Array(double.buffer);

/**
 * @typedef {{ bytes: any, at: number, type: number }} Value one value within its bytes: `at` is the position after its
 *   name
 */

/**
 * @param {any} bytes
 * @param {number} at
 */
function int32(bytes, at) {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

/**
 * @param {any} bytes
 * @param {number} at
 */
function uint64(bytes, at) {
  return (BigInt(int32(bytes, at + 4) >>> 0) << 32n) | BigInt(int32(bytes, at) >>> 0);
}

/**
 * @param {any} bytes
 * @param {number} at
 */
function int64(bytes, at) {
  return (BigInt(int32(bytes, at + 4)) << 32n) | BigInt(int32(bytes, at) >>> 0);
}

/**
 * @param {any} bytes
 * @param {number} from
 * @param {number} to
 * @param {'utf8' | 'hex' | 'base64'} encoding
 */
function text(bytes, from, to, encoding) {
  if (to < from || to > lengthOfBytes(bytes)) throw UNREADABLE;
  return bufferToString(bufferFrom(viewBuffer(bytes), viewByteOffset(bytes) + from, to - from), encoding);
}

/**
 * @param {any} bytes
 * @param {number} at
 * @returns {number} the position of the zero byte that ends a name
 */
function endOfName(bytes, at) {
  let end = at;
  while (bytes[end] !== 0) if (bytes[end++] === undefined) throw UNREADABLE;
  return end;
}

/** Size of a value in bytes, by type, for types of a fixed size. @type {Record<string, number>} */
const FIXED_SIZES = {
  __proto__: /** @type {any} */ (null),
  [DOUBLE]: 8,
  [DATE]: 8,
  [TIMESTAMP]: 8,
  [INT64]: 8,
  [UNDEFINED]: 0,
  [NULL]: 0,
  [MIN_KEY]: 0,
  [MAX_KEY]: 0,
  [OBJECT_ID]: 12,
  [BOOLEAN]: 1,
  [INT32]: 4,
  [DECIMAL128]: 16,
};

/** @type {(bytes: any, at: number) => number} */
const sizeOfText = (bytes, at) => 4 + int32(bytes, at);

/** Size of a value in bytes, for the other types. @type {Record<string, (bytes: any, at: number) => number>} */
const SIZES = {
  __proto__: /** @type {any} */ (null),
  [STRING]: sizeOfText,
  [CODE]: sizeOfText,
  [SYMBOL]: sizeOfText,
  [DOCUMENT]: int32,
  [ARRAY]: int32,
  [CODE_WITH_SCOPE]: int32,
  [BINARY]: (bytes, at) => 5 + int32(bytes, at),
  [REGEX]: (bytes, at) => endOfName(bytes, endOfName(bytes, at) + 1) + 1 - at,
  [DB_POINTER]: (bytes, at) => 16 + int32(bytes, at),
};

/** @param {Value} value */
function sizeOf({ bytes, at, type }) {
  const size = FIXED_SIZES[type];
  if (size !== undefined) return size;
  const read = SIZES[type];
  if (read === undefined) throw UNREADABLE;
  return read(bytes, at);
}

/**
 * Calls `look` with each name and value of a document or an array, until it returns true.
 * @param {any} bytes
 * @param {number} start of the document
 * @param {(name: string, value: Value) => boolean | void} look
 */
function forFields(bytes, start, look) {
  const end = start + int32(bytes, start) - 1;
  let at = start + 4;
  while (at < end) {
    const type = bytes[at];
    const nameEnd = endOfName(bytes, at + 1);
    const value = { bytes, at: nameEnd + 1, type };
    if (look(text(bytes, at + 1, nameEnd, 'utf8'), value) === true) return;
    const size = sizeOf(value);
    if (size < 0) throw UNREADABLE;
    at = nameEnd + 1 + size;
  }
}

/**
 * @param {Value} document
 * @param {string} name
 * @returns {Value | null}
 */
function field({ bytes, at, type }, name) {
  if (type !== DOCUMENT && type !== ARRAY) return null;
  /** @type {Value | null} */
  let found = null;
  forFields(bytes, at, (other, value) => {
    if (other === name) found = value;
    return found !== null;
  });
  return found;
}

/** @param {Value | null} value @returns {number} the number of elements of an array; 0 for any other value */
function countOf(value) {
  let count = 0;
  if (value !== null && value.type === ARRAY) forFields(value.bytes, value.at, () => void count++);
  return count;
}

/** @param {Value | null} value @returns {number | null} */
function numberOf(value) {
  if (value === null) return null;
  if (value.type === INT32) return int32(value.bytes, value.at);
  if (value.type === INT64) return Number(int64(value.bytes, value.at));
  return value.type === DOUBLE ? doubleAt(value.bytes, value.at) : null;
}

/** @param {Value | null} value @returns {string | null} */
function textOf(value) {
  return value !== null && value.type === STRING
    ? text(value.bytes, value.at + 4, value.at + 3 + int32(value.bytes, value.at), 'utf8')
    : null;
}

/**
 * @param {any} bytes
 * @param {number} at
 */
function doubleAt(bytes, at) {
  for (let index = 0; index < 8; index++) doubleBytes[index] = bytes[at + index];
  return double[0];
}

/**
 * @param {Value} value
 * @param {number} maxUnits of JSON
 * @param {(name: string) => boolean} [isShown] of the fields of the outermost document
 * @returns {string | null} canonical Extended JSON; null if it is too long, or cannot be read
 */
function extendedJson(value, maxUnits, isShown) {
  const budget = { left: maxUnits };
  try {
    return written(value, 0, budget, isShown);
  } catch {
    return null;
  }
}

/**
 * @param {Value} value
 * @param {number} depth
 * @param {{ left: number }} budget
 * @param {(name: string) => boolean} [isShown]
 * @returns {string}
 */
function written(value, depth, budget, isShown) {
  const { bytes, at, type } = value;
  if (type === DOCUMENT || type === ARRAY) return nested(value, depth, budget, isShown);
  const shown = type === CODE_WITH_SCOPE ? scoped(bytes, at, depth, budget) : scalar(bytes, at, type);
  budget.left -= shown.length;
  if (budget.left < 0) throw UNREADABLE;
  return shown;
}

/**
 * @param {Value} value
 * @param {number} depth
 * @param {{ left: number }} budget
 * @param {(name: string) => boolean} [isShown]
 */
function nested({ bytes, at, type }, depth, budget, isShown) {
  if (depth > MAX_DEPTH) throw UNREADABLE;
  let inner = '';
  forFields(bytes, at, (name, value) => {
    if (isShown !== undefined && !isShown(name)) return;
    const key = type === ARRAY ? '' : quote(name) + ':';
    budget.left -= key.length + 1;
    inner += (inner === '' ? '' : ',') + key + written(value, depth + 1, budget);
  });
  return type === ARRAY ? '[' + inner + ']' : '{' + inner + '}';
}

/**
 * @param {any} bytes
 * @param {number} at
 * @param {number} depth
 * @param {{ left: number }} budget
 */
function scoped(bytes, at, depth, budget) {
  const length = int32(bytes, at + 4);
  const scope = { bytes, at: at + 8 + length, type: DOCUMENT };
  return (
    '{"$code":' +
    quote(text(bytes, at + 8, at + 7 + length, 'utf8')) +
    ',"$scope":' +
    nested(scope, depth + 1, budget) +
    '}'
  );
}

/** @type {(bytes: any, at: number) => string} */
const stringText = (bytes, at) => quote(text(bytes, at + 4, at + 3 + int32(bytes, at), 'utf8'));

/**
 * Extended JSON of a value other than a document, by type.
 * @type {Record<string, (bytes: any, at: number) => string>}
 */
const SCALARS = {
  __proto__: /** @type {any} */ (null),
  [DOUBLE]: (bytes, at) => '{"$numberDouble":"' + doubleText(doubleAt(bytes, at)) + '"}',
  [STRING]: stringText,
  [BINARY]: binary,
  [UNDEFINED]: () => '{"$undefined":true}',
  [OBJECT_ID]: (bytes, at) => '{"$oid":"' + text(bytes, at, at + 12, 'hex') + '"}',
  [BOOLEAN]: (bytes, at) => (bytes[at] === 1 ? 'true' : 'false'),
  [DATE]: (bytes, at) => '{"$date":{"$numberLong":"' + String(int64(bytes, at)) + '"}}',
  [NULL]: () => 'null',
  [REGEX]: regex,
  [DB_POINTER]: pointer,
  [CODE]: (bytes, at) => '{"$code":' + stringText(bytes, at) + '}',
  [SYMBOL]: (bytes, at) => '{"$symbol":' + stringText(bytes, at) + '}',
  [INT32]: (bytes, at) => '{"$numberInt":"' + int32(bytes, at) + '"}',
  [TIMESTAMP]: (bytes, at) =>
    '{"$timestamp":{"t":' + (int32(bytes, at + 4) >>> 0) + ',"i":' + (int32(bytes, at) >>> 0) + '}}',
  [INT64]: (bytes, at) => '{"$numberLong":"' + String(int64(bytes, at)) + '"}',
  [DECIMAL128]: (bytes, at) => '{"$numberDecimal":"' + decimalText(uint64(bytes, at + 8), uint64(bytes, at)) + '"}',
  [MIN_KEY]: () => '{"$minKey":1}',
  [MAX_KEY]: () => '{"$maxKey":1}',
};

/**
 * @param {any} bytes
 * @param {number} at
 * @param {number} type
 * @returns {string}
 */
function scalar(bytes, at, type) {
  const write = SCALARS[type];
  if (write === undefined) throw UNREADABLE;
  return write(bytes, at);
}

/** @param {number} number */
function doubleText(number) {
  if (!isFinite(number)) return String(number);
  if (number === 0) return 1 / number < 0 ? '-0.0' : '0.0';
  const shown = String(number);
  return number % 1 === 0 && number < 1e21 && number > -1e21 ? shown + '.0' : shown;
}

/**
 * @param {any} bytes
 * @param {number} at
 */
function binary(bytes, at) {
  const subType = text(bytes, at + 4, at + 5, 'hex');
  return (
    '{"$binary":{"base64":"' +
    text(bytes, at + 5, at + 5 + int32(bytes, at), 'base64') +
    '","subType":"' +
    subType +
    '"}}'
  );
}

/**
 * @param {any} bytes
 * @param {number} at
 */
function regex(bytes, at) {
  const end = endOfName(bytes, at);
  const options = text(bytes, end + 1, endOfName(bytes, end + 1), 'utf8');
  return (
    '{"$regularExpression":{"pattern":' + quote(text(bytes, at, end, 'utf8')) + ',"options":' + quote(options) + '}}'
  );
}

/**
 * @param {any} bytes
 * @param {number} at
 */
function pointer(bytes, at) {
  const end = at + 4 + int32(bytes, at);
  return '{"$dbPointer":{"$ref":' + scalar(bytes, at, STRING) + ',"$id":' + scalar(bytes, end, OBJECT_ID) + '}}';
}

/**
 * "To String" of MongoDB's specification "BSON Decimal128".
 * @param {bigint} high
 * @param {bigint} low
 */
function decimalText(high, low) {
  const sign = high >> 63n === 1n ? '-' : '';
  const combination = Number((high >> 58n) & 31n);
  if (combination === 31) return 'NaN';
  if (combination === 30) return sign + 'Infinity';
  const isLarge = combination >> 3 === 3;
  // A significand of the second form exceeds the allowed range, and then stands for 0.
  const digits = isLarge ? '0' : String(((high & 0x1ffffffffffffn) << 64n) | low);
  const significand = digits.length > 34 ? '0' : digits;
  const exponent = Number((high >> (isLarge ? 47n : 49n)) & 0x3fffn) - 6176;
  return sign + pointed(significand, exponent);
}

/**
 * @param {string} digits
 * @param {number} exponent
 */
function pointed(digits, exponent) {
  const shift = exponent + digits.length - 1;
  if (exponent > 0 || shift < -6) {
    const fraction = digits.length > 1 ? '.' + slice(digits, 1) : '';
    return digits[0] + fraction + 'E' + (shift < 0 ? '' : '+') + shift;
  }
  if (exponent === 0) return digits;
  const before = digits.length + exponent;
  if (before > 0) return slice(digits, 0, before) + '.' + slice(digits, before);
  let zeros = '';
  for (let index = before; index < 0; index++) zeros += '0';
  return '0.' + zeros + digits;
}

module.exports = {
  ARRAY,
  BINARY,
  BOOLEAN,
  CODE,
  CODE_WITH_SCOPE,
  DATE,
  DB_POINTER,
  DECIMAL128,
  DOCUMENT,
  DOUBLE,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT_ID,
  REGEX,
  STRING,
  SYMBOL,
  TIMESTAMP,
  UNDEFINED,
  countOf,
  endOfName,
  extendedJson,
  field,
  forFields,
  int32,
  numberOf,
  text,
  textOf,
};
