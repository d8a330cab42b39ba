'use strict';
/**
 * `pg`: commands are seen where they are written to the wire, so pools, prepared statements, cursors, query streams and COPY are all the same.
 *
 * The server answers each `query` and each `sync` with one "ready for query", in order, which tells what belongs to what. Answers are heard by
 * listeners of our own on the connection, in front of the client's.
 */

const { Number, String, WeakMap, WeakSet, bufferFrom, bufferToString, dateTime, isArray, isFinite, quote, regExpExec, slice, weakMapGet, weakMapSet, weakSetAdd, weakSetHas, Date } = require('../../intrinsics.cjs');
const { noteCommand } = require('../commands.cjs');
const { noteReads, tapMethod } = require('../patching.cjs');
const { oneAtATime } = require('../queue.cjs');
const { hostOf, isLocalHost, targetOf } = require('../targets.cjs');
const { cellText, exactNumberText, jsonCell } = require('../values.cjs');

/** @typedef {import('../commands.cjs').Command} Command */

/** Commands that the server answers with one "ready for query". @typedef {{ commands: Command[], at: number }} Batch */

/**
 * @typedef {object} Wire what goes on on a connection
 * @property {import('../targets.cjs').Target | null} target
 * @property {Batch[]} sent in order
 * @property {Batch} open what is written and not synchronised yet
 * @property {Record<string, string>} statements texts of prepared statements
 * @property {boolean} isInTransaction
 * @property {number} rows of the result that is coming in
 */

const CONNECT_TIMEOUT_MS = 5000;
/** Of the core's own queries: neither may a lock of the SUT's hold us, nor one of ours the SUT. */
const SESSION = "SET lock_timeout = '2s'; SET statement_timeout = '20s'; SET idle_in_transaction_session_timeout = '20s'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'; SET client_min_messages = error; SET synchronous_commit = off";

/** Connection -> its client. @type {WeakMap<object, any>} */
const clients = new WeakMap();
/** @type {WeakMap<object, Wire>} */
const wires = new WeakMap();
/** Connections that the agent has opened. */
const own = new WeakSet();
/** The class, of the package that was loaded last. @type {any} */
let Client = null;

/** @type {Record<string, (exports: any) => void>} */
const watchPg = {
  'lib/client.js'(exports) {
    Client = exports;
    noteReads(exports.prototype, '_pulseQueryQueue', (client) => weakMapSet(clients, client.connection, client));
  },
  'lib/connection.js'({ prototype }) {
    tapMethod(prototype, 'query', (connection, args) => {
      const wire = wireOf(connection);
      if (wire !== null) wire.sent[wire.sent.length] = { commands: [commandOf(wire, args[0], undefined)], at: 0 };
    });
    tapMethod(prototype, 'parse', (connection, args) => {
      const wire = wireOf(connection);
      if (wire !== null) wire.statements[args[0].name || ''] = args[0].text;
    });
    tapMethod(
      prototype,
      'bind',
      () => {},
      (connection, args) => {
        const wire = wireOf(connection);
        if (wire === null) return;
        const config = args[0];
        const { commands } = wire.open;
        commands[commands.length] = commandOf(wire, wire.statements[(config && config.statement) || ''], config && config.values);
      },
    );
    tapMethod(prototype, 'sync', (connection) => {
      const wire = wireOf(connection);
      if (wire === null) return;
      wire.sent[wire.sent.length] = wire.open;
      wire.open = { commands: [], at: 0 };
    });
  },
};

/**
 * @param {Wire} wire
 * @param {unknown} text
 * @param {unknown} params
 */
function commandOf({ target, isInTransaction }, text, params) {
  return noteCommand(/** @type {any} */ (target).description.id, text, params, isInTransaction);
}

/**
 * @param {any} connection
 * @returns {Wire | null} null: the agent's own, or of no client that is known
 */
function wireOf(connection) {
  if (weakSetHas(own, connection)) return null;
  const known = weakMapGet(wires, connection);
  if (known !== undefined) return known.target === null ? null : known;
  const client = weakMapGet(clients, connection);
  const target = client === undefined ? null : describe(client);
  /** @type {Wire} */
  const wire = { target, sent: [], open: { commands: [], at: 0 }, statements: { __proto__: /** @type {any} */ (null) }, isInTransaction: false, rows: 0 };
  weakMapSet(wires, connection, wire);
  if (target === null) return null;
  hear(connection, wire);
  if (target.isHeld) {
    connection.stream.cork();
    target.whenReleased(() => connection.stream.uncork());
  }
  return wire;
}

