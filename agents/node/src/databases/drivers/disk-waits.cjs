'use strict';
/**
 * Has SQLite not wait until the changes of the program are on the disk, which takes several milliseconds for each
 * transaction (`PRAGMA synchronous = OFF`). The file is intact however the process ends; for a power failure the core
 * keeps a copy.
 *
 * The setting is one of the connection, and the program may read or change it: its own value is in force whenever a
 * statement of the program names it.
 */

const { regExpExec } = require('../../base/intrinsics.cjs');

/**
 * @typedef {object} DiskWaits of a connection
 * @property {string} own the program's setting while another one is in force; empty: its own is
 * @property {string} latest the program's setting when it was read last; before that SQLite's own, FULL
 */

const NAMES_SETTING = /\bsynchronous\b/i;
/** What may wait for the disk, or begin what does. */
const MAY_WAIT = /^\s*(?:insert|update|delete|replace|create|drop|alter|with|begin|savepoint)\b/i;

const OFF = 'PRAGMA synchronous = OFF';
const READ = 'PRAGMA synchronous';

/** @returns {DiskWaits} */
const newDiskWaits = () => ({ own: '', latest: '2' });

/**
 * Returns what has to be done before a statement of the program: `relax` reads the program's setting and runs `OFF`,
 * `restore` sets it again.
 * @param {DiskWaits} waits
 * @param {unknown} text of the statement
 * @param {() => boolean} isInTransaction the setting cannot change then
 * @returns {'relax' | 'restore' | ''}
 */
function changeBefore(waits, text, isInTransaction) {
  if (typeof text !== 'string') return '';
  if (regExpExec(NAMES_SETTING, text) !== null) return waits.own === '' ? '' : 'restore';
  return waits.own === '' && regExpExec(MAY_WAIT, text) !== null && !isInTransaction() ? 'relax' : '';
}

/** @param {string} own @returns {string} the statement that restores the program's setting */
const restoring = (own) => READ + ' = ' + own;

module.exports = { OFF, READ, changeBefore, newDiskWaits, restoring };
