'use strict';
/**
 * Constraints that the models of an ORM put on the values of a column, beyond those of its database: sent to the core
 * with the result of the evaluation in which they were first seen.
 *
 * Law: models are read, never run: data properties only, no getter and no method of theirs.
 */

/**
 * @typedef {object} Rules what is demanded of one column; what is missing is not demanded
 * @property {string} [type] of fields of documents, whose database knows none: a type of the core's columns
 * @property {boolean} [not_null]
 * @property {(string | number | boolean)[]} [values] the only ones
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

const MAX_MODELS = 1000;

/** Not told yet. @type {(() => TableRules | null)[]} */
let untold = [];

/** @param {() => TableRules | null} read called when it is reported: a model is noticed before all of it is known */
function noteModel(read) {
  if (untold.length < MAX_MODELS) untold[untold.length] = read;
}

/** @returns {TableRules[]} what is new */
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
      // A version of the ORM that is made otherwise.
    }
  }
  return tables;
}

module.exports = { noteModel, takeModels };
