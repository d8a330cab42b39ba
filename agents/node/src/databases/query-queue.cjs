'use strict';
/** Runs proxied queries one at a time: drivers warn, or confuse replies, if a connection gets several at once. */

/**
 * @param {import('./connected-databases.cjs').RunQuery} runQuery
 * @returns {import('./connected-databases.cjs').RunQuery}
 */
function oneAtATime(runQuery) {
  /** @type {(() => void)[]} */
  const waiting = [];
  let isBusy = false;
  const next = () => {
    isBusy = waiting.length > 0;
    if (!isBusy) return;
    const job = waiting[0];
    for (let index = 1; index < waiting.length; index++) waiting[index - 1] = waiting[index];
    waiting.length--;
    job();
  };
  return (text, params, done) => {
    waiting[waiting.length] = () =>
      runQuery(text, params, (error, answer) => {
        done(error, answer);
        next();
      });
    if (!isBusy) next();
  };
}

module.exports = { oneAtATime };
