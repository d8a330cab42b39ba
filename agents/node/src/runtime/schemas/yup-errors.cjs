'use strict';
/**
 * Errors that yup's own `isValid` and `isValidSync` catch before they return false. They first check whether the caught
 * value is such an error. An error that reaches the program is read where it arrives; the others are read when the call
 * is answered.
 *
 * Law: errors are not kept any longer.
 */

const { tapMethod } = require('../../base/patching.cjs');
const { hintIssues, wasRead } = require('./schema-errors.cjs');
const { recorder } = require('../calls/recorder.cjs');

/** Errors of one call. */
const MAX_ERRORS = 8;

/** @type {object[]} */
let errors = [];

const watchErrors = (/** @type {any} */ exports) => {
  tapMethod(exports.ValidationError, 'isError', (self, args) => {
    const error = args[0];
    if (recorder.areHintsWanted && errors.length < MAX_ERRORS && typeof error === 'object' && error !== null) {
      errors[errors.length] = error;
    }
  });
};

/** @type {Record<string, (exports: any) => void>} */
const watchYup = { 'index.js': watchErrors, 'index.esm.js': watchErrors };

/**
 * Records hints for values that were refused since the last time, if no probe has read the error.
 * @param {number} target global id; 0: none
 */
function hintRefusals(target) {
  if (errors.length === 0) return;
  const refused = errors;
  errors = [];
  for (let index = 0; index < refused.length; index++) {
    if (recorder.areHintsWanted && target > 0 && !wasRead(refused[index])) hintIssues(target, refused[index]);
  }
}

module.exports = { hintRefusals, watchYup };
