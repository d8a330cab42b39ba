'use strict';
/**
 * `postgres` (Postgres.js, version 3): a connection receives a query by `execute`, or by `connect` if it has to be
 * opened first; the driver then sets the query's text and parameters, and later calls its `resolve` or `reject`.
 *
 * The function that creates connections is the default export of a module, in which it is replaced before other modules
 * import it (loader/announce.cjs).
 */

const {
  Number,
  Promise,
  String,
  WeakMap,
  WeakSet,
  bufferToString,
  connect,
  defineProperty,
  isArray,
  isUint8Array,
  lastIndexOf,
  reflectApply,
  regExpExec,
  slice,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { messageOf } = require('../../base/error-stacks.cjs');
const { disguise } = require('../../base/function-text.cjs');
const { replaceMethod } = require('../../base/patching.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');
const { oneAtATime } = require('../query-queue.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { answerOf } = require('./postgres-replies.cjs');
const { SESSION, complete } = require('./postgres-wire.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/**
 * @typedef {object} Known the data of a connection of the program
 * @property {import('../connected-databases.cjs').Target} target
 * @property {boolean} isInTransaction
 */

const BEGINS = /^\s*(?:begin|start\s+transaction)\b/i;
const ENDS = /^\s*(?:commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i;

/** Options of the agent's connections. */
const own = new WeakSet();
/** Queries that were recorded. */
const noted = new WeakSet();
/** The function of the package that was loaded last. @type {any} */
let postgres = null;
/** Options of a pool -> its target. @type {WeakMap<object, import('../connected-databases.cjs').Target>} */
const targetsByOptions = new WeakMap();

/**
 * @param {any} exports of `index.js`
 */
function watchIndex(exports) {
  if (typeof exports === 'function') postgres = exports;
}

/**
 * @param {any} exports of `connection.js`: the function that creates a connection
 * @param {any} module
 */
function watchConnections(exports, module) {
  if (typeof exports !== 'function') return;
  const wrapper = /** @this {any} */ function () {
    const connection = reflectApply(exports, this, /** @type {any} */ (arguments));
    try {
      const options = arguments[0];
      if (!weakSetHas(own, options)) watchConnection(connection, options);
    } catch {
      // another version
    }
    return connection;
  };
  module.exports = disguise(wrapper, exports);
}

/**
 * @param {any} connection
 * @param {any} options
 */
function watchConnection(connection, options) {
  /** @type {Known | null} */
  let known = null;
  const knownOf = () => (known ??= { target: describe(options), isInTransaction: false });
  replaceMethod(connection, 'execute', (original) => (/** @type {any} */ query) => {
    const { target } = knownOf();
    const run = () => {
      const accepts = original(query);
      note(knownOf(), query);
      return accepts;
    };
    if (!target.isHeld) return run();
    target.whenReleased(run);
    return false; // the connection accepts no more queries until it has answered
  });
  replaceMethod(connection, 'connect', (original) => (/** @type {any} */ query) => {
    noteLater(knownOf(), query);
    return knownOf().target.whenReleased(() => original(query));
  });
}

/**
 * Records the query with which a connection is opened, when the driver has set its parameters: the connection executes
 * it by a function that cannot be replaced.
 * @param {Known} known
 * @param {any} query
 */
function noteLater(known, query) {
  if (typeof query.reserve === 'function') return; // no query: the program wants the connection
  defineProperty(query, 'describeFirst', {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(value) {
      delete query.describeFirst;
      query.describeFirst = value;
      note(known, query);
    },
  });
}

/**
 * @param {Known} known
 * @param {any} query
 */
function note(known, query) {
  try {
    if (typeof query.string !== 'string' || query.onlyDescribe || weakSetHas(noted, query)) return;
    weakSetAdd(noted, query);
    const command = noteCommand(known.target.description.id, query.string, query.parameters, known.isInTransaction);
    if (regExpExec(BEGINS, query.string) !== null) known.isInTransaction = true;
    else if (regExpExec(ENDS, query.string) !== null) known.isInTransaction = false;
    hear(query, command);
  } catch {
    // another version
  }
}

/**
 * @param {any} query
 * @param {Command} command
 */
function hear(query, command) {
  replaceMethod(query, 'resolve', (original) => (/** @type {any} */ result) => {
    // A cursor passes its rows to the program before.
    if (!query.cursorFn) settle(command, result);
    return original(result);
  });
  replaceMethod(query, 'reject', (original) => (/** @type {any} */ error) => {
    command.fail(messageOf(error));
    return original(error);
  });
}

/**
 * @param {Command} command
 * @param {any} result of one statement, or several
 */
function settle(command, result) {
  if (!isArray(result)) return;
  const all = result.length > 0 && isArray(result[0]) && 'command' in result[0] ? result : [result];
  for (let index = 0; index < all.length; index++) {
    const { command: verb, count, length } = all[index];
    complete(command, count === null ? verb : verb + ' ' + count, length);
  }
}

/** @param {any} options of a pool @returns {import('../connected-databases.cjs').Target} */
function describe(options) {
  const found = weakMapGet(targetsByOptions, options);
  if (found !== undefined) return found;
  const { path, database, user, pass } = options;
  const host = typeof path === 'string' ? slice(path, 0, lastIndexOf(path, '/')) : String(options.host[0]);
  const port = Number(options.port[0]) || 0;
  const shownHost = hostOf(host);
  const name = String(database || '');
  const target = targetOf(
    {
      id: 'postgres:' + shownHost + ':' + port + '/' + name,
      driver: 'postgres',
      dialect: 'postgres',
      host: shownHost,
      port,
      name,
      isLocal: isLocalHost(shownHost),
      isInProcess: false,
    },
    queryRunner(options),
    { user, password: pass },
  );
  weakMapSet(targetsByOptions, options, target);
  return target;
}

// ---- proxy ---------------------------------------------------------------------------------------------------------

/**
 * @param {any} options of the program's pool
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(options) {
  /** @type {any} */
  let proxy = null;
  return oneAtATime((text, params, done) => {
    const fail = (/** @type {unknown} */ error) => {
      // A transaction that failed in the middle must not stay open.
      proxy.unsafe('ROLLBACK').then(
        () => done(error),
        () => done(error),
      );
    };
    const ask = () => {
      const query = proxy.unsafe(text, params);
      query.isRaw = true; // rows are arrays of bytes
      return query.then((/** @type {any} */ result) => done(null, lastOf(result)), fail);
    };
    if (proxy !== null) return ask();
    proxy = postgres(ownOptions(options, () => (proxy = null)));
    return proxy.unsafe(SESSION).then(ask, (/** @type {unknown} */ error) => {
      proxy = null;
      done(error);
    });
  });
}

/**
 * @param {any} options of the program's pool
 * @param {() => void} onclose
 */
function ownOptions(options, onclose) {
  const ignored = () => undefined;
  const mine = {
    ...options,
    max: 1,
    prepare: false,
    debug: false,
    fetch_types: false,
    no_subscribe: true,
    idle_timeout: null,
    max_lifetime: null,
    connect_timeout: 5,
    backoff: false,
    onclose,
    onnotice: ignored,
    onnotify: ignored,
    onparameter: ignored,
    parsers: {},
    transform: { column: {}, value: {}, row: {} },
    shared: { retries: 0, typeArrayMap: {} },
    // A connection that does not keep the program running.
    socket: () =>
      new Promise((resolve, reject) => {
        const place = options.path ? { path: options.path } : { host: options.host[0], port: options.port[0] };
        const socket = connect(place);
        socket.once('error', reject);
        socket.once('connect', () => {
          socket.removeListener('error', reject);
          socket.unref();
          resolve(socket);
        });
      }),
  };
  weakSetAdd(own, mine);
  return mine;
}

/**
 * @param {any} result of one statement, or several
 * @returns {import('../connected-databases.cjs').Answer}
 */
function lastOf(result) {
  const isOfSeveral = result.length > 0 && isArray(result[0]) && 'command' in result[0];
  const last = isOfSeveral ? result[result.length - 1] : result;
  const fields = [];
  const columns = last.columns || (last.statement && last.statement.columns) || [];
  for (let index = 0; index < columns.length; index++) {
    fields[index] = { name: columns[index].name, dataTypeID: columns[index].type };
  }
  const rows = [];
  for (let index = 0; index < last.length; index++) rows[index] = textsOf(last[index]);
  return answerOf(fields, rows, typeof last.count === 'number' && last.command !== 'SELECT' ? last.count : null);
}

/** @param {any[]} row of bytes */
function textsOf(row) {
  const texts = [];
  for (let index = 0; index < row.length; index++) {
    texts[index] = isUint8Array(row[index]) ? bufferToString(row[index], 'utf8') : null;
  }
  return texts;
}

/** The same files as CommonJS and as ES modules. @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchPostgresJs = {
  'cjs/src/index.js': watchIndex,
  'cjs/src/connection.js': watchConnections,
  'src/index.js': watchIndex,
  'src/connection.js': watchConnections,
};

module.exports = { watchPostgresJs };
