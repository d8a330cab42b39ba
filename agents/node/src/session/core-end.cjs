'use strict';
/**
 * Ends a process whose core has ended, so that a killed run leaves nothing behind. The core closes a connection only
 * when it has ended the process before, so an end of the connection means that the core was killed.
 *
 * SIGTERM first: the program ends as its author wants it to. A program that goes on is killed.
 */

const { setTimeout } = require('../base/intrinsics.cjs');

const TERM_WAIT_MS = 3000;

const { kill, pid } = process;

/** Called once, when the connection to the core has ended. */
function endWithCore() {
  try {
    const timer = setTimeout(() => kill(pid, 'SIGKILL'), TERM_WAIT_MS);
    timer.unref();
    kill(pid, 'SIGTERM');
  } catch {
    // The process is ending already.
  }
}

module.exports = { endWithCore };
