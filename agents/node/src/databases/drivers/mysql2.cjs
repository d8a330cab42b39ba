'use strict';
/**
 * `mysql2`, which also connects to MariaDB: commands are observed when they are sent, for all interfaces (connections,
 * pools, promises, prepared statements).
 *
 * The result of a command is read from the command itself when it signals its end.
 */

const { noteCommand } = require('../recorded-commands.cjs');
const { replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { Connections } = require('./mysql-connections.cjs');
const { answerOf, cast, cellOf, settleResults, withRoomForOurFrames } = require('./mysql-replies.cjs');

/** @typedef {import('./mysql-connections.cjs').Wire} Wire */

/** The class of the package that was loaded last. @type {any} */
let Connection = null;
/** The error in the packet that is being read. @type {any} */
let latestError = null;

const connections = new Connections({
  driver: 'mysql2',
  make: (settings) => new Connection(settings),
  settings: { namedPlaceholders: false, isServer: false },
  configOf: (connection) => connection.config,
  socketOf: (connection) => connection.stream,
  ask(mine, text, params, done) {
    mine.query(
      { sql: text, values: params, rowsAsArray: true, typeCast: cast },
      (/** @type {unknown} */ failure, /** @type {any} */ rows, /** @type {any} */ fields) => {
        const cell = (/** @type {any} */ row, /** @type {number} */ at, /** @type {any} */ field) =>
          cellOf(row[at], field.characterSet, field.columnType);
        done(failure, failure ? undefined : answerOf(rows, fields, cell));
      },
    );
  },
});

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

/** @param {any} exports exports a class of commands */
function watchStart({ prototype }) {
  tapMethod(prototype, 'start', (sent, args) => {
    const wire = connections.wireOf(args[1]);
    if (wire === null) {
      sent.prependListener('end', forgetError);
      return;
    }
    const isPrepared = sent.statement !== undefined;
    const text = isPrepared && typeof sent.sql !== 'string' ? sent.statement.query : sent.sql;
    const command = noteCommand(
      wire.target.description.id,
      text,
      isPrepared ? sent.parameters : undefined,
      wire.isInTransaction,
    );
    sent.prependListener('end', () => settle(command, sent, wire));
  });
}

/** Forgets the error of a command of the core's own, so that it is not taken for that of the SUT's next command. */
function forgetError() {
  latestError = null;
}

/**
 * @param {import('../recorded-commands.cjs').Command} command
 * @param {any} sent mysql2's object for the command
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

module.exports = { watchMysql2 };
