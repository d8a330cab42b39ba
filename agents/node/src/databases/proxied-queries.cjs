'use strict';
/** Answers the core's `query`: runs it through the SUT's own driver, and sends the result. */

const { isArray, mapGet } = require('../base/intrinsics.cjs');
const { RawJson } = require('../base/json-text.cjs');
const { messageOf } = require('../base/error-stacks.cjs');
const { targets } = require('./connected-databases.cjs');
const { fromMessage } = require('./database-values.cjs');

/** In UTF-16 units of JSON; well below the limit of a frame. */
const MAX_ROWS_UNITS = 16 * 1024 * 1024;

/**
 * @param {any} message `query`
 * @param {(answer: object) => void} send
 */
function answerQuery(message, send) {
  const { n, database, text } = message;
  const fail = (/** @type {unknown} */ error) =>
    send({
      type: 'rows',
      n,
      columns: [],
      rows: [],
      affected: null,
      error: typeof error === 'string' ? error : messageOf(error),
    });
  const target = mapGet(targets.byId, database);
  if (target === undefined) return fail('no such database');
  const params = [];
  for (let index = 0; isArray(message.params) && index < message.params.length; index++) {
    params[index] = fromMessage(message.params[index]);
  }
  try {
    target.runQuery(
      text,
      params,
      (/** @type {unknown} */ error, /** @type {import('./connected-databases.cjs').Answer | undefined} */ answer) => {
        if (answer === undefined) return fail(error);
        if (answer.rows.length > MAX_ROWS_UNITS) return fail('too many rows');
        send({
          type: 'rows',
          n,
          columns: answer.columns,
          rows: new RawJson(answer.rows),
          affected: answer.affected,
          error: '',
        });
        return undefined;
      },
    );
  } catch (error) {
    fail(error);
  }
  return undefined;
}

module.exports = { answerQuery };
