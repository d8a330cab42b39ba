'use strict';
/** Keeps the records of the calls of an evaluation: when they begin, and how they are answered. */

const { AWAITED, CALL, memory } = require('../base/thread-memory.cjs');
const { startCall, work } = require('../runtime/calls/async-attribution.cjs');
const { newRecord, recorder } = require('../runtime/calls/recorder.cjs');
const { isServerError, isTroubled } = require('../runtime/errors/error-causes.cjs');
const { hintKeys } = require('../runtime/packages/token-keys.cjs');
const { stampNow } = require('../runtime/process/instrumented-files.cjs');
const { hintFailedValidators } = require('../runtime/schemas/ajv-validators.cjs');
const { hintRefusals } = require('../runtime/schemas/yup-errors.cjs');

/** @typedef {import('../runtime/calls/recorder.cjs').CallRecord} CallRecord */

class CallRecords {
  /** @param {import('../runtime/errors/error-causes.cjs').Causes} causes */
  constructor(causes) {
    this.causes = causes;
    /** Number of calls of the evaluation. */
    this.count = 0;
  }

  /**
   * @param {number} call
   * @param {any} request null for a call of a library
   * @param {any} response
   */
  begin(call, request, response) {
    const { record: before } = recorder;
    if (before !== null && isTroubled(before)) this.causes.pin(before); // it is over, since the core has begun another
    this.count++;
    recorder.call = call;
    recorder.record = newRecord(call, request, response, stampNow());
    recorder.records[recorder.records.length] = recorder.record;
    startCall(recorder.seq, call);
    memory.cells[CALL] = call;
    memory.cells[AWAITED] = work.newest;
  }

  /** @param {any} response that has been sent */
  noteResponse(response) {
    hintFailedValidators(memory.last[0]);
    hintRefusals(memory.last[0]);
    hintKeys(memory.last[0]);
    for (let index = recorder.records.length - 1; index >= 0; index--) {
      const record = recorder.records[index];
      if (record.response !== response) continue;
      if (record === recorder.record) memory.cells[AWAITED] = 0;
      this.noteAnswer(record, !record.hasError && !isServerError(response));
      return;
    }
  }

  /** @param {CallRecord} record @param {boolean} isWell */
  noteAnswer(record, isWell) {
    record.isAnswered = true;
    record.isWell = isWell;
    if (!isWell) this.causes.pin(record);
    else if (recorder.isFull) this.causes.pinAnswer(record);
  }

  /** @returns {any[]} the causes of failed calls and fields */
  takeCauses() {
    const causes = [];
    for (let index = 0; index < recorder.records.length; index++) {
      const record = recorder.records[index];
      const cause = this.causes.ofCall(record, recorder.isFull);
      if (cause !== null) causes[causes.length] = cause;
      for (let at = 0; at < record.located.length; at++) {
        causes[causes.length] = this.causes.ofLocated(record.call, record.located[at]);
      }
    }
    return causes;
  }

  /** Forgets the evaluation. */
  clear() {
    this.count = 0;
  }
}

/**
 * @param {number} number of work
 * @returns {boolean} whether it is a call of this evaluation that has not been answered
 */
function isAwaited(number) {
  const record = number < work.first ? undefined : recorder.records[number - work.first];
  return record !== undefined && !record.isAnswered;
}

module.exports = { CallRecords, isAwaited };
