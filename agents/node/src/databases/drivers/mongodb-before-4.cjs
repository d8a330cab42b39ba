'use strict';
/**
 * `mongodb` 2.2 and 3, with the package `mongodb-core` that it uses before version 3.3; so Mongoose 4 and 5.
 *
 * Two classes send commands: pools, and the connections of the "unified topology" (3.3 and later). In both, the bytes
 * of a command are created before the method returns. The core's commands are sent as bytes over a pool with one
 * connection, which the agent opens with the program's options.
 */

const {
  Map,
  ObjectKeys,
  String,
  WeakMap,
  WeakSet,
  indexOf,
  isArray,
  isProxy,
  lastIndexOf,
  mapGet,
  mapSet,
  slice,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { DOCUMENT } = require('../bson.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');
const { oneAtATime } = require('../query-queue.cjs');
const {
  complete,
  isAlwaysAllowed,
  messageBytes,
  noteRequest,
  queryBytes,
  readMessage,
  readQuery,
  replyText,
  sendReply,
  takePending,
} = require('./mongo-messages.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/** @typedef {import('../connected-databases.cjs').Target} Target */
/**
 * @typedef {object} Copy the classes of one copy of the driver in the process
 * @property {any} Query
 * @property {any} Msg null before version 3.2
 * @property {any} Pool
 */

const MIN_WIRE_VERSION_OF_MSG = 6;
/** Methods of connections that send a command. */
const SENDING = ['command', 'query', 'getMore', 'insert', 'update', 'remove', 'killCursors'];
const COMMANDS_WITHOUT_BODY = { __proto__: null, insert: true, update: true, remove: true };

/** Pools of the agent. */
const own = new WeakSet();
/** The pool or connection that is writing a command at present. @type {any} */
let current = null;
/** Folder -> the copy in it. @type {Map<string, Copy>} */
const loaded = new Map();
/** Connection or pool -> options with which it was opened. @type {WeakMap<object, any>} */
const settings = new WeakMap();
/** Connection or pool -> its copy. @type {WeakMap<object, Copy>} */
const copies = new WeakMap();
/** Connection or pool -> database -> target. @type {WeakMap<object, Map<string, Target>>} */
const known = new WeakMap();

function nothing() {}

/** @param {any} module a file of the package @returns {Copy} */
function copyWith(module) {
  const file = String(readData(module, 'filename'));
  const folder = slice(file, 0, lastIndexOf(file, '/lib/'));
  let copy = mapGet(loaded, folder);
  if (copy === undefined) mapSet(loaded, folder, (copy = { Query: null, Msg: null, Pool: null }));
  return copy;
}

/**
 * @param {any} exports of `commands.js`
 * @param {any} module
 */
function watchQueries(exports, module) {
  copyWith(module).Query = exports.Query;
  // Requests are numbered by class.
  watchMessages(exports.Query.prototype, exports.Response.prototype, readQuery);
}

/**
 * @param {any} exports of `msg.js`
 * @param {any} module
 */
function watchMsgs(exports, module) {
  copyWith(module).Msg = exports.Msg;
  watchMessages(exports.Msg.prototype, exports.BinMsg.prototype, readMessage);
}

/**
 * @param {any} requests prototype
 * @param {any} replies prototype
 * @param {(chunks: any[]) => import('./mongo-messages.cjs').Request} read
 */
function watchMessages(requests, replies, read) {
  /** @type {Map<number, Command>} */
  const pending = new Map();
  const noteChunks = (/** @type {any} */ request, /** @type {any} */ _, /** @type {any} */ chunks) => {
    if (current === null || weakSetHas(own, current) || !isArray(chunks)) return;
    noteRequest(pending, request.requestId, read(chunks), (name) => describe(current, name).description.id);
  };
  // Getters of documents may throw.
  tapMethod(requests, 'toBin', nothing, noteChunks, true);
  tapMethod(replies, 'parse', (response) => {
    const command = takePending(pending, response.responseTo);
    if (command !== undefined) complete(command, bodyOf(response));
  });
}

/**
 * @param {any} response with at least one document
 * @returns {import('../bson.cjs').Value}
 */
function bodyOf(response) {
  const bytes = response.data;
  // OP_MSG: flags and kind. OP_REPLY: flags, cursor, position and count, which may follow a header.
  const at = response.cursorId === undefined ? 5 : response.raw === bytes ? 36 : 20;
  return { bytes, at, type: DOCUMENT };
}

/**
 * @param {any} exports of `pool.js`: the class
 * @param {any} module
 */
function watchPools(exports, module) {
  const copy = copyWith(module);
  copy.Pool = exports;
  replaceMethod(
    exports.prototype,
    'write',
    (original) =>
      /** @this {any} */ function (/** @type {any[]} */ ...args) {
        const target = weakSetHas(own, this) ? null : heldBack(this, copy, databaseOf(args[0]));
        return whenAllowed(target, this, original, args);
      },
  );
}

/**
 * @param {any} exports of the unified topology's `connection.js`
 * @param {any} module
 */
function watchConnections(exports, module) {
  const copy = copyWith(module);
  const { prototype } = exports.Connection;
  for (let index = 0; index < SENDING.length; index++) {
    const name = SENDING[index];
    replaceMethod(
      prototype,
      name,
      (original) =>
        /** @this {any} */ function (/** @type {any[]} */ ...args) {
          // The first command of a connection has all options with which it was opened.
          if (name === 'command' && weakMapGet(settings, this) === undefined) weakMapSet(settings, this, args[2]);
          return whenAllowed(heldBack(this, copy, databaseIn(name, args)), this, original, args);
        },
    );
  }
}

/**
 * @param {Target | null} target that is held; null: none
 * @param {any} sender
 * @param {(...args: any[]) => any} original
 * @param {any[]} args
 */
function whenAllowed(target, sender, original, args) {
  const run = () => {
    const outer = current;
    current = sender;
    try {
      return original.apply(sender, args);
    } finally {
      current = outer;
    }
  };
  if (target === null) return run();
  target.whenReleased(run);
  return undefined; // as always: results are passed to a callback
}

/**
 * @param {any} sender
 * @param {Copy} copy
 * @param {string} database empty: the command is not held
 */
function heldBack(sender, copy, database) {
  try {
    weakMapSet(copies, sender, copy);
    if (database === '') return null;
    const target = describe(sender, database);
    return target.isHeld ? target : null;
  } catch {
    return null; // another version
  }
}

/** @param {any} message that is written by a pool */
function databaseOf(message) {
  try {
    const command = readData(message, 'command') || readData(message, 'query');
    return databaseFor(readData(message, 'ns'), command);
  } catch {
    return '';
  }
}

/**
 * @param {string} method
 * @param {any[]} args namespace and command, or namespace and documents
 */
function databaseIn(method, args) {
  if (method === 'killCursors') return '';
  return databaseFor(args[0], method in COMMANDS_WITHOUT_BODY || method === 'getMore' ? { [method]: 1 } : args[1]);
}

/**
 * @param {unknown} namespace
 * @param {any} command
 */
function databaseFor(namespace, command) {
  if (typeof namespace !== 'string' || typeof command !== 'object' || command === null || isProxy(command)) return '';
  const name = ObjectKeys(command)[0];
  if (name === undefined || isAlwaysAllowed(name)) return '';
  const dot = indexOf(namespace, '.');
  return dot < 0 ? namespace : slice(namespace, 0, dot);
}

/**
 * @param {any} sender
 * @param {string} name of the database
 * @returns {Target}
 */
function describe(sender, name) {
  let targets = weakMapGet(known, sender);
  if (targets === undefined) weakMapSet(known, sender, (targets = new Map()));
  const found = mapGet(targets, name);
  if (found !== undefined) return found;
  const options = weakMapGet(settings, sender) || sender.options;
  const host = hostOf(String(options.host || 'localhost'));
  const isSocket = indexOf(host, '/') >= 0;
  const port = isSocket ? 0 : +options.port || 27017;
  const target = targetOf(
    {
      id: 'mongodb:' + (isSocket ? host : host + ':' + port) + '/' + name,
      driver: 'mongodb',
      dialect: 'mongo',
      host,
      port,
      name,
      isLocal: isLocalHost(host),
      isInProcess: false,
    },
    queryRunner(sender, options, name),
    loginOf(sender, options),
  );
  mapSet(targets, name, target);
  return target;
}

/**
 * @param {any} sender
 * @param {any} options
 * @returns {import('../credentials.cjs').Login}
 */
function loginOf(sender, options) {
  const { credentials } = options;
  if (credentials) return { user: credentials.username, password: credentials.password };
  // Up to 3.1 a pool has the sessions of each way to log in.
  const ways = sender.authProviders || {};
  const names = ObjectKeys(ways);
  for (let index = 0; index < names.length; index++) {
    const { authStore } = ways[names[index]];
    if (isArray(authStore) && authStore.length > 0) {
      return { user: authStore[0].username, password: authStore[0].password };
    }
  }
  return {};
}

// ---- proxy ---------------------------------------------------------------------------------------------------------

/**
 * The core's commands run over a separate pool: outside of the program's sessions. The text is a command in Extended
 * JSON; the answer is one row with the server's whole reply.
 * @param {any} sender of the program
 * @param {any} options
 * @param {string} database
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(sender, options, database) {
  const copy = /** @type {Copy} */ (weakMapGet(copies, sender));
  /** The pool, and whether its server accepts OP_MSG. @type {{ pool: any, isOfMsg: boolean } | null} */
  let proxy = null;
  return oneAtATime((text, _, done) => {
    const run = () => {
      const { pool, isOfMsg } = /** @type {{ pool: any, isOfMsg: boolean }} */ (proxy);
      const requestId = (isOfMsg ? copy.Msg : copy.Query).getRequestId();
      const bytes = (isOfMsg ? messageBytes : queryBytes)(requestId, database, text);
      const message = { requestId, query: { wimble: 1 }, toBin: () => [bytes] };
      pool.write(message, { raw: true }, (/** @type {any} */ error, /** @type {any} */ result) => {
        if (error) return done(error);
        return sendReply(replyText(bodyOf(result.message)), done);
      });
    };
    if (proxy !== null) return run();
    const pool = newPool(copy, options, sender.authProviders);
    let isOver = false;
    const lost = (/** @type {any} */ error) => {
      if (proxy !== null && proxy.pool === pool) proxy = null;
      if (!isOver) done(error || 'no connection');
      isOver = true;
    };
    pool.on('connect', (/** @type {any} */ _pool, /** @type {any} */ connection) => {
      isOver = true;
      const { ismaster } = connection || {};
      const isOfMsg = copy.Msg !== null && ismaster && ismaster.maxWireVersion >= MIN_WIRE_VERSION_OF_MSG;
      proxy = { pool, isOfMsg };
      pool.unref();
      run();
    });
    const events = ['close', 'error', 'timeout', 'parseError'];
    for (let index = 0; index < events.length; index++) pool.on(events[index], lost);
    pool.connect();
    return undefined;
  });
}

/**
 * @param {Copy} copy
 * @param {any} options of the program's
 * @param {any} authProviders of the program's pool, which log in as it did; undefined: options contain the login
 */
function newPool({ Pool }, options, authProviders) {
  const mine = {
    ...options,
    agreedCompressor: undefined,
    authProviders,
    compression: undefined,
    connectionType: undefined,
    domainsEnabled: false,
    inTopology: false,
    minSize: 0,
    monitorCommands: false,
    reconnect: false,
    size: 1,
    socketTimeout: 0,
  };
  // Versions from 3.0 on get a topology first, which is used for sessions only.
  const pool = Pool.length > 1 ? new Pool({}, mine) : new Pool(mine);
  weakSetAdd(own, pool);
  return pool;
}

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchMongodbCore = {
  'lib/connection/commands.js': watchQueries,
  'lib/connection/msg.js': watchMsgs,
  'lib/connection/pool.js': watchPools,
};

/**
 * The same files, which `mongodb` contains from 3.3 on.
 * @type {Record<string, import('../../base/patching.cjs').Watch>}
 */
const watchMongodbBefore4 = {
  'lib/core/connection/commands.js': watchQueries,
  'lib/core/connection/msg.js': watchMsgs,
  'lib/core/connection/pool.js': watchPools,
};

module.exports = { watchMongodbBefore4, watchMongodbCore, watchOldConnections: watchConnections };
