'use strict';
/**
 * `mysql`, the driver before mysql2: commands are seen when they are sent, by connections and pools.
 *
 * What came of one is read when the driver is about to end it, before it calls the SUT.
 */

const { ObjectCreate, WeakMap, WeakSet, assign, getPrototypeOf, isArray, weakMapGet, weakMapSet, weakSetAdd, weakSetHas } = require('../../intrinsics.cjs');
const { noteCommand } = require('../commands.cjs');
const { noteReads, replaceMethod, tapMethod } = require('../patching.cjs');
const { oneAtATime } = require('../queue.cjs');
const { CLIENT_MULTI_STATEMENTS, FRESH, OF_TWINS, SESSION, answerWith, cast, cellOf, settleResults, wireTo, withRoomForOurFrames } = require('./mysql-replies.cjs');

/** @typedef {import('./mysql-replies.cjs').Wire} Wire */

/** @type {WeakMap<object, Wire>} */
const wires = new WeakMap();
/** Connections that the agent has opened. */
const own = new WeakSet();
/** Those that were sent and are not over. @type {WeakMap<object, { command: import('../commands.cjs').Command, wire: Wire }>} */
const running = new WeakMap();
/** The class, of the package that was loaded last. @type {any} */
let Connection = null;

/** @type {Record<string, import('./index.cjs').Watch>} */
const watchMysql = {
  'lib/Connection.js'(exports) {
    Connection = exports;
  },
  'lib/protocol/sequences/Sequence.js'({ prototype }) {
    replaceMethod(
      prototype,
      '_packetToError',
      (original) =>
        /** @this {any} */ function (/** @type {any} */ packet) {
          const known = weakMapGet(running, this);
          if (known !== undefined) known.command.fail(packet.message);
          return withRoomForOurFrames(() => original.call(this, packet));
        },
    );
    noteReads(prototype, 'end', (sequence) => {
      const known = weakMapGet(running, sequence);
      if (known !== undefined && known.command.error === null) settle(known, sequence);
    });
  },
  'lib/protocol/sequences/Query.js'({ prototype }) {
    tapMethod(prototype, 'start', (query) => {
      const wire = wireOf(query._connection);
      if (wire === null) return;
      weakMapSet(running, query, { command: noteCommand(wire.target.description.id, query.sql, undefined, wire.isInTransaction), wire });
    });
  },
};

/**
 * @param {{ command: import('../commands.cjs').Command, wire: Wire }} known
 * @param {any} query
 */
function settle({ command, wire }, query) {
  command.affected = null;
  command.returned = null;
  settleResults(command, wire, query._results, true);
}

/** @param {any} connection @returns {Wire | null} */
function wireOf(connection) {
  if (connection === undefined || weakSetHas(own, connection)) return null;
  const known = weakMapGet(wires, connection);
  if (known !== undefined) return known;
  const { config, _socket: socket } = connection;
  const wire = wireTo('mysql', config, socket.remoteAddress, lender(config));
  weakMapSet(wires, connection, wire);
  if (wire.target.isHeld) {
    socket.cork();
    wire.target.whenReleased(() => socket.uncork());
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
    mine.on('end', drop);
    mine.connect((/** @type {unknown} */ error) => {
      if (error) return done(error);
      lent = mine;
      return mine.query(SESSION, (/** @type {unknown} */ failure) => (failure ? done(failure) : mine.query(FRESH, () => done(null))));
    });
    mine._socket.unref();
    return undefined;
  };
  return oneAtATime((text, params, done) =>
    connected((error) => {
      if (error) return done(error);
      /** Of all rows, one after the other: objects would hold one of several columns with the same name. @type {any[]} */
      const cells = [];
      const typeCast = (/** @type {any} */ field) => {
        cells[cells.length] = cast(field);
      };
      lent.query({ sql: text, values: params, typeCast }, (/** @type {unknown} */ failure, /** @type {any} */ rows, /** @type {any} */ fields) => {
        // A transaction that broke off in the middle must not stay open.
        if (failure) lent.query('ROLLBACK', () => done(failure));
        else done(null, answerOf(rows, fields, cells));
      });
      return undefined;
    }),
  );
}

/** @param {any} config */
function twinOf(config) {
  const mine = assign(ObjectCreate(getPrototypeOf(config)), config, { clientFlags: config.clientFlags | CLIENT_MULTI_STATEMENTS, ...OF_TWINS, trace: false });
  const connection = new Connection({ config: mine });
  weakSetAdd(own, connection);
  return connection;
}

/**
 * @param {any} rows
 * @param {any} fields
 * @param {any[]} cells
 * @returns {import('../targets.cjs').Answer} of the last statement
 */
function answerOf(rows, fields, cells) {
  const isSeveral = isArray(fields) && fields.length > 0 && (fields[0] === undefined || isArray(fields[0]));
  const last = isSeveral ? rows[rows.length - 1] : rows;
  const lastFields = isSeveral ? fields[fields.length - 1] : fields;
  const columns = [];
  for (let index = 0; isArray(last) && lastFields && index < lastFields.length; index++) columns[index] = lastFields[index].name;
  // Statements before the last one may have had rows, too.
  const start = isArray(last) ? cells.length - last.length * columns.length : 0;
  return answerWith(last, columns, (row, at) => cellOf(cells[start + row * columns.length + at], lastFields[at].charsetNr, lastFields[at].type));
}

module.exports = { watchMysql };
