'use strict';
/**
 * The classes within the package `mariadb`, which it does not export: taken from objects that it makes.
 *
 * Law: no socket is opened, and all ends before the program gets the package.
 */

const { EventEmitter, Proxy, TypeError, getPrototypeOf, reflectApply } = require('../../base/intrinsics.cjs');

/**
 * @typedef {object} Classes
 * @property {any} Connection
 * @property {object[]} commands prototypes with a `start` of their own: of queries, prepared statements and batches
 * @property {object} preparation the prototype of preparations of statements
 * @property {object} reply the prototype of replies without rows
 */

const ignored = () => undefined;
/** A packet of zeros, whatever is read from it. */
const zeros = new Proxy({}, { get: () => () => 0 });

/**
 * @param {(settings: object) => unknown} createConnection of the package
 * @returns {Classes | null} null for another version
 */
function classesOf(createConnection) {
  try {
    const connection = connectionBy(createConnection);
    /** @type {any[]} */
    const made = [];
    connection.addCommand = (/** @type {any} */ command) => {
      made[made.length] = command;
    };
    const asked = { sql: 'DO 0', values: [] };
    const prepared = { parameterCount: 0, parameters: [], close: ignored };
    connection.query(asked, ignored, ignored);
    connection.executePromise(asked, prepared, ignored, ignored);
    connection.executeBulkPromise(asked, prepared, connection.opts, ignored, ignored);
    connection.prepare(asked, ignored, ignored);
    return {
      Connection: connection.constructor,
      commands: [startOwner(made[0]), startOwner(made[1]), startOwner(made[2])],
      preparation: startOwner(made[3]),
      reply: getPrototypeOf(replyTo(made[0], connection)),
    };
  } catch {
    return null;
  }
}

/**
 * @param {(settings: object) => unknown} createConnection
 * @returns {any} the connection behind the object that the program would get
 */
function connectionBy(createConnection) {
  /** @type {any[]} */
  const made = [];
  const emitters = /** @type {any} */ (EventEmitter);
  const { init } = emitters;
  emitters.init = /** @this {any} */ function (/** @type {unknown} */ options) {
    made[made.length] = this;
    return reflectApply(init, this, [options]);
  };
  try {
    // A stream of its own that never comes.
    createConnection({ stream: ignored, connectTimeout: 0 });
  } finally {
    emitters.init = init;
  }
  for (let index = 0; index < made.length; index++) {
    if (typeof made[index].executePromise === 'function') return made[index];
  }
  return null;
}

/**
 * @param {any} command
 * @returns {object}
 */
function startOwner(command) {
  const prototype = getPrototypeOf(command);
  if (typeof prototype.start !== 'function') throw new TypeError('no command');
  return prototype;
}

/**
 * @param {any} query
 * @param {any} connection
 * @returns {any} what the driver makes of a packet that tells success
 */
function replyTo(query, connection) {
  let reply = null;
  query.successEnd = (/** @type {unknown} */ value) => {
    reply = value;
  };
  query.readOKPacket(zeros, null, connection.opts, { status: 0 });
  if (typeof reply !== 'object' || reply === null || !('affectedRows' in reply)) throw new TypeError('no reply');
  return reply;
}

module.exports = { classesOf };
