'use strict';
/** The probe of validation libraries within a bundle (passes/bundled-validators.cjs). */

const { isArray } = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { bundledValidations } = require('../calls/bundled-validations.cjs');
const { recorder } = require('../calls/recorder.cjs');
const { probeTable } = require('./probe-table.cjs');

const validatorProbes = probeTable({
  /**
   * @template T
   * @param {string} library
   * @param {T} result of the validation, or a promise of it
   * @param {unknown} schema
   * @param {unknown} value
   * @returns {T}
   */
  va(library, result, schema, value) {
    const { note } = bundledValidations;
    if (note !== null && recorder.record !== null) note(library, schema, value, isValid(library, result));
    return result;
  },
});

/** @param {string} library @param {unknown} result @returns {boolean | null} null: it is not known yet */
function isValid(library, result) {
  if (typeof result !== 'object' || result === null) return null;
  if (library === 'zod3') {
    const status = ownData(result, 'status');
    return typeof status === 'string' ? status === 'valid' : null;
  }
  const issues = ownData(result, 'issues');
  if (isArray(issues)) return issues.length === 0;
  return library === 'valibot' && ownData(result, 'typed') !== undefined ? true : null;
}

module.exports = { validatorProbes };
