'use strict';
/** TypeORM: columns of entities, with the requirements of class-validator for their properties. */

const { Number, isArray } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { addDecorators } = require('./class-validator.cjs');
const { noteModel, tableRules } = require('./seen-models.cjs');
const { addValues } = require('./validator-rules.cjs');

/** @type {Record<string, (exports: any) => void>} */
const watchTypeorm = {
  'metadata/EntityMetadata.js'(exports) {
    tapMethod(exports.EntityMetadata.prototype, 'build', (entity) => noteModel(() => tableOf(entity)));
  },
};

/**
 * @param {any} entity
 * @returns {import('./seen-models.cjs').TableRules | null}
 */
function tableOf(entity) {
  const table = readData(entity, 'tableName');
  const schema = readData(entity, 'schema');
  const all = readData(entity, 'columns');
  if (typeof table !== 'string' || !isArray(all)) return null;
  const columns = [];
  for (let index = 0; index < all.length; index++) {
    const rules = rulesOf(all[index], readData(entity, 'target'));
    columns[index] = { column: readData(all[index], 'databaseName'), rules };
  }
  return tableRules(table, schema, columns);
}

/**
 * @param {any} column
 * @param {any} target the class
 */
function rulesOf(column, target) {
  /** @type {import('./seen-models.cjs').Rules} */
  const rules = {};
  const type = readData(column, 'type');
  const length = Number(readData(column, 'length'));
  if (readData(column, 'isNullable') === false && readData(column, 'isGenerated') !== true) rules.not_null = true;
  if (type === 'simple-json' || type === 'json' || type === 'jsonb') rules.is_json = true;
  if (type === 'uuid') rules.format = 'uuid';
  if (length > 0) rules.max_length = length;
  if (readData(column, 'isArray') !== true && readData(column, 'enum') !== undefined) {
    addValues(rules, readData(column, 'enum'));
  }
  const property = readData(column, 'propertyName');
  if (typeof property === 'string') addDecorators(rules, target, property);
  return rules;
}

module.exports = { watchTypeorm };
