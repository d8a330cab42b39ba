'use strict';
/**
 * Parameters that Nest takes from a request by decorators: `@Query('page')`, `@Headers('x-tenant')`, `@Body('name')`,
 * `@UploadedFile()`. The package reads them, so no read of the program shows their names; it also compares the types of
 * files.
 */

const { tapMethod } = require('../../base/patching.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { RegExp } = require('../../base/intrinsics.cjs');
const { pattern } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { addHint } = require('../calls/recorder.cjs');
const { firstMatch, regexParts } = require('../methods/string-methods.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { isInCall, noteMissing } = require('./missing-inputs.cjs');

const { last: lastStatement } = memory;

/** Nest's numbers of the places that parameters come from (`RouteParamtypes`). @type {Record<number, string[]>} */
const PLACES = {
  3: ['body', 'body'],
  4: ['query', 'query'],
  6: ['headers', 'header'],
  8: ['file', 'file'],
  9: ['files', 'file'],
};
/** Stands for the fields that the program has named to the parser of uploads, if a decorator names none. */
const ANY_FILE = 'file';
/** Types of files that are told of one statement. */
const MAX_TYPES = 3;
/** If no statement of the program has run yet. */
const FIRST_TARGET = 1;

/** @param {any} exports */
function watchParameters(exports) {
  const factory = readData(exports, 'RouteParamsFactory');
  if (typeof factory !== 'function') return;
  tapMethod(
    readData(factory, 'prototype'),
    'exchangeKeyForValue',
    () => {},
    (_, args, value) => {
      if (value === undefined && isInCall()) note(args[0], args[1], args[2]);
    },
  );
}

/**
 * @param {unknown} type
 * @param {unknown} name
 * @param {any} given with the request
 */
function note(type, name, given) {
  const place = typeof type === 'number' ? PLACES[type] : undefined;
  if (place === undefined) return;
  const member = place[0];
  const location = place[1];
  const target = lastStatement[0] > 0 ? lastStatement[0] : FIRST_TARGET;
  if (location === 'file') return noteMissing(target, [ANY_FILE], location, undefined);
  if (typeof name !== 'string' || name === '') return;
  const request = readData(given, 'req');
  const held = typeof request === 'object' && request !== null ? readData(request, member) : undefined;
  noteMissing(target, [name], location, held);
}

/** @param {any} exports */
function watchFileTypes(exports) {
  const validator = readData(exports, 'FileTypeValidator');
  if (typeof validator !== 'function') return;
  tapMethod(readData(validator, 'prototype'), 'isValid', (self, args) => {
    if (isInCall()) noteFileType(args[0], readData(self, 'validationOptions'));
  });
}

/**
 * Records the type that an uploaded file has to have, which the package compares.
 * @param {any} file
 * @param {any} options of the validator
 */
function noteFileType(file, options) {
  if (typeof file !== 'object' || file === null || typeof options !== 'object' || options === null) return;
  const own = readData(file, 'mimetype');
  const parts = regexParts(readData(options, 'fileType'));
  if (typeof own !== 'string' || parts === null || firstMatch(own, new RegExp(parts.source, parts.flags), 0)) return;
  const target = lastStatement[0] > 0 ? lastStatement[0] : FIRST_TARGET;
  addHint(target, pattern(scalarText(own), scalarText(parts.source), parts.flags, true), MAX_TYPES);
}

/** @type {Record<string, (exports: any) => void>} */
const watchNest = { 'router/route-params-factory.js': watchParameters };

/** @type {Record<string, (exports: any) => void>} */
const watchNestCommon = { 'pipes/file/file-type.validator.js': watchFileTypes };

module.exports = { watchNest, watchNestCommon };
