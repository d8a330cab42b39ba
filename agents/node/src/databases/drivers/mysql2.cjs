'use strict';
/**
 * `mysql2`, which also speaks to MariaDB: commands are seen when they are sent, by whatever way (connections, pools, promises, prepared statements).
 *
 * What came of one is read from the command itself when it says that it has ended.
 */

const { Error, Number, String, assign, ObjectCreate, WeakMap, WeakSet, bufferToString, dateTime, Date, getPrototypeOf, isArray, isFinite, quote, regExpExec, weakMapGet, weakMapSet, weakSetAdd, weakSetHas } = require('../../intrinsics.cjs');
const { hideAgentFrames } = require('../../runtime/stacks.cjs');
const { noteCommand } = require('../commands.cjs');
const { replaceMethod, tapMethod } = require('../patching.cjs');
const { oneAtATime } = require('../queue.cjs');
const { hostOf, isLocalHost, targetOf } = require('../targets.cjs');
const { cellText, exactNumberText, jsonCell } = require('../values.cjs');

/** @typedef {{ target: import('../targets.cjs').Target, isInTransaction: boolean }} Wire */

const CONNECT_TIMEOUT_MS = 5000;
/** Between a caller of `asError` and the original. */
const OUR_FRAMES = 4;
const SERVER_STATUS_IN_TRANS = 1;
const CLIENT_MULTI_STATEMENTS = 65536;
const BINARY_CHARSET = 63;
/** Types that are written as texts although they have no charset: DATE, TIME, NEWDATE (mysql2, lib/constants/types.js). */
const TEXTUAL = /^(10|11|14)$/;
const UTF8MB4_GENERAL_CI = 45;
const SESSION = 'SET SESSION innodb_lock_wait_timeout = 2, lock_wait_timeout = 2, autocommit = 1';
/** MySQL 8 keeps statistics, next numbers among them, for a day; MariaDB does not know the setting. */
const FRESH = 'SET SESSION information_schema_stats_expiry = 0';

/** @type {WeakMap<object, Wire>} */
const wires = new WeakMap();
/** Connections that the agent has opened. */
const own = new WeakSet();
/** The class, of the package that was loaded last. @type {any} */
let Connection = null;
/** What the packet that is being read says. @type {any} */
let latestError = null;

/** @type {Record<string, (exports: any) => void>} */
const watchMysql2 = {
  'lib/connection.js'(exports) {
    Connection = exports;
  },
  'lib/packets/packet.js'({ prototype }) {
    replaceMethod(
      prototype,
      'asError',
      (original) =>
        /** @this {any} */ function (/** @type {any} */ encoding) {
          latestError = withRoomForOurFrames(() => original.call(this, encoding));
          return latestError;
        },
    );
  },
  'lib/commands/query.js': watchStart,
  'lib/commands/execute.js': watchStart,
};

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

/** @param {any} exports a class of commands */
function watchStart({ prototype }) {
  tapMethod(prototype, 'start', (sent, args) => {
    const wire = wireOf(args[1]);
    if (wire === null) return;
    const isPrepared = sent.statement !== undefined;
    const text = isPrepared && typeof sent.sql !== 'string' ? sent.statement.query : sent.sql;
    const command = noteCommand(wire.target.description.id, text, isPrepared ? sent.parameters : undefined, wire.isInTransaction);
    sent.prependListener('end', () => settle(command, sent, wire));
  });
}

/**
 * @param {import('../commands.cjs').Command} command
 * @param {any} sent mysql2's
 * @param {Wire} wire
 */
function settle(command, sent, wire) {
  if (latestError !== null) {
    command.fail(latestError.message);
    latestError = null;
    return;
  }
  const rows = sent._rows;
  for (let index = 0; isArray(rows) && index < rows.length; index++) {
    const part = rows[index];
    if (isArray(part)) {
      if (sent.onResult) command.returned = (command.returned || 0) + part.length;
    } else {
      command.affected = (command.affected || 0) + Number(part.affectedRows || 0);
      wire.isInTransaction = (part.serverStatus & SERVER_STATUS_IN_TRANS) !== 0;
    }
  }
}

