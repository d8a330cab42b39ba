'use strict';
/**
 * `node:sqlite` of Node 22.16 and later: commands are observed around the methods that run them (sqlite-engine.cjs).
 */

const {
  Number,
  WeakMap,
  getPrototypeOf,
  hasOwn,
  isArray,
  reflectApply,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { aroundMethod, tapMethod } = require('../../base/patching.cjs');
const { beginCommand, paramsOf, refusalOf } = require('./sqlite-engine.cjs');

/** Statement -> its database, and its text. @type {WeakMap<object, { database: any, text: unknown }>} */
const statements = new WeakMap();
/** Store of statements that are written as tagged templates -> its database. @type {WeakMap<object, any>} */
const stores = new WeakMap();
/** The methods before they were tapped. @type {Record<string, any>} */
const originals = { __proto__: /** @type {any} */ (null) };

/**
 * @param {any} prototype
 * @param {string[]} names of its methods
 */
function keepOriginals(prototype, names) {
  for (let index = 0; index < names.length; index++) originals[names[index]] = prototype[names[index]];
}

/** @param {any} exports of the module */
function watchNodeSqlite({ DatabaseSync: { prototype: databases }, StatementSync: { prototype: statementsOf } }) {
  if (hasOwn(originals, 'prepare') || !hasOwn(statementsOf, 'setReturnArrays')) return;
  keepOriginals(databases, ['prepare', 'exec']);
  keepOriginals(statementsOf, ['run', 'get', 'all', 'columns', 'setReadBigInts', 'setReturnArrays']);
  aroundMethod(
    databases,
    'prepare',
    (database, args) => ({ database, text: args[0], fail: refusalOf(database, handleOf, args[0]).fail }),
    ({ database, text }, statement) => weakMapSet(statements, statement, { database, text }),
  );
  aroundMethod(
    databases,
    'exec',
    (database, args) => beginCommand(database, handleOf, args[0], undefined),
    () => {},
  );
  for (const name in COUNTS) {
    aroundMethod(
      statementsOf,
      name,
      (self, args) => {
        const statement = weakMapGet(statements, self);
        return statement === undefined
          ? null
          : beginCommand(statement.database, handleOf, statement.text, paramsOf(args));
      },
      COUNTS[name],
    );
  }
  tapMethod(
    databases,
    'createTagStore',
    () => {},
    (database, _, store) => watchStore(database, store),
  );
}

/** @type {Record<string, (command: any, result: any) => void>} */
const COUNTS = {
  run: (command, result) => (command.affected = Number(result.changes)),
  get: (command, result) => (command.returned = result === undefined ? 0 : 1),
  all: (command, result) => (command.returned = result.length),
  iterate: () => {},
};

/**
 * @param {any} database
 * @param {any} store
 */
function watchStore(database, store) {
  weakMapSet(stores, store, database);
  if (originals.areStoresWatched) return;
  originals.areStoresWatched = true;
  for (const name in COUNTS) {
    aroundMethod(
      getPrototypeOf(store),
      name,
      (self, args) => {
        const owner = weakMapGet(stores, self);
        return owner === undefined ? null : beginCommand(owner, handleOf, textOf(args[0]), valuesOf(args));
      },
      COUNTS[name],
    );
  }
}

/** @param {any} parts of a template */
function textOf(parts) {
  let text = '';
  for (let index = 0; isArray(parts) && index < parts.length; index++) text += (index === 0 ? '' : '?') + parts[index];
  return text;
}

/** @param {ArrayLike<any>} args of a template's tag */
function valuesOf(args) {
  const values = [];
  for (let index = 1; index < args.length; index++) values[index - 1] = args[index];
  return values;
}

/**
 * @param {any} database
 * @returns {import('./sqlite-engine.cjs').Handle}
 */
function handleOf(database) {
  const prepare = (/** @type {string} */ text) => {
    const statement = reflectApply(originals.prepare, database, [text]);
    reflectApply(originals.setReturnArrays, statement, [true]);
    reflectApply(originals.setReadBigInts, statement, [true]);
    return statement;
  };
  return {
    driver: 'node:sqlite',
    file: reflectApply(originals.all, prepare('PRAGMA database_list'), [])[0][2],
    isInTransaction: () => database.isTransaction === true,
    isOpen: () => database.isOpen !== false,
    execute: (text) => reflectApply(originals.exec, database, [text]),
    query(text, params) {
      const statement = prepare(text);
      const described = reflectApply(originals.columns, statement, []);
      if (described.length === 0) {
        return { columns: [], rows: [], affected: Number(reflectApply(originals.run, statement, params).changes) };
      }
      const columns = [];
      for (let index = 0; index < described.length; index++) columns[index] = readData(described[index], 'name');
      return { columns, rows: reflectApply(originals.all, statement, params), affected: null };
    },
  };
}

module.exports = { watchNodeSqlite };
