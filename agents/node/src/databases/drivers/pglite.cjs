'use strict';
/**
 * PGlite, which is PostgreSQL in the process: commands are observed in the messages of PostgreSQL's protocol that it
 * passes to the server, and their results where it parses the replies.
 *
 * The server has completed its work when the call that passes a message returns. So the core's queries run between two
 * commands of the SUT, as for SQLite: never within a transaction of the SUT, and never between the messages of one
 * command.
 */

const { WeakMap, isNativeError, reflectApply, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { realPathOf, targetOf } = require('../connected-databases.cjs');
const { outsideTransactions } = require('../transactions.cjs');
const { readMessages } = require('./postgres-messages.cjs');
const { answerOf } = require('./postgres-replies.cjs');
const { Wire, affectedBy } = require('./postgres-wire.cjs');

/**
 * @typedef {object} Known the data of an instance
 * @property {Wire} wire
 * @property {Record<string, number[]>} types of parameters, by statement
 * @property {string} described the statement whose types are in the next reply
 * @property {boolean} isBusy whether a command has begun whose messages are not complete
 * @property {(() => void)[]} waiting queries of the core
 */
/**
 * @typedef {{ PGlite: any, protocol: any, originals: Record<string, (...args: any[]) => any> }} Driver the exports of
 *   one copy of the package
 */

/** First bytes of messages. */
const START = 0;
const END = 88;

/** @type {WeakMap<object, Known>} */
const instances = new WeakMap();
/** The database to which the present replies belong. @type {Known | null} */
let answered = null;
let isLending = false;
let memories = 0;

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchPglite = { 'dist/index.cjs': watchClasses, 'dist/index.js': watchClasses };

/** @param {any} exports */
function watchClasses({ PGlite, protocol }) {
  const { prototype } = PGlite;
  const { execProtocolRawSync, isInTransaction } = prototype;
  const { parse } = protocol.Parser.prototype;
  /** @type {Driver} */
  const driver = { PGlite, protocol, originals: { execProtocolRawSync, isInTransaction, parse } };
  tapMethod(prototype, '_runExclusiveQuery', (instance) => {
    const { target } = knownOf(instance, driver).wire;
    if (target.isHeld) target.waitForRelease();
  });
  tapMethod(
    prototype,
    'execProtocolRawSync',
    (instance, args) => begin(instance, args[0], driver),
    (instance) => end(instance),
  );
  replaceMethod(protocol.Parser.prototype, 'parse', hearing, true);
}

/**
 * @param {any} instance
 * @param {any} bytes
 * @param {Driver} driver
 */
function begin(instance, bytes, driver) {
  if (isLending) return;
  answered = null;
  // An instance that only creates the files of another one is started and ended, and sends nothing in between.
  if (bytes[0] === START || bytes[0] === END) return;
  const known = knownOf(instance, driver);
  known.isBusy = readMessages(known.wire, bytes, known.types, (statement) => (known.described = statement));
  answered = known;
}

/** @param {any} instance */
function end(instance) {
  const known = weakMapGet(instances, instance);
  if (known === undefined || known.isBusy || isLending) return;
  const { waiting } = known;
  known.waiting = [];
  for (let index = 0; index < waiting.length; index++) waiting[index]();
}

/** @param {(...args: any[]) => any} original */
function hearing(original) {
  return /** @this {any} */ function (/** @type {any} */ bytes, /** @type {any} */ callback) {
    const known = isLending ? null : answered;
    if (known === null) return reflectApply(original, this, [bytes, callback]);
    return reflectApply(original, this, [
      bytes,
      (/** @type {any} */ message) => {
        hear(known, message);
        return callback(message);
      },
    ]);
  };
}

/**
 * @param {Known} known
 * @param {any} message of the server
 */
function hear({ wire, types, described }, message) {
  switch (message.name) {
    case 'parameterDescription':
      types[described] = message.dataTypeIDs;
      break;
    case 'dataRow':
      wire.row();
      break;
    case 'commandComplete':
      wire.completed(message.text);
      break;
    case 'error':
      // The driver created it, with frames of the agent below it.
      if (isNativeError(message)) hideAgentFrames(message);
      wire.failed(message.message);
      break;
    case 'readyForQuery':
      wire.ready(message.status !== 'I');
  }
}

/**
 * @param {any} instance
 * @param {Driver} driver
 * @returns {Known}
 */
function knownOf(instance, driver) {
  const found = weakMapGet(instances, instance);
  if (found !== undefined) return found;
  const files = readData(instance, 'fs');
  const folder = typeof files === 'object' && files !== null ? readData(files, 'rootDir') : undefined;
  const isInProcess = typeof folder !== 'string';
  const name = isInProcess ? ':memory:' : realPathOf(folder);
  const id = 'postgres:' + name + (isInProcess ? '#' + ++memories : '');
  const runQuery = queryRunner(instance, driver);
  const target = targetOf(
    { id, driver: '@electric-sql/pglite', dialect: 'postgres', host: '', port: 0, name, isLocal: true, isInProcess },
    runQuery,
  );
  target.runQuery = runQuery; // an earlier instance may have been closed
  /** @type {Known} */
  const known = {
    wire: new Wire(target),
    types: { __proto__: /** @type {any} */ (null) },
    described: '',
    isBusy: false,
    waiting: [],
  };
  weakMapSet(instances, instance, known);
  return known;
}

/**
 * @param {any} instance
 * @param {Driver} driver
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(instance, driver) {
  const { isInTransaction } = driver.originals;
  return outsideTransactions(
    () => reflectApply(isInTransaction, instance, []),
    (text, params, done) => {
      const known = knownOf(instance, driver);
      const run = () => {
        let answer;
        isLending = true;
        try {
          if (params.length > 0) throw 'no parameters are taken';
          if (reflectApply(isInTransaction, instance, [])) throw 'a transaction of the program is open';
          answer = answerTo(text, instance, driver);
        } catch (error) {
          return done(error);
        } finally {
          isLending = false;
        }
        return done(null, answer);
      };
      if (known.isBusy) known.waiting[known.waiting.length] = run;
      else run();
    },
  );
}

/**
 * @param {string} text of one or several statements
 * @param {any} instance
 * @param {Driver} driver
 * @returns {import('../connected-databases.cjs').Answer} of the last one
 */
function answerTo(text, instance, { protocol, originals }) {
  /** @type {unknown} */
  let failure = null;
  let answer = answerOf([], [], null);
  /** @type {any} */
  let fields = [];
  /** @type {any[]} */
  let rows = [];
  const collect = (/** @type {any} */ message) => {
    if (message.name === 'error') failure = message;
    if (message.name === 'rowDescription') fields = message.fields;
    if (message.name === 'dataRow') rows[rows.length] = message.fields;
    if (message.name !== 'commandComplete') return;
    answer = answerOf(fields, rows, affectedBy(message.text));
    fields = [];
    rows = [];
  };
  const ask = (/** @type {string} */ asked) => {
    const bytes = reflectApply(originals.execProtocolRawSync, instance, [protocol.serialize.query(asked)]);
    reflectApply(originals.parse, new protocol.Parser(), [bytes, collect]);
  };
  ask(text);
  if (reflectApply(originals.isInTransaction, instance, [])) ask('ROLLBACK');
  if (failure !== null) throw failure;
  return answer;
}

module.exports = { watchPglite };
