'use strict';
/**
 * Prevents scheduled jobs from running during the search ([WB-Advanced] §7): they would reach code that no call
 * reached, and fail without a call being the cause. They are listed instead, and run again when the rules no longer
 * apply.
 *
 * A schedule is an interval that the program's own code set outside of the running evaluation; a timer that a
 * scheduling package set; a timer of a second or more that a timer of the SUT's start has set again; or a job that a
 * queue in Redis repeats, which is held at the queue's client (bull-jobs.cjs).
 *
 * Law: timers continue to run; only their callbacks are held. So `clearInterval`, `refresh` and `unref` work as usual.
 */

const { timerRef, timerRefresh } = require('../../base/intrinsics.cjs');
const { BOOT_WORK, work } = require('../calls/async-attribution.cjs');
const { mode } = require('./isolation-rules.cjs');

const MAX_SCHEDULES = 10_000;
const MAX_REPORTED = 100;

/** @typedef {'interval' | 'timeout' | 'cron'} Kind */

/**
 * A schedule of any kind.
 * @typedef {{ kind: Kind, periodMs: number, expression: string, place: { file: string, line: number } }} About
 */

/**
 * @typedef {object} Schedule
 * @property {any} timer
 * @property {Kind} kind
 * @property {number} number of the work that set it
 * @property {number} periodMs
 * @property {string} expression
 * @property {{ file: string, line: number }} place
 * @property {unknown} callback while it is held
 * @property {boolean} isHeld
 * @property {boolean} isMissed whether it was due while it was held
 */

class Schedules {
  /** @param {(message: object) => void} report takes a `schedule` message */
  constructor(report) {
    this.report = report;
    /** Called when a schedule was added. */
    this.onAdd = () => {};
    /** @type {Schedule[]} */
    this.list = [];
    /** @type {string[]} */
    this.reported = [];
    /**
     * Jobs of schedulers whose place is known. Their first round may be over before anything is held.
     * @type {Schedule[]}
     */
    this.placedJobs = [];
    /** Jobs of queues that have not been reported. @type {About[]} */
    this.queued = [];
    this.purgeAt = 100;
  }

  /**
   * @param {any} timer
   * @param {Kind} kind
   * @param {number} number
   * @param {{ periodMs: number, expression: string, place: { file: string, line: number } }} about
   */
  add(timer, kind, number, { periodMs, expression, place }) {
    if (this.list.length >= this.purgeAt) this.purge();
    if (this.list.length >= MAX_SCHEDULES) return;
    /** @type {Schedule} */
    const schedule = {
      timer,
      kind,
      number,
      periodMs,
      expression,
      place,
      callback: undefined,
      isHeld: false,
      isMissed: false,
    };
    this.list[this.list.length] = schedule;
    if (kind === 'cron' && place.file !== '' && this.placedJobs.length < MAX_REPORTED) {
      this.placedJobs[this.placedJobs.length] = schedule;
    }
    if (mode.isOn && isForeign(schedule)) this.hold(schedule);
    this.onAdd();
  }

  /** @param {About} about a job that a queue repeats from now on */
  addJob(about) {
    if (this.queued.length < MAX_REPORTED) this.queued[this.queued.length] = about;
    if (mode.isOn) this.tellJobs();
    this.onAdd();
  }

  tellJobs() {
    for (let index = 0; index < this.queued.length; index++) this.tell(this.queued[index]);
    this.queued = [];
  }

  /** Holds the schedules that do not belong to the running evaluation, or releases all schedules. */
  apply() {
    if (mode.isOn) this.tellJobs();
    for (let index = 0; index < this.list.length; index++) {
      const schedule = this.list[index];
      if (schedule.timer._destroyed === true && !schedule.isMissed) continue;
      if (mode.isOn && !schedule.isHeld && isForeign(schedule)) this.hold(schedule);
      else if (!mode.isOn && schedule.isHeld) release(schedule);
    }
  }

  /** @param {Schedule} schedule */
  hold(schedule) {
    const { timer, kind } = schedule;
    schedule.isHeld = true;
    schedule.callback = timer._onTimeout;
    timer._onTimeout = () => {
      schedule.isMissed = kind !== 'interval';
    };
    this.tell(schedule);
  }

  /** @param {About} about */
  tell({ kind, periodMs, expression, place }) {
    if (kind === 'cron' && place.file === '' && this.placedJobs.length > 0) {
      // A later round of one of these jobs, which cannot be distinguished any more.
      for (let index = 0; index < this.placedJobs.length; index++) this.tell(this.placedJobs[index]);
      return;
    }
    this.announce({
      type: 'schedule',
      kind,
      file: place.file,
      line: place.line,
      period_ms: kind === 'cron' ? null : periodMs,
      expression,
    });
  }

  /**
   * Reports a schedule once.
   * @param {{ type: string, kind: string, file: string, line: number, period_ms: number | null, expression: string }}
   *   message
   */
  announce(message) {
    const key =
      message.kind +
      ' ' +
      message.file +
      ':' +
      message.line +
      ' ' +
      (message.kind === 'cron' ? message.expression : message.period_ms);
    for (let index = 0; index < this.reported.length; index++) if (this.reported[index] === key) return;
    if (this.reported.length >= MAX_REPORTED) return;
    this.reported[this.reported.length] = key;
    this.report(message);
  }

  purge() {
    /** @type {Schedule[]} */
    const kept = [];
    for (let index = 0; index < this.list.length; index++) {
      const schedule = this.list[index];
      if (schedule.timer._destroyed !== true || schedule.isMissed) kept[kept.length] = schedule;
    }
    this.list = kept;
    this.purgeAt = 2 * kept.length + 100;
  }
}

/** @param {Schedule} schedule */
function isForeign({ kind, number }) {
  return kind === 'cron' || number < work.first || number === BOOT_WORK;
}

/** @param {Schedule} schedule */
function release(schedule) {
  const { timer, callback, isMissed } = schedule;
  timer._onTimeout = callback;
  schedule.isHeld = schedule.isMissed = false;
  schedule.callback = undefined;
  if (!isMissed) return;
  const delay = timer._idleTimeout;
  if (typeof delay !== 'number' || delay < 1) return; // cleared meanwhile
  timer._idleTimeout = 1;
  timerRefresh(timer);
  timer._idleTimeout = delay;
  timerRef(timer);
}

module.exports = { Schedules };
