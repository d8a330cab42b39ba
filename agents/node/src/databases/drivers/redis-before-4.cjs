'use strict';
/**
 * `redis` 2 and 3, whose functions take callbacks: all commands pass through one method, whether they are sent alone,
 * in batches or in transactions.
 *
 * Callbacks of the program run within the methods that receive replies, so those are only observed when they are read
 * (base/patching.cjs). The number of a reply's elements is known where a method of the driver converts it for a
 * callback; errors are read from the bytes that were parsed last.
 */

const {
  String,
  WeakMap,
  WeakSet,
  bufferSubarray,
  bufferToString,
  isUint8Array,
  lastIndexOf,
  slice,
  toLowerCase,
  toUpperCase,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { noteReads, replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { answerOf, countOf, redisTarget } = require('./redis-replies.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */

/** Commands that connections send by themselves. */
const OF_CONNECTIONS = {
  __proto__: null,
  auth: true,
  client: true,
  hello: true,
  info: true,
  monitor: true,
  ping: true,
  psubscribe: true,
  quit: true,
  readonly: true,
  select: true,
  subscribe: true,
};
/** The reply contains those to other commands. */
const EXEC = 'exec';
const QUEUED = 'QUEUED';

/** @type {WeakMap<object, import('../connected-databases.cjs').Target>} */
const known = new WeakMap();
/** Clients of the agent. */
const own = new WeakSet();
/** The driver's object for a command -> what was recorded. @type {WeakMap<object, Command>} */
const commands = new WeakMap();
/** Client -> the driver's object for the command whose reply is being received. @type {WeakMap<object, any>} */
const answered = new WeakMap();

/** @type {Record<string, (exports: any) => void>} */
const watchRedisBefore4 = {
  'index.js'(exports) {
    if (typeof exports.RedisClient !== 'function') return;
    const { prototype } = exports.RedisClient;
    replaceMethod(
      prototype,
      'internal_send_command',
      (original) =>
        /** @this {any} */ function (/** @type {any} */ sent) {
          const target = note(this, sent);
          if (target === null || !target.isHeld) return original.call(this, sent);
          target.whenReleased(() => original.call(this, sent));
          return false; // the command waits, as one for a connection that is not ready
        },
    );
    noteReads(prototype, 'return_reply', (client) => {
      weakMapSet(answered, client, client.command_queue.get(0));
    });
    noteReads(prototype, 'return_error', (client) => {
      const command = weakMapGet(commands, client.command_queue.get(0));
      if (command !== undefined) command.fail(errorIn(client.reply_parser));
    });
    tapMethod(prototype, 'handle_reply', (client, args) => {
      const sent = weakMapGet(answered, client);
      const command = sent === undefined || sent.command === EXEC ? undefined : weakMapGet(commands, sent);
      // In a transaction the result is in the reply to EXEC.
      if (command !== undefined && args[0] !== QUEUED) command.returned = countOf(args[0]);
    });
  },
};

/**
 * @param {any} client
 * @param {any} sent the driver's object for a command
 * @returns {import('../connected-databases.cjs').Target | null} null: the command is not recorded
 */
function note(client, sent) {
  try {
    const name = toLowerCase(String(sent.command));
    // A command that waits for the connection is passed again.
    if (weakSetHas(own, client) || weakMapGet(commands, sent) !== undefined || name in OF_CONNECTIONS) return null;
    const target = describe(client);
    const params = [];
    for (let index = 0; index < sent.args.length; index++) params[index] = sent.args[index];
    weakMapSet(commands, sent, noteCommand(target.description.id, toUpperCase(name), params, false, true));
    return target;
  } catch {
    return null; // another version
  }
}

/**
 * @param {any} parser which has parsed an error: a line that starts with `-`
 * @returns {string} the error
 */
function errorIn(parser) {
  const { buffer, offset } = parser || {};
  if (!isUint8Array(buffer)) return 'error';
  const line = bufferToString(bufferSubarray(buffer, 0, offset - 2), 'utf8');
  return slice(line, lastIndexOf(line, '\n') + 2);
}

/** @param {any} client */
function describe(client) {
  const found = weakMapGet(known, client);
  if (found !== undefined) return found;
  const { host, port, path } = client.connection_options;
  const { db, password, auth_pass, user, auth_user } = client.options;
  const address = client.stream ? client.stream.remoteAddress : undefined;
  const target = redisTarget('redis', { host, port, path, database: db, address }, queryRunner(client), {
    user: user || auth_user,
    password: password || auth_pass,
  });
  weakMapSet(known, client, target);
  return target;
}

/**
 * @param {any} client of the program
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(client) {
  /** @type {any} */
  let proxy = null;
  return (text, params, done) => {
    if (proxy === null) {
      const mine = client.duplicate({
        detect_buffers: false,
        enable_offline_queue: true,
        no_ready_check: true,
        prefix: null,
        retry_strategy: () => undefined, // a connection that is lost is opened again by the next query
        return_buffers: true,
      });
      weakSetAdd(own, mine);
      mine.on('error', () => {});
      mine.on('end', () => {
        if (proxy === mine) proxy = null;
      });
      mine.unref();
      proxy = mine;
    }
    proxy.send_command(text, params, (/** @type {unknown} */ error, /** @type {unknown} */ reply) => {
      if (error) done(error);
      else done(null, answerOf(reply));
    });
  };
}

module.exports = { watchRedisBefore4 };
