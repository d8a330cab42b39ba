'use strict';
/**
 * Mongoose (6 and later): the paths of schemas with their types and validators, including those of nested schemas and
 * of lists of documents.
 */

const { ObjectKeys, hasOwn, indexOf, isArray, slice, startsWith } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { noteModel } = require('./seen-models.cjs');
const { addValidator, addValues } = require('./validator-rules.cjs');

/** The core's names of the types of columns. @type {Record<string, string>} */
const TYPES = {
  String: 'text',
  Number: 'float',
  Date: 'timestamp',
  Boolean: 'boolean',
  ObjectId: 'objectid',
  ObjectID: 'objectid',
  Decimal128: 'decimal',
  Buffer: 'bytes',
  Array: 'array',
  Mixed: 'json',
  Map: 'json',
  BigInt: 'integer',
  Int32: 'integer',
  Double: 'float',
  Embedded: 'json',
};
const MAX_DEPTH = 4;

/** @type {Record<string, (exports: any) => void>} */
const watchMongoose = {
  'lib/model.js'(exports) {
    tapMethod(exports, 'compile', (_, args) => noteModel(() => tableOf(args[1], args[2])));
  },
};

/**
 * @param {unknown} schema
 * @param {unknown} collection
 * @returns {import('./seen-models.cjs').TableRules | null}
 */
function tableOf(schema, collection) {
  if (typeof collection !== 'string') return null;
  /** @type {import('./seen-models.cjs').ColumnRules[]} */
  const columns = [];
  addPaths(columns, schema, '', true, 0);
  return { table: collection, schema: '', columns };
}

/**
 * @param {import('./seen-models.cjs').ColumnRules[]} columns
 * @param {any} schema
 * @param {string} prefix
 * @param {boolean} isRequired whether the object that the schema describes always exists
 * @param {number} depth
 */
function addPaths(columns, schema, prefix, isRequired, depth) {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return;
  const paths = /** @type {any} */ (readData(schema, 'paths'));
  const names = ObjectKeys(paths);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const path = /** @type {any} */ (readData(paths, name));
    // `__v` counts changes; `map.$*` stands for the values of a map.
    if (startsWith(name, '__') || indexOf(name, '$') >= 0 || typeof path !== 'object' || path === null) continue;
    const rules = rulesOf(path, isRequired);
    const inner = readData(path, 'schema');
    if (rules.type === 'json' && inner !== undefined) {
      addPaths(columns, inner, prefix + name + '.', rules.not_null === true, depth + 1);
      continue;
    }
    columns[columns.length] = { column: prefix + name, rules };
    // Index 0 of a list stands for all.
    if (rules.type === 'array') addPaths(columns, inner, prefix + name + '.0.', true, depth + 1);
  }
}

/**
 * @param {any} path
 * @param {boolean} isRequired
 */
function rulesOf(path, isRequired) {
  /** @type {import('./seen-models.cjs').Rules} */
  const rules = {};
  const instance = readData(path, 'instance');
  if (typeof instance === 'string' && hasOwn(TYPES, instance)) rules.type = TYPES[instance];
  if (rules.type === 'array') addElement(rules, path);
  const options = readData(path, 'options');
  const asked = typeof options === 'object' && options !== null ? readData(options, 'required') : undefined;
  if (isRequired && readData(path, 'isRequired') === true && typeof asked !== 'function') rules.not_null = true;
  const validators = readData(path, 'validators');
  for (let index = 0; isArray(validators) && index < validators.length; index++) addRule(rules, validators[index]);
  return rules;
}

/**
 * Names differ between the versions of Mongoose.
 *
 * @param {import('./seen-models.cjs').Rules} rules
 * @param {any} path of a list
 */
function addElement(rules, path) {
  const caster =
    readData(path, 'embeddedSchemaType') || readData(path, '$embeddedSchemaType') || readData(path, 'caster');
  const instance = typeof caster === 'object' && caster !== null ? readData(caster, 'instance') : undefined;
  if (typeof instance === 'string' && hasOwn(TYPES, instance)) rules.element = TYPES[instance];
}

/**
 * @param {import('./seen-models.cjs').Rules} rules
 * @param {any} validator
 */
function addRule(rules, validator) {
  const type = readData(validator, 'type');
  if (type === 'enum') addValues(rules, readData(validator, 'enumValues'));
  else if (type === 'regexp') addValidator(rules, 'matches', [readData(validator, 'regexp')]);
  else if (type === 'min' || type === 'max') addValidator(rules, type, [readData(validator, type)]);
  else if (type === 'minlength' || type === 'maxlength') {
    addValidator(rules, slice(type, 0, 3) + 'Length', [readData(validator, type)]);
  }
}

module.exports = { watchMongoose };
