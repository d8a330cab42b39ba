'use strict';
/**
 * What the agent is told of requests that wait for their answer on purpose: the time-outs that guard them may fire at
 * once if no answer will ever come, and may not while one is on its way.
 */

const { tell } = require('./announcements.cjs');

class Waits {
  /** @param {string} folder where the agent looks */
  constructor(folder) {
    this.folder = folder;
    this.isHanging = false;
    /** Whether an answer has ended in the middle: a client that does not notice waits for the rest. */
    this.isCut = false;
    /** What waits for a slow answer. @type {Set<object>} */
    this.slow = new Set();
  }

  /** A new plan holds. */
  forget() {
    if (this.isHanging) tell(this.folder, 'hanging', false);
    this.isHanging = false;
    if (this.isCut) tell(this.folder, 'cut', false);
    this.isCut = false;
    if (this.slow.size > 0) tell(this.folder, 'slow', false);
    this.slow.clear();
  }

  /** A request will never be answered. */
  noteHanging() {
    this.isHanging = true;
    tell(this.folder, 'hanging', true);
  }

  /** The rest of an answer will never come. */
  noteCut() {
    this.isCut = true;
    tell(this.folder, 'cut', true);
  }

  /** @param {import('node:events').EventEmitter} stream that is answered slowly, until it is closed or `endSlow` */
  noteSlow(stream) {
    this.slow.add(stream);
    tell(this.folder, 'slow', true);
    stream.once('close', () => this.endSlow(stream));
  }

  /** @param {object} stream */
  endSlow(stream) {
    if (this.slow.delete(stream) && this.slow.size === 0) tell(this.folder, 'slow', false);
  }
}

module.exports = { Waits };
