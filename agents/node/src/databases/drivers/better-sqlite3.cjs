'use strict';
/** `better-sqlite3` 5 to 13: commands are seen around the methods that run them (sqlite-engine.cjs). */

const { WeakMap, getPrototypeOf, hasOwn, reflectApply, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { aroundMethod, replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { beginCommand, paramsOf } = require('./sqlite-engine.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */

/** As they were before they were tapped. @type {Record<string, AnyFunction>} */
const originals = { __proto__: /** @type {any} */ (null) };
/** Statement -> the parameters that it was bound to, for good. @type {WeakMap<object, unknown>} */
const bound = new WeakMap();

/**
 * The class takes its methods from these files, and is made by a function since version 13.
 * @type {Record<string, import('../../base/patching.cjs').Watch>}
 */
const watchBetterSqlite3 = {
  'lib/methods/wrappers.js'(wrappers) {
    replaceMethod(
      wrappers,
      'prepare',
      (original) => {
        originals.prepare = original;
        return /** @this {any} */ function () {
          const statement = reflectApply(original, this, /** @type {any} */ (arguments));
          watchStatements(statement);
          return statement;
        };
      },
      true,
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
    // It begins with a statement of its own, which may be the first of all.
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
