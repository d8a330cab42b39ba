'use strict';
/**
 * `mysql`, the predecessor of mysql2: commands of connections and pools are observed when they are sent.
 *
 * The result of a command is read before the driver ends the command, which is before it calls the SUT.
 */

const { WeakMap, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { noteReads, replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { Connections } = require('./mysql-connections.cjs');
const { answerOf, cast, cellOf, settleResults, withRoomForOurFrames } = require('./mysql-replies.cjs');

/** @typedef {import('./mysql-connections.cjs').Wire} Wire */

/**
 * Commands that were sent and have not ended.
 * @type {WeakMap<object, { command: import('../recorded-commands.cjs').Command, wire: Wire }>}
 */
const running = new WeakMap();
/** The class of the package that was loaded last. @type {any} */
let Connection = null;

const connections = new Connections({
  driver: 'mysql',
  make: (settings) => new Connection(settings),
  settings: { trace: false },
  configOf: (connection) => connection.config,
  socketOf: (connection) => connection._socket,
  ask(mine, text, params, done) {
    /**
     * The cells of all rows in one list: an object would hold only one of several columns with the same name.
     * @type {any[]}
     */
    const cells = [];
    const typeCast = (/** @type {any} */ field) => {
      cells[cells.length] = cast(field);
    };
    mine.query(
      { sql: text, values: params, typeCast },
      (/** @type {unknown} */ failure, /** @type {any} */ rows, /** @type {any} */ fields) => {
        // Statements before the last one may have returned rows, too.
        const cell = (
          /** @type {any} */ _,
          /** @type {number} */ at,
          /** @type {any} */ field,
          /** @type {number} */ left,
        ) => cellOf(cells[cells.length - left + at], field.charsetNr, field.type);
        done(failure, failure ? undefined : answerOf(rows, fields, cell));
      },
    );
  },
});

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
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
      const wire = connections.wireOf(query._connection);
      if (wire === null) return;
      weakMapSet(running, query, {
        command: noteCommand(wire.target.description.id, query.sql, undefined, wire.isInTransaction),
        wire,
      });
    });
  },
};

/**
 * @param {{ command: import('../recorded-commands.cjs').Command, wire: Wire }} known
 * @param {any} query
 */
function settle({ command, wire }, query) {
  command.affected = null;
  command.returned = null;
  settleResults(command, wire, query._results, true);
}

module.exports = { watchMysql };
