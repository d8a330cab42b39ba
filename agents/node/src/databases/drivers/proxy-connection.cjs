'use strict';
/**
 * Runs the core's queries over a separate connection, with the SUT's driver and settings: outside of the SUT's
 * transactions and pool. The connection is opened by the first query, and by the next one after it was lost.
 */

const { oneAtATime } = require('../query-queue.cjs');

/** @typedef {(error: unknown, answer?: import('../connected-databases.cjs').Answer) => void} Done */

/**
 * @typedef {object} Ways the functions of a driver
 * @property {() => any} make creates a connection that is not open; it has `connect` with a callback, and emits `error`
 * @property {(connection: any) => any} socketOf returns the socket of a connection that is being opened
 * @property {(connection: any, done: (error: unknown) => void) => void} begin sends the settings for all queries
 * @property {(connection: any, text: string, params: any[], done: Done) => void} ask
 */

/**
 * @param {Ways} ways
 * @returns {import('../connected-databases.cjs').RunQuery}
 */
function proxyConnection({ make, socketOf, begin, ask }) {
  /** @type {any} */
  let proxy = null;
  const open = (/** @type {(error: unknown) => void} */ done) => {
    const mine = make();
    const drop = () => {
      if (proxy === mine) proxy = null;
    };
    mine.on('error', drop);
    mine.connect((/** @type {unknown} */ error) => {
      if (error) return done(error);
      proxy = mine;
      return begin(mine, done);
    });
    const socket = socketOf(mine);
    socket.on('close', drop);
    socket.unref();
  };
  return oneAtATime((text, params, done) => {
    if (proxy !== null) return ask(proxy, text, params, done);
    return open((error) => (error ? done(error) : ask(proxy, text, params, done)));
  });
}

module.exports = { proxyConnection };
