'use strict';
/**
 * `mariadb` 3, MariaDB's own driver: commands are observed when they are sent, for all interfaces (connections, pools,
 * clusters; promises, callbacks, streams; prepared statements, batches).
 *
 * From 3.5 on `require` gives one minified bundle, whose classes mariadb-classes.cjs finds. The driver calls methods of
 * values of the SUT while it sends a command, so methods are only observed when they are read.
 */

const {
  ObjectKeys,
  WeakMap,
  WeakSet,
  defineProperty,
  getPrototypeOf,
  isArray,
  reflectApply,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { noteReads } = require('../../base/patching.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { classesOf } = require('./mariadb-classes.cjs');
const { Connections } = require('./mysql-connections.cjs');
const { answerOf, cast, cellOf, settleResults } = require('./mysql-replies.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/** @typedef {import('./mysql-connections.cjs').Wire} Wire */

const CONNECTED = 5;
const SERVER_STATUS_IN_TRANS = 1;

/** Connections of the SUT by their options, which commands refer to. @type {WeakMap<object, any>} */
const byOptions = new WeakMap();
/** Commands that are sent together with their preparation. @type {WeakMap<object, Command>} */
const running = new WeakMap();
/** Prototypes of connections. */
const watched = new WeakSet();
/** The number in the reply that is being read; replies with rows have none. @type {unknown} */
let latestAffected = 0;
/** Those of the package that was loaded last. @type {{ Connection: any, connect: any }} */
let ours = { Connection: null, connect: null };

const ignored = () => undefined;

/** Settings of the core's connections, in the form that the driver's own options have after parsing. */
const SETTINGS = {
  charset: 'utf8mb4',
  collation: undefined,
  debug: false,
  debugCompress: false,
  forceVersionCheck: false,
  initSql: undefined,
  logger: { network: null, query: null, error: null, warning: ignored },
  metaAsArray: true,
  namedPlaceholders: false,
  pipelining: false,
  queryTimeout: 0,
  rowsAsArray: true,
  sessionVariables: undefined,
  socketTimeout: 0,
  timezone: 'local',
  trace: false,
  typeCast: (/** @type {any} */ column) => cellOf(cast(column), column.collation?.index, column.columnType),
};

/** A connection of the core, with the methods of connections of `mysql`. */
class Session {
  /** @param {any} config of a connection of the SUT, with changes; it also has the listeners of that connection */
  constructor(config) {
    /** @type {Record<string, any>} */
    const mine = {};
    const names = ObjectKeys(config);
    for (let index = 0; index < names.length; index++) {
      if (names[index][0] !== '_') mine[names[index]] = config[names[index]];
    }
    this.connection = new ours.Connection(mine);
  }

  /**
   * @param {string} name
   * @param {() => void} listener
   */
  on(name, listener) {
    this.connection.on(name, listener);
  }

  /** @param {(error: unknown) => void} done */
  connect(done) {
    reflectApply(ours.connect, this.connection, []).then(() => done(null), done);
  }

  /**
   * @param {string} text
   * @param {(error: unknown, rows?: any, columns?: any) => void} done
   * @param {any[]} [params]
   */
  query(text, done, params = []) {
    const values = params.length === 0 ? undefined : params;
    const succeed = (/** @type {any} */ result) => done(null, result[0], result[1]);
    this.connection.query({ sql: text, values }, succeed, done);
  }
}

const connections = new Connections({
  driver: 'mariadb',
  make: ({ config }) => new Session(config),
  settings: SETTINGS,
  configOf: (connection) => connection.opts,
  socketOf: (connection) => (connection instanceof Session ? connection.connection : connection).socket,
  ask(mine, text, params, done) {
    mine.query(
      text,
      (/** @type {unknown} */ failure, /** @type {any} */ rows, /** @type {any} */ columns) =>
        done(failure, failure ? undefined : answerOf(rows, namesOf(columns), (row, at) => row[at])),
      params,
    );
  },
});

/**
 * @param {any} columns of one statement, or an array of those of several, where statements without rows have none
 * @returns {any}
 */
function namesOf(columns) {
  /** @type {any[]} */
  const named = [];
  for (let index = 0; isArray(columns) && index < columns.length; index++) {
    const one = columns[index];
    named[index] = !one ? undefined : isArray(one) ? namesOf(one) : { name: one.name() };
  }
  return named;
}

/** @param {any} exports of an entry of the package */
function watchEntry(exports) {
  const classes = classesOf(exports.createConnection);
  if (classes === null) return;
  const { prototype } = classes.Connection;
  if (weakSetHas(watched, prototype)) return; // another entry has the same classes
  weakSetAdd(watched, prototype);
  ours = { Connection: classes.Connection, connect: prototype.connect };
  noteReads(prototype, 'connect', (connection) => weakMapSet(byOptions, connection.opts, connection));
  for (let index = 0; index < classes.commands.length; index++) noteReads(classes.commands[index], 'start', noteStart);
  noteReads(classes.preparation, 'start', notePreparation);
  watchReplies(classes.reply);
}

/**
 * Notes the number of affected rows when the driver stores it: it passes a reply on without keeping it.
 * @param {object} prototype of replies without rows
 */
function watchReplies(prototype) {
  defineProperty(prototype, 'affectedRows', {
    configurable: true,
    enumerable: false,
    get: ignored,
    set(value) {
      latestAffected = value;
      defineProperty(this, 'affectedRows', { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

/**
 * @param {any} sent the driver's object for a command
 * @returns {any} undefined if the connection is the agent's, or being opened: those commands are the driver's
 */
function connectionOf(sent) {
  const known = weakMapGet(byOptions, sent.opts) ?? weakMapGet(byOptions, getPrototypeOf(sent.opts));
  return known === undefined || known.status < CONNECTED ? undefined : known;
}

/** @param {any} sent a command, which may be a prepared statement */
function noteStart(sent) {
  const connection = connectionOf(sent);
  const wire = connections.wireOf(connection);
  if (wire === null) return;
  const command = note(sent, wire);
  if (!sent.prepare) weakMapSet(running, sent, command);
  sent.prependListener('end', (/** @type {any} */ error) => {
    if (!error) settle(command, sent, wire, connection.info);
    else if (command.error === null) command.fail(messageOf(error)); // else its preparation was refused
  });
}

/**
 * Records the text of a statement only if the database refuses it: otherwise it is recorded with each execution.
 * @param {any} sent the driver's object for the preparation
 */
function notePreparation(sent) {
  const wire = connections.wireOf(connectionOf(sent));
  if (wire === null) return;
  sent.prependListener('end', (/** @type {any} */ error) => {
    if (!error) return;
    const executed = sent.executeCommand && weakMapGet(running, sent.executeCommand);
    (executed || note(sent, wire)).fail(messageOf(error));
  });
}

/**
 * @param {any} sent
 * @param {Wire} wire
 */
function note(sent, wire) {
  const { sql, initialValues, bulkPacketNo } = sent;
  const isBatch = bulkPacketNo !== undefined && isArray(initialValues);
  return noteCommand(wire.target.description.id, sql, isBatch ? initialValues[0] : initialValues, wire.isInTransaction);
}

/**
 * @param {Command} command
 * @param {any} sent
 * @param {Wire} wire
 * @param {any} info the driver's data of the connection
 */
function settle(command, sent, wire, info) {
  const results = sent._rows;
  if (isArray(results) && results.length > 0) settleResults(command, wire, results, sent.inStream === undefined);
  else if (typeof latestAffected === 'number') command.affected = latestAffected;
  wire.isInTransaction = (info.status & SERVER_STATUS_IN_TRANS) !== 0;
}

/** @param {any} error of the driver, whose `message` also quotes the command and the number of the connection */
function messageOf(error) {
  return error.sqlMessage || error.text || error.message;
}

/** The entries of the package: before 3.5, from then on as ES modules, and bundled. */
const watchMariadb = {
  'promise.js': watchEntry,
  'callback.js': watchEntry,
  'dist/promise.cjs': watchEntry,
  'dist/callback.cjs': watchEntry,
};

module.exports = { watchMariadb };
