'use strict';
/**
 * Constraints of the models of an ORM on the values of a column, beyond those of the database. They are sent to the
 * core with the result of the evaluation in which they were first seen.
 *
 * Law: models are read, but none of their code is run: only data properties, no getter and no method.
 */

/**
 * @typedef {object} Rules the requirements for one column; a missing field means no requirement
 * @property {string} [type] for fields of documents, which have no type in the database: a type of the core's columns
 * @property {string} [element] of an array: the type of its elements
 * @property {boolean} [not_null]
 * @property {(string | number | boolean)[]} [values] the allowed values
 * @property {number} [low]
 * @property {number} [high]
 * @property {number} [min_length]
 * @property {number} [max_length]
 * @property {string} [pattern] source of a regular expression
 * @property {string} [format] as in JSON Schema
 * @property {boolean} [is_json] a text that the ORM parses
 */
/** @typedef {{ column: string, rules: Rules }} ColumnRules */
/** @typedef {{ table: string, schema: string, columns: ColumnRules[] }} TableRules */

const { ObjectKeys } = require('../../base/intrinsics.cjs');

const MAX_MODELS = 1000;

/** Models that have not been reported. @type {(() => TableRules | null)[]} */
let untold = [];

/**
 * @param {() => TableRules | null} read called when the model is reported, since a model is registered before it is
 *   complete
 */
function noteModel(read) {
  if (untold.length < MAX_MODELS) untold[untold.length] = read;
}

/** @returns {TableRules[]} the new ones */
function takeModels() {
  /** @type {TableRules[]} */
  const tables = [];
  if (untold.length === 0) return tables;
  const reads = untold;
  untold = [];
  for (let index = 0; index < reads.length; index++) {
    try {
      const table = reads[index]();
      if (table !== null && table.columns.length > 0) tables[tables.length] = table;
    } catch {
      // The ORM's version has another structure.
    }
  }
  return tables;
}

/**
 * @param {string} table
 * @param {unknown} schema
 * @param {{ column: unknown, rules: Rules }[]} read of all columns of the model
 * @returns {TableRules} of the columns that have a name and a requirement
 */
function tableRules(table, schema, read) {
  /** @type {ColumnRules[]} */
  const columns = [];
  for (let index = 0; index < read.length; index++) {
    const { column, rules } = read[index];
    if (typeof column === 'string' && ObjectKeys(rules).length > 0) columns[columns.length] = { column, rules };
  }
  return { table, schema: typeof schema === 'string' ? schema : '', columns };
}

module.exports = { noteModel, tableRules, takeModels };
