'use strict';
/**
 * What the mock server of services tells about waiting. While a request is left unanswered on purpose, the timer that
 * guards it is the next thing to happen. Any other request is answered at once, or soon if the answer is a slow one, so
 * a connection to the mock server on which nothing happens is not waited for. The room of services sets it.
 */

const serviceWaits = {
  /** Whether the program has connected to a mocked service. */
  isUsed: false,
  /** Whether the mock server leaves a request unanswered. */
  isHanging: () => false,
  /** Whether the mock server has ended an answer in the middle. */
  isCut: () => false,
  /** Whether a slow answer is on its way. */
  isSlow: () => false,
  /** Whether a socket is connected to the mock server. */
  isMocked: (/** @type {any} */ socket) => socket === serviceWaits,
};

module.exports = { serviceWaits };
