'use strict';
/**
 * The databases to which this process has connected, and the functions that run queries of the core on them.
 *
 * Law: the first command to a database after the end of the boot evaluation is held until the core sends `release`, so
 * that the existing rows can be read before anything changes them. It is held for at most HOLD_MS, in case the core is
 * busy.
 */

const { resolve: resolvePath } = require('path');
const {
  Map,
  atomicsWait,
  dateNow,
  lastIndexOf,
  mapGet,
  mapSet,
  realpathSync,
  setTimeout,
  sleepCell,
  slice,
  startsWith,
} = require('../base/intrinsics.cjs');
const { credentialsFrom } = require('./credentials.cjs');

const HOLD_MS = 20_000;

/**
 * @typedef {object} Answer the result of a proxied query
 * @property {string[]} columns
 * @property {string} rows JSON
 * @property {number | null} affected
 */
/** @typedef {(text: string, params: any[], done: (error: unknown, answer?: Answer) => void) => void} RunQuery */

/**
 * @typedef {object} Description
 * @property {string} id the same in every run
 * @property {string} driver
 * @property {'postgres' | 'mysql' | 'sqlite' | 'mongo' | 'redis'} dialect
 * @property {string} host empty: no server
 * @property {number} port
 * @property {string} name
 * @property {boolean} isLocal on this machine
 * @property {boolean} isInProcess kept in the memory of the process, and lost with it
 */

class Target {
  /**
   * @param {Description} description
   * @param {RunQuery} runQuery
   */
  constructor(description, runQuery) {
    this.description = description;
    this.runQuery = runQuery;
    this.isHeld = false;
    /** @type {(() => void)[]} */
    this.waiting = [];
  }

  /** @param {() => void} resume called when the command may continue; at once if nothing is held */
  whenReleased(resume) {
    if (this.isHeld) this.waiting[this.waiting.length] = resume;
    else resume();
  }

  /** @param {import('net').Socket} socket of a connection before its first command is written */
  holdBack(socket) {
    if (!this.isHeld) return;
    socket.cork();
    this.whenReleased(() => socket.uncork());
  }

  /** The same for synchronous drivers: blocks until the release. */
  waitForRelease() {
    const deadline = dateNow() + HOLD_MS;
    targets.isBlocked = true;
    while (this.isHeld && dateNow() < deadline) {
      targets.listen();
      if (this.isHeld) atomicsWait(sleepCell, 0, 0, 1);
    }
    targets.isBlocked = false;
    this.release();
  }

  release() {
    this.isHeld = false;
    const { waiting } = this;
    this.waiting = [];
    for (let index = 0; index < waiting.length; index++) waiting[index]();
  }
}

const targets = {
  /** @type {Map<string, Target>} */
  byId: new Map(),
  /** @type {(message: object) => void} */
  announce: () => {},
  /** Reads and handles messages that the core has written. */
  listen: () => {},
  /** Whether the whole program is blocked until a first command may continue. */
  isBlocked: false,
  /** Whether first commands are held. */
  holds: () => false,
  /** Whether this process, had it been started ahead of its use, would not have come as far as this before. */
  wouldBeHeld: () => false,
};

/**
 * @param {Description} description
 * @param {RunQuery} runQuery
 * @param {import('./credentials.cjs').Login} [login] of databases on servers
 * @returns {Target} the known one, if there is one
 */
function targetOf(description, runQuery, login) {
  const known = mapGet(targets.byId, description.id);
  if (known !== undefined) return known;
  const target = new Target(description, runQuery);
  mapSet(targets.byId, description.id, target);
  target.isHeld = targets.holds();
  if (target.isHeld) setTimeout(() => target.release(), HOLD_MS).unref();
  const { id, driver, dialect, host, port, name, isLocal, isInProcess } = description;
  const credentials = login === undefined ? {} : credentialsFrom(login, description, hostOf);
  targets.announce({
    type: 'database',
    id,
    driver,
    dialect,
    host,
    port,
    name,
    is_local: isLocal,
    is_in_process: isInProcess,
    is_reached_late: host !== '' && targets.wouldBeHeld(),
    held: target.isHeld,
    ...credentials,
  });
  return target;
}

/** @param {unknown} id */
function releaseTarget(id) {
  const target = mapGet(targets.byId, /** @type {string} */ (id));
  if (target !== undefined) target.release();
}

/** Names of this machine. */
const LOCAL_NAMES = {
  __proto__: null,
  '': true,
  localhost: true,
  '::1': true,
  '::ffff:127.0.0.1': true,
};

/** @param {unknown} host of a server */
function isLocalHost(host) {
  if (host === undefined || host === null) return true;
  // A Unix socket has a path.
  return typeof host === 'string' && (host in LOCAL_NAMES || host[0] === '/' || startsWith(host, '127.'));
}

/**
 * @param {string} host
 * @returns {string} the same name for all names of this machine, so that a database has one id
 */
function hostOf(host) {
  return host !== '' && host[0] !== '/' && isLocalHost(host) ? 'localhost' : host;
}

/**
 * @param {string} file or folder of a database
 * @returns {string} the same in every run
 */
function realPathOf(file) {
  try {
    return realpathSync(file);
  } catch {
    // Some drivers create the file later.
    const whole = resolvePath(file);
    const at = lastIndexOf(whole, '/');
    return at > 0 && at < whole.length - 1 ? realPathOf(slice(whole, 0, at)) + slice(whole, at) : whole;
  }
}

module.exports = { Target, hostOf, isLocalHost, realPathOf, releaseTarget, targetOf, targets };
