'use strict';
/** Sequelize (5 and 6): attributes of models and their validators. */

const { ObjectKeys, hasOwn, isArray } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { noteModel, tableRules } = require('./seen-models.cjs');
const { addValidator, addValues } = require('./validator-rules.cjs');

/** Types that are stored as texts in databases without such a type. */
const JSON_TYPES = { __proto__: null, JSON: true, JSONB: true };

/** @type {Record<string, (exports: any) => void>} */
const watchSequelize = {
  'lib/model-manager.js'(exports) {
    const manager = readData(exports, 'default') ?? exports;
    tapMethod(/** @type {any} */ (manager).prototype, 'addModel', (_, args) => noteModel(() => tableOf(args[0])));
  },
};

/**
 * @param {any} model
 * @returns {import('./seen-models.cjs').TableRules | null}
 */
function tableOf(model) {
  const table = readData(model, 'tableName');
  const schema = readData(model, '_schema');
  const attributes = /** @type {object} */ (readData(model, 'rawAttributes'));
  if (typeof table !== 'string') return null;
  const names = ObjectKeys(attributes);
  const columns = [];
  for (let index = 0; index < names.length; index++) {
    const attribute = readData(attributes, names[index]);
    if (typeof attribute !== 'object' || attribute === null) continue;
    const field = readData(attribute, 'field');
    const column = typeof field === 'string' ? field : names[index];
    columns[columns.length] = { column, rules: rulesOf(attribute) };
  }
  return tableRules(table, schema, columns);
}

/** @param {any} attribute */
function rulesOf(attribute) {
  /** @type {import('./seen-models.cjs').Rules} */
  const rules = {};
  if (readData(attribute, 'allowNull') === false && readData(attribute, 'autoIncrement') !== true) {
    rules.not_null = true;
  }
  addType(rules, readData(attribute, 'type'));
  const validators = readData(attribute, 'validate');
  if (typeof validators !== 'object' || validators === null) return rules;
  const names = ObjectKeys(validators);
  for (let index = 0; index < names.length; index++) {
    const wanted = readData(validators, names[index]);
    if (wanted !== false && typeof wanted !== 'function') {
      addValidator(rules, names[index], argumentsOf(wanted, names[index]));
    }
  }
  return rules;
}

/**
 * @param {import('./seen-models.cjs').Rules} rules
 * @param {any} type
 */
function addType(rules, type) {
  if ((typeof type !== 'object' && typeof type !== 'function') || type === null) return;
  const key = readData(type, 'key');
  if (typeof key !== 'string') return;
  if (key === 'ENUM') addValues(rules, readData(type, 'values'));
  else if (hasOwn(JSON_TYPES, key)) rules.is_json = true;
  else if (key === 'UUID') rules.format = 'uuid';
  else if (key === 'STRING') {
    const length = readData(type, '_length');
    if (typeof length === 'number') rules.max_length = length;
  }
}

/**
 * @param {any} wanted the value of a validator: `true`, its argument, its arguments, or `{ args, msg }`
 * @param {string} name
 */
function argumentsOf(wanted, name) {
  const given =
    typeof wanted === 'object' && wanted !== null && hasOwn(wanted, 'args') ? readData(wanted, 'args') : wanted;
  if (!isArray(given)) return [given];
  const isList = name === 'isIn' || name === 'notIn';
  return isList && !isArray(given[0]) ? [given] : given;
}

module.exports = { watchSequelize };
