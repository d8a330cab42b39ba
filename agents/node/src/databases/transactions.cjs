'use strict';
/**
 * Delays a proxied query on a connection that the program uses as well until the program's transaction has ended:
 * otherwise the query would become part of it.
 */

const { dateNow, setTimeout } = require('../base/intrinsics.cjs');
const { targets } = require('./connected-databases.cjs');

/** Programs with much background work have a transaction open most of the time, but none for long. */
const MAX_WAIT_MS = 2_000;
const PERIOD_MS = 1;
const IS_OPEN = 'a transaction of the program is open';

/**
 * @param {() => boolean} isOpen may throw if the connection has been closed
 * @param {import('./connected-databases.cjs').RunQuery} runQuery
 * @returns {import('./connected-databases.cjs').RunQuery}
 */
function outsideTransactions(isOpen, runQuery) {
  /** Whether the wait for a transaction has failed, and none has ended since. */
  let isGivenUp = false;
  return (text, params, done) => {
    const end = dateNow() + MAX_WAIT_MS;
    const attempt = () => {
      try {
        if (!isOpen()) {
          isGivenUp = false;
          return runQuery(text, params, done);
        }
      } catch (error) {
        return done(error);
      }
      // While the program is blocked it cannot end its transaction.
      if (isGivenUp || targets.isBlocked) return done(IS_OPEN);
      if (dateNow() >= end) {
        isGivenUp = true;
        return done(IS_OPEN);
      }
      return void setTimeout(attempt, PERIOD_MS);
    };
    attempt();
  };
}

module.exports = { outsideTransactions };
