'use strict';
/** `better-sqlite3` 5 to 13: commands are observed around the methods that run them (sqlite-engine.cjs). */

const { WeakMap, getPrototypeOf, hasOwn, reflectApply, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { aroundMethod, replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { beginCommand, paramsOf, refusalOf } = require('./sqlite-engine.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */

/** The methods before they were tapped. @type {Record<string, AnyFunction>} */
const originals = { __proto__: /** @type {any} */ (null) };
/** Statement -> the parameters to which it was permanently bound. @type {WeakMap<object, unknown>} */
const bound = new WeakMap();

/**
 * The files from which the class takes its methods. Since version 13 a function creates the class.
 * @type {Record<string, import('../../base/patching.cjs').Watch>}
 */
const watchBetterSqlite3 = {
  'lib/methods/wrappers.js'(wrappers) {
    originals.prepare = wrappers.prepare;
    aroundMethod(
      wrappers,
      'prepare',
      (database, args) => refusalOf(database, handleOf, args[0]),
      (_, statement) => watchStatements(statement),
    );
    originals.exec = wrappers.exec;
    aroundMethod(
      wrappers,
      'exec',
      (database, args) => beginCommand(database, handleOf, args[0], undefined),
      () => {},
    );
  },
  'lib/methods/transaction.js'(_, module) {
    // The database begins with a statement of the agent, which may be the first of all.
    replaceMethod(
      module,
      'exports',
      (original) =>
        /** @this {any} */ function () {
          if (typeof originals.prepare === 'function') {
            watchStatements(reflectApply(originals.prepare, this, ['SELECT 1']));
          }
          return reflectApply(original, this, /** @type {any} */ (arguments));
        },
    );
  },
};

/**
 * Taps the class of statements, which is native and accessible only through a statement.
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
  tapMethod(
    prototype,
    'bind',
    () => {},
    (_, args, result) => weakMapSet(bound, result, paramsOf(args)),
    true,
  );
  for (const name in counts) {
    originals[name] = prototype[name];
    aroundMethod(
      prototype,
      name,
      (self, args) => beginCommand(self.database, handleOf, self.source, weakMapGet(bound, self) ?? paramsOf(args)),
      counts[/** @type {keyof typeof counts} */ (name)],
    );
  }
}

/**
 * @param {any} database
 * @returns {import('./sqlite-engine.cjs').Handle}
 */
function handleOf(database) {
  return {
    driver: 'better-sqlite3',
    file: database.memory === true ? '' : database.name,
    isInTransaction: () => database.inTransaction,
    isOpen: () => database.open !== false,
    execute: (text) => reflectApply(originals.exec, database, [text]),
    query(text, params) {
      const statement = reflectApply(originals.prepare, database, [text]);
      watchStatements(statement);
      if (!statement.reader) {
        return { columns: [], rows: [], affected: reflectApply(originals.run, statement, params).changes };
      }
      statement.raw(true);
      statement.safeIntegers(true);
      const columns = [];
      const described = statement.columns();
      for (let index = 0; index < described.length; index++) columns[index] = readData(described[index], 'name');
      return { columns, rows: reflectApply(originals.all, statement, params), affected: null };
    },
  };
}

module.exports = { watchBetterSqlite3 };