/** @param {any} client */
function describe(client) {
  const { host, port, database } = client;
  const shownHost = hostOf(typeof host === 'string' ? host : '');
  const { stream } = client.connection;
  const isLocal = isLocalHost(shownHost) || isLocalHost(stream.remoteAddress);
  const name = String(database || '');
  return targetOf(
    { id: 'postgres:' + shownHost + ':' + port + '/' + name, driver: 'pg', dialect: 'postgres', host: shownHost, port: Number(port) || 0, name, isLocal, isInProcess: false },
    lender(client),
  );
}

/**
 * @param {any} connection
 * @param {Wire} wire
 */
function hear(connection, wire) {
  const current = () => {
    const batch = wire.sent.length > 0 ? wire.sent[0] : wire.open;
    return batch.at < batch.commands.length ? batch.commands[batch.at] : null;
  };
  connection.prependListener('dataRow', () => {
    wire.rows++;
  });
  const completed = (/** @type {any} */ message) => {
    const command = current();
    if (command !== null) complete(command, message, wire.rows);
    wire.rows = 0;
    // The statements of a simple query are one command; bound ones are one each.
    if (wire.sent.length > 0 && wire.sent[0].commands.length > 1) wire.sent[0].at++;
  };
  connection.prependListener('commandComplete', completed);
  connection.prependListener('errorMessage', (/** @type {any} */ error) => {
    wire.rows = 0;
    const command = current();
    if (command !== null) command.fail(error && error.message);
  });
  connection.prependListener('readyForQuery', (/** @type {any} */ message) => {
    wire.isInTransaction = message.status !== 'I';
    for (let index = 1; index < wire.sent.length; index++) wire.sent[index - 1] = wire.sent[index];
    if (wire.sent.length > 0) wire.sent.length--;
  });
}

/**
 * @param {Command} command
 * @param {any} message
 * @param {number} rows that were sent for it
 */
function complete(command, message, rows) {
  const text = typeof message === 'object' && message !== null && typeof message.text === 'string' ? message.text : '';
  const parts = regExpExec(/^(INSERT|UPDATE|DELETE|MERGE|COPY|SELECT|FETCH|MOVE)\b(?: \d+)?(?: (\d+))?$/, text);
  if (parts === null) return;
  const isRead = parts[1] === 'SELECT' || parts[1] === 'FETCH';
  if (isRead || rows > 0) command.returned = (command.returned || 0) + rows;
  if (!isRead) command.affected = (command.affected || 0) + Number(parts[2] || regExpExec(/\d+$/, text)?.[0] || 0);
}

/**
 * The core's queries run over a connection of their own, with the SUT's driver and settings: never in a transaction of the SUT's, and none of its pool's.
 * @param {any} client of the SUT
 * @returns {import('../targets.cjs').Lend}
 */
function lender(client) {
  /** @type {any} */
  let lent = null;
  const connected = (/** @type {(error: unknown) => void} */ done) => {
    if (lent !== null) return done(null);
    const mine = twinOf(client);
    const drop = () => {
      if (lent === mine) lent = null;
    };
    mine.on('error', drop);
    mine.on('end', drop);
    mine.connect((/** @type {unknown} */ error) => {
      if (error) return done(error);
      lent = mine;
      mine.query(SESSION, done);
      return undefined;
    });
    mine.connection.stream.unref();
    return undefined;
  };
  return oneAtATime((text, params, done) =>
    connected((error) => {
      if (error) return done(error);
      const config = { text, values: params.length > 0 ? params : undefined, rowMode: 'array', types: { getTypeParser: () => unparsed } };
      lent.query(config, (/** @type {unknown} */ failure, /** @type {any} */ result) => (failure ? done(failure) : done(null, answerOf(result))));
      return undefined;
    }),
  );
}

/** @param {string} text */
function unparsed(text) {
  return text;
}

/** @param {any} client */
function twinOf(client) {
  const settings = client.connectionParameters;
  const mine = new Client({
    host: client.host,
    port: client.port,
    user: client.user,
    database: client.database,
    password: client.password,
    ssl: client.ssl,
    options: settings.options,
    application_name: settings.application_name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  weakSetAdd(own, mine.connection);
  return mine;
}

/**
 * @param {any} result of pg, or several of them
 * @returns {import('../targets.cjs').Answer}
 */
function answerOf(result) {
  const last = isArray(result) ? result[result.length - 1] : result;
  const columns = [];
  const types = [];
  for (let index = 0; index < last.fields.length; index++) {
    columns[index] = last.fields[index].name;
    types[index] = last.fields[index].dataTypeID;
  }
  let rows = '';
  for (let index = 0; index < last.rows.length; index++) {
    let row = '';
    for (let at = 0; at < columns.length; at++) row += (at === 0 ? '' : ',') + typedCell(last.rows[index][at], types[at]);
    rows += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns, rows: '[' + rows + ']', affected: typeof last.rowCount === 'number' && last.command !== 'SELECT' ? last.rowCount : null };
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

module.exports = { watchPg };
