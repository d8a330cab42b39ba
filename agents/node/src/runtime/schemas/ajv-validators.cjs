'use strict';
/**
 * Functions that ajv has made out of schemas. They answer true or false, and keep what they found wrong as a list of
 * their own, whether anybody reads it or not: so they are looked at when a call is answered.
 *
 * Law: nothing is put in the place of a validator, and none is kept alive.
 */

const { WeakMap, WeakRef, derefWeak, isProxy, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { hintIssues } = require('./schema-errors.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { recorder } = require('../calls/recorder.cjs');

/** Validators that are looked at; of later ones, only what the program reads is seen. */
const MAX_VALIDATORS = 200;

/** @type {WeakRef<Function>[]} */
const validators = [];
/** Lists that have been looked at: each failure makes a new one. @type {WeakMap<object, boolean>} */
const seen = new WeakMap();

/**
 * Takes note of ajv's compiler (version 8): `compileSchema` makes the function of an environment, and keeps it there.
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
 * Hints of what validators have found wrong since the last time.
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
