'use strict';
/**
 * Holds a process that the core has started ahead of its use, at the moment when it would listen, or connect to a
 * server, for the first time. The thread waits inside of the call, as if the system had not scheduled it, so the
 * program can only observe that time has passed. The time-outs that it has set by then begin anew.
 *
 * Law: a process whose core has ended while it waits ends as well; it has never served anybody.
 */

const { bufferAlloc, closeSync, existsSync, openSync, readSync, timerRefresh } = require('../base/intrinsics.cjs');

/** Of the path of the FIFO, after the path of the socket. */
const SUFFIX = '.gate';
const MAX_TIMERS = 1000;

const { kill, pid } = process;

class StandbyGate {
  /** @param {string} socketPath */
  constructor(socketPath) {
    this.path = socketPath + SUFFIX;
    this.isPassed = false;
    /** Those that the program has set before it is held. @type {any[]} */
    this.timers = [];
    this.isThere = existsSync(this.path);
  }

  /** @param {object} timer that the program has set just now */
  noteTimer(timer) {
    if (this.isThere && this.timers.length < MAX_TIMERS) this.timers[this.timers.length] = timer;
  }

  /**
   * Returns once the core lets the process go on: at once if there is no gate.
   * @returns {boolean} whether it has waited
   */
  pass() {
    if (this.isPassed) return false;
    this.isPassed = true;
    if (!this.isThere) return false;
    if (this.read() === 0) kill(pid, 'SIGKILL');
    this.isThere = false;
    const { timers } = this;
    this.timers = [];
    for (let index = 0; index < timers.length; index++) {
      if (timers[index]._destroyed === false) timerRefresh(timers[index]);
    }
    return true;
  }

  /** Returns the number of bytes that the core has written: 0 if it has ended, 1 if it has opened the gate. */
  read() {
    let file = -1;
    try {
      file = openSync(this.path, 'r');
      return readSync(file, bufferAlloc(1), 0, 1, null);
    } catch {
      return 1; // not there any more
    } finally {
      if (file >= 0) closeSync(file);
    }
  }
}

module.exports = { StandbyGate };
