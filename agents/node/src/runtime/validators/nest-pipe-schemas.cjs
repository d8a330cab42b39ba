'use strict';
/**
 * Pipes of Nest that parse one parameter (`ParseIntPipe`, `ParseUUIDPipe`, ...) as JSON Schema, and from which part of
 * the call its `ValidationPipe` has a value.
 */

const { WeakMap, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { enumeration, node, optional, read } = require('./schema-translation.cjs');
const { enumMembers } = require('./text-rules.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */

/** Kinds of parameters -> parts of a call. @type {Record<string, string>} */
const PARTS = { __proto__: /** @type {any} */ (null), body: 'body', query: 'query', param: 'path' };

/** @type {Record<string, Node>} */
const FIXED = {
  __proto__: /** @type {any} */ (null),
  int: node({ type: 'integer' }),
  float: node({ type: 'number' }),
  bool: node({ enum: ['true', 'false'] }),
  uuid: node({ type: 'string', format: 'uuid' }),
  date: node({ type: 'string', format: 'date-time' }),
};

/**
 * @param {any} metadata of the parameter
 * @returns {string[] | null} its place in the call
 */
function pipePlace(metadata) {
  const type = read(metadata, 'type');
  const name = read(metadata, 'data');
  if (typeof type !== 'string' || PARTS[type] === undefined) return null;
  return typeof name === 'string' ? [PARTS[type], name] : [PARTS[type]];
}

/** A value that the pipe has got -> its place in the call. @type {WeakMap<object, string[]>} */
const places = new WeakMap();

const watchValidationPipe = (/** @type {any} */ exports) => {
  tapMethod(exports.ValidationPipe.prototype, 'transform', (_, args) => {
    const place = typeof args[0] === 'object' && args[0] !== null ? pipePlace(args[1]) : null;
    if (place !== null) weakMapSet(places, args[0], place);
  });
};

/** @type {Record<string, (exports: any) => void>} */
const watchNestPipes = { 'pipes/validation.pipe.js': watchValidationPipe };

/**
 * @param {any} value
 * @returns {string[] | undefined} the place in the call of what a `ValidationPipe` has got
 */
const placeInPipe = (value) => weakMapGet(places, value);

/**
 * @param {{ pipe: any, kind: string }} applied
 * @returns {Node}
 */
function pipeSchema({ pipe, kind }) {
  const options = read(pipe, 'options');
  const base = kind === 'enum' ? enumeration(enumMembers(read(pipe, 'enumType'))) : (FIXED[kind] ?? node());
  return read(options, 'optional') === true ? optional(base) : base;
}

module.exports = { pipePlace, pipeSchema, placeInPipe, watchNestPipes };
