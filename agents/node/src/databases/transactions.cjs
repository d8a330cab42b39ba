'use strict';
/**
 * A proxied query on a connection that the program works on, too, waits until the program's transaction is over: it would
 * become a part of it.
 */

const { dateNow, setTimeout } = require('../base/intrinsics.cjs');
const { targets } = require('./connected-databases.cjs');

/** Programs that do much in the background have a transaction open most of the time, but none for long. */
const MAX_WAIT_MS = 2_000;
const PERIOD_MS = 1;
const IS_OPEN = 'a transaction of the program is open';

/**
 * @param {() => boolean} isOpen may throw, where the connection is closed by now
 * @param {import('./connected-databases.cjs').RunQuery} runQuery
 * @returns {import('./connected-databases.cjs').RunQuery}
 */
function outsideTransactions(isOpen, runQuery) {
  /** Whether one was waited for in vain, and none has ended since. */
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
      // While the program is held back it cannot end its transaction.
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
