'use strict';
/** Pipes of Nest that parse one parameter (`ParseIntPipe`, `ParseUUIDPipe`, ...) as JSON Schema. */

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

/**
 * @param {{ pipe: any, kind: string }} applied
 * @returns {Node}
 */
function pipeSchema({ pipe, kind }) {
  const options = read(pipe, 'options');
  const base = kind === 'enum' ? enumeration(enumMembers(read(pipe, 'enumType'))) : (FIXED[kind] ?? node());
  return read(options, 'optional') === true ? optional(base) : base;
}

module.exports = { pipePlace, pipeSchema };