/** @param {any} connection @returns {Wire | null} */
function wireOf(connection) {
  if (weakSetHas(own, connection)) return null;
  const known = weakMapGet(wires, connection);
  if (known !== undefined) return known;
  const { host, port, database, socketPath } = connection.config;
  const shownHost = hostOf(typeof socketPath === 'string' ? socketPath : String(host || ''));
  const isLocal = isLocalHost(shownHost) || isLocalHost(connection.stream.remoteAddress);
  const name = String(database || '');
  const target = targetOf(
    { id: 'mysql:' + shownHost + ':' + port + '/' + name, driver: 'mysql2', dialect: 'mysql', host: shownHost, port: Number(port) || 0, name, isLocal, isInProcess: false },
    lender(connection.config),
  );
  /** @type {Wire} */
  const wire = { target, isInTransaction: false };
  weakMapSet(wires, connection, wire);
  if (target.isHeld) {
    connection.stream.cork();
    target.whenReleased(() => connection.stream.uncork());
  }
  return wire;
}

/**
 * The core's queries run over a connection of their own, with the SUT's driver and settings.
 * @param {any} config
 * @returns {import('../targets.cjs').Lend}
 */
function lender(config) {
  /** @type {any} */
  let lent = null;
  const connected = (/** @type {(error: unknown) => void} */ done) => {
    if (lent !== null) return done(null);
    const mine = twinOf(config);
    const drop = () => {
      if (lent === mine) lent = null;
    };
    mine.on('error', drop);
    mine.stream.on('close', drop);
    mine.stream.unref();
    mine.connect((/** @type {unknown} */ error) => {
      if (error) return done(error);
      lent = mine;
      return mine.query(SESSION, (/** @type {unknown} */ failure) => (failure ? done(failure) : mine.query(FRESH, () => done(null))));
    });
    return undefined;
  };
  return oneAtATime((text, params, done) =>
    connected((error) => {
      if (error) return done(error);
      lent.query({ sql: text, values: params, rowsAsArray: true, typeCast: cast }, (/** @type {unknown} */ failure, /** @type {any} */ rows, /** @type {any} */ fields) => {
        // A transaction that broke off in the middle must not stay open.
        if (failure) lent.query('ROLLBACK', () => done(failure));
        else done(null, answerOf(rows, fields));
      });
      return undefined;
    }),
  );
}

/** @param {any} config */
function twinOf(config) {
  const mine = assign(ObjectCreate(getPrototypeOf(config)), config, {
    clientFlags: config.clientFlags | CLIENT_MULTI_STATEMENTS,
    multipleStatements: true,
    namedPlaceholders: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    isServer: false,
    charsetNumber: UTF8MB4_GENERAL_CI,
  });
  const connection = new Connection({ config: mine });
  weakSetAdd(own, connection);
  return connection;
}

/**
 * @param {any} rows
 * @param {any} fields
 * @returns {import('../targets.cjs').Answer} of the last statement
 */
function answerOf(rows, fields) {
  // Of several statements: an array of results, and of their fields.
  const isSeveral = isArray(fields) && fields.length > 0 && (fields[0] === undefined || isArray(fields[0]));
  const last = isSeveral ? rows[rows.length - 1] : rows;
  const lastFields = isSeveral ? fields[fields.length - 1] : fields;
  if (!isArray(last)) return { columns: [], rows: '[]', affected: last ? Number(last.affectedRows) : null };
  const columns = [];
  for (let index = 0; lastFields && index < lastFields.length; index++) columns[index] = lastFields[index].name;
  let text = '';
  for (let index = 0; index < last.length; index++) {
    let row = '';
    for (let at = 0; at < columns.length; at++) row += (at === 0 ? '' : ',') + cellOf(last[index][at], lastFields[at]);
    text += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns, rows: '[' + text + ']', affected: null };
}

/**
 * @param {any} field of mysql2's typeCast
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
 * @param {any} field
 */
function cellOf(value, field) {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  const isBytes = field.characterSet === BINARY_CHARSET && regExpExec(TEXTUAL, String(field.columnType)) === null;
  return isBytes ? '{"$bytes":' + quote(bufferToString(value, 'base64')) + '}' : quote(bufferToString(value, 'utf8'));
}

module.exports = { watchMysql2 };
