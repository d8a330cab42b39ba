'use strict';
/**
 * `ioredis` (3 and later): all commands pass through one function, whether they are sent alone, in pipelines,
 * transactions or scripts, or to a node of a cluster.
 */

const { WeakMap, WeakSet, weakMapGet, weakMapSet, weakSetAdd, weakSetHas } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { replaceMethod } = require('../../base/patching.cjs');
const { answerOf, noteAndHear, redisTarget } = require('./redis-replies.cjs');

/** Commands that connections send by themselves. */
const OF_CONNECTIONS = {
  __proto__: null,
  auth: true,
  hello: true,
  select: true,
  info: true,
  client: true,
  ping: true,
  quit: true,
  readonly: true,
  subscribe: true,
  psubscribe: true,
};

/** @type {WeakMap<object, import('../connected-databases.cjs').Target>} */
const known = new WeakMap();
/** Connections of the agent. */
const own = new WeakSet();
/** Commands that were recorded: a command that waits for the connection is passed again. */
const noted = new WeakSet();

/** @param {any} exports the class, or a module that exports it */
function watchClass(exports) {
  const Redis = typeof exports === 'function' ? exports : exports.default;
  replaceMethod(
    Redis.prototype,
    'sendCommand',
    (original) =>
      /** @this {any} */ function (/** @type {any} */ command, /** @type {any} */ stream) {
        const target = note(this, command, Redis);
        if (target === null || !target.isHeld) return original.call(this, command, stream);
        target.whenReleased(() => original.call(this, command, stream));
        return command.promise;
      },
  );
}

/** The file of the class in versions 5, 4 (two) and 3. @type {Record<string, (exports: any) => void>} */
const watchIoredis = {
  'built/Redis.js': watchClass,
  'built/redis/index.js': watchClass,
  'built/redis.js': watchClass,
  'lib/redis.js': watchClass,
};

/**
 * @param {any} redis
 * @param {any} command
 * @param {any} Redis
 * @returns {import('../connected-databases.cjs').Target | null}
 */
function note(redis, command, Redis) {
  try {
    if (weakSetHas(own, redis) || weakSetHas(noted, command) || command.name in OF_CONNECTIONS) return null;
    weakSetAdd(noted, command);
    const target = describe(redis, Redis);
    noteAndHear(target, command.name, command.args, command);
    return target;
  } catch {
    return null; // another version
  }
}

/**
 * @param {any} redis
 * @param {any} Redis
 */
function describe(redis, Redis) {
  const found = weakMapGet(known, redis);
  if (found !== undefined) return found;
  const { host, port, path, db, username, password } = redis.options;
  const address = redis.stream ? redis.stream.remoteAddress : undefined;
  const target = redisTarget('ioredis', { host, port, path, database: db, address }, queryRunner(redis, Redis), {
    user: username,
    password,
  });
  weakMapSet(known, redis, target);
  return target;
}

/**
 * @param {any} redis
 * @param {any} Redis
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(redis, Redis) {
  /** @type {any} */
  let proxy = null;
  return (text, params, done) => {
    if (proxy === null || readData(proxy, 'status') === 'end') {
      proxy = new Redis({
        ...redis.options,
        keyPrefix: '',
        lazyConnect: true,
        enableReadyCheck: false,
        maxRetriesPerRequest: 1,
        retryStrategy: null,
      });
      weakSetAdd(own, proxy);
      proxy.on('error', () => {});
      proxy.on('connect', () => proxy.stream.unref());
    }
    proxy.callBuffer(text, ...params).then(
      (/** @type {unknown} */ reply) => done(null, answerOf(reply)),
      (/** @type {unknown} */ error) => done(error),
    );
  };
}

module.exports = { watchIoredis };
