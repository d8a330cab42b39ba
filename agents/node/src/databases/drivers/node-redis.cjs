'use strict';
/**
 * `redis` (4 and later, its package `@redis/client`): a command first waits in a list, with the functions that settle
 * its promise. Single commands, pipelines and transactions all use this list.
 */

const {
  Buffer,
  Promise,
  WeakMap,
  WeakSet,
  isArray,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { replaceMethod } = require('../../base/patching.cjs');
const { answerOf, noteAndHear, redisTarget } = require('./redis-replies.cjs');

const OF_CONNECTIONS = {
  __proto__: null,
  AUTH: true,
  HELLO: true,
  SELECT: true,
  CLIENT: true,
  PING: true,
  QUIT: true,
  READONLY: true,
};
/** Options with which node-redis returns texts as bytes. */
const BYTES = { returnBuffers: true, typeMapping: { 36: Buffer, 43: Buffer } };

/** @type {WeakMap<object, import('../connected-databases.cjs').Target>} */
const known = new WeakMap();
/** Clients of the agent. */
const own = new WeakSet();
/** The client whose command is being sent. @type {any} */
let current = null;

/** @type {Record<string, (exports: any) => void>} */
const watchNodeRedis = {
  'dist/lib/client/index.js'(exports) {
    const { prototype } = exports.default;
    const names = ['sendCommand', '_executePipeline', '_executeMulti'];
    for (let index = 0; index < names.length; index++) {
      replaceMethod(
        prototype,
        names[index],
        (original) =>
          /** @this {any} */ function (/** @type {any[]} */ ...args) {
            const client = this._self || this;
            const run = () => {
              const outer = current;
              current = client;
              try {
                return original.apply(this, args);
              } finally {
                current = outer;
              }
            };
            const target = describe(client);
            if (target === null || !target.isHeld) return run();
            return new Promise((resolve) => target.whenReleased(() => resolve(run())));
          },
      );
    }
  },
  'dist/lib/client/linked-list.js'(exports) {
    const { prototype } = exports.DoublyLinkedList;
    const names = ['push', 'unshift', 'add'];
    for (let index = 0; index < names.length; index++) {
      replaceMethod(
        prototype,
        names[index],
        (original) =>
          /** @this {any} */ function (/** @type {any[]} */ ...args) {
            note(args[0]);
            return original.apply(this, args);
          },
      );
    }
  },
};

/** Commands that were recorded: a command that has to be sent again is added once more. */
const noted = new WeakSet();

/** @param {any} waiting */
function note(waiting) {
  try {
    if (current === null || weakSetHas(own, current) || weakSetHas(noted, waiting)) return;
    if (
      !waiting ||
      !isArray(waiting.args) ||
      typeof waiting.resolve !== 'function' ||
      waiting.args[0] in OF_CONNECTIONS
    ) {
      return;
    }
    const target = describe(current);
    if (target === null) return;
    weakSetAdd(noted, waiting);
    const rest = [];
    for (let index = 1; index < waiting.args.length; index++) rest[index - 1] = waiting.args[index];
    noteAndHear(target, waiting.args[0], rest, waiting);
  } catch {
    // The driver has another version.
  }
}

/** @param {any} client */
function describe(client) {
  try {
    if (weakSetHas(own, client)) return null;
    const found = weakMapGet(known, client);
    if (found !== undefined) return found;
    const options = client.options || {};
    const { host, port, path } = options.socket || {};
    const target = redisTarget(
      'redis',
      { host, port, path, database: options.database, address: undefined },
      queryRunner(client),
      { user: options.username, password: options.password },
    );
    weakMapSet(known, client, target);
    return target;
  } catch {
    return null;
  }
}

/**
 * @param {any} client
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(client) {
  /** @type {any} */
  let proxy = null;
  return (text, params, done) => {
    const say = () =>
      proxy.sendCommand([text, ...params], BYTES).then(
        (/** @type {unknown} */ reply) => done(null, answerOf(reply)),
        (/** @type {unknown} */ error) => done(error),
      );
    if (proxy !== null && proxy.isOpen) return say();
    proxy = client.duplicate();
    weakSetAdd(own, proxy._self || proxy);
    weakSetAdd(own, proxy);
    proxy.on('error', () => {});
    proxy.connect().then(() => {
      proxy.unref();
      return say();
    }, done);
    return undefined;
  };
}

module.exports = { watchNodeRedis };
