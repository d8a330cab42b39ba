'use strict';
/**
 * Connections to MySQL and MariaDB, common to `mysql`, `mysql2` and `mariadb`: the data of the SUT's connections, and
 * the connection for queries of the core.
 */

const {
  Number,
  ObjectCreate,
  String,
  WeakMap,
  WeakSet,
  assign,
  getPrototypeOf,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { hostOf, isLocalHost, targetOf } = require('../connected-databases.cjs');
const { proxyConnection } = require('./proxy-connection.cjs');

/**
 * @typedef {{ target: import('../connected-databases.cjs').Target, isInTransaction: boolean }} Wire a connection of the
 *   SUT
 */

/**
 * @typedef {object} Ways the functions of one of the drivers
 * @property {string} driver
 * @property {(settings: { config: any }) => any} make creates a connection that is not open
 * @property {object} settings of the core's connection, which override those of the SUT
 * @property {(connection: any) => any} configOf
 * @property {(connection: any) => any} socketOf
 * @property {(connection: any, text: string, params: any[], done: import('./proxy-connection.cjs').Done) => void} ask
 */

const SESSION = 'SET SESSION innodb_lock_wait_timeout = 2, lock_wait_timeout = 2, autocommit = 1';
/** MySQL 8 caches statistics, including next numbers, for a day; MariaDB does not have this setting. */
const FRESH = 'SET SESSION information_schema_stats_expiry = 0';
/** Options of the core's connections, with all drivers. */
const OF_TWINS = { multipleStatements: true, connectTimeout: 5000, charsetNumber: 45 /* utf8mb4_general_ci */ };
const CLIENT_MULTI_STATEMENTS = 65536;

class Connections {
  /** @param {Ways} ways */
  constructor(ways) {
    this.ways = ways;
    /** @type {WeakMap<object, Wire>} */
    this.wires = new WeakMap();
    /** Connections that the agent has opened. */
    this.own = new WeakSet();
  }

  /**
   * @param {any} connection on which a command will be sent
   * @returns {Wire | null} null if there is none, or if it is the agent's own
   */
  wireOf(connection) {
    if (connection === undefined || weakSetHas(this.own, connection)) return null;
    const known = weakMapGet(this.wires, connection);
    if (known !== undefined) return known;
    const socket = this.ways.socketOf(connection);
    /** @type {Wire} */
    const wire = {
      target: this.describe(this.ways.configOf(connection), socket.remoteAddress),
      isInTransaction: false,
    };
    weakMapSet(this.wires, connection, wire);
    wire.target.holdBack(socket);
    return wire;
  }

  /**
   * @param {any} config of a connection
   * @param {unknown} address of the server
   */
  describe(config, address) {
    const { host, port, database, socketPath } = config;
    const shownHost = hostOf(typeof socketPath === 'string' ? socketPath : String(host || ''));
    const isLocal = isLocalHost(shownHost) || isLocalHost(address);
    const name = String(database || '');
    const id = 'mysql:' + shownHost + ':' + port + '/' + name;
    const description = {
      id,
      driver: this.ways.driver,
      dialect: /** @type {const} */ ('mysql'),
      host: shownHost,
      port: Number(port) || 0,
      name,
      isLocal,
      isInProcess: false,
    };
    return targetOf(description, this.queryRunner(config), { user: config.user, password: config.password });
  }

  /**
   * @param {any} config of the SUT's
   * @returns {import('../connected-databases.cjs').RunQuery}
   */
  queryRunner(config) {
    const { make, settings, socketOf, ask } = this.ways;
    return proxyConnection({
      make: () => {
        const twin = assign(
          ObjectCreate(getPrototypeOf(config)),
          config,
          { clientFlags: config.clientFlags | CLIENT_MULTI_STATEMENTS },
          OF_TWINS,
          settings,
        );
        const connection = make({ config: twin });
        weakSetAdd(this.own, connection);
        return connection;
      },
      socketOf,
      begin: (mine, done) =>
        mine.query(SESSION, (/** @type {unknown} */ failure) =>
          failure ? done(failure) : mine.query(FRESH, () => done(null)),
        ),
      ask: (mine, text, params, done) =>
        ask(mine, text, params, (failure, answer) => {
          // A transaction that failed in the middle must not stay open.
          if (failure) mine.query('ROLLBACK', () => done(failure));
          else done(null, answer);
        }),
    });
  }
}

module.exports = { Connections };
