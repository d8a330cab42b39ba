'use strict';
/**
 * The statement that called the function which then answers with what it got
 * (instrument/passes/calls/answer-relays.cjs).
 */

const { runningRecord } = require('../calls/recorder.cjs');

/** @typedef {{ file: string, line: number }} Place */

const relay = {
  /** @type {Place | null} */
  caller: null,
  /**
   * The statement that was entered last, after a stamp, and has not completed.
   * @type {(stamp: number) => Place | null}
   */
  unfinishedPlace: () => null,
  /** Whether a line only hands on what its function got. @type {(file: string, line: number) => boolean} */
  isRelay: () => false,
};

/** Such a function was entered. */
function noteRelay() {
  const record = runningRecord();
  const place = record === null ? null : relay.unfinishedPlace(record.startStamp);
  // Of helpers that call each other, the one that was entered first was called by who made the answer.
  if (place !== null && !relay.isRelay(place.file, place.line)) relay.caller = place;
}

/**
 * @param {Place} place of an answer
 * @returns {Place} the place itself, or of who called the function there
 */
function callerOf(place) {
  return relay.caller !== null && relay.isRelay(place.file, place.line) ? relay.caller : place;
}

module.exports = { callerOf, noteRelay, relay };
