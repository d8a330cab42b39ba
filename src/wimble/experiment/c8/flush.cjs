'use strict';
/*
 * Preloaded into the plain SUT while its coverage is recorded (NODE_V8_COVERAGE). Node writes at a normal end only, and servers are
 * mostly ended by a signal: so the coverage is written at a signal, and now and then before, for those that are killed.
 */
const v8 = require('node:v8');
const { isMainThread } = require('node:worker_threads');

const INTERVAL_MS = 10_000;

function flush() {
  try {
    v8.takeCoverage();
  } catch {
    // nothing is recorded in this process
  }
}

if (isMainThread && process.env.NODE_V8_COVERAGE) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.once(signal, () => {
      flush();
      // Where the SUT does not listen to it, the signal ends the process, as it would have.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
  setInterval(flush, INTERVAL_MS).unref();
}
