'use strict';
/**
 * Loaded into every Node process of the SUT by `NODE_OPTIONS=--require`.
 *
 * Law: without WIMBLE_SOCKET it does nothing at all; with it, it never throws, prints, or keeps the process alive.
 * Workers are left alone: their code runs untouched, and the main thread speaks for the process.
 */

const { WIMBLE_SOCKET, WIMBLE_CACHE, WIMBLE_SEED } = process.env;

function start() {
  const { describeOwnFiles, createOwnFileTest } = require('./src/own-files.cjs');
  const own = describeOwnFiles();
  if (own.isPassive) return startPassive(own);
  const { Agent } = require('./src/agent.cjs');
  const { helloMessage } = require('./src/hello.cjs');
  const { noticeModule, setMaps } = require('./src/runtime/frameworks.cjs');
  const isOwnFile = createOwnFileTest(own);
  const agent = new Agent(/** @type {string} */ (WIMBLE_SOCKET), isOwnFile);
  agent.channel.send(helloMessage(own));
  delete process.env.WIMBLE_SEED; // of this process alone: others would draw the same
  agent.watch(WIMBLE_SEED);
  const sources = require('./src/loader/index.cjs').install({
    registerFile: (path, hash, tableText, loadMap) => agent.registerFile(path, hash, tableText, loadMap),
    isOwnFile: (file) => {
      noticeModule(file);
      return isOwnFile(file);
    },
    ownFiles: own,
    cacheDir: WIMBLE_CACHE || null,
    reportFailure: (path, hash, message) => agent.reportFailure(path, hash, message),
  });
  if (sources !== undefined) setMaps((path) => sources.shownMapOf(path));
  return undefined;
}

/** @param {import('./src/own-files.cjs').OwnFiles} own */
function startPassive(own) {
  const { Channel } = require('./src/channel.cjs');
  const { helloMessage } = require('./src/hello.cjs');
  new Channel(/** @type {string} */ (WIMBLE_SOCKET), () => {}).send(helloMessage(own));
}

try {
  if (WIMBLE_SOCKET && require('worker_threads').isMainThread) start();
} catch {
  // The SUT starts as if we were not here; the core sees that no agent speaks.
}
