'use strict';
/**
 * Parameters that Nest takes from a request by decorators: `@Query('page')`, `@Headers('x-tenant')`, `@Body('name')`.
 * The package reads them, so no read of the program shows their names.
 */

const { tapMethod } = require('../../base/patching.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { isInCall, noteMissing } = require('./missing-inputs.cjs');

const { last: lastStatement } = memory;

/** Nest's numbers of the places that parameters come from (`RouteParamtypes`). @type {Record<number, string[]>} */
const PLACES = {
  3: ['body', 'body'],
  4: ['query', 'query'],
  6: ['headers', 'header'],
  8: ['file', 'file'],
};
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
  if (place === undefined || typeof name !== 'string' || name === '') return;
  const member = place[0];
  const location = place[1];
  const request = readData(given, 'req');
  const held = typeof request === 'object' && request !== null ? readData(request, member) : undefined;
  const target = lastStatement[0] > 0 ? lastStatement[0] : FIRST_TARGET;
  noteMissing(target, [name], location, location === 'file' ? undefined : held);
}

/** @type {Record<string, (exports: any) => void>} */
const watchNest = { 'router/route-params-factory.js': watchParameters };

module.exports = { watchNest };
