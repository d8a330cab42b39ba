'use strict';
/**
 * Errors by which an object-relational mapper says that a query has failed: Drizzle's quote the whole query, and hold
 * the database's own error as their `cause`. Queries of one place differ in their texts, the mistake in them does not.
 */

const { indexOf } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { messageOf } = require('../../base/error-stacks.cjs');

/**
 * @param {unknown} error whatever was thrown
 * @returns {string} as `messageOf`, of the database's error if there is one
 */
function messageOfQuery(error) {
  if (typeof error !== 'object' || error === null) return messageOf(error);
  const message = readData(error, 'message');
  const query = readData(error, 'query');
  const cause = readData(error, 'cause');
  const isQuoting =
    typeof message === 'string' && typeof query === 'string' && query !== '' && indexOf(message, query) !== -1;
  if (!isQuoting || typeof cause !== 'object' || cause === null) return messageOf(error);
  return typeof readData(cause, 'message') === 'string' ? messageOf(cause) : messageOf(error);
}

module.exports = { messageOfQuery };
