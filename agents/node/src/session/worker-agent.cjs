'use strict';
/**
 * The agent of a worker thread: its files register with the main thread, and only the main thread communicates with the
 * core.
 *
 * Law: as in agent.cjs; in addition, nothing here waits for the main thread. The worker gets no messages, and reads the
 * running call and the rules in force from shared memory.
 */

const { BroadcastChannel } = require('node:worker_threads');
const { Map, defineProperty, parseJson, setTimeout, timerUnref } = require('../base/intrinsics.cjs');
const { originalPlaceBy } = require('../runtime/process/instrumented-files.cjs');
const { Activity } = require('../runtime/isolation/outside-activity.cjs');
const { skipKnownKeys } = require('../runtime/isolation/known-hashes.cjs');
const { mode } = require('../runtime/isolation/isolation-rules.cjs');
const { watchRandomness } = require('../runtime/isolation/randomness.cjs');
const { Schedules } = require('../runtime/isolation/scheduled-jobs.cjs');
const { Sleeps } = require('../runtime/isolation/time-skipping.cjs');
const { Threads } = require('../runtime/isolation/busy-workers.cjs');
const { watchTimers } = require('../runtime/isolation/timers.cjs');
const {
  ARE_HINTS_WANTED,
  AWAITED,
  CALL,
  SEQ,
  THROWN,
  countMessage,
  memory,
  takeTargets,
} = require('../base/thread-memory.cjs');
const { noRecord, recorder } = require('../runtime/calls/recorder.cjs');
const { SharedProbes, shareableArrays } = require('../runtime/process/worker-files.cjs');
const { messageOf, stackOf } = require('../base/error-stacks.cjs');
const { followPromises, work } = require('../runtime/calls/async-attribution.cjs');
const { watchServices } = require('../external/watch-services.cjs');
const { CHANNEL } = require('../runtime/process/worker-threads.cjs');

/** Errors reported in one evaluation. */
const MAX_THROWN = 20;
/** How often a worker with scheduled timers checks whether they have to be held, in ms. */
const LOOK_MS = 20;

/**
 * Sends a message to the main thread. The channel is closed at once, since it would also receive the messages of all
 * other workers.
 * @param {object} message
 */
function say(message) {
  try {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(message);
    countMessage();
    channel.close();
  } catch {
    // The worker is being terminated.
  }
}

class WorkerAgent {
  /** @param {(path: string) => boolean} isOwnFile */
  constructor(isOwnFile) {
    /** @type {Map<string, SharedProbes>} by hash and path */
    this.files = new Map();
    this.isOwnFile = isOwnFile;
    /** The texts of the instrumented files. @type {import('../loader/source-texts.cjs').Sources | null} */
    this.sources = null;
    this.seq = -1;
    /** The rules under which the schedules were last held or released. */
    this.rules = '';
    this.isLooking = false;
    this.schedules = new Schedules((schedule) => say({ kind: 'schedule', schedule }));
    this.sleeps = new Sleeps({
      activity: new Activity(new Threads()),
      isAwaited: (number) => memory.cells[AWAITED] === number,
    });
    this.watch();
    this.isolate();
  }

  /** @param {import('../loader/source-texts.cjs').Sources} sources */
  setSources(sources) {
    this.sources = sources;
  }

  isolate() {
    followPromises();
    watchTimers({
      sleeps: this.sleeps,
      schedules: this.schedules,
      isOwnFile: this.isOwnFile,
      originalPlace: (file, line, column) =>
        originalPlaceBy(() => (this.sources === null ? null : this.sources.mapOf(file)), line, column),
    });
    watchServices(this.sleeps); // before watchRandomness, which tells ES modules
    skipKnownKeys(); // likewise
    watchRandomness();
    this.schedules.onAdd = () => {
      if (!this.isLooking) this.lookAtSchedules();
    };
  }

  /**
   * Checks regularly whether schedules have to be held, from the first schedule on, since the worker gets no messages.
   */
  lookAtSchedules() {
    this.isLooking = true;
    try {
      const rules = mode.isOn + ' ' + work.first;
      if (rules !== this.rules) this.schedules.apply();
      this.rules = rules;
    } catch {
      // A timer has an unexpected structure: it runs as it was set.
    }
    timerUnref(setTimeout(() => this.lookAtSchedules(), LOOK_MS));
  }

  /** Starts to observe this thread; the recorder reads the shared memory. */
  watch() {
    const { cells } = memory;
    const read = (/** @type {string} */ name, /** @type {() => unknown} */ get) =>
      defineProperty(recorder, name, { get, set() {} });
    read('call', () => cells[CALL]);
    read('isTracing', () => false);
    read('areHintsWanted', () => {
      this.notice();
      return cells[ARE_HINTS_WANTED] === 1;
    });
    recorder.forward = (text) => say({ kind: 'hint', seq: cells[SEQ], text });
    const record = noRecord();
    defineProperty(record, 'error', { get: () => undefined, set: (error) => this.thrown(error) });
    recorder.record = record;
  }

  /** Forgets the hints of an evaluation that is over. */
  notice() {
    if (memory.cells[SEQ] === this.seq) return;
    this.seq = memory.cells[SEQ];
    recorder.hints = [];
    recorder.hintTargets = [];
    recorder.hintTexts = [];
  }

  /** @param {unknown} error */
  thrown(error) {
    const { cells } = memory;
    if (cells[THROWN]++ >= MAX_THROWN) return;
    say({ kind: 'thrown', seq: cells[SEQ], error: { name: messageOf(error), message: '', stack: stackOf(error) } });
  }

  /**
   * @param {import('../loader/transform.cjs').Registration} registration
   * @returns {object} the file's handle
   */
  registerFile({ path, hash, tableText, text, isModule }) {
    const key = hash + ' ' + path;
    const known = this.files.get(key);
    if (known !== undefined) return known;
    const table = parseJson(tableText);
    let arrays = memory.files[key];
    if (arrays === undefined) {
      const count = table.targets.length;
      arrays = shareableArrays(count);
      arrays.base[0] = takeTargets(count);
      say({ kind: 'file', path, hash, tableText, text, isModule, arrays });
    }
    const probes = new SharedProbes(path, table, arrays);
    this.files.set(key, probes);
    return probes;
  }
}

module.exports = { WorkerAgent, say };
