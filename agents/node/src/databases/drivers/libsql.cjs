'use strict';
/**
 * `libsql`, which `@libsql/client` uses for files and in memory: commands are observed around the methods that run them
 * (sqlite-engine.cjs).
 *
 * A statement knows neither its text nor its database, and `all` reads its rows by `iterate`. A database that is a copy
 * of a remote one is left alone: what is written into it goes there.
 */

const { existsSync } = require('node:fs');
const {
  Error,
  WeakMap,
  getPrototypeOf,
  hasOwn,
  reflectApply,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { aroundMethod } = require('../../base/patching.cjs');
const { beginCommand, paramsOf, refusalOf } = require('./sqlite-engine.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */
/** @typedef {import('../recorded-commands.cjs').Command} Command */

/** The methods before they were tapped. @type {Record<string, AnyFunction>} */
const originals = { __proto__: /** @type {any} */ (null) };
/** Statement -> its database and text. @type {WeakMap<object, { database: any, text: string }>} */
const prepared = new WeakMap();
/** The command of the last call of `iterate`, while `all` reads its rows. @type {Command | null} */
let iterating = null;

/** The file of a database that is a copy has one with this ending beside it. */
const OF_COPY = '-info';

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchLibsql = {
  'index.js'(exported) {
    const { prototype } = exported;
    originals.prepare = prototype.prepare;
    originals.exec = prototype.exec;
    aroundMethod(
      prototype,
      'prepare',
      (database, args) => ({ ...refusalOf(database, handleOf, args[0]), database, text: args[0] }),
      ({ database, text }, statement) => {
        watchStatements(getPrototypeOf(statement));
        weakMapSet(prepared, statement, { database, text });
      },
    );
    aroundMethod(
      prototype,
      'exec',
      (database, args) => beginCommand(database, handleOf, args[0], undefined),
      () => {},
    );
  },
};

/** @param {any} prototype of all statements */
function watchStatements(prototype) {
  if (hasOwn(originals, 'run')) return;
  const counts = {
    run: (/** @type {any} */ command, /** @type {any} */ result) => (command.affected = result.changes),
    get: (/** @type {any} */ command, /** @type {any} */ result) => (command.returned = result === undefined ? 0 : 1),
    iterate: (/** @type {any} */ command) => (iterating = command),
  };
  for (const name in counts) {
    originals[name] = prototype[name];
    aroundMethod(prototype, name, begin, counts[/** @type {keyof typeof counts} */ (name)]);
  }
  originals.all = prototype.all;
  aroundMethod(
    prototype,
    'all',
    () => {
      iterating = null;
      return { fail: (/** @type {string} */ message) => iterating?.fail(message) };
    },
    (_, result) => {
      if (iterating !== null) iterating.returned = result.length;
    },
  );
}

/**
 * @param {any} statement
 * @param {ArrayLike<any>} args
 * @returns {Command | null}
 */
function begin(statement, args) {
  const { database, text } = /** @type {any} */ (weakMapGet(prepared, statement));
  return beginCommand(database, handleOf, text, paramsOf(args));
}

/**
 * @param {any} database
 * @returns {import('./sqlite-engine.cjs').Handle}
 */
function handleOf(database) {
  const file = fileOf(database);
  if (file !== '' && existsSync(file + OF_COPY)) throw new Error('a copy of a remote database');
  return {
    driver: 'libsql',
    file,
    isInTransaction: () => database.inTransaction,
    isOpen: () => database.open !== false,
    execute: (text) => reflectApply(originals.exec, database, [text]),
    query(text, params) {
      const statement = reflectApply(originals.prepare, database, [text]);
      if (!statement.reader) {
        return { columns: [], rows: [], affected: reflectApply(originals.run, statement, [params]).changes };
      }
      statement.raw(true);
      statement.safeIntegers(true);
      const columns = [];
      const described = statement.columns();
      for (let index = 0; index < described.length; index++) columns[index] = readData(described[index], 'name');
      return { columns, rows: reflectApply(originals.all, statement, [params]), affected: null };
    },
  };
}

/**
 * @param {any} database
 * @returns {string} empty: in memory
 */
function fileOf(database) {
  const statement = reflectApply(originals.prepare, database, ['PRAGMA database_list']);
  watchStatements(getPrototypeOf(statement));
  const found = reflectApply(originals.all, statement, []);
  for (let index = 0; index < found.length; index++) if (found[index].name === 'main') return found[index].file ?? '';
  return '';
}

module.exports = { watchLibsql };
