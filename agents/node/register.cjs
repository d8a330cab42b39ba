'use strict';
/**
 * Loaded into every Node process of the SUT by `NODE_OPTIONS=--require`, and into each of its threads.
 *
 * Law: without WIMBLE_SOCKET it does nothing at all; with it, it never throws, prints, or keeps the process alive. In
 * workers it uses the data that the main thread shares with them.
 */

const { sep } = require('node:path');

const { WIMBLE_SOCKET, WIMBLE_CACHE, WIMBLE_EDITION, WIMBLE_SEED } = process.env;
const { WIMBLE_CLOCK, WIMBLE_MOCKS, WIMBLE_LIBRARY } = process.env;

/** Loads a module of the agent, by its path below this folder. @type {(path: string) => any} */
let part;

function start() {
  const { describeOwnFiles } = part('src/base/own-files.cjs');
  const own = describeOwnFiles();
  if (own.isPassive) return startPassive(own);
  const { Agent } = part('src/session/agent.cjs');
  const { helloMessage } = part('src/session/hello.cjs');
  const { Number } = part('src/base/intrinsics.cjs');
  const { share, memory } = part('src/base/thread-memory.cjs');
  memory.ownFiles = own;
  memory.cacheDir = WIMBLE_CACHE || null;
  memory.clockShiftMs = Number(WIMBLE_CLOCK || 0);
  memory.mocks = part('src/external/service-rules.cjs').readMocks(WIMBLE_MOCKS);
  const agent = new Agent(/** @type {string} */ (WIMBLE_SOCKET), part('src/base/own-files.cjs').createOwnFileTest(own));
  agent.channel.send(helloMessage(own, agent.channel.readsMark));
  delete process.env.WIMBLE_SEED; // only for this process: others would draw the same numbers
  agent.watch(WIMBLE_SEED);
  const sources = install(own, memory.cacheDir, {
    registerFile: (registration) => agent.registerFile(registration),
    reportFailure: (path, hash, message) => agent.reportFailure(path, hash, message),
  });
  agent.setSources(sources);
  share();
  shiftDay(memory.clockShiftMs);
  if (WIMBLE_LIBRARY && own.main === WIMBLE_LIBRARY) {
    const { LibraryAgent } = part('src/session/library-agent.cjs');
    const library = new LibraryAgent(agent);
    agent.hostLibrary(library);
    library.offer(globalThis);
  }
  return undefined;
}

/** @param {import('./src/base/own-files.cjs').OwnFiles} own */
function startPassive(own) {
  const { Channel } = part('src/session/channel.cjs');
  const { helloMessage } = part('src/session/hello.cjs');
  new Channel(/** @type {string} */ (WIMBLE_SOCKET), () => {}).send(helloMessage(own));
}

function startWorker() {
  const { isHooksThread } = part('src/loader/hooks-thread.cjs');
  if (isHooksThread()) return;
  const { isShared, memory } = part('src/base/thread-memory.cjs');
  if (!isShared) return;
  const { WorkerAgent, say } = part('src/session/worker-agent.cjs');
  const own = /** @type {any} */ (memory.ownFiles);
  const agent = new WorkerAgent(part('src/base/own-files.cjs').createOwnFileTest(own));
  shiftDay(memory.clockShiftMs || 0);
  const sources = install(own, memory.cacheDir || null, {
    registerFile: (registration) => agent.registerFile(registration),
    reportFailure: (path, hash, message) => say({ kind: 'failure', path, hash, message }),
  });
  agent.setSources(sources);
}

/** @param {number} aheadMs how far the program's clock is ahead; 0: it runs on this day, and on this machine */
function shiftDay(aheadMs) {
  if (!(aheadMs > 0 || aheadMs < 0)) return;
  part('src/runtime/isolation/clock-shift.cjs').shiftClock(aheadMs);
  part('src/runtime/isolation/machine-shift.cjs').shiftMachine();
}

/**
 * @param {import('./src/base/own-files.cjs').OwnFiles} own
 * @param {string | null} cacheDir
 * @param {Pick<import('./src/loader/install.cjs').Options, 'registerFile' | 'reportFailure'>} listener
 */
function install(own, cacheDir, listener) {
  const { noticeModule, setMaps } = part('src/runtime/packages/framework-taps.cjs');
  const { noticeLibrary } = part('src/runtime/packages/library-modules.cjs');
  const { announced, noticeBuiltIn } = part('src/runtime/packages/tapped-packages.cjs');
  const isOwnFile = part('src/base/own-files.cjs').createOwnFileTest(own);
  const sources = part('src/loader/install.cjs').install({
    ...listener,
    isOwnFile: (/** @type {string} */ file) => {
      noticeModule(file);
      return isOwnFile(file);
    },
    ownFiles: own,
    cacheDir,
    noticeModule: noticeLibrary,
    announced,
    noticeBuiltIn,
  });
  setMaps((/** @type {string} */ path) => sources.shownMapOf(path));
  return sources;
}

try {
  const { isMainThread } = require('node:worker_threads');
  if (!isMainThread || WIMBLE_SOCKET) {
    const { load, useCode } = require('./src/loader/compiled-modules.cjs');
    delete require.cache[__filename];
    part = (path) => load(__dirname + sep + path);
    if (WIMBLE_CACHE && WIMBLE_EDITION) useCode(WIMBLE_CACHE, WIMBLE_EDITION);
    if (isMainThread) start();
    else startWorker();
  }
} catch {
  // The SUT starts as if we were not here; the core sees that no agent speaks.
}
