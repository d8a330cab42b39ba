'use strict';
/**
 * Media types among which the program chooses by the header Accept: `res.format({ 'text/csv': ... })`,
 * `req.accepts(['json', 'html'])` and `ctx.accepts('xml')` ask the package `accepts`, so no comparison of the program
 * shows them. Each becomes a hint that the header should be that type.
 */

const { hasOwn, indexOf, max, min } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { isPlainArray, readData } = require('../../base/data-properties.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { addHint } = require('../calls/recorder.cjs');
const { isInCall } = require('./missing-inputs.cjs');

const { last: lastStatement } = memory;

/** Hints of one call. */
const MAX_HINTS = 16;
/** Types of one choice. */
const MAX_TYPES = 8;
/** If no statement of the program has run yet. */
const FIRST_TARGET = 1;
/** Types that programs name by the ending of a file. @type {Record<string, string>} */
const BY_ENDING = {
  __proto__: /** @type {any} */ (null),
  atom: 'application/atom+xml',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  rss: 'application/rss+xml',
  svg: 'image/svg+xml',
  text: 'text/plain',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'text/yaml',
  yml: 'text/yaml',
  zip: 'application/zip',
};

/** @param {any} exports */
function watchChoice(exports) {
  const prototype = typeof exports === 'function' ? readData(exports, 'prototype') : undefined;
  if (prototype === undefined) return;
  tapMethod(prototype, 'types', noteChoice);
  tapMethod(prototype, 'type', noteChoice);
}

/** @param {any} accepts @param {ArrayLike<any>} args */
function noteChoice(accepts, args) {
  if (isInCall()) note(readData(accepts, 'headers'), isPlainArray(args[0]) ? args[0] : args);
}

/** @param {any} headers @param {ArrayLike<any>} types */
function note(headers, types) {
  const accept = typeof headers === 'object' && headers !== null ? readData(headers, 'accept') : undefined;
  if (typeof accept !== 'string') return;
  const target = max(lastStatement[0], FIRST_TARGET);
  for (let at = 0; at < min(types.length, MAX_TYPES); at++) {
    const type = mediaType(types[at]);
    if (type !== undefined && type !== accept) {
      addHint(target, comparison('identical', scalarText(accept), scalarText(type), true), MAX_HINTS);
    }
  }
}

/** @param {unknown} type @returns {string | undefined} undefined if it is not known */
function mediaType(type) {
  if (typeof type !== 'string') return undefined;
  if (indexOf(type, '/') >= 0) return indexOf(type, '*') < 0 ? type : undefined;
  return hasOwn(BY_ENDING, type) ? BY_ENDING[type] : undefined;
}

/** @type {Record<string, (exports: any) => void>} */
const watchAccepts = { 'index.js': watchChoice };

module.exports = { watchAccepts };
