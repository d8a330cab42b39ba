'use strict';
/** Shared by the drivers of Redis: commands with their arguments, and replies as JSON. */

const {
  String,
  bufferFrom,
  bufferToString,
  isArray,
  isProxy,
  isUint8Array,
  quote,
  toUpperCase,
} = require('../../base/intrinsics.cjs');
const { messageOf } = require('../../base/error-stacks.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');
const { cellText } = require('../database-values.cjs');

/**
 * Records a command, and observes its result through the two functions that settle its promise.
 * @param {import('../connected-databases.cjs').Target} target
 * @param {unknown} name
 * @param {ArrayLike<any>} args
 * @param {any} holder has `resolve` and `reject`
 */
function noteAndHear(target, name, args, holder) {
  const params = [];
  for (let index = 0; index < args.length; index++) params[index] = args[index];
  const command = noteCommand(target.description.id, toUpperCase(String(name)), params, false, true);
  const { resolve, reject } = holder;
  holder.resolve = (/** @type {any} */ reply) => {
    // In a transaction the result is in the reply to EXEC.
    if (reply !== 'QUEUED') command.returned = countOf(reply);
    return resolve(reply);
  };
  holder.reject = (/** @type {any} */ error) => {
    command.fail(messageOf(error));
    return reject(error);
  };
}

/**
 * Returns the count of a reply: the number of its elements that are not nil. A whole number is the count itself, since
 * it counts (SCARD, INCR) or is a truth value (EXISTS, SISMEMBER).
 * @param {any} reply
 */
function countOf(reply) {
  if (reply === null || reply === undefined) return 0;
  if (typeof reply === 'number') return reply % 1 !== 0 ? 1 : reply > 0 ? reply : 0;
  if (!isArray(reply) || isProxy(reply)) return 1;
  let count = 0;
  for (let index = 0; index < reply.length; index++) if (reply[index] !== null && reply[index] !== undefined) count++;
  return count;
}

/**
 * @param {string} driver
 * @param {{ host: unknown, port: unknown, path: unknown, database: unknown, address: unknown }} place
 * @param {import('../connected-databases.cjs').RunQuery} runQuery
 * @param {import('../credentials.cjs').Login} login
 */
function redisTarget(driver, { host, port, path, database, address }, runQuery, login) {
  const shownHost = hostOf(String(path || host || 'localhost'));
  const name = String(database || 0);
  const isLocal = isLocalHost(shownHost) || (typeof address === 'string' && isLocalHost(address));
  return targetOf(
    {
      id: 'redis:' + shownHost + ':' + (port || 6379) + '/' + name,
      driver,
      dialect: 'redis',
      host: shownHost,
      port: +(/** @type {any} */ (port)) || 6379,
      name,
      isLocal,
      isInProcess: false,
    },
    runQuery,
    login,
  );
}

/**
 * @param {unknown} reply with bytes for all texts
 * @returns {import('../connected-databases.cjs').Answer}
 */
function answerOf(reply) {
  return { columns: ['reply'], rows: '[[' + replyText(reply) + ']]', affected: null };
}

/**
 * @param {unknown} reply
 * @returns {string} JSON; values that are not texts are bytes
 */
function replyText(reply) {
  if (typeof reply === 'object' && reply !== null && isUint8Array(reply)) {
    const text = bufferToString(reply, 'utf8');
    return bufferFrom(text, 'utf8').equals(/** @type {any} */ (reply))
      ? quote(text)
      : '{"$bytes":"' + bufferToString(reply, 'base64') + '"}';
  }
  if (!isArray(reply)) return cellText(reply);
  let text = '';
  for (let index = 0; index < reply.length; index++) text += (index === 0 ? '' : ',') + replyText(reply[index]);
  return '[' + text + ']';
}

module.exports = { answerOf, countOf, noteAndHear, redisTarget };
