'use strict';
/**
 * Drizzle: constraints of its tables that the database does not have. SQLite has no type for JSON, booleans and
 * enumerations; other databases have them, but do not know the values that Drizzle allows for a text.
 */

const { Number, ObjectKeys, symbolFor } = require('../../base/intrinsics.cjs');
const { isPlainArray, ownData, readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { noteModel, tableRules } = require('./seen-models.cjs');
const { addValues } = require('./validator-rules.cjs');

const NAME = symbolFor('drizzle:Name');
const SCHEMA = symbolFor('drizzle:Schema');
const COLUMNS = symbolFor('drizzle:Columns');

/** The table whose columns are being built. @type {unknown} */
let latest = null;

/**
 * Builders have this method called with each column and its table, which gets its columns afterwards.
 * @param {string} builder name of the class
 * @returns {import('../../base/patching.cjs').Watch}
 */
const watchBuilder = (builder) => (exports) => {
  tapMethod(exports[builder].prototype, 'buildForeignKeys', (_, args) => {
    const table = args[1];
    if (table === latest) return;
    latest = table;
    noteModel(() => tableOf(table));
  });
};

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchDrizzle = {};
for (const [folder, builder] of [
  ['sqlite-core', 'SQLiteColumnBuilder'],
  ['pg-core', 'PgColumnBuilder'],
  ['mysql-core', 'MySqlColumnBuilder'],
]) {
  for (const extension of ['js', 'cjs']) {
    watchDrizzle[folder + '/columns/common.' + extension] = watchBuilder(builder);
  }
}

/**
 * @param {any} table
 * @returns {import('./seen-models.cjs').TableRules | null}
 */
function tableOf(table) {
  const name = ownData(table, NAME);
  const schema = ownData(table, SCHEMA);
  const all = /** @type {any} */ (ownData(table, COLUMNS));
  if (typeof name !== 'string' || typeof all !== 'object' || all === null) return null;
  const columns = [];
  const properties = ObjectKeys(all);
  for (let index = 0; index < properties.length; index++) {
    const column = /** @type {any} */ (ownData(all, properties[index]));
    columns[index] = { column: readData(column, 'name'), rules: rulesOf(column) };
  }
  return tableRules(name, schema, columns);
}

/** @param {any} column */
function rulesOf(column) {
  /** @type {import('./seen-models.cjs').Rules} */
  const rules = {};
  const type = readData(column, 'columnType');
  const values = readData(column, 'enumValues');
  const length = Number(readData(column, 'length'));
  if (readData(column, 'notNull') === true && readData(column, 'hasDefault') !== true) rules.not_null = true;
  if (type === 'SQLiteTextJson') rules.is_json = true;
  if (type === 'SQLiteBoolean') addValues(rules, [0, 1]);
  if (length > 0) rules.max_length = length;
  if (isPlainArray(values)) addValues(rules, values);
  return rules;
}

module.exports = { watchDrizzle };
