'use strict';
/**
 * Skips time ([WB-Advanced] §4.2, `Thread.sleep`): a timer that a call's answer waits for fires early, once the process
 * has had nothing else to do.
 *
 * As in a discrete-event simulation, time goes on to the timer that is due first: timers of one evaluation fire in the
 * order in which they would have fired. A timer is skipped to only where it was set by the program's own code,
 * `BOUND_MS` after it was set, and while nothing outside is waited for (outside-activity.cjs), so that a timer that
 * guards I/O keeps its time. When the evaluation ends, what its calls have left for later runs at once, in the same
 * order.
 *
 * Law: the callback is called by Node as ever, from no frame of ours: the timer is put into Node's list of 1 ms for
 * this once.
 */

const {
  ArrayPrototype,
  performanceNow,
  setTimeout,
  timerHasRef,
  timerRefresh,
  timerUnref,
  uncurryThis,
} = require('../../base/intrinsics.cjs');
const { work } = require('../calls/async-attribution.cjs');

const splice = uncurryThis(ArrayPrototype.splice);

/** Shorter timers are let alone. Local I/O that a timer may guard is over by then. */
const BOUND_MS = 100;
const MAX_TIMERS = 1000;
/** A loop of timers ends here; what is left fires when it is due, as late work. */
const MAX_AT_END = 10;
const LOOK_MS = 10;

/**
 * @typedef {object} Sleep
 * @property {any} timer
 * @property {number} number of the work that set it
 * @property {number} since when it was set
 * @property {number} due in skipped time
 * @property {boolean} isSkippable
 */

class Sleeps {
  /**
   * @param {object} options
   * @param {import('./outside-activity.cjs').Activity} options.activity
   * @param {(number: number) => boolean} options.isAwaited whether the call's answer has not been sent yet
   */
  constructor({ activity, isAwaited }) {
    this.activity = activity;
    this.isAwaited = isAwaited;
    /** @type {Sleep[]} */
    this.pending = [];
    /** How far time has been skipped, in ms. */
    this.skipped = 0;
    this.isLooking = false;
    this.hasSlept = false;
  }

  /**
   * @param {any} timer just set
   * @param {number} ms
   * @param {number} number
   * @param {boolean} isSkippable
   */
  add(timer, ms, number, isSkippable) {
    if (this.pending.length >= MAX_TIMERS) this.purge();
    if (this.pending.length >= MAX_TIMERS) return;
    const now = performanceNow();
    this.pending[this.pending.length] = { timer, number, since: now, due: now + this.skipped + ms, isSkippable };
    this.hasSlept = true;
    if (isSkippable) this.lookIn(BOUND_MS);
  }

  /** Whether the order of other timers matters now. */
  isWaiting() {
    return this.pending.length > 0;
  }

  /** @param {number} ms */
  lookIn(ms) {
    if (this.isLooking) return;
    this.isLooking = true;
    timerUnref(
      setTimeout(() => {
        this.isLooking = false;
        try {
          this.look();
        } catch {
          this.pending = []; // timers that are not what they seem keep their time
        }
      }, ms),
    );
  }

  look() {
    this.purge();
    if (!this.hasAwaited()) return;
    const next = this.first(false);
    const isRipe = next !== null && next.isSkippable && performanceNow() - next.since >= BOUND_MS;
    if (isRipe && this.activity.isQuiet()) {
      this.skipTo(next);
      this.lookIn(1);
    } else this.lookIn(LOOK_MS);
  }

  hasAwaited() {
    for (let index = 0; index < this.pending.length; index++) {
      const { isSkippable, number } = this.pending[index];
      if (isSkippable && this.isAwaited(number)) return true;
    }
    return false;
  }

  /** @param {boolean} isAtEnd libraries' timers and those that keep no process alive do not count */
  first(isAtEnd) {
    /** @type {Sleep | null} */
    let first = null;
    for (let index = 0; index < this.pending.length; index++) {
      const sleep = this.pending[index];
      if (isAtEnd && !(sleep.isSkippable && timerHasRef(sleep.timer))) continue;
      if (first === null || sleep.due < first.due) first = sleep;
    }
    return first;
  }

  /** @param {Sleep} sleep */
  skipTo(sleep) {
    const { timer, due } = sleep;
    const delay = timer._idleTimeout;
    if (typeof delay !== 'number' || delay <= 1) return;
    const now = performanceNow() + this.skipped;
    if (due > now) this.skipped += due - now;
    timer._idleTimeout = 1;
    timerRefresh(timer);
    timer._idleTimeout = delay;
  }

  /** Forgets timers that have fired or were cleared, and those of earlier evaluations. */
  purge() {
    let kept = 0;
    for (let index = 0; index < this.pending.length; index++) {
      const sleep = this.pending[index];
      if (sleep.timer._destroyed !== true && sleep.number >= work.first) this.pending[kept++] = sleep;
    }
    splice(this.pending, kept, this.pending.length - kept);
    if (kept === 0) this.skipped = 0;
  }

  /**
   * Runs what the evaluation's calls have left for later.
   * @param {() => void} done
   * @param {number} [left] how many timers may still fire
   */
  finish(done, left = MAX_AT_END) {
    let isOver = true;
    try {
      isOver = !this.skipToNext(left);
    } catch {
      // As above.
    }
    if (isOver) {
      this.pending = [];
      this.skipped = 0;
      done();
    } else setTimeout(() => this.finish(done, left - 1), 1);
  }

  /**
   * @param {number} left
   * @returns {boolean} whether there was one to skip to
   */
  skipToNext(left) {
    this.purge();
    const next = left > 0 ? this.first(true) : null;
    if (next !== null && this.isQuietNow(left)) {
      this.skipTo(next);
      return true;
    }
    if (this.hasSlept) this.activity.settle();
    return false;
  }

  /** @param {number} left */
  isQuietNow(left) {
    if (left === MAX_AT_END) this.activity.isQuietOutside(); // counts the bytes, so that the next look can compare
    return this.activity.isQuietOutside();
  }
}

module.exports = { BOUND_MS, Sleeps };
