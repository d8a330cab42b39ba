'use strict';
/**
 * Errors that stand for another one, which says what went wrong.
 *
 * Drizzle's quote the whole query and hold the database's own error as their `cause`: queries of one place differ in
 * their texts, the mistake in them does not. Those of graphql-js hold what a resolver has thrown, with its stack.
 */

const { indexOf } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { messageOf } = require('../../base/error-stacks.cjs');

/**
 * @param {unknown} error whatever was thrown
 * @returns {string} as `messageOf`, of the error that it stands for if there is one
 */
function messageOfCause(error) {
  const inner = innerOf(error);
  const isTelling = typeof inner === 'object' && inner !== null && typeof readData(inner, 'message') === 'string';
  return messageOf(isTelling ? inner : error);
}

/**
 * @param {unknown} error
 * @returns {unknown}
 */
function innerOf(error) {
  if (typeof error !== 'object' || error === null) return undefined;
  if (readData(error, 'name') === 'GraphQLError') return readData(error, 'originalError');
  const message = readData(error, 'message');
  const query = readData(error, 'query');
  const isQuoting = typeof message === 'string' && typeof query === 'string' && query !== '';
  return isQuoting && indexOf(message, query) !== -1 ? readData(error, 'cause') : undefined;
}

module.exports = { messageOfCause };
