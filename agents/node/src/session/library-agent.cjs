'use strict';
/**
 * The part of the agent that makes its process the host of a library: each call that the core sends is a call of the
 * evaluation, as a request to a server is.
 */

const { defineProperty, symbolFor } = require('../base/intrinsics.cjs');
const { Host, afterTimers, countTimers } = require('../library/host.cjs');
const { recorder } = require('../runtime/calls/recorder.cjs');

/** Where the host's main module finds the function that starts the host. */
const START = symbolFor('wimble.library');

/** @typedef {import('./agent.cjs').Agent} Agent */

class LibraryAgent {
  /** @param {Agent} agent */
  constructor(agent) {
    this.agent = agent;
    this.isInvoking = false;
    this.isAlone = false;
    this.host = new Host({
      send: (message) => (this.isAlone ? agent.channel.cork(message) : agent.channel.send(message)),
      onStart: (index) => agent.callStarted(index, null, null),
      onEnd: (index, isWell, error) => this.callEnded(index, isWell, error),
      originalPlace: (file, line, column) => this.originalPlace(file, line, column),
    });
  }

  /**
   * @param {string} file of the running text
   * @param {number} line from 1
   * @param {number} column from 1
   * @returns {{ file: string, line: number, column: number } | null} the place in its source, or in the text that was
   *   instrumented, whose columns are others
   */
  originalPlace(file, line, column) {
    const { files, sources } = this.agent;
    const place = files.originalPlace(file, line, column);
    if (place !== null || sources === null) return place;
    const written = sources.columnOf(file, line, column - 1);
    return written < 0 ? null : { file, line, column: written + 1 };
  }

  /**
   * Leaves the function for the main module, which takes it away before the library is loaded.
   * @param {object} realm the global object
   */
  offer(realm) {
    defineProperty(realm, START, {
      configurable: true,
      value: (/** @type {any} */ library) => {
        this.agent.channel.socket.ref(); // the host lives as long as the core
        return this.host.open(library);
      },
    });
  }

  /** @param {{ calls: any[], lets_timers_fire?: boolean }} message */
  invoke({ calls, lets_timers_fire: letsTimersFire }) {
    this.isInvoking = true;
    this.isAlone = calls.length === 1;
    const done = () => {
      this.isInvoking = false;
      this.isAlone = false;
      this.agent.receiveWaiting();
    };
    const before = letsTimersFire === true ? countTimers() : 0;
    this.host.invoke(calls, letsTimersFire === true ? () => afterTimers(before, done) : done);
  }

  /**
   * @param {number} index
   * @param {boolean} isWell
   * @param {unknown} error
   */
  callEnded(index, isWell, error) {
    const record = recorder.records[index];
    if (record === undefined) return;
    // An error that the library has caught itself is none of the call.
    record.hasError = !isWell;
    record.error = error;
    this.agent.records.noteAnswer(record, isWell);
  }
}

module.exports = { LibraryAgent, START };
