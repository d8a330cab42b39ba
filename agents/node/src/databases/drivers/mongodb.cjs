'use strict';
/**
 * `mongodb` (4 and later, and so Mongoose): commands are read when they are written to the wire, and replies when they
 * are read from it.
 *
 * A command's bytes are created while `Connection.command` runs, before it first waits; the reply names the request
 * that it belongs to. So cursors, bulk writes, transactions and the operations of an ODM are all handled in the same
 * way, and no object of the program is read.
 */

const {
  Map,
  ObjectKeys,
  Promise,
  String,
  WeakMap,
  WeakSet,
  isArray,
  isProxy,
  lastIndexOf,
  lengthOfBytes,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  parseJson,
  promiseThen,
  quote,
  slice,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { RawJson } = require('../../base/json-text.cjs');
const { readData } = require('../../base/data-properties.cjs');
const {
  ARRAY,
  DOCUMENT,
  NULL,
  countOf,
  extendedJson,
  field,
  forFields,
  int32,
  numberOf,
  textOf,
} = require('../bson.cjs');
const { log, noteCommand } = require('../recorded-commands.cjs');
const { replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { oneAtATime } = require('../query-queue.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/** @typedef {import('../bson.cjs').Value} Value */

/** Commands that connections and sessions send by themselves. */
const OF_CONNECTIONS = {
  __proto__: null,
  hello: true,
  ismaster: true,
  isMaster: true,
  ping: true,
  buildInfo: true,
  buildinfo: true,
  endSessions: true,
  killCursors: true,
  killSessions: true,
  refreshSessions: true,
  saslStart: true,
  saslContinue: true,
  getnonce: true,
  authenticate: true,
  logout: true,
  connectionStatus: true,
  getParameter: true,
  serverStatus: true,
};
/** Commands that end a transaction: they are sent to `admin`, whatever database the transaction is on. */
const ENDS = { __proto__: null, commitTransaction: true, abortTransaction: true };
/** Fields that drivers add to commands. */
const OF_DRIVERS = {
  __proto__: null,
  lsid: true,
  $db: true,
  $clusterTime: true,
  $readPreference: true,
  txnNumber: true,
  startTransaction: true,
  autocommit: true,
  readConcern: true,
  writeConcern: true,
  maxTimeMS: true,
  apiVersion: true,
};
/** @type {Record<string, string>} Commands whose documents may follow them in a separate section. */
const SEQUENCES = { insert: 'documents', update: 'updates', delete: 'deletes' };

const MAX_COMMAND_UNITS = 8 * 1024;
const MAX_REPLY_UNITS = 16 * 1024 * 1024;
const MAX_PENDING = 1000;
const MAX_SESSION_UNITS = 500;
const HEADER_BYTES = 16;
const MORE_TO_COME = 2;

/** Connections of the agent. */
const own = new WeakSet();
/** The connection that is writing a command at present. @type {any} */
let current = null;
/** Exports of the package that was loaded last. @type {{ connect: any, EJSON: any }} */
const driver = { connect: null, EJSON: null };
/**
 * Connection of the program -> the options with which it was opened, for versions up to 5, which take callbacks.
 * @type {WeakMap<object, any>}
 */
const settings = new WeakMap();
/** Session -> id of the database that its last transaction was on. @type {Map<string, string>} */
let transactions = new Map();
/** The reply to a command of the agent. */
let proxiedReply = '';

/** Up to version 4 the driver does not export it. @type {(exports: any) => void} */
const noteBson = (exports) => void (driver.EJSON ||= exports.EJSON);
/** @type {Record<string, (exports: any) => void>} */
const watchBson = { 'lib/bson.js': noteBson, 'lib/bson.cjs': noteBson };

/** @type {Record<string, (exports: any) => void>} */
const watchMongodb = {
  'lib/bson.js'({ BSON }) {
    if (BSON && BSON.EJSON) driver.EJSON = BSON.EJSON;
  },
  'lib/cmap/connect.js'(exports) {
    driver.connect = replaceMethod(
      exports,
      'connect',
      (original) => (/** @type {any} */ options, /** @type {any} */ callback) => {
        if (typeof callback !== 'function') return original(options);
        return original(options, (/** @type {any} */ error, /** @type {any} */ connection) => {
          if (connection) weakMapSet(settings, connection, options);
          return callback(error, connection);
        });
      },
    );
  },
  'lib/cmap/connection.js'(exports) {
    watchConnections(exports.Connection.prototype);
  },
  'lib/cmap/commands.js'(exports) {
    /**
     * Request -> its command, for this copy of the driver, which numbers its requests.
     * @type {Map<number, Command | 'proxied'>}
     */
    const pending = new Map();
    tapMethod((exports.OpMsgRequest || exports.Msg).prototype, 'toBin', nothing, (request, _, chunks) => {
      if (current !== null && isArray(chunks)) sent(pending, request.requestId, chunks);
    });
    tapMethod((exports.OpMsgResponse || exports.BinMsg).prototype, 'parse', (response) => answered(pending, response));
  },
};

function nothing() {}

/** @param {any} prototype of connections */
function watchConnections(prototype) {
  replaceMethod(
    prototype,
    'command',
    (original) =>
      /** @this {any} */ function (/** @type {any[]} */ ...args) {
        const run = () => {
          const outer = current;
          current = this;
          try {
            return original.apply(this, args);
          } finally {
            current = outer;
          }
        };
        const target = heldTarget(this, args[0], args[1]);
        if (target === null) return run();
        const released = new Promise((resolve) => target.whenReleased(() => resolve(undefined)));
        return promiseThen(released, run);
      },
  );
}

/**
 * @param {any} connection
 * @param {any} namespace
 * @param {any} command
 * @returns {import('../connected-databases.cjs').Target | null} null: nothing is held
 */
function heldTarget(connection, namespace, command) {
  try {
    if (weakSetHas(own, connection) || isProxy(command)) return null;
    const verb = ObjectKeys(command)[0];
    if (verb in OF_CONNECTIONS || verb in ENDS) return null;
    const target = describe(connection, String(readData(namespace, 'db')));
    return target.isHeld ? target : null;
  } catch {
    return null; // another version
  }
}

/**
 * Connection -> database -> target.
 * @type {WeakMap<object, Map<string, import('../connected-databases.cjs').Target>>}
 */
const known = new WeakMap();

/**
 * @param {any} connection
 * @param {any} options of its client
 * @returns {{ host: string, port: number, place: string }} `place`: the path of a socket, or host and port
 */
function addressOf(connection, options) {
  const path = options && options.hostAddress.socketPath;
  if (typeof path === 'string') return { host: path, port: 0, place: path };
  const address = String(connection.address);
  const colon = lastIndexOf(address, ':');
  const host = hostOf(slice(address, 0, colon));
  const port = +slice(address, colon + 1) || 0;
  return { host, port, place: host + ':' + port };
}

/**
 * @param {any} connection
 * @param {string} name of the database
 */
function describe(connection, name) {
  let targets = weakMapGet(known, connection);
  if (targets === undefined) weakMapSet(known, connection, (targets = new Map()));
  const found = mapGet(targets, name);
  if (found !== undefined) return found;
  const options = optionsOf(connection);
  const credentials = (options && options.credentials) || {};
  const { host, port, place } = addressOf(connection, options);
  const remote = connection.socket && connection.socket.remoteAddress;
  const isLocal = isLocalHost(host) || (typeof remote === 'string' && isLocalHost(remote));
  const target = targetOf(
    {
      id: 'mongodb:' + place + '/' + name,
      driver: 'mongodb',
      dialect: 'mongo',
      host,
      port,
      name,
      isLocal,
      isInProcess: false,
    },
    queryRunner(options, name),
    { user: credentials.username, password: credentials.password },
  );
  mapSet(targets, name, target);
  return target;
}

/**
 * @param {any} connection of the program
 * @returns {any} the options with which it was opened: host, user, password, TLS
 */
function optionsOf(connection) {
  const { authContext } = connection;
  return authContext ? authContext.options : weakMapGet(settings, connection);
}

// ---- requests ------------------------------------------------------------------------------------------------------

/**
 * @param {Map<number, Command | 'proxied'>} pending
 * @param {number} request
 * @param {any[]} chunks of an OP_MSG: header and flags, then sections
 */
function sent(pending, request, chunks) {
  if (weakSetHas(own, current)) {
    mapSet(pending, request, 'proxied');
    return;
  }
  const { body, sequences } = sectionsOf(chunks);
  if (body === null) return;
  const { verb, collection } = nameOf(body);
  const database = textOf(field(body, '$db'));
  if (verb in OF_CONNECTIONS || database === null) return;
  const session = field(body, 'autocommit') === null ? null : sessionOf(body);
  const id = verb in ENDS ? mapGet(transactions, session || '') : describe(current, database).description.id;
  if (id === undefined) return;
  if (session !== null) noteTransaction(session, id);
  const command = noteCommand(
    id,
    textFor(verb, collection, body),
    log.isWanted ? shown(body, verb, sequences) : undefined,
    session !== null,
  );
  const expectsAnswer = (int32(chunks[0], HEADER_BYTES) & MORE_TO_COME) === 0;
  if (expectsAnswer && mapSize(pending) < MAX_PENDING) mapSet(pending, request, command);
}

/** @param {Value} body */
function sessionOf(body) {
  const session = field(body, 'lsid');
  return (session !== null && extendedJson(session, MAX_SESSION_UNITS)) || '';
}

/**
 * @param {string} session
 * @param {string} id of the database
 */
function noteTransaction(session, id) {
  if (mapSize(transactions) >= MAX_PENDING) transactions = new Map();
  mapSet(transactions, session, id);
}

/**
 * @param {any[]} chunks
 * @returns {{ body: Value | null, sequences: any[] }} the command, and the sections after it
 */
function sectionsOf(chunks) {
  /** @type {Value | null} */
  let body = null;
  const sequences = [];
  for (let index = 1; index < chunks.length; index++) {
    const chunk = chunks[index];
    const length = lengthOfBytes(chunk);
    if (length === 1 && chunk[0] === 0) body = { bytes: chunks[++index], at: 0, type: DOCUMENT };
    else if (length > 0) sequences[sequences.length] = chunk;
  }
  return { body, sequences };
}

/** @param {Value} body @returns {{ verb: string, collection: string }} */
function nameOf(body) {
  let verb = '';
  /** @type {string | null} */
  let collection = null;
  forFields(body.bytes, body.at, (name, value) => {
    verb = name;
    collection = textOf(value);
    return true;
  });
  if (verb === 'getMore') collection = textOf(field(body, 'collection'));
  return { verb: verb === 'findandmodify' ? 'findAndModify' : verb, collection: collection || '' };
}

/**
 * Returns `members.find`; for an aggregation that writes, `orders.aggregate $out`.
 * @param {string} verb
 * @param {string} collection
 * @param {Value} body
 */
function textFor(verb, collection, body) {
  let text = collection + '.' + verb;
  const pipeline = verb === 'aggregate' ? field(body, 'pipeline') : null;
  if (pipeline !== null && pipeline.type === ARRAY) {
    forFields(pipeline.bytes, pipeline.at, (_, stage) => {
      if (field(stage, '$out') !== null) text = collection + '.aggregate $out';
      else if (field(stage, '$merge') !== null) text = collection + '.aggregate $merge';
    });
  }
  return text;
}

/**
 * Returns the command as parameters: one document, without the fields that drivers add.
 * @param {Value} body
 * @param {string} verb
 * @param {any[]} sequences
 */
function shown(body, verb, sequences) {
  const text = extendedJson(body, MAX_COMMAND_UNITS, (name) => !(name in OF_DRIVERS));
  if (text === null) return new RawJson('[]');
  const name = SEQUENCES[verb];
  // v6.10 and later may send documents in a separate section: kind, length, name, documents.
  if (sequences.length === 0 || name === undefined) return new RawJson('[' + text + ']');
  const start = 1 + 4 + name.length + 1;
  let list = '';
  for (let at = start; at < lengthOfBytes(sequences[0]); at += int32(sequences[0], at)) {
    const one = extendedJson({ bytes: sequences[0], at, type: DOCUMENT }, MAX_COMMAND_UNITS);
    if (one === null || list.length > MAX_COMMAND_UNITS) return new RawJson('[]');
    list += (list === '' ? '' : ',') + one;
  }
  return new RawJson('[' + slice(text, 0, -1) + ',' + quote(name) + ':[' + list + ']}]');
}

// ---- replies -------------------------------------------------------------------------------------------------------

/**
 * @param {Map<number, Command | 'proxied'>} pending
 * @param {any} response
 */
function answered(pending, response) {
  const command = mapGet(pending, response.responseTo);
  if (command === undefined) return;
  mapDelete(pending, response.responseTo);
  // The flags, then the kind of the only section.
  const reply = { bytes: response.data, at: 5, type: DOCUMENT };
  if (command === 'proxied') proxiedReply = extendedJson(reply, MAX_REPLY_UNITS) || '';
  else complete(command, reply);
}

/**
 * @param {Command} command
 * @param {Value} reply
 */
function complete(command, reply) {
  const message = textOf(field(reply, 'errmsg'));
  if (message !== null && numberOf(field(reply, 'ok')) !== 1) return command.fail(message);
  const refused = field(reply, 'writeErrors');
  if (countOf(refused) > 0) {
    command.fail(textOf(field(/** @type {Value} */ (field(/** @type {Value} */ (refused), '0')), 'errmsg')));
  }
  const verb = slice(command.text, lastIndexOf(command.text, '.') + 1);
  const n = numberOf(field(reply, 'n'));
  const cursor = field(reply, 'cursor');
  if (cursor !== null) command.returned = countOf(field(cursor, 'firstBatch') || field(cursor, 'nextBatch'));
  else if (verb === 'distinct') command.returned = countOf(field(reply, 'values'));
  else if (verb === 'findAndModify') {
    command.returned = isSomething(field(reply, 'value')) || updatedExisting(reply) ? 1 : 0;
  } else if (verb === 'count') command.returned = n;
  // A document that an upsert inserts was not found.
  else if (n !== null) command.affected = n - countOf(field(reply, 'upserted'));
  return undefined;
}

/** @param {Value | null} value */
function isSomething(value) {
  return value !== null && value.type !== NULL;
}

/** @param {Value} reply of a findAndModify, which may return null if the document was removed, or was not changed */
function updatedExisting(reply) {
  const last = field(reply, 'lastErrorObject');
  if (last === null) return false;
  const flag = field(last, 'updatedExisting');
  return flag !== null && flag.bytes[flag.at] === 1;
}

// ---- proxy ---------------------------------------------------------------------------------------------------------

/**
 * The core's commands run over a separate connection, opened with the program's options: outside of the program's
 * sessions and pool. The text is a command in Extended JSON; the answer is one row with the server's whole reply.
 * @param {any} options with which the program's connection was opened
 * @param {string} database
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(options, database) {
  /** @type {any} */
  let proxy = null;
  return oneAtATime((text, _, done) => {
    const run = (/** @type {any} */ connection) => {
      const command = driver.EJSON.parse(text, { relaxed: false });
      proxiedReply = '';
      const finish = (/** @type {any} */ error) => {
        if (error && proxiedReply === '') return done(error);
        const reply = proxiedReply === '' ? 'null' : proxiedReply;
        const failed = failureIn(reply);
        if (failed !== '') return done(failed);
        return done(null, { columns: ['reply'], rows: '[[' + reply + ']]', affected: null });
      };
      const namespace = {
        db: database,
        collection: '$cmd',
        withCollection: () => namespace,
        toString: () => database + '.$cmd',
      };
      asked(connection, namespace, command, finish);
    };
    if (proxy !== null && proxy.closed !== true) return run(proxy);
    if (options === undefined) return done('its connections cannot be opened alike');
    opened(options, (error, connection) => {
      if (error || !connection) return done(error || 'no connection');
      proxy = connection;
      return run(connection);
    });
    return undefined;
  });
}

/** @param {string} reply */
function failureIn(reply) {
  const { ok, errmsg } = parseJson(reply) || {};
  const isOk = ok && (ok.$numberDouble === '1.0' || ok.$numberInt === '1');
  return isOk ? '' : String(errmsg || 'no answer');
}

/**
 * @param {any} options
 * @param {(error: any, connection?: any) => void} done
 */
function opened(options, done) {
  const mine = {
    ...options,
    monitorCommands: false,
    loadBalanced: false,
    generation: 0,
    id: '<wimble>',
    cancellationToken: undefined,
  };
  const finish = (/** @type {any} */ error, /** @type {any} */ connection) => {
    if (error || !connection) return done(error);
    weakSetAdd(own, connection);
    connection.on('error', nothing);
    const stream = connection.socket || connection.stream;
    if (stream) stream.unref();
    return done(null, connection);
  };
  if (driver.connect.length > 1) driver.connect(mine, finish);
  else driver.connect(mine).then((/** @type {any} */ connection) => finish(null, connection), finish);
}

/**
 * @param {any} connection
 * @param {any} namespace
 * @param {any} command
 * @param {(error: any) => void} done
 */
function asked(connection, namespace, command, done) {
  // Up to 6.2 the method takes a callback.
  if (typeof connection.prepareCommand !== 'function') connection.command(namespace, command, {}, done);
  else connection.command(namespace, command, {}).then(() => done(null), done);
}

module.exports = { watchBson, watchMongodb };
