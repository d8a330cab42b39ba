'use strict';
/**
 * Loads the loader with a runtime that counts probes, and prints at exit what it has seen, on a line of its own on
 * stderr: {registered: [{path, hash, targets}], failures: [{path, message}], probes, instrumented}.
 */

const { writeSync } = require('node:fs');
const { createOwnFileTest } = require('./own-files.cjs');
const { isMade } = require('../../src/loader/instrumenter-realm.cjs');

const { isHooksThread } = require('../../src/loader/hooks-thread.cjs');
const { install } = require('../../src/loader/install.cjs');
const { NULL_HANDLE } = require('../../src/runtime/probes/null-handle.cjs');

const seen = { registered: [], failures: [], probes: 0, parsed: false };

function countingHandle() {
  const handle = {};
  for (const [name, probe] of Object.entries(NULL_HANDLE)) {
    handle[name] = (...args) => {
      seen.probes += 1;
      return probe(...args);
    };
  }
  return handle;
}

if (isHooksThread()) return;

const ownFiles = { root: process.env.LOADER_TEST_ROOT };
install({
  registerFile({ path, hash, tableText }) {
    seen.registered.push({ path, hash, targets: JSON.parse(tableText).targets.length });
    return countingHandle();
  },
  isOwnFile: createOwnFileTest(ownFiles),
  ownFiles,
  ownFilesModule: require.resolve('./own-files.cjs'),
  cacheDir: process.env.LOADER_TEST_CACHE || null,
  reportFailure: (path, hash, message) => seen.failures.push({ path, message }),
});

process.on('exit', () => {
  seen.parsed = isMade();
  writeSync(2, `SEEN${JSON.stringify(seen)}\n`);
});
