'use strict';
/*
 * Preloaded into the plain SUT while its coverage is recorded (NODE_V8_COVERAGE). Node writes at a normal end only, and servers are
 * mostly ended by a signal: so the coverage is written at SIGTERM, and now and then before, for those that are killed.
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
  process.once('SIGTERM', () => {
    flush();
    // Where the SUT does not listen to it, the signal ends the process, as it would have.
    if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
  });
  setInterval(flush, INTERVAL_MS).unref();
}
