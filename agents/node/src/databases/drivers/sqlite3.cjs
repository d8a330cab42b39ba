'use strict';
/**
 * `sqlite3`: the work is done in other threads, and callbacks report the results. A statement does not name its
 * database, so that is recorded when the statement is created.
 *
 * The core's queries run on the SUT's own handle, one at a time, and only while the SUT has no transaction open on it.
 */

const {
  ObjectKeys,
  String,
  WeakMap,
  reflectApply,
  regExpExec,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { noteCommand } = require('../recorded-commands.cjs');
const { replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { oneAtATime } = require('../query-queue.cjs');
const { outsideTransactions } = require('../transactions.cjs');
const { OFF, READ, changeBefore, newDiskWaits, restoring } = require('./disk-waits.cjs');
const { answerOf, holdsSeveral, isWriting, paramsOf, targetOfFile } = require('./sqlite-engine.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/**
 * @typedef {{ database: any, target: import('../connected-databases.cjs').Target, isInTransaction: boolean, isClosing:
 *   boolean, isFile: boolean, waits: import('./disk-waits.cjs').DiskWaits }} Known
 */

/** @type {WeakMap<object, Known>} */
const databases = new WeakMap();
/**
 * Statement -> its database, and the parameters that it was bound to.
 * @type {WeakMap<object, { database: any, params: unknown }>}
 */
const statements = new WeakMap();
/** The methods before they were tapped. @type {Record<string, any>} */
const originals = { __proto__: /** @type {any} */ (null) };
/** The database whose method is running a statement of its own. @type {any} */
let current = null;
let isLending = false;
/** The command of the database's method that is running. @type {{ command: Command | null }} */
let made = { command: null };

const BEGINS = /^\s*(?:begin|savepoint)\b/i;
const ENDS = /^\s*(?:commit|end|rollback(?!\s+(?:transaction\s+)?to\b))\b/i;
/**
 * Methods with a callback whose second argument is the rows; for `each` it is their number, for `run` the callback's
 * `this` is a statement with the number of changes.
 */
const RUNS = ['run', 'get', 'all', 'each'];
/** Methods of a statement that run no command. */
const WAITING = ['bind', 'reset', 'finalize'];

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchSqlite3 = {
  'lib/sqlite3.js'({ Database: { prototype: ofDatabases }, Statement: { prototype: ofStatements } }) {
    originals.serialize = ofDatabases.serialize;
    originals.run = ofDatabases.run;
    originals.all = ofDatabases.all;
    originals.exec = ofDatabases.exec;
    for (let index = 0; index < RUNS.length; index++) {
      replaceMethod(ofDatabases, RUNS[index], (original) => whenFree((self) => self, original, true));
    }
    replaceMethod(ofDatabases, 'map', (original) => whenFree((self) => self, original, true));
    replaceMethod(ofDatabases, 'exec', (original) => whenFree((self) => self, executing(original), false));
    replaceMethod(ofDatabases, 'close', (original) => whenFree((self) => self, closing(original), false));
    replaceMethod(ofDatabases, 'prepare', preparing);
    for (let index = 0; index < WAITING.length; index++) {
      replaceMethod(ofStatements, WAITING[index], (original) => whenFree(ownerOf, original, false));
    }
    for (let index = 0; index < RUNS.length; index++) {
      const name = RUNS[index];
      replaceMethod(ofStatements, name, (original) => whenFree(ownerOf, running(name, original), false));
    }
    tapMethod(ofStatements, 'bind', (statement, args) => {
      const known = weakMapGet(statements, statement);
      if (known !== undefined) known.params = paramsOf(splitArguments(args).values);
    });
  },
};

/** @param {(...args: any[]) => any} original */
function closing(original) {
  return /** @this {any} */ function () {
    // It closes once its commands are done, and takes no further ones.
    describe(this).isClosing = true;
    return reflectApply(original, this, /** @type {any} */ (arguments));
  };
}

/** @param {any} statement */
function ownerOf(statement) {
  const known = weakMapGet(statements, statement);
  return known === undefined ? current : known.database;
}

/**
 * Returns the same method, delayed while commands of the database are held: all of these methods return their receiver.
 * @param {(self: any) => any} ownerIn
 * @param {(...args: any[]) => any} original
 * @param {boolean} makesStatement
 */
function whenFree(ownerIn, original, makesStatement) {
  return /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    const database = ownerIn(this);
    const known = database === null || isLending ? null : describe(database);
    const call = () => {
      if (!makesStatement || isLending) return reflectApply(original, this, args);
      if (known !== null) prepareDisk(known, args[0]); // a statement begins before what is asked for after it
      const before = current;
      current = database;
      const ours = (made = { command: null });
      try {
        return reflectApply(original, this, hearing(args, ours));
      } finally {
        current = before;
      }
    };
    if (known === null || !known.target.isHeld) return call();
    // They would have run one after the other.
    known.target.whenReleased(() => reflectApply(originals.serialize, database, [call]));
    return this;
  };
}

/**
 * A text that the engine refuses makes no statement: the last callback alone is told.
 * @param {ArrayLike<any>} args of a method of the database
 * @param {{ command: Command | null }} ours
 * @returns {ArrayLike<any>}
 */
function hearing(args, ours) {
  const at = args.length - 1;
  const callback = args[at];
  if (typeof callback !== 'function') return args;
  /** @type {any[]} */
  const given = [];
  for (let index = 0; index < at; index++) given[index] = args[index];
  given[at] = /** @this {any} */ function (/** @type {any} */ error) {
    if (error && ours.command !== null) ours.command.fail(error.message);
    try {
      return reflectApply(callback, this, /** @type {any} */ (arguments));
    } catch (thrown) {
      throw hideAgentFrames(thrown);
    }
  };
  return given;
}

/** @param {(...args: any[]) => any} original */
function preparing(original) {
  return /** @this {any} */ function () {
    const before = current;
    current = this;
    try {
      const statement = reflectApply(original, this, /** @type {any} */ (arguments));
      const { values } = splitArguments(/** @type {any} */ (arguments));
      for (let index = 1; index < values.length; index++) values[index - 1] = values[index];
      if (values.length > 0) values.length--;
      weakMapSet(statements, statement, { database: this, params: values.length > 0 ? paramsOf(values) : undefined });
      return statement;
    } finally {
      current = before;
    }
  };
}

/**
 * @param {string} name
 * @param {(...args: any[]) => any} original
 */
function running(name, original) {
  return /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    const owner = ownerOf(this);
    if (owner === null || isLending) return reflectApply(original, this, args);
    const { values, at } = splitArguments(args);
    const known = weakMapGet(statements, this);
    const params = values.length > 0 || known === undefined ? paramsOf(values) : known.params;
    const command = begin(describe(owner), this.sql, params);
    made.command = command;
    return reflectApply(
      original,
      this,
      listened(
        args,
        name === 'each' ? at + 1 : at,
        (statement, result) => settle(command, name, statement, result),
        command,
      ),
    );
  };
}

/** @param {(...args: any[]) => any} original */
function executing(original) {
  return /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    if (isLending) return reflectApply(original, this, args);
    const command = begin(describe(this), args[0], undefined);
    return reflectApply(
      original,
      this,
      listened(args, 1, () => {}, command),
    );
  };
}

