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
  mapGet,
  mapSet,
  promiseThen,
  slice,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { DOCUMENT } = require('../bson.cjs');
const { replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { oneAtATime } = require('../query-queue.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');
const {
  complete,
  isAlwaysAllowed,
  noteRequest,
  readMessage,
  replyText,
  sendReply,
  takePending,
} = require('./mongo-messages.cjs');
const { watchMongodbBefore4, watchOldConnections } = require('./mongodb-before-4.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */

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
/** The reply to a command of the agent. */
let proxiedReply = '';

/** Up to version 4 the driver does not export it. @type {(exports: any) => void} */
const noteBson = (exports) => void (driver.EJSON ||= exports.EJSON);
/** @type {Record<string, (exports: any) => void>} */
const watchBson = { 'lib/bson.js': noteBson, 'lib/bson.cjs': noteBson };

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchMongodb = {
  ...watchMongodbBefore4,
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
  'lib/cmap/connection.js'(exports, module) {
    const { prototype } = exports.Connection;
    if (typeof prototype.insert === 'function') watchOldConnections(exports, module);
    else watchConnections(prototype);
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
    if (isAlwaysAllowed(verb)) return null;
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

// ---- requests and replies ------------------------------------------------------------------------------------------

/**
 * @param {Map<number, Command | 'proxied'>} pending
 * @param {number} request
 * @param {any[]} chunks of an OP_MSG
 */
function sent(pending, request, chunks) {
  if (weakSetHas(own, current)) mapSet(pending, request, 'proxied');
  else noteRequest(pending, request, readMessage(chunks), (database) => describe(current, database).description.id);
}

/**
 * @param {Map<number, Command | 'proxied'>} pending
 * @param {any} response
 */
function answered(pending, response) {
  const command = takePending(pending, response.responseTo);
  if (command === undefined) return;
  // The flags, then the kind of the only section.
  const reply = { bytes: response.data, at: 5, type: DOCUMENT };
  if (command === 'proxied') proxiedReply = replyText(reply);
  else complete(command, reply);
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
        return sendReply(proxiedReply, done);
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
