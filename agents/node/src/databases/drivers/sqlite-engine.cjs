'use strict';
/**
 * Shared by the drivers of SQLite: an engine in the process, whose calls have completed their work when they return.
 *
 * The core's queries run on the SUT's own handle, between two turns of its event loop, and only while the SUT has no
 * transaction open on it.
 */

const { String, WeakMap, isArray, regExpExec, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { OFF, READ, changeBefore, newDiskWaits, restoring } = require('./disk-waits.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { realPathOf, targetOf } = require('../connected-databases.cjs');
const { outsideTransactions } = require('../transactions.cjs');
const { cellText } = require('../database-values.cjs');

/** @typedef {import('../connected-databases.cjs').Target} Target */

/**
 * @typedef {object} Found the result of one statement
 * @property {unknown[]} columns their names; empty if the statement returns no rows
 * @property {any} rows arrays of cells
 * @property {number | null} affected
 */

/**
 * @typedef {object} Handle an open database, through the driver's methods as they were before they were tapped
 * @property {string} driver
 * @property {string} file empty: in memory
 * @property {() => boolean} isInTransaction whether a transaction of the program is open
 * @property {() => boolean} isOpen
 * @property {(text: string) => void} execute runs several statements
 * @property {(text: string, params: any[]) => Found} query
 */

/**
 * The driver's object -> its data.
 * @type {WeakMap<object, { target: Target, handle: Handle, waits: import('./disk-waits.cjs').DiskWaits }>}
 */
const known = new WeakMap();
/**
 * Handles of a file, in the order in which they were first used.
 * @typedef {{ runQuery: import('../connected-databases.cjs').RunQuery, isOpen: () => boolean }} Opened
 */
/** @type {WeakMap<Target, Opened[]>} */
const opened = new WeakMap();
/** Of a file; the program may have more of them, which then run no queries of the core. */
const MAX_HANDLES = 10;
let isLending = false;
let memories = 0;

/**
 * Records a command before it runs, after the database was released.
 * @param {any} database the driver's object
 * @param {(database: any) => Handle} handleOf
 * @param {unknown} text
 * @param {unknown} params
 * @returns {import('../recorded-commands.cjs').Command | null} null if it is one of the core's
 */
function beginCommand(database, handleOf, text, params) {
  if (isLending) return null;
  const { target, handle, waits } = describe(database, handleOf);
  if (target.isHeld) target.waitForRelease();
  if (handle.file !== '') privately(() => prepareDisk(handle, waits, text));
  return noteCommand(target.description.id, text, params, privately(handle.isInTransaction));
}

/**
 * Sets whether the command waits for the disk (disk-waits.cjs).
 * @param {Handle} handle
 * @param {import('./disk-waits.cjs').DiskWaits} waits
 * @param {unknown} text
 */
function prepareDisk(handle, waits, text) {
  const change = changeBefore(waits, text, handle.isInTransaction);
  if (change === '') return;
  try {
    if (change === 'restore') {
      handle.execute(restoring(waits.own));
      waits.own = '';
    } else {
      const own = String(handle.query(READ, []).rows[0][0]);
      handle.execute(OFF);
      waits.own = own;
    }
  } catch {
    // A file that is no database, or locked: the program's command will tell.
  }
}

/**
 * Prepares for a command that the engine may refuse before it runs: only its refusal is recorded.
 * @param {any} database the driver's object
 * @param {(database: any) => Handle} handleOf
 * @param {unknown} text
 * @returns {{ fail: (message: string) => void }}
 */
function refusalOf(database, handleOf, text) {
  return {
    fail(message) {
      const command = beginCommand(database, handleOf, text, undefined);
      if (command !== null) command.fail(message);
    },
  };
}

/**
 * @param {any} database
 * @param {(database: any) => Handle} handleOf
 */
function describe(database, handleOf) {
  const found = weakMapGet(known, database);
  if (found !== undefined) return found;
  const handle = privately(() => handleOf(database));
  const target = targetOfFile(handle.driver, handle.file, queryRunner(handle), handle.isOpen);
  const made = { target, handle, waits: newDiskWaits() };
  weakMapSet(known, database, made);
  return made;
}

/**
 * @param {string} driver
 * @param {string} file empty: in memory
 * @param {import('../connected-databases.cjs').RunQuery} runQuery runs queries on one handle
 * @param {() => boolean} isOpen whether this handle is open
 */
function targetOfFile(driver, file, runQuery, isOpen) {
  const isInProcess = file === '';
  const name = isInProcess ? ':memory:' : realPathOf(file);
  const id = 'sqlite:' + name + (isInProcess ? '#' + ++memories : '');
  const target = targetOf(
    { id, driver, dialect: 'sqlite', host: '', port: 0, name, isLocal: true, isInProcess },
    runQuery,
  );
  const handles = withOpenHandle(weakMapGet(opened, target) ?? [], { runQuery, isOpen });
  weakMapSet(opened, target, handles);
  target.runQuery = (text, params, done) => latestOpen(handles).runQuery(text, params, done);
  return target;
}

/**
 * @param {Opened[]} handles
 * @param {Opened} latest
 * @returns {Opened[]} those that are open, with another one
 */
function withOpenHandle(handles, latest) {
  /** @type {Opened[]} */
  const open = [];
  for (let index = 0; index < handles.length && open.length < MAX_HANDLES - 1; index++) {
    if (handles[index].isOpen()) open[open.length] = handles[index];
  }
  open[open.length] = latest;
  return open;
}

/**
 * A program may open a further handle for each transaction, and close it afterwards, as Sequelize does.
 * @param {Opened[]} handles at least one
 */
function latestOpen(handles) {
  for (let index = handles.length - 1; index > 0; index--) if (handles[index].isOpen()) return handles[index];
  return handles[0];
}

/**
 * @template T
 * @param {() => T} run runs commands that are not the program's
 * @returns {T}
 */
function privately(run) {
  const before = isLending;
  isLending = true;
  try {
    return run();
  } finally {
    isLending = before;
  }
}

/**
 * @param {Handle} handle
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(handle) {
  return outsideTransactions(
    () => privately(handle.isInTransaction),
    (text, params, done) => {
      let answer;
      try {
        answer = privately(() => {
          if (holdsSeveral(text)) return unsynchronized(handle, () => runScript(handle, text));
          if (isWriting(text)) return unsynchronized(handle, () => answerOf(handle.query(text, params)));
          return answerOf(handle.query(text, params));
        });
      } catch (error) {
        return done(error);
      }
      return done(null, answer);
    },
  );
}

/**
 * @param {string} text of a single statement
 * @returns {boolean}
 */
function isWriting(text) {
  return regExpExec(/^\s*(?:select|with|pragma)\b/i, text) === null;
}

/**
 * Runs a script without waiting until its changes are on the disk (disk-waits.cjs).
 * @template T
 * @param {Handle} handle
 * @param {() => T} write
 * @returns {T}
 */
function unsynchronized(handle, write) {
  const before = String(handle.query(READ, []).rows[0][0]);
  handle.execute(OFF);
  try {
    return write();
  } finally {
    handle.execute(restoring(before));
  }
}

/**
 * Runs a script completely or not at all, and afterwards restores the check of foreign keys.
 * @param {Handle} handle
 * @param {string} text
 * @returns {import('../connected-databases.cjs').Answer}
 */
function runScript(handle, text) {
  const areKeysChecked = String(handle.query('PRAGMA foreign_keys', []).rows[0][0]);
  try {
    handle.execute(text);
  } finally {
    endTransaction(handle);
    handle.execute('PRAGMA foreign_keys = ' + areKeysChecked);
  }
  return { columns: [], rows: '[]', affected: null };
}

/** Ends the transaction of a script that failed. @param {Handle} handle */
function endTransaction(handle) {
  try {
    handle.execute('ROLLBACK');
  } catch {
    // There is no transaction.
  }
}

/** Closing quotes of texts and names, by their opening ones. @type {Record<string, string>} */
const CLOSING = { __proto__: /** @type {any} */ (null), "'": "'", '"': '"', '`': '`', '[': ']' };

/**
 * Checks for several statements, because some drivers ignore the text after the first statement silently.
 * @param {string} text
 * @returns {boolean} whether there is text after a semicolon outside of quotes
 */
function holdsSeveral(text) {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign in CLOSING) quote = CLOSING[sign];
    else if (sign === ';') {
      for (at++; at < text.length; at++) if (text[at] !== ' ' && text[at] !== '\n' && text[at] !== ';') return true;
    }
  }
  return false;
}

/**
 * @param {Found} found
 * @returns {import('../connected-databases.cjs').Answer}
 */
function answerOf({ columns, rows, affected }) {
  const names = [];
  for (let index = 0; index < columns.length; index++) names[index] = String(columns[index]);
  let text = '';
  for (let index = 0; index < rows.length; index++) {
    let row = '';
    for (let at = 0; isArray(rows[index]) && at < names.length; at++) {
      row += (at === 0 ? '' : ',') + cellText(rows[index][at]);
    }
    text += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns: names, rows: '[' + text + ']', affected };
}

/**
 * @param {ArrayLike<any>} args values one by one, in an array, or by name in an object
 * @returns {unknown}
 */
function paramsOf(args) {
  if (args.length === 1 && typeof args[0] === 'object' && args[0] !== null) return args[0];
  const list = [];
  for (let index = 0; index < args.length; index++) list[index] = args[index];
  return list;
}

module.exports = { answerOf, beginCommand, holdsSeveral, isWriting, paramsOf, refusalOf, targetOfFile };
