'use strict';
/**
 * Writes MongoDB's Extended JSON as BSON, type by type: commands of the core for drivers whose types cannot express
 * them, or which cannot read Extended JSON.
 *
 * Formats: as in bson.cjs. Plain whole numbers are int32 or int64, other plain numbers are doubles.
 */

const {
  BigInt,
  Date,
  Error,
  Float64Array,
  Number,
  ObjectKeys,
  RegExp,
  String,
  Uint8Array,
  bufferAlloc,
  bufferConcat,
  bufferFrom,
  dateTime,
  isArray,
  parseJson,
  regExpExec,
  writeUInt32LE,
} = require('../base/intrinsics.cjs');
const {
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
} = require('./bson.cjs');

/** @typedef {[type: number, bytes: any]} Written */

const EMPTY = bufferAlloc(0);
const ZERO = bufferAlloc(1);
const MAX_INT32 = 2 ** 31 - 1;
const double = new Float64Array(1);
const doubleBytes = new Uint8Array(double.buffer);

/** @param {number} value */
function int32Bytes(value) {
  const bytes = bufferAlloc(4);
  writeUInt32LE(bytes, value >>> 0, 0);
  return bytes;
}

/** @param {bigint} value */
function int64Bytes(value) {
  const low = int32Bytes(Number(value & 0xffffffffn));
  return bufferConcat([low, int32Bytes(Number((value >> 32n) & 0xffffffffn))]);
}

/** @param {number} value */
function doubleBytesOf(value) {
  double[0] = value;
  const bytes = bufferAlloc(8);
  for (let index = 0; index < 8; index++) bytes[index] = doubleBytes[index];
  return bytes;
}

/** @param {unknown} value */
function nameBytes(value) {
  return bufferConcat([bufferFrom(String(value), 'utf8'), ZERO]);
}

/** @param {unknown} value */
function textBytes(value) {
  const text = nameBytes(value);
  return bufferConcat([int32Bytes(text.length), text]);
}

/**
 * Writers of the values that Extended JSON represents by an object with one member.
 * @type {Record<string, (value: any) => Written>}
 */
const WRAPPED = {
  __proto__: /** @type {any} */ (null),
  $numberInt: (value) => [INT32, int32Bytes(Number(value))],
  $numberLong: (value) => [INT64, int64Bytes(BigInt(value))],
  $numberDouble: (value) => [DOUBLE, doubleBytesOf(Number(value))],
  $numberDecimal: (value) => [DECIMAL128, decimalBytes(String(value))],
  $oid: (value) => [OBJECT_ID, bufferFrom(String(value), 'hex')],
  $date: (value) => [DATE, int64Bytes(typeof value === 'string' ? BigInt(dateTime(new Date(value))) : longOf(value))],
  $binary: ({ base64, subType }) => {
    const bytes = bufferFrom(base64, 'base64');
    return [BINARY, bufferConcat([int32Bytes(bytes.length), bufferFrom(evenHex(subType), 'hex'), bytes])];
  },
  $uuid: (value) => {
    const bytes = bufferFrom(withoutDashes(String(value)), 'hex');
    return [BINARY, bufferConcat([int32Bytes(bytes.length), bufferFrom('04', 'hex'), bytes])];
  },
  $regularExpression: ({ pattern, options }) => [REGEX, bufferConcat([nameBytes(pattern), nameBytes(options)])],
  $timestamp: ({ t, i }) => [TIMESTAMP, bufferConcat([int32Bytes(i), int32Bytes(t)])],
  $minKey: () => [MIN_KEY, EMPTY],
  $maxKey: () => [MAX_KEY, EMPTY],
  $code: (value) => [CODE, textBytes(value)],
  $symbol: (value) => [SYMBOL, textBytes(value)],
  $undefined: () => [UNDEFINED, EMPTY],
  $dbPointer: ({ $ref, $id }) => [DB_POINTER, bufferConcat([textBytes($ref), bufferFrom($id.$oid, 'hex')])],
};

/** @param {any} value of `$date` */
function longOf(value) {
  return BigInt(typeof value === 'number' ? value : value.$numberLong);
}

