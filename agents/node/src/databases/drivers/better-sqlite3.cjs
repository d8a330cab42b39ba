'use strict';
/**
 * `better-sqlite3`: everything happens before a call returns, so commands are seen around the methods that run them.
 *
 * The core's queries run on the SUT's own handle, between two turns of its event loop, and only while that has no transaction open.
 */

const { String, WeakMap, getPrototypeOf, hasOwn, indexOf, isArray, realpathSync, reflectApply, weakMapGet, weakMapSet } = require('../../intrinsics.cjs');
const { messageOf, readData } = require('../../runtime/stacks.cjs');
const { noteCommand } = require('../commands.cjs');
const { aroundMethod, replaceMethod } = require('../patching.cjs');
const { targetOf } = require('../targets.cjs');
const { cellText } = require('../values.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */

/** Database -> what it is. @type {WeakMap<object, import('../targets.cjs').Target>} */
const known = new WeakMap();
/** As they were before they were tapped. @type {Record<string, AnyFunction>} */
const originals = { __proto__: /** @type {any} */ (null) };
let isLending = false;
let memories = 0;

/** @type {Record<string, (exports: any) => void>} */
const watchBetterSqlite3 = {
  'lib/database.js'({ prototype }) {
    replaceMethod(prototype, 'prepare', (original) => {
      originals.prepare = original;
      return /** @this {any} */ function () {
        const statement = reflectApply(original, this, /** @type {any} */ (arguments));
        watchStatements(statement);
        return statement;
      };
    });
    replaceMethod(prototype, 'transaction', (original) => /** @this {any} */ function () {
      watchStatements(reflectApply(originals.prepare, this, ['SELECT 1']));
      return reflectApply(original, this, /** @type {any} */ (arguments));
    });
    originals.exec = prototype.exec;
    aroundMethod(prototype, 'exec', (database, args) => begin(database, args[0], undefined), () => {});
  },
};

/**
 * The class of statements is native, and seen when the first one is made.
 * @param {any} statement
 */
function watchStatements(statement) {
  const prototype = getPrototypeOf(statement);
  if (hasOwn(originals, 'run')) return;
  const counts = {
    run: (/** @type {any} */ command, /** @type {any} */ result) => (command.affected = result.changes),
    get: (/** @type {any} */ command, /** @type {any} */ result) => (command.returned = result === undefined ? 0 : 1),
    all: (/** @type {any} */ command, /** @type {any} */ result) => (command.returned = result.length),
    iterate: () => {},
  };
  for (const name in counts) {
    originals[name] = prototype[name];
    aroundMethod(prototype, name, (self, args) => begin(self.database, self.source, args), counts[/** @type {keyof typeof counts} */ (name)]);
  }
}

/**
 * @param {any} database
 * @param {unknown} text
 * @param {ArrayLike<any> | undefined} args
 */
function begin(database, text, args) {
  if (isLending) return null;
  const target = describe(database);
  if (target.isHeld) target.waitForRelease();
  return noteCommand(target.description.id, text, paramsOf(args), database.inTransaction);
}

/**
 * @param {ArrayLike<any> | undefined} args values one by one, in an array, or by name in an object
 * @returns {unknown}
 */
function paramsOf(args) {
  if (args === undefined) return undefined;
  if (args.length === 1 && typeof args[0] === 'object') return args[0];
  const list = [];
  for (let index = 0; index < args.length; index++) list[index] = args[index];
  return list;
}

/** @param {any} database */
function describe(database) {
  const found = weakMapGet(known, database);
  if (found !== undefined) return found;
  const isInProcess = database.memory === true;
  const name = isInProcess ? ':memory:' : pathOf(database.name);
  const id = 'sqlite:' + name + (isInProcess ? '#' + ++memories : '');
  const lend = lender(database);
  const target = targetOf({ id, driver: 'better-sqlite3', dialect: 'sqlite', host: '', port: 0, name, isLocal: true, isInProcess }, lend);
  target.lend = lend; // another handle may be closed by now
  weakMapSet(known, database, target);
  return target;
}

/** @param {string} name */
function pathOf(name) {
  try {
    return realpathSync(name);
  } catch {
    return name;
  }
}

/**
 * @param {any} database
 * @returns {import('../targets.cjs').Lend}
 */
function lender(database) {
  return (text, params, done) => {
    if (database.inTransaction) return done('a transaction of the program is open');
    isLending = true;
    let answer;
    try {
      answer = run(database, text, params);
    } catch (error) {
      return done(error);
    } finally {
      isLending = false;
    }
    return done(null, answer);
  };
}

/**
 * All or nothing, and with foreign keys checked as before when it is over.
 * @param {any} database
 * @param {string} text
 */
function runScript(database, text) {
  const areKeysChecked = reflectApply(originals.get, reflectApply(originals.prepare, database, ['PRAGMA foreign_keys']), []).foreign_keys;
  try {
    reflectApply(originals.exec, database, [text]);
  } finally {
    if (database.inTransaction) reflectApply(originals.exec, database, ['ROLLBACK']);
    reflectApply(originals.exec, database, ['PRAGMA foreign_keys = ' + areKeysChecked]);
  }
}

/**
 * @param {any} database
 * @param {string} text
 * @returns {any} null: several statements
 */
function prepared(database, text) {
  try {
    return reflectApply(originals.prepare, database, [text]);
  } catch (error) {
    if (indexOf(messageOf(error), 'more than one statement') >= 0) return null;
    throw error;
  }
}

/**
 * @param {any} database
 * @param {string} text
 * @param {any[]} params
 * @returns {import('../targets.cjs').Answer}
 */
function run(database, text, params) {
  const statement = prepared(database, text);
  if (statement === null) {
    runScript(database, text);
    return { columns: [], rows: '[]', affected: null };
  }
  watchStatements(statement);
  if (!statement.reader) return { columns: [], rows: '[]', affected: reflectApply(originals.run, statement, params).changes };
  statement.raw(true);
  statement.safeIntegers(true);
  const columns = [];
  const described = statement.columns();
  for (let index = 0; index < described.length; index++) columns[index] = String(readData(described[index], 'name'));
  const found = reflectApply(originals.all, statement, params);
  let rows = '';
  for (let index = 0; index < found.length; index++) {
    let row = '';
    for (let at = 0; isArray(found[index]) && at < columns.length; at++) row += (at === 0 ? '' : ',') + cellText(found[index][at]);
    rows += (index === 0 ? '[' : ',[') + row + ']';
  }
  return { columns, rows: '[' + rows + ']', affected: null };
}

module.exports = { watchBetterSqlite3 };
