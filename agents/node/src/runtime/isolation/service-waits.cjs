'use strict';
/**
 * What the mock server of services tells about waiting: while a request is left unanswered on purpose, the timer that
 * guards it is the next thing to happen. The room of services sets it.
 */

const serviceWaits = {
  /** Whether the program has connected to a mocked service. */
  isUsed: false,
  /** Whether the mock server leaves a request unanswered. */
  isHanging: () => false,
};

module.exports = { serviceWaits };
