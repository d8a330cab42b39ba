'use strict';
/**
 * Functions that ajv has compiled from schemas. They return true or false, and store their issues in a list of their
 * own, whether the program reads it or not. So they are read when a call is answered.
 *
 * Law: no validator is replaced, and none is kept alive.
 */

const { WeakMap, WeakRef, derefWeak, isProxy, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { hintIssues } = require('./schema-errors.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { recorder } = require('../calls/recorder.cjs');

/** Validators that are read; of later ones, only the issues that the program reads are observed. */
const MAX_VALIDATORS = 200;

/** @type {WeakRef<Function>[]} */
const validators = [];
/** Lists that have been read: each failure creates a new one. @type {WeakMap<object, boolean>} */
const seen = new WeakMap();

/**
 * Taps ajv's compiler (version 8): `compileSchema` creates the function of an environment, and stores it there.
 * @param {unknown} exported by its module
 */
function noticeCompiler(exported) {
  tapMethod(
    exported,
    'compileSchema',
    () => {},
    (self, args) => noteValidator(args[0]),
  );
}

/** @param {unknown} environment */
function noteValidator(environment) {
  if (typeof environment !== 'object' || environment === null || isProxy(environment)) return;
  const validate = ownData(environment, 'validate');
  if (typeof validate === 'function' && !isProxy(validate) && validators.length < MAX_VALIDATORS) {
    validators[validators.length] = new WeakRef(validate);
  }
}

/**
 * Records hints of the issues that validators have found since the last time.
 * @param {number} target global id; 0: none
 */
function hintFailedValidators(target) {
  for (let index = 0; index < validators.length; index++) {
    const validate = derefWeak(validators[index]);
    const errors = validate === undefined ? null : ownData(validate, 'errors');
    if (!isPlainArray(errors) || weakMapGet(seen, errors) === true) continue;
    weakMapSet(seen, errors, true);
    if (recorder.areHintsWanted && target > 0) hintIssues(target, errors);
  }
}

module.exports = { hintFailedValidators, noticeCompiler };
