'use strict';
/** What the drivers of MySQL and MariaDB have in common: sessions of the core's, errors, and cells of rows as JSON. */

const { Date, Error, Number, String, bufferToString, dateTime, isArray, isFinite, quote, regExpExec } = require('../../intrinsics.cjs');
const { hideAgentFrames } = require('../../runtime/stacks.cjs');
const { hostOf, isLocalHost, targetOf } = require('../targets.cjs');
const { cellText, exactNumberText, jsonCell } = require('../values.cjs');

/** @typedef {{ target: import('../targets.cjs').Target, isInTransaction: boolean }} Wire a connection of the SUT's */

/** Between a caller of what makes an error and the original. */
const OUR_FRAMES = 5;
const SERVER_STATUS_IN_TRANS = 1;
const BINARY_CHARSET = 63;
/** Types that are written as texts although they have no charset: DATE, TIME, NEWDATE (MySQL, field_types.h). */
const TEXTUAL = /^(10|11|14)$/;
const SESSION = 'SET SESSION innodb_lock_wait_timeout = 2, lock_wait_timeout = 2, autocommit = 1';
/** MySQL 8 keeps statistics, next numbers among them, for a day; MariaDB does not know the setting. */
const FRESH = 'SET SESSION information_schema_stats_expiry = 0';
/** What the core's connections have, whatever the SUT's have. */
const OF_TWINS = { multipleStatements: true, connectTimeout: 5000, charsetNumber: 45 /* utf8mb4_general_ci */ };
const CLIENT_MULTI_STATEMENTS = 65536;

/**
 * @param {string} driver
 * @param {any} config of a connection
 * @param {unknown} address of the other side
 * @param {import('../targets.cjs').Lend} lend
 * @returns {Wire}
 */
function wireTo(driver, { host, port, database, socketPath }, address, lend) {
  const shownHost = hostOf(typeof socketPath === 'string' ? socketPath : String(host || ''));
  const isLocal = isLocalHost(shownHost) || isLocalHost(address);
  const name = String(database || '');
  const id = 'mysql:' + shownHost + ':' + port + '/' + name;
  const target = targetOf({ id, driver, dialect: 'mysql', host: shownHost, port: Number(port) || 0, name, isLocal, isInProcess: false }, lend);
  return { target, isInTransaction: false };
}

/**
 * @param {import('../commands.cjs').Command} command
 * @param {Wire} wire
 * @param {any} results of its statements: rows, or what the server says of others
 * @param {boolean} hasRows whether rows are kept
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
 * @returns {T} it, with the stack that it would have had
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
 * @param {any} last of several results
 * @param {string[]} columns
 * @param {(row: number, column: number) => string} cell
 * @returns {import('../targets.cjs').Answer}
 */
function answerWith(last, columns, cell) {
  if (!isArray(last)) return { columns: [], rows: '[]', affected: last ? Number(last.affectedRows) : null };
  let text = '';
  for (let index = 0; index < last.length; index++) {
    let row = '';
    for (let at = 0; at < columns.length; at++) row += (at === 0 ? '' : ',') + cell(index, at);
    text += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns, rows: '[' + text + ']', affected: null };
}

/**
 * @param {any} field of the drivers' typeCast
 * @returns {string | Buffer | null} JSON, or the bytes of what may be a text
 */
function cast(field) {
  switch (field.type) {
    case 'TINY':
    case 'SHORT':
    case 'INT24':
    case 'LONG':
    case 'YEAR':
      return numberCell(field.string());
    case 'LONGLONG': {
      const text = field.string();
      return text === null || Number.isSafeInteger(Number(text)) ? numberCell(text) : '{"$bigint":"' + text + '"}';
    }
    case 'FLOAT':
    case 'DOUBLE':
      return numberCell(field.string());
    case 'DECIMAL':
    case 'NEWDECIMAL': {
      const text = field.string();
      return text === null ? 'null' : exactNumberText(text);
    }
    case 'DATETIME':
    case 'TIMESTAMP': {
      const text = field.string();
      const time = text === null ? NaN : dateTime(new Date(text + 'Z'));
      return isFinite(time) ? '{"$date":' + time + '}' : cellText(text);
    }
    case 'JSON': {
      const text = field.string('utf8');
      return text === null ? 'null' : jsonCell(text);
    }
    default:
      return field.buffer();
  }
}

/** @param {string | null} text */
function numberCell(text) {
  return text === null ? 'null' : regExpExec(/^-?\d+(\.\d+)?$/, text) === null ? cellText(Number(text)) : text;
}

/**
 * @param {string | Buffer | null} value what `cast` made
 * @param {number} charset of its column
 * @param {number} type of its column
 */
function cellOf(value, charset, type) {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  const isBytes = charset === BINARY_CHARSET && regExpExec(TEXTUAL, String(type)) === null;
  return isBytes ? '{"$bytes":' + quote(bufferToString(value, 'base64')) + '}' : quote(bufferToString(value, 'utf8'));
}

module.exports = { CLIENT_MULTI_STATEMENTS, FRESH, OF_TWINS, SESSION, answerWith, cast, cellOf, settleResults, wireTo, withRoomForOurFrames };
