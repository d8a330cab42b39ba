'use strict';
/** Commands of `mariadb`, whose classes are not exported, without a server: by a package of the same shape. */
const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const { beforeEach, describe, test } = require('node:test');

const { targets } = require('../src/databases/connected-databases.cjs');
const { watchMariadb } = require('../src/databases/drivers/mariadb.cjs');
const { log, takeCommands } = require('../src/databases/recorded-commands.cjs');

const IN_TRANSACTION = 1;

class Reply {
  /** @param {number} affectedRows */
  constructor(affectedRows) {
    this.affectedRows = affectedRows;
    this.insertId = 0;
  }
}

class Sent extends EventEmitter {
  /**
   * @param {any} options of the connection
   * @param {any} asked
   */
  constructor(options, asked) {
    super();
    this.opts = asked.opts ? Object.assign(Object.create(options), asked.opts) : options;
    this.sql = asked.sql;
    this.initialValues = asked.values;
    /** @type {any[]} */
    this._rows = [];
  }

  start() {
    this.stack = String(new Error('where it is sent').stack);
  }

  /** @param {any} packet */
  readOKPacket(packet) {
    this.successEnd(new Reply(packet.readUnsignedLength()));
  }

  /** @param {unknown} reply */
  successEnd(reply) {
    this.reply = reply;
    this.emit('end');
  }
}

class Query extends Sent {
  start() {
    super.start();
  }
}

class Execute extends Sent {
  /** @type {any} */
  prepare = null;

  start() {
    super.start();
  }
}

class Batch extends Sent {
  bulkPacketNo = 0;

  start() {
    super.start();
  }
}

class Prepare extends Sent {
  /** @type {any} */
  executeCommand = undefined;

  start() {
    super.start();
  }
}

class Connection extends EventEmitter {
  /** @param {object} settings */
  constructor(settings) {
    super();
    this.opts = /** @type {any} */ (Object.assign(new EventEmitter(), settings));
    this.info = { status: 0 };
    this.status = 1;
    /** @type {any} */
    this.socket = null;
    this.addCommand = (/** @type {any} */ command) => command.start();
  }

  connect() {
    if (this.opts.stream) return;
    this.socket = { remoteAddress: '127.0.0.1', cork() {}, uncork() {} };
    this.status = 5;
  }

  /** @param {object} asked */
  query(asked) {
    this.addCommand(new Query(this.opts, asked));
  }

  /** @param {object} asked */
  executePromise(asked) {
    this.addCommand(new Execute(this.opts, asked));
  }

  /** @param {object} asked */
  executeBulkPromise(asked) {
    this.addCommand(new Batch(this.opts, asked));
  }

  /** @param {object} asked */
  prepare(asked) {
    this.addCommand(new Prepare(this.opts, asked));
  }
}

/** @param {object} settings */
function createConnection(settings) {
  const connection = new Connection(settings);
  connection.connect();
  return { connection };
}

const connection = () =>
  createConnection({ host: '127.0.0.1', port: 3306, database: 'shop', user: 'app', password: 'secret' }).connection;

/**
 * @param {Sent} command
 * @param {number} affected
 */
function succeed(command, affected) {
  command.readOKPacket({ readUnsignedLength: () => affected });
}

/** Sends a command as the driver does. @template {Sent} S @param {S} command @returns {S} */
function sent(command) {
  command.start();
  return command;
}

/** @returns {any[]} */
const recorded = () => takeCommands().commands || [];

describe('commands of mariadb', () => {
  /** @type {any[]} */
  let told = [];

  beforeEach(() => {
    told = [];
    targets.announce = (message) => (told[told.length] = message);
    targets.byId.clear();
    log.isWanted = true;
    takeCommands();
  });

  test('are not watched in a package of another shape', () => {
    watchMariadb['promise.js']({ createConnection: () => ({}) });
    watchMariadb['promise.js']({});
    assert.deepEqual(recorded(), []);
  });

  test('are recorded with values, results and the transaction', () => {
    watchMariadb['dist/promise.cjs']({ createConnection });
    watchMariadb['dist/callback.cjs']({ createConnection }); // classes that are known
    const { opts, info } = connection();
    info.status = IN_TRANSACTION;
    succeed(sent(new Query(opts, { sql: 'START TRANSACTION' })), 0);
    succeed(sent(new Execute(opts, { sql: 'DELETE FROM a WHERE b = ?', values: [7], opts: { timeout: 1 } })), 3);
    succeed(sent(new Batch(opts, { sql: 'INSERT INTO a VALUES (?)', values: [[1], [2]] })), 2);
    info.status = 0;
    succeed(sent(new Query(opts, { sql: 'COMMIT' })), 0);
    const read = sent(new Query(opts, { sql: 'SELECT * FROM a' }));
    read._rows = [[{ b: 1 }, { b: 2 }]];
    succeed(read, 9);
    const shown = recorded().map(({ text, params, returned, affected, in_transaction }) => [
      text,
      params.text,
      returned,
      affected,
      in_transaction,
    ]);
    assert.deepEqual(shown, [
      ['START TRANSACTION', '[]', null, 0, false],
      ['DELETE FROM a WHERE b = ?', '[7]', null, 3, true],
      ['INSERT INTO a VALUES (?)', '[1]', null, 2, true],
      ['COMMIT', '[]', null, 0, true],
      ['SELECT * FROM a', '[]', 2, null, false],
    ]);
    const [{ id, driver, host, port, name, user, is_local }] = told;
    assert.deepEqual(
      [id, driver, host, port, name, user, is_local],
      ['mysql:localhost:3306/shop', 'mariadb', 'localhost', 3306, 'shop', 'app', true],
    );
    assert.strictEqual(told.length, 1);
  });

  test('that the database refuses have its message, also if only their preparation fails', () => {
    const { opts } = connection();
    const error = Object.assign(new Error('(conn:7, no: 1064) syntax\nsql: ...'), { sqlMessage: 'syntax' });
    sent(new Query(opts, { sql: 'SELECT FROM a' })).emit('end', error);
    sent(new Prepare(opts, { sql: 'SELECT 1' })).emit('end');
    sent(new Prepare(opts, { sql: 'SELECT FROM b', values: [1] })).emit('end', error);
    const execution = new Execute(opts, { sql: 'SELECT FROM c' });
    const preparation = new Prepare(opts, { sql: 'SELECT FROM c' });
    preparation.executeCommand = execution;
    sent(preparation);
    sent(execution);
    preparation.emit('end', error);
    execution.emit('end', new Error('unknown statement'));
    assert.deepEqual(
      recorded().map(({ text, error }) => [text, error]),
      ['a', 'b', 'c'].map((name) => ['SELECT FROM ' + name, 'syntax']),
    );
  });

  test('of a connection that is being opened are the driver’s', () => {
    const opened = connection();
    opened.status = 4;
    sent(new Query(opened.opts, { sql: 'SET NAMES utf8mb4' }));
    assert.deepEqual(recorded(), []);
  });

  test('have no frame of the agent below them, and replies look the same', () => {
    const { opts } = connection();
    const query = sent(new Query(opts, { sql: 'DO 0' }));
    assert.doesNotMatch(String(query.stack), /patching|mariadb\.cjs/);
    succeed(query, 4);
    assert.deepEqual(Object.entries(/** @type {any} */ (query.reply)), [
      ['affectedRows', 4],
      ['insertId', 0],
    ]);
    assert.deepEqual(Object.keys(Reply.prototype), []);
    assert.strictEqual(Query.prototype.start.name, 'start');
  });
});
