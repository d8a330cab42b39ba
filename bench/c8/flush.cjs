'use strict';
// Preloaded into the server that is measured: V8 writes its coverage where a process ends by itself, not where a signal ends it.
const { constants } = require('node:os');
const v8 = require('node:v8');

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) {
      process.exit(128 + constants.signals[signal]); // nobody else listens: it would have ended here
    }
    v8.takeCoverage();
  });
}
