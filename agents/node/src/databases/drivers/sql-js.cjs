'use strict';
/**
 * `sql.js`, SQLite as WebAssembly, always in memory: commands are observed when their statements take their first step
 * (sqlite-engine.cjs).
 *
 * The function that the package exports creates new classes at each call, and returns them by a promise.
 */

const {
  WeakMap,
  defineProperty,
  getPrototypeOf,
  hasOwn,
  reflectApply,
  regExpExec,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { aroundMethod, replaceMethod, tapMethod } = require('../../base/patching.cjs');
const { beginCommand, refusalOf } = require('./sqlite-engine.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/**
 * @typedef {{ params: unknown, command: Command | null, isRunning: boolean }} Run of a statement, since it was bound or
 *   reset
 */

/** @type {WeakMap<object, Run>} */
const runs = new WeakMap();
/** Command -> its database. @type {WeakMap<Command, any>} */
const owners = new WeakMap();
/** Databases with an open transaction, as far as the commands show. @type {WeakMap<object, boolean>} */
const areInTransaction = new WeakMap();
/** The methods before they were tapped. @type {Record<string, any>} */
const originals = { __proto__: /** @type {any} */ (null) };

/** Methods of a database that create statements. */
const STARTERS = ['prepare', 'exec', 'each', 'iterateStatements'];

const CHANGES = /^\s*(?:insert|update|delete|replace|with)\b/i;
const BEGINS = /^\s*(?:begin|savepoint)\b/i;
const ENDS = /^\s*(?:commit|end|rollback(?!\s+(?:transaction\s+)?to\b))\b/i;

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchSqlJs = { __proto__: /** @type {any} */ (null) };
for (const name of [
  'wasm',
  'wasm-debug',
  'asm',
  'asm-debug',
  'asm-memory-growth',
  'wasm-inline',
  'wasm-inline-debug',
]) {
  watchSqlJs['dist/sql-' + name + '.js'] = watchStart;
}

/**
 * @param {any} _
 * @param {any} module
 */
function watchStart(_, module) {
  const original = replaceMethod(
    module,
    'exports',
    (start) =>
      /** @this {any} */ function (/** @type {any} */ settings) {
        const given = settings === undefined ? {} : settings;
        seeAssigned(given);
        return reflectApply(start, this, [given]);
      },
  );
  if (original !== null && hasOwn(original, 'default')) module.exports.default = module.exports;
}

/**
 * Observes the classes when the package assigns them to the settings, which become the object that the program gets.
 * @param {any} settings
 */
function seeAssigned(settings) {
  if (typeof settings !== 'object' || settings === null || hasOwn(settings, 'Database')) return;
  defineProperty(settings, 'Database', {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(value) {
      delete settings.Database; // so that the property keeps its usual position
      defineProperty(settings, 'Database', { value, writable: true, configurable: true, enumerable: true });
      watchDatabases(value.prototype);
    },
  });
}

/** @param {any} prototype */
function watchDatabases(prototype) {
  originals.prepare = prototype.prepare;
  originals.run = prototype.run;
  originals.getRowsModified = prototype.getRowsModified;
  for (let index = 0; index < STARTERS.length; index++) {
    const name = STARTERS[index];
    tapMethod(prototype, name, (database) => watchStatements(database), undefined, name !== 'each');
    // `each` and iterators call the program, whose errors are no refusals.
    if (name === 'prepare' || name === 'exec') {
      aroundMethod(
        prototype,
        name,
        (database, args) => refusalOf(database, handleOf, args[0]),
        () => {},
      );
    }
  }
  aroundMethod(
    prototype,
    'run',
    (database, args) => {
      watchStatements(database);
      // With parameters, it is executed as a statement that takes a step.
      return args[1] ? null : begin(database, args[0], undefined);
    },
    (command) => finish(command, false),
  );
}

/** Taps the class of statements through a first statement. @param {any} database */
function watchStatements(database) {
  if (hasOwn(originals, 'step')) return;
  const statement = reflectApply(originals.prepare, database, ['SELECT 1']);
  const prototype = getPrototypeOf(statement);
  originals.step = prototype.step;
  statement.free();
  tapMethod(prototype, 'bind', (self, args) =>
    weakMapSet(runs, self, { params: args[0], command: null, isRunning: false }),
  );
  tapMethod(prototype, 'reset', (self) => {
    const run = weakMapGet(runs, self);
    if (run !== undefined) run.isRunning = false;
  });
  aroundMethod(prototype, 'step', startedBy, finish);
}

/**
 * @param {any} statement
 * @returns {Command | null}
 */
function startedBy(statement) {
  let run = weakMapGet(runs, statement);
  if (run === undefined) weakMapSet(runs, statement, (run = { params: undefined, command: null, isRunning: false }));
  if (!run.isRunning) {
    run.command = begin(statement.db, statement.getSQL(), run.params);
    run.isRunning = true;
    if (run.command !== null && statement.getColumnNames().length > 0) run.command.returned = 0;
  }
  return run.command;
}

/**
 * @param {any} database
 * @param {unknown} text
 * @param {unknown} params
 * @returns {Command | null}
 */
function begin(database, text, params) {
  const command = beginCommand(database, handleOf, text, params);
  if (command === null) return null;
  weakMapSet(owners, command, database);
  if (regExpExec(BEGINS, command.text) !== null) weakMapSet(areInTransaction, database, true);
  else if (regExpExec(ENDS, command.text) !== null) weakMapSet(areInTransaction, database, false);
  return command;
}

/**
 * @param {Command} command
 * @param {boolean} hasRow
 */
function finish(command, hasRow) {
  if (hasRow) command.returned = (command.returned || 0) + 1;
  else if (command.returned === null && regExpExec(CHANGES, command.text) !== null) {
    command.affected = reflectApply(originals.getRowsModified, weakMapGet(owners, command), []);
  }
}

/**
 * @param {any} database
 * @returns {import('./sqlite-engine.cjs').Handle}
 */
function handleOf(database) {
  return {
    driver: 'sql.js',
    file: '',
    isInTransaction: () => weakMapGet(areInTransaction, database) === true,
    isOpen: () => true, // nothing else has its memory
    execute: (text) => reflectApply(originals.run, database, [text]),
    query(text, params) {
      const statement = reflectApply(originals.prepare, database, [text, params]);
      try {
        const columns = statement.getColumnNames();
        const rows = [];
        while (statement.step()) rows[rows.length] = statement.get(null, { useBigInt: true });
        return {
          columns,
          rows,
          affected: columns.length > 0 ? null : reflectApply(originals.getRowsModified, database, []),
        };
      } finally {
        statement.free();
      }
    },
  };
}

module.exports = { watchSqlJs };
