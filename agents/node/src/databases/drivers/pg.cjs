'use strict';
/**
 * `pg`: commands are observed when they are written to the wire, so pools, prepared statements, cursors, query streams
 * and COPY are all handled in the same way.
 *
 * Replies are received by listeners of the agent on the connection, before those of the client.
 */

const {
  Number,
  String,
  WeakMap,
  WeakSet,
  isArray,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { noteReads, tapMethod } = require('../../base/patching.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');
const { proxyConnection } = require('./proxy-connection.cjs');
const { answerOf } = require('./postgres-replies.cjs');
const { SESSION, Wire } = require('./postgres-wire.cjs');

const CONNECT_TIMEOUT_MS = 5000;

/** Connection -> its client. @type {WeakMap<object, any>} */
const clients = new WeakMap();
/** @type {WeakMap<object, Wire | null>} */
const wires = new WeakMap();
/** Connections that the agent has opened. */
const own = new WeakSet();
/** The class of the package that was loaded last. @type {any} */
let Client = null;

/** @type {Record<string, (exports: any) => void>} */
const watchPg = {
  'lib/client.js'(exports) {
    Client = exports;
    noteReads(exports.prototype, '_pulseQueryQueue', (client) => weakMapSet(clients, client.connection, client));
  },
  'lib/connection.js'({ prototype }) {
    tapMethod(prototype, 'query', (connection, args) => wireOf(connection)?.query(args[0]));
    tapMethod(prototype, 'parse', (connection, args) => wireOf(connection)?.parse(args[0].name || '', args[0].text));
    tapMethod(
      prototype,
      'bind',
      () => {},
      (connection, args) => wireOf(connection)?.bind((args[0] && args[0].statement) || '', args[0] && args[0].values),
    );
    tapMethod(prototype, 'sync', (connection) => wireOf(connection)?.sync());
  },
};

/**
 * @param {any} connection
 * @returns {Wire | null} null if it is the agent's own, or belongs to no known client
 */
function wireOf(connection) {
  if (weakSetHas(own, connection)) return null;
  const known = weakMapGet(wires, connection);
  if (known !== undefined) return known;
  const client = weakMapGet(clients, connection);
  const wire = client === undefined ? null : new Wire(describe(client));
  weakMapSet(wires, connection, wire);
  if (wire === null) return null;
  hear(connection, wire);
  wire.target.holdBack(connection.stream);
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
    {
      id: 'postgres:' + shownHost + ':' + port + '/' + name,
      driver: 'pg',
      dialect: 'postgres',
      host: shownHost,
      port: Number(port) || 0,
      name,
      isLocal,
      isInProcess: false,
    },
    queryRunner(client),
    { user: client.user, password: client.password },
  );
}

/**
 * @param {any} connection
 * @param {Wire} wire
 */
function hear(connection, wire) {
  connection.prependListener('dataRow', () => wire.row());
  connection.prependListener('commandComplete', (/** @type {any} */ message) =>
    wire.completed(message && message.text),
  );
  connection.prependListener('errorMessage', (/** @type {any} */ error) => wire.failed(error && error.message));
  connection.prependListener('readyForQuery', (/** @type {any} */ message) => wire.ready(message.status !== 'I'));
}

/**
 * @param {any} client of the SUT
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(client) {
  return proxyConnection({
    make: () => twinOf(client),
    socketOf: (mine) => mine.connection.stream,
    begin: (mine, done) => mine.query(SESSION, done),
    ask(mine, text, params, done) {
      const config = {
        text,
        values: params.length > 0 ? params : undefined,
        rowMode: 'array',
        types: { getTypeParser: () => unparsed },
      };
      mine.query(config, (/** @type {unknown} */ failure, /** @type {any} */ result) =>
        failure ? done(failure) : done(null, lastOf(result)),
      );
    },
  });
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
 * @returns {import('../connected-databases.cjs').Answer}
 */
function lastOf(result) {
  const { fields, rows, rowCount, command } = isArray(result) ? result[result.length - 1] : result;
  return answerOf(fields, rows, typeof rowCount === 'number' && command !== 'SELECT' ? rowCount : null);
}

module.exports = { watchPg };
