'use strict';
/*
 * Preloaded into the plain SUT while its coverage is recorded (NODE_V8_COVERAGE). Node writes the coverage at a normal
 * exit only, but most servers are ended by a signal. Therefore this file writes it at a signal and, for processes that
 * are killed, every ten seconds.
 */
const v8 = require('node:v8');
const { isMainThread } = require('node:worker_threads');

const INTERVAL_MS = 10_000;

function flush() {
  try {
    v8.takeCoverage();
  } catch {
    // no coverage is recorded in this process
  }
}

if (isMainThread && process.env.NODE_V8_COVERAGE) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.once(signal, () => {
      flush();
      // If the SUT has no listener for the signal, the signal ends the process, as it would without this file.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
  setInterval(flush, INTERVAL_MS).unref();
}
