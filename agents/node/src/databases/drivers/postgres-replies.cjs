'use strict';
/** Rows of PostgreSQL, whose cells drivers are told to leave as the server writes them, as JSON. */

const { Date, Number, bufferFrom, bufferToString, dateTime, isFinite, quote, regExpExec, slice } = require('../../intrinsics.cjs');
const { cellText, exactNumberText, jsonCell } = require('../values.cjs');

/**
 * @param {any} fields with `name` and `dataTypeID`
 * @param {any} rows arrays of texts
 * @param {number | null} affected
 * @returns {import('../targets.cjs').Answer}
 */
function answerOf(fields, rows, affected) {
  const columns = [];
  for (let index = 0; index < fields.length; index++) columns[index] = fields[index].name;
  let text = '';
  for (let index = 0; index < rows.length; index++) {
    let row = '';
    for (let at = 0; at < columns.length; at++) row += (at === 0 ? '' : ',') + typedCell(rows[index][at], fields[at].dataTypeID);
    text += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns, rows: '[' + text + ']', affected };
}

/**
 * @param {unknown} text as the server wrote it
 * @param {number} type its object identifier (PostgreSQL, src/include/catalog/pg_type.dat)
 * @returns {string} JSON
 */
function typedCell(text, type) {
  if (typeof text !== 'string') return cellText(text);
  switch (type) {
    case 16: // bool
      return text === 't' ? 'true' : 'false';
    case 20: // int8
      return Number.isSafeInteger(Number(text)) ? text : '{"$bigint":"' + text + '"}';
    case 21: // int2
    case 23: // int4
    case 26: // oid
      return text;
    case 700: // float4
    case 701: // float8
      return cellText(Number(text));
    case 1700: // numeric
      return exactNumberText(text);
    case 114: // json
    case 3802: // jsonb
      return jsonCell(text);
    case 17: // bytea
      return '{"$bytes":"' + bufferToString(bufferFrom(slice(text, 2), 'hex'), 'base64') + '"}';
    case 1114: // timestamp: as if it were UTC
      return dateCell(text, text + 'Z');
    case 1184: // timestamptz
      return dateCell(text, regExpExec(/[+-]\d\d$/, text) === null ? text : text + ':00');
    default:
      return quote(text);
  }
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