/** @param {unknown} subType */
function evenHex(subType) {
  const text = String(subType);
  return text.length === 1 ? '0' + text : text;
}

/** @param {string} text */
function withoutDashes(text) {
  let shown = '';
  for (let index = 0; index < text.length; index++) if (text[index] !== '-') shown += text[index];
  return shown;
}

/**
 * @param {any} value parsed JSON
 * @returns {Written}
 */
function written(value) {
  if (typeof value === 'string') return [STRING, textBytes(value)];
  if (typeof value === 'boolean') return [BOOLEAN, bufferFrom(value ? '01' : '00', 'hex')];
  if (typeof value === 'number') return number(value);
  if (value === null) return [NULL, EMPTY];
  if (isArray(value)) return [ARRAY, fields(value, ObjectKeys(value))];
  return object(value);
}

/** @param {number} value @returns {Written} */
function number(value) {
  if (value % 1 !== 0 || value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
    return [DOUBLE, doubleBytesOf(value)];
  }
  if (value <= MAX_INT32 && value >= -MAX_INT32 - 1) return [INT32, int32Bytes(value)];
  return [INT64, int64Bytes(BigInt(value))];
}

/** @param {any} value @returns {Written} */
function object(value) {
  const names = ObjectKeys(value);
  const write = names.length === 1 ? WRAPPED[names[0]] : undefined;
  if (write !== undefined) return write(value[names[0]]);
  if (names.length === 2 && names[0] === '$code' && names[1] === '$scope') {
    const inner = bufferConcat([textBytes(value.$code), documentBytes(value.$scope)]);
    return [CODE_WITH_SCOPE, bufferConcat([int32Bytes(inner.length + 4), inner])];
  }
  return [DOCUMENT, fields(value, names)];
}

/**
 * @param {any} value
 * @param {string[]} names
 */
function fields(value, names) {
  const parts = [];
  let size = 0;
  const add = (/** @type {any} */ bytes) => {
    parts[parts.length] = bytes;
    size += bytes.length;
  };
  parts[0] = EMPTY;
  for (let index = 0; index < names.length; index++) {
    const one = written(value[names[index]]);
    const type = bufferAlloc(1);
    type[0] = one[0];
    add(type);
    add(nameBytes(names[index]));
    add(one[1]);
  }
  add(ZERO);
  parts[0] = int32Bytes(size + 4);
  return bufferConcat(parts);
}

/** @param {any} value parsed Extended JSON */
function documentBytes(value) {
  return fields(value, ObjectKeys(value));
}

const DECIMAL = new RegExp('^([-+]?)(\\d*)(?:\\.(\\d*))?(?:[eE]([-+]?\\d+))?$');
const SPECIAL = { __proto__: null, NaN: 0x7c00n, Infinity: 0x7800n, '-Infinity': 0xf800n };

/**
 * The inverse of `decimalText` in bson.cjs.
 * @param {string} text
 */
function decimalBytes(text) {
  const special = /** @type {Record<string, bigint | undefined>} */ (/** @type {unknown} */ (SPECIAL))[text];
  if (special !== undefined) return bufferConcat([int64Bytes(0n), int64Bytes(special << 48n)]);
  const found = regExpExec(DECIMAL, text);
  if (found === null) throw new Error('no decimal: ' + text);
  const fraction = found[3] || '';
  const significand = BigInt((found[2] || '') + fraction || '0');
  const exponent = BigInt(6176 + Number(found[4] || 0) - fraction.length);
  const sign = found[1] === '-' ? 1n << 63n : 0n;
  const high = sign | (exponent << 49n) | (significand >> 64n);
  return bufferConcat([int64Bytes(significand & 0xffffffffffffffffn), int64Bytes(high)]);
}

/**
 * @param {string} text a document in Extended JSON
 * @param {Record<string, unknown>} [more] plain members to append
 * @returns {any} its bytes
 */
function bsonOf(text, more) {
  const document = parseJson(text);
  if (more !== undefined) {
    const names = ObjectKeys(more);
    for (let index = 0; index < names.length; index++) document[names[index]] = more[names[index]];
  }
  return documentBytes(document);
}

module.exports = { bsonOf };
