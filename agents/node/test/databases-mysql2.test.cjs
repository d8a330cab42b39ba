'use strict';
/** Errors of `mysql2` are those of the command whose reply was read, without a server: by classes of the same shape. */
const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const { beforeEach, describe, test } = require('node:test');

const { watchMysql2 } = require('../src/databases/drivers/mysql2.cjs');
const { log, takeCommands } = require('../src/databases/recorded-commands.cjs');

class Packet {
  /** @param {string} message */
  constructor(message) {
    this.message = message;
  }

  asError() {
    return new Error(this.message);
  }
}

class Query extends EventEmitter {
  /** @param {string} sql */
  constructor(sql) {
    super();
    this.sql = sql;
    /** @type {any[]} */
    this._rows = [];
    this.onResult = () => {};
  }

  start() {}

  /** @param {Packet} packet an error that is the reply */
  fails(packet) {
    packet.asError();
    this.emit('end');
  }

  succeeds() {
    this._rows = [[{ id: 1 }]];
    this.emit('end');
  }
}

watchMysql2['lib/packets/packet.js'](Packet);
watchMysql2['lib/commands/query.js'](Query);

const OF_SUT = {
  config: { host: '127.0.0.1', port: 3306, database: 'shop' },
  stream: Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1' }),
};

/** @param {Query} query @param {object} [connection] none for one of the agent's own */
function sent(query, connection) {
  Reflect.apply(query.start, query, [undefined, connection]);
  return query;
}

/** @returns {Record<string, string | null>} the error of each command, by its text */
function errors() {
  const { commands = [] } = takeCommands();
  return Object.fromEntries(commands.map((/** @type {any} */ one) => [one.text, one.error]));
}

describe('errors of mysql2', () => {
  beforeEach(() => {
    log.isWanted = true;
    takeCommands();
  });

  test('are those of the command that the server has refused', () => {
    sent(new Query('SELECT refused'), OF_SUT).fails(new Packet('no such table'));
    sent(new Query('SELECT taken'), OF_SUT).succeeds();
    assert.deepStrictEqual(errors(), { 'SELECT refused': 'no such table', 'SELECT taken': null });
  });

  test('of the core are not those of a command of the SUT that waits meanwhile', () => {
    const waiting = sent(new Query('SELECT id FROM items'), OF_SUT);
    sent(new Query('SET SESSION unknown = 0')).fails(new Packet('Unknown system variable'));
    waiting.succeeds();
    assert.deepStrictEqual(errors(), { 'SELECT id FROM items': null });
  });
});