/**
 * Sets whether the command waits for the disk (disk-waits.cjs). `exec` runs after all earlier statements, and before
 * all later ones.
 * @param {Known} known
 * @param {unknown} text
 */
function prepareDisk(known, text) {
  const { waits } = known;
  const change = known.isFile ? changeBefore(waits, text, () => known.isInTransaction) : '';
  if (change === 'restore') {
    ask(known, 'exec', [restoring(waits.own), () => {}]);
    waits.own = '';
  } else if (change === 'relax') relaxDisk(known);
}

/** Has the connection not wait for the disk, outside of a transaction. @param {Known} known */
function relaxDisk(known) {
  const { waits } = known;
  if (!known.isFile || waits.own !== '') return;
  waits.own = waits.latest;
  ask(known, 'all', [
    READ,
    (/** @type {any} */ failure, /** @type {any} */ found) => {
      if (failure) return;
      waits.latest = String(found[0].synchronous);
      if (waits.own !== '') waits.own = waits.latest;
    },
  ]);
  ask(known, 'exec', [
    OFF,
    (/** @type {any} */ failure) => {
      if (failure) waits.own = '';
    },
  ]);
}

/**
 * Calls a method of the driver with statements that are not the program's.
 * @param {Known} known
 * @param {string} name
 * @param {any[]} args
 */
function ask(known, name, args) {
  isLending = true;
  try {
    reflectApply(originals[name], known.database, args);
  } finally {
    isLending = false;
  }
}

/**
 * @param {Known} known
 * @param {unknown} text
 * @param {unknown} params
 */
function begin(known, text, params) {
  prepareDisk(known, text);
  const command = noteCommand(known.target.description.id, text, params, known.isInTransaction);
  if (regExpExec(BEGINS, command.text) !== null) known.isInTransaction = true;
  else if (regExpExec(ENDS, command.text) !== null) known.isInTransaction = false;
  return command;
}

