'use strict';
/** Results of the drivers of MySQL and MariaDB: errors, counts, and cells of rows as JSON. */

const {
  Date,
  Error,
  Number,
  String,
  bufferToString,
  dateTime,
  isArray,
  isFinite,
  quote,
  regExpExec,
} = require('../../base/intrinsics.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { cellText, exactNumberText, jsonCell } = require('../database-values.cjs');

/** @typedef {import('./mysql-connections.cjs').Wire} Wire */

/** Frames of the agent between the caller of a function that creates an error and the original. */
const OUR_FRAMES = 5;
const SERVER_STATUS_IN_TRANS = 1;
const BINARY_CHARSET = 63;
/** Types that are written as texts although they have no charset: DATE, TIME, NEWDATE (MySQL, field_types.h). */
const TEXTUAL = /^(10|11|14)$/;

/**
 * @param {import('../recorded-commands.cjs').Command} command
 * @param {Wire} wire
 * @param {any} results of its statements: rows, or the server's status for other statements
 * @param {boolean} hasRows whether rows are counted
 */
function settleResults(command, wire, results, hasRows) {
  for (let index = 0; isArray(results) && index < results.length; index++) {
    const part = results[index];
    if (isArray(part)) {
      if (hasRows) command.returned = (command.returned || 0) + part.length;
    } else {
      command.affected = (command.affected || 0) + Number(part.affectedRows || 0);
      wire.isInTransaction = (part.serverStatus & SERVER_STATUS_IN_TRANS) !== 0;
    }
  }
}

/**
 * @template T
 * @param {() => T} make an error
 * @returns {T} the error, with the stack that it would have without the agent
 */
function withRoomForOurFrames(make) {
  const limit = Error.stackTraceLimit;
  try {
    if (typeof limit === 'number') Error.stackTraceLimit = limit + OUR_FRAMES;
    return hideAgentFrames(make());
  } finally {
    if (typeof limit === 'number') Error.stackTraceLimit = limit;
  }
}

/**
 * @param {any} results of one statement, or an array of those of several
 * @param {any} fields likewise
 * @param {(row: any, at: number, field: any, left: number) => string} cell JSON; left: how many rows are left, this one
 *   included, times columns
 * @returns {import('../connected-databases.cjs').Answer} of the last statement
 */
function answerOf(results, fields, cell) {
  const isSeveral = isArray(fields) && fields.length > 0 && (fields[0] === undefined || isArray(fields[0]));
  const rows = isSeveral ? results[results.length - 1] : results;
  const described = isSeveral ? fields[fields.length - 1] : fields;
  if (!isArray(rows)) return { columns: [], rows: '[]', affected: rows ? Number(rows.affectedRows) : null };
  const columns = [];
  for (let index = 0; described && index < described.length; index++) columns[index] = described[index].name;
  return { columns, rows: rowsText(rows, described, columns.length, cell), affected: null };
}

/**
 * @param {any[]} rows
 * @param {any} described their columns
 * @param {number} nColumns
 * @param {(row: any, at: number, field: any, left: number) => string} cell as in `answerOf`
 * @returns {string} JSON
 */
function rowsText(rows, described, nColumns, cell) {
  let text = '';
  for (let index = 0; index < rows.length; index++) {
    let row = '';
    for (let at = 0; at < nColumns; at++) {
      row += (at === 0 ? '' : ',') + cell(rows[index], at, described[at], (rows.length - index) * nColumns);
    }
    text += (index === 0 ? '[' : ',[') + row + ']';
  }
  return '[' + text + ']';
}

/** @typedef {(field: any) => string | Buffer | null} Cast */

/** @type {Cast} */
const numberCast = (field) => numberCell(field.string());

/** @type {Cast} */
const bigCast = (field) => {
  const text = field.string();
  return text === null || Number.isSafeInteger(Number(text)) ? numberCell(text) : '{"$bigint":"' + text + '"}';
};

/** @type {Cast} */
const exactNumberCast = (field) => {
  const text = field.string();
  return text === null ? 'null' : exactNumberText(text);
};

/** @type {Cast} */
const timeCast = (field) => {
  const text = field.string();
  const time = text === null ? NaN : dateTime(new Date(text + 'Z'));
  return isFinite(time) ? '{"$date":' + time + '}' : cellText(text);
};

/** By type of column; `mariadb` has other names for some. @type {Record<string, Cast>} */
const CASTS = {
  __proto__: /** @type {any} */ (null),
  TINY: numberCast,
  SHORT: numberCast,
  INT24: numberCast,
  LONG: numberCast,
  YEAR: numberCast,
  FLOAT: numberCast,
  DOUBLE: numberCast,
  INT: numberCast,
  LONGLONG: bigCast,
  BIGINT: bigCast,
  DECIMAL: exactNumberCast,
  NEWDECIMAL: exactNumberCast,
  DATETIME: timeCast,
  TIMESTAMP: timeCast,
  JSON: (field) => {
    const text = field.string('utf8');
    return text === null ? 'null' : jsonCell(text);
  },
};

/**
 * @param {any} field of the drivers' typeCast
 * @returns {string | Buffer | null} JSON, or the bytes of a value that may be a text
 */
function cast(field) {
  const read = CASTS[field.type];
  return read === undefined ? field.buffer() : read(field);
}

/** @param {string | null} text */
function numberCell(text) {
  return text === null ? 'null' : regExpExec(/^-?\d+(\.\d+)?$/, text) === null ? cellText(Number(text)) : text;
}

/**
 * @param {string | Buffer | null} value the result of `cast`
 * @param {number} charset of its column
 * @param {number} type of its column
 */
function cellOf(value, charset, type) {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  const isBytes = charset === BINARY_CHARSET && regExpExec(TEXTUAL, String(type)) === null;
  return isBytes ? '{"$bytes":' + quote(bufferToString(value, 'base64')) + '}' : quote(bufferToString(value, 'utf8'));
}

module.exports = { answerOf, cast, cellOf, settleResults, withRoomForOurFrames };
