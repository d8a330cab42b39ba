'use strict';
/**
 * The main thread's side of workers: receives their messages, and shares with them which call is running.
 *
 * Law: a worker's message is available at once, and is read without waiting for the worker or for the event loop.
 */

const { BroadcastChannel, receiveMessageOnPort } = require('node:worker_threads');
const { ObjectCreate } = require('../../base/intrinsics.cjs');
const { ARE_HINTS_WANTED, CALL, SAID, SEQ, THROWN, WORKERS, memory, share } = require('../../base/thread-memory.cjs');
const { recorder } = require('../calls/recorder.cjs');

const CHANNEL = 'wimble';
/** Copies of one text, for workers that load it at the same time, before its memory can be shared with later ones. */
const MAX_COPIES = 64;

const BOOT = 0;
/** The number of workers that the SUT's start has created. */
let nOfBoot = 0;

/**
 * @typedef {{ kind: 'file', path: string, hash: string, tableText: string, text: string, isModule: boolean, arrays:
 *   import('../../base/thread-memory.cjs').Arrays }} WorkerFile
 */

class Workers {
  /**
   * @param {object} listener
   * @param {(file: WorkerFile) => void} listener.onFile
   * @param {(failure: { path: string, hash: string, message: string }) => void} listener.onFailure
   * @param {(seq: number, text: string) => void} listener.onHint
   * @param {(seq: number, error: object) => void} listener.onThrown
   * @param {(schedule: any) => void} listener.onSchedule
   */
  constructor(listener) {
    this.listener = listener;
    /** @type {Record<string, number>} how many copies of a text there are */
    this.copies = ObjectCreate(null);
    /** The number of workers' messages when they were last received. */
    this.nHeard = 0;
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = (/** @type {any} */ event) => this.take(event.data);
    this.channel.unref();
  }

  /**
   * Receives the messages of workers. The count is checked first, since most programs have no workers and this function
   * runs with each answer.
   */
  poll() {
    const said = memory.cells[SAID];
    if (said === this.nHeard) return;
    this.nHeard = said;
    for (let next = receiveMessageOnPort(/** @type {any} */ (this.channel)); next !== undefined;) {
      this.take(next.message);
      next = receiveMessageOnPort(/** @type {any} */ (this.channel));
    }
  }

  /** @param {any} message */
  take(message) {
    try {
      if (message.kind === 'hint') this.listener.onHint(message.seq, message.text);
      else if (message.kind === 'thrown') this.listener.onThrown(message.seq, message.error);
      else if (message.kind === 'schedule') this.listener.onSchedule(message.schedule);
      else if (message.kind === 'failure') this.listener.onFailure(message);
      else if (message.kind === 'file') this.takeFile(message);
    } catch {
      // Not a message of the agent: the program can use a channel of this name, too.
    }
  }

  /** @param {WorkerFile} file */
  takeFile(file) {
    const key = file.hash + ' ' + file.path;
    const copies = this.copies[key] || 0;
    if (copies === MAX_COPIES) return;
    this.copies[key] = copies + 1;
    this.listener.onFile(file);
    if (copies > 0) return;
    memory.files[key] = file.arrays;
    share();
  }
}

/**
 * Shares with workers that an evaluation begins or has ended.
 * @param {number} seq
 */
function shareState(seq) {
  const { cells } = memory;
  cells[SEQ] = seq;
  cells[CALL] = recorder.call;
  cells[ARE_HINTS_WANTED] = recorder.areHintsWanted ? 1 : 0;
  cells[THROWN] = 0;
  if (seq === BOOT) nOfBoot = cells[WORKERS];
  else cells[WORKERS] = nOfBoot;
}

module.exports = { CHANNEL, Workers, shareState };
