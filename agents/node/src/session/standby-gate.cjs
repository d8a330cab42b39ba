'use strict';
/**
 * Holds a process that the core has started ahead of its use, at the moment when it would listen for the first time.
 * The thread waits inside of the call, as if the system had not scheduled it, so the program can only observe that time
 * has passed.
 *
 * Law: a process whose core has ended while it waits ends as well; it has never served anybody.
 */

const { bufferAlloc, closeSync, openSync, readSync } = require('../base/intrinsics.cjs');

/** Of the path of the FIFO, after the path of the socket. */
const SUFFIX = '.gate';

const { kill, pid } = process;

class StandbyGate {
  /** @param {string} socketPath */
  constructor(socketPath) {
    this.path = socketPath + SUFFIX;
    this.isPassed = false;
  }

  /** Returns once the core lets the process listen: at once if there is no gate. */
  pass() {
    if (this.isPassed) return;
    this.isPassed = true;
    if (this.read() === 0) kill(pid, 'SIGKILL');
  }

  /** Returns the number of bytes that the core has written: 0 if it has ended, 1 if it has opened the gate. */
  read() {
    let file = -1;
    try {
      file = openSync(this.path, 'r');
      return readSync(file, bufferAlloc(1), 0, 1, null);
    } catch {
      return 1; // no gate, or not any more
    } finally {
      if (file >= 0) closeSync(file);
    }
  }
}

module.exports = { StandbyGate };
