'use strict';
/**
 * `mysql2`, which also speaks to MariaDB: commands are seen when they are sent, by whatever way (connections, pools, promises, prepared statements).
 *
 * What came of one is read from the command itself when it says that it has ended.
 */

const { ObjectCreate, WeakMap, WeakSet, assign, getPrototypeOf, isArray, weakMapGet, weakMapSet, weakSetAdd, weakSetHas } = require('../../intrinsics.cjs');
const { noteCommand } = require('../commands.cjs');
const { replaceMethod, tapMethod } = require('../patching.cjs');
const { oneAtATime } = require('../queue.cjs');
const { CLIENT_MULTI_STATEMENTS, FRESH, OF_TWINS, SESSION, answerWith, cast, cellOf, settleResults, wireTo, withRoomForOurFrames } = require('./mysql-replies.cjs');

/** @typedef {import('./mysql-replies.cjs').Wire} Wire */

/** @type {WeakMap<object, Wire>} */
const wires = new WeakMap();
/** Connections that the agent has opened. */
const own = new WeakSet();
/** The class, of the package that was loaded last. @type {any} */
let Connection = null;
/** What the packet that is being read says. @type {any} */
let latestError = null;

/** @type {Record<string, (exports: any) => void>} */
const watchMysql2 = {
  'lib/connection.js'(exports) {
    Connection = exports;
  },
  'lib/packets/packet.js'({ prototype }) {
    replaceMethod(
      prototype,
      'asError',
      (original) =>
        /** @this {any} */ function (/** @type {any} */ encoding) {
          latestError = withRoomForOurFrames(() => original.call(this, encoding));
          return latestError;
        },
    );
  },
  'lib/commands/query.js': watchStart,
  'lib/commands/execute.js': watchStart,
};

/** @param {any} exports a class of commands */
function watchStart({ prototype }) {
  tapMethod(prototype, 'start', (sent, args) => {
    const wire = wireOf(args[1]);
    if (wire === null) return;
    const isPrepared = sent.statement !== undefined;
    const text = isPrepared && typeof sent.sql !== 'string' ? sent.statement.query : sent.sql;
    const command = noteCommand(wire.target.description.id, text, isPrepared ? sent.parameters : undefined, wire.isInTransaction);
    sent.prependListener('end', () => settle(command, sent, wire));
  });
}

/**
 * @param {import('../commands.cjs').Command} command
 * @param {any} sent mysql2's
 * @param {Wire} wire
 */
function settle(command, sent, wire) {
  if (latestError !== null) {
    command.fail(latestError.message);
    latestError = null;
    return;
  }
  settleResults(command, wire, sent._rows, sent.onResult);
}

/** @param {any} connection @returns {Wire | null} */
function wireOf(connection) {
  if (weakSetHas(own, connection)) return null;
  const known = weakMapGet(wires, connection);
  if (known !== undefined) return known;
  const wire = wireTo('mysql2', connection.config, connection.stream.remoteAddress, lender(connection.config));
  weakMapSet(wires, connection, wire);
  if (wire.target.isHeld) {
    connection.stream.cork();
    wire.target.whenReleased(() => connection.stream.uncork());
  }
  return wire;
}

/**
 * The core's queries run over a connection of their own, with the SUT's driver and settings.
 * @param {any} config
 * @returns {import('../targets.cjs').Lend}
 */
function lender(config) {
  /** @type {any} */
  let lent = null;
  const connected = (/** @type {(error: unknown) => void} */ done) => {
    if (lent !== null) return done(null);
    const mine = twinOf(config);
    const drop = () => {
      if (lent === mine) lent = null;
    };
    mine.on('error', drop);
    mine.stream.on('close', drop);
    mine.stream.unref();
    mine.connect((/** @type {unknown} */ error) => {
      if (error) return done(error);
      lent = mine;
      return mine.query(SESSION, (/** @type {unknown} */ failure) => (failure ? done(failure) : mine.query(FRESH, () => done(null))));
    });
    return undefined;
  };
  return oneAtATime((text, params, done) =>
    connected((error) => {
      if (error) return done(error);
      lent.query({ sql: text, values: params, rowsAsArray: true, typeCast: cast }, (/** @type {unknown} */ failure, /** @type {any} */ rows, /** @type {any} */ fields) => {
        // A transaction that broke off in the middle must not stay open.
        if (failure) lent.query('ROLLBACK', () => done(failure));
        else done(null, answerOf(rows, fields));
      });
      return undefined;
    }),
  );
}

/** @param {any} config */
function twinOf(config) {
  const mine = assign(ObjectCreate(getPrototypeOf(config)), config, {
    clientFlags: config.clientFlags | CLIENT_MULTI_STATEMENTS,
    ...OF_TWINS,
    namedPlaceholders: false,
    isServer: false,
  });
  const connection = new Connection({ config: mine });
  weakSetAdd(own, connection);
  return connection;
}

/**
 * @param {any} rows
 * @param {any} fields
 * @returns {import('../targets.cjs').Answer} of the last statement
 */
function answerOf(rows, fields) {
  // Of several statements: an array of results, and of their fields.
  const isSeveral = isArray(fields) && fields.length > 0 && (fields[0] === undefined || isArray(fields[0]));
  const last = isSeveral ? rows[rows.length - 1] : rows;
  const lastFields = isSeveral ? fields[fields.length - 1] : fields;
  const columns = [];
  for (let index = 0; isArray(last) && lastFields && index < lastFields.length; index++) columns[index] = lastFields[index].name;
  return answerWith(last, columns, (row, at) => cellOf(last[row][at], lastFields[at].characterSet, lastFields[at].columnType));
}

module.exports = { watchMysql2 };
