'use strict';
/**
 * The agent of a worker thread: its files register with the main thread, which alone speaks with the core.
 *
 * Law: as in agent.cjs, and nothing here waits for the main thread.
 */

const { BroadcastChannel } = require('node:worker_threads');
const { defineProperty, parseJson } = require('./intrinsics.cjs');
const { ARE_HINTS_WANTED, CALL, SEQ, THROWN, countMessage, memory, takeTargets } = require('./runtime/memory.cjs');
const { recorder } = require('./runtime/recorder.cjs');
const { SharedProbes, shareableArrays } = require('./runtime/shared-files.cjs');
const { messageOf, stackOf } = require('./runtime/stacks.cjs');
const { CHANNEL } = require('./runtime/workers.cjs');

/** Errors told in one evaluation. */
const MAX_THROWN = 20;

/**
 * Says something to the main thread. The channel is open for a moment only: it would hear all other workers, too.
 * @param {object} message
 */
function say(message) {
  try {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(message);
    countMessage();
    channel.close();
  } catch {
    // A worker that is being ended.
  }
}

class WorkerAgent {
  constructor() {
    /** @type {Map<string, SharedProbes>} by hash and path */
    this.files = new Map();
    this.seq = -1;
    this.watch();
  }

  /** The recorder looks at the memory that is shared: a worker is told nothing. */
  watch() {
    const { cells } = memory;
    const read = (/** @type {string} */ name, /** @type {() => unknown} */ get) => defineProperty(recorder, name, { get, set() {} });
    read('call', () => cells[CALL]);
    read('isTracing', () => false);
    read('areHintsWanted', () => {
      this.notice();
      return cells[ARE_HINTS_WANTED] === 1;
    });
    recorder.forward = (text) => say({ kind: 'hint', seq: cells[SEQ], text });
    const record = { call: 0, response: null, startStamp: 0, isAnswered: false, isWell: false, hasError: false, error: undefined, place: null };
    defineProperty(record, 'error', { get: () => undefined, set: (error) => this.thrown(error) });
    recorder.record = record;
  }

  /** Forgets the hints of an evaluation that is over. */
  notice() {
    if (memory.cells[SEQ] === this.seq) return;
    this.seq = memory.cells[SEQ];
    recorder.hints = [];
    recorder.hintKeys = [];
  }

  /** @param {unknown} error */
  thrown(error) {
    const { cells } = memory;
    if (cells[THROWN]++ >= MAX_THROWN) return;
    say({ kind: 'thrown', seq: cells[SEQ], error: { name: messageOf(error), message: '', stack: stackOf(error) } });
  }

  /**
   * @param {import('./loader/transform.cjs').Registration} registration
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
