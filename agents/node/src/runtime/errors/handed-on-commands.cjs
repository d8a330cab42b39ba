'use strict';
/**
 * The statements that called functions which hand on a command (instrument/passes/calls/relays.cjs). A pool sends the
 * command some time later, and a caller that returns the promise is not waiting any more then.
 */

const { runningRecord } = require('../calls/recorder.cjs');
const { relay } = require('./handed-on-answers.cjs');

const MAX_CALLERS = 100;

/** @typedef {{ file: string, line: number }} Place */

const handedOn = {
  /**
   * The statement that calls the function which has just been entered, after a stamp.
   * @type {(stamp: number) => Place | null}
   */
  callingPlace: () => null,
  /** Whether places are asked for. */
  isWanted: false,
  /** The call that the callers belong to. */
  call: -1,
  /** Of commands that have not been sent yet, in order. @type {Place[]} */
  callers: [],
  /** Index of the next one. */
  next: 0,
};

/** Such a function was entered. Of those that call each other, the first one was called by who wrote the command. */
function noteCommandRelay() {
  const record = runningRecord();
  if (record === null) return;
  if (record.call !== handedOn.call) forget(record.call);
  const place = handedOn.callers.length < MAX_CALLERS ? handedOn.callingPlace(record.startStamp) : null;
  if (place === null || relay.isRelay(place.file, place.line)) return;
  handedOn.callers[handedOn.callers.length] = place;
}

/**
 * Returns who has called the function that hands on the next command of a call.
 * @param {number} call
 * @returns {Place | null}
 */
function takeCommandCaller(call) {
  if (call !== handedOn.call || handedOn.next >= handedOn.callers.length) return null;
  return handedOn.callers[handedOn.next++];
}

/** @param {number} call */
function forget(call) {
  handedOn.call = call;
  handedOn.callers = [];
  handedOn.next = 0;
}

module.exports = { handedOn, noteCommandRelay, takeCommandCaller };
