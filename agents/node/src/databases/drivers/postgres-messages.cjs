'use strict';
/** Messages that a program sends in PostgreSQL's protocol (PostgreSQL, "Message Formats"). */

const {
  String,
  bufferFrom,
  bufferSubarray,
  bufferToString,
  lengthOfBytes,
  regExpExec,
  viewBuffer,
  viewByteOffset,
} = require('../../base/intrinsics.cjs');
const { RawJson } = require('../../base/json-text.cjs');
const { exactNumberText } = require('../database-values.cjs');
const { typedCell } = require('./postgres-replies.cjs');

/** Their codes. */
const QUERY = 81;
const PARSE = 80;
const BIND = 66;
const SYNC = 83;
const DESCRIBE = 68;
const HEADER_BYTES = 5;
const BINARY = 1;
/** Types: int8, int2, int4, oid, float4, float8, numeric. */
const NUMBERS = /^(?:20|21|23|26|700|701|1700)$/;

/**
 * Reports to a wire the messages before they are sent.
 * @param {import('./postgres-wire.cjs').Wire} wire
 * @param {object} bytes of whole messages
 * @param {Record<string, number[]>} types of parameters, by statement
 * @param {(statement: string) => void} described called with the statement whose reply will contain types of parameters
 * @returns {boolean} whether a command has begun that does not end with the last message
 */
function readMessages(wire, bytes, types, described) {
  const length = lengthOfBytes(bytes);
  const buffer = bufferFrom(viewBuffer(bytes), viewByteOffset(bytes), length);
  let code = 0;
  for (let start = 0; start + HEADER_BYTES <= length && buffer[start] !== 0;) {
    code = buffer[start];
    const reader = new Reader(buffer, start + HEADER_BYTES);
    if (code === QUERY) wire.query(reader.text());
    else if (code === PARSE) wire.parse(reader.text(), reader.text());
    else if (code === BIND) {
      reader.text(); // the portal
      const statement = reader.text();
      wire.bind(statement, new RawJson(paramsText(reader, types[statement] || [])));
    } else if (code === DESCRIBE && reader.byte() === SYNC) {
      described(reader.text());
    } // `S` says here that it is a statement's
    else if (code === SYNC) wire.sync();
    start += 1 + new Reader(buffer, start + 1).int32();
  }
  return code !== QUERY && code !== SYNC && code !== 0;
}

/**
 * @param {Reader} reader positioned after the statement of a `bind`
 * @param {number[]} types
 * @returns {string} JSON
 */
function paramsText(reader, types) {
  const formats = [];
  for (let left = reader.int16(); left > 0; left--) formats[formats.length] = reader.int16();
  const count = reader.int16();
  let text = '';
  for (let index = 0; index < count; index++) {
    const value = reader.value();
    const format = formats.length === 1 ? formats[0] : formats[index];
    text += index === 0 ? '' : ',';
    if (value === null) text += 'null';
    else if (format === BINARY) text += '{"$bytes":"' + bufferToString(value, 'base64') + '"}';
    else text += paramText(bufferToString(value, 'utf8'), types[index] || 0);
  }
  return '[' + text + ']';
}

/**
 * @param {string} text the program's text; for the type of a number it need not be a number
 * @param {number} type
 * @returns {string} JSON
 */
function paramText(text, type) {
  return regExpExec(NUMBERS, String(type)) === null ? typedCell(text, type) : exactNumberText(text);
}

class Reader {
  /**
   * @param {Buffer} buffer
   * @param {number} at
   */
  constructor(buffer, at) {
    this.buffer = buffer;
    this.at = at;
  }

  byte() {
    return this.buffer[this.at++];
  }

  int16() {
    return (this.byte() << 8) | this.byte();
  }

  int32() {
    return (this.int16() << 16) | this.int16();
  }

  /** Reads a text up to a zero byte. */
  text() {
    const start = this.at;
    while (this.byte() > 0);
    return bufferToString(this.buffer, 'utf8', start, this.at - 1);
  }

  /** Reads a value with its length before it. */
  value() {
    const length = this.int32();
    if (length < 0) return null;
    this.at += length;
    return bufferSubarray(this.buffer, this.at - length, this.at);
  }
}

module.exports = { readMessages };
