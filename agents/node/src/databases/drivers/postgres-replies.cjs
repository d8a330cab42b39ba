'use strict';
/** Rows of PostgreSQL as JSON. Drivers are configured not to convert the server's texts. */

const {
  Date,
  Number,
  bufferFrom,
  bufferToString,
  dateTime,
  isFinite,
  quote,
  regExpExec,
  slice,
} = require('../../base/intrinsics.cjs');
const { cellText, exactNumberText, jsonCell } = require('../database-values.cjs');

/**
 * @param {any} fields with `name` and `dataTypeID`
 * @param {any} rows arrays of texts
 * @param {number | null} affected
 * @returns {import('../connected-databases.cjs').Answer}
 */
function answerOf(fields, rows, affected) {
  const columns = [];
  for (let index = 0; index < fields.length; index++) columns[index] = fields[index].name;
  let text = '';
  for (let index = 0; index < rows.length; index++) {
    let row = '';
    for (let at = 0; at < columns.length; at++) {
      row += (at === 0 ? '' : ',') + typedCell(rows[index][at], fields[at].dataTypeID);
    }
    text += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns, rows: '[' + text + ']', affected };
}

/** @type {(text: string) => string} */
const asItIs = (text) => text;
/** @type {(text: string) => string} */
const floatCell = (text) => cellText(Number(text));

/**
 * Converts a text of the server to JSON, by object identifier of its type (PostgreSQL,
 * src/include/catalog/pg_type.dat).
 * @type {Record<string, (text: string) => string>}
 */
const CELLS = {
  __proto__: /** @type {any} */ (null),
  16: /* bool */ (text) => (text === 't' ? 'true' : 'false'),
  17: /* bytea */ (text) => '{"$bytes":"' + bufferToString(bufferFrom(slice(text, 2), 'hex'), 'base64') + '"}',
  20: /* int8 */ (text) => (Number.isSafeInteger(Number(text)) ? text : '{"$bigint":"' + text + '"}'),
  21: /* int2 */ asItIs,
  23: /* int4 */ asItIs,
  26: /* oid */ asItIs,
  114: /* json */ jsonCell,
  700: /* float4 */ floatCell,
  701: /* float8 */ floatCell,
  1114: /* timestamp, as if it were UTC */ (text) => dateCell(text, text + 'Z'),
  1184: /* timestamptz */ (text) => dateCell(text, regExpExec(/[+-]\d\d$/, text) === null ? text : text + ':00'),
  1700: /* numeric */ exactNumberText,
  3802: /* jsonb */ jsonCell,
};

/**
 * @param {unknown} text as the server wrote it
 * @param {number} type its object identifier
 * @returns {string} JSON
 */
function typedCell(text, type) {
  if (typeof text !== 'string') return cellText(text);
  const write = CELLS[type];
  return write === undefined ? quote(text) : write(text);
}

/**
 * @param {string} text
 * @param {string} iso
 */
function dateCell(text, iso) {
  const time = dateTime(new Date(iso));
  return isFinite(time) ? '{"$date":' + time + '}' : quote(text);
}

module.exports = { answerOf, typedCell };