/**
 * @param {ArrayLike<any>} args
 * @returns {{ values: any[], at: number }} the arguments before the first callback, and its position
 */
function splitArguments(args) {
  const values = [];
  for (let index = 0; index < args.length && typeof args[index] !== 'function'; index++) values[index] = args[index];
  return { values, at: values.length };
}

/**
 * @param {ArrayLike<any>} args
 * @param {number} at
 * @param {(self: any, result: any) => void} look
 * @param {Command} command
 * @returns {any[]} the same arguments with the callback at `at` replaced, if there is one; the replacement returns and
 *   throws what the SUT's callback does
 */
function listened(args, at, look, command) {
  /** @type {any[]} */
  const given = [];
  for (let index = 0; index < args.length; index++) given[index] = args[index];
  const callback = given[at];
  if (typeof callback !== 'function') return given;
  given[at] = /** @this {any} */ function (/** @type {any} */ error, /** @type {any} */ result) {
    if (error) command.fail(error.message);
    else look(this, result);
    try {
      return reflectApply(callback, this, /** @type {any} */ (arguments));
    } catch (thrown) {
      throw hideAgentFrames(thrown);
    }
  };
  return given;
}

/**
 * @param {Command} command
 * @param {string} name
 * @param {any} statement
 * @param {any} result
 */
function settle(command, name, statement, result) {
  if (name === 'run') command.affected = statement.changes;
  else if (name === 'get') command.returned = result === undefined ? 0 : 1;
  else command.returned = name === 'all' ? result.length : result;
}

/** @param {any} database @returns {Known} */
function describe(database) {
  const found = weakMapGet(databases, database);
  if (found !== undefined) return found;
  const { filename } = database;
  const file = filename === ':memory:' ? '' : filename;
  /** @type {Known} */
  const known = {
    database,
    target: /** @type {any} */ (null),
    isInTransaction: false,
    isClosing: false,
    isFile: file !== '',
    waits: newDiskWaits(),
  };
  known.target = targetOfFile('sqlite3', file, queryRunner(known), () => !known.isClosing);
  weakMapSet(databases, database, known);
  return known;
}

/**
 * @param {Known} known
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function queryRunner(known) {
  const run = (/** @type {string} */ name, /** @type {any[]} */ args) => ask(known, name, args);
  const script = (/** @type {string} */ text, /** @type {any} */ done) => {
    relaxDisk(known);
    run('all', [
      'PRAGMA foreign_keys',
      (/** @type {any} */ failure, /** @type {any} */ found) => {
        if (failure) return done(failure);
        const restore = 'PRAGMA foreign_keys = ' + found[0].foreign_keys;
        return run('exec', [
          text,
          (/** @type {any} */ error) =>
            run('exec', [
              error ? 'ROLLBACK' : '',
              () =>
                run('exec', [
                  restore,
                  () => (error ? done(error) : done(null, { columns: [], rows: '[]', affected: null })),
                ]),
            ]),
        ]);
      },
    ]);
  };
  return oneAtATime(
    outsideTransactions(
      () => known.isInTransaction,
      (text, params, done) => {
        if (holdsSeveral(text)) return script(text, done);
        if (isWriting(text)) {
          return run('run', [
            text,
            params,
            /** @this {any} */ function (/** @type {any} */ error) {
              if (error) done(error);
              else done(null, { columns: [], rows: '[]', affected: this.changes });
            },
          ]);
        }
        // Rows are objects, so columns of the same name need different names: SQLite generates them for columns of a
        // sub-query.
        const distinct = regExpExec(/^\s*pragma\b/i, text) === null ? 'SELECT * FROM (' + text + ')' : text;
        return run('all', [
          distinct,
          params,
          (/** @type {any} */ error, /** @type {any} */ rows) =>
            error ? done(error) : done(null, answerOf(inArrays(rows))),
        ]);
      },
    ),
  );
}

/** @param {any} rows objects @returns {import('./sqlite-engine.cjs').Found} */
function inArrays(rows) {
  const columns = rows.length > 0 ? ObjectKeys(rows[0]) : [];
  const cells = [];
  for (let index = 0; index < rows.length; index++) {
    /** @type {any[]} */
    const row = (cells[index] = []);
    for (let at = 0; at < columns.length; at++) row[at] = rows[index][columns[at]];
  }
  return { columns, rows: cells, affected: null };
}

module.exports = { watchSqlite3 };
