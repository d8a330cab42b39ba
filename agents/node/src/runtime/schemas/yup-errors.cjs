'use strict';
/**
 * Errors of yup that its own `isValid` and `isValidSync` catch, and answer false: they ask first whether what they have
 * caught is such an error. Who sees the error for himself has it read where it arrives; the others are read when the
 * call is answered.
 *
 * Law: errors are kept no longer than that.
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
 * Emits hints for values that were refused since the last time, where no probe has seen the error.
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
