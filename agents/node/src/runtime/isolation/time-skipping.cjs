'use strict';
/**
 * Skips time ([WB-Advanced] §4.2, `Thread.sleep`): a timer that a call's answer waits for fires early, once the process
 * has nothing else to do.
 *
 * As in a discrete-event simulation, time advances to the timer that is due first: the timers of one evaluation fire in
 * their usual order. A timer is skipped to only if the program's own code set it, at least `BOUND_MS` ago, and nothing
 * outside is waited for (outside-activity.cjs), so that a timer that guards I/O keeps its time. When the evaluation
 * ends, the timers that its calls have left run at once, in the same order.
 *
 * Mocked services (service-waits.cjs) answer at once. So a program that uses them, and waits for nothing else, waits
 * for a timer, also one of a library that tries again. While a service leaves a request unanswered, the timer that is
 * due first fires at once. This holds in verification, too, where nothing else is skipped to.
 *
 * Law: Node calls the callback as usual, without a frame of the agent: the timer is moved into Node's list of 1 ms for
 * this one time.
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
const { readData } = require('../../base/data-properties.cjs');
const { work } = require('../calls/async-attribution.cjs');
const { mode } = require('./isolation-rules.cjs');
const { serviceWaits } = require('./service-waits.cjs');

const splice = uncurryThis(ArrayPrototype.splice);

/** Shorter timers are not skipped. Local I/O that a timer may guard is complete by then. */
const BOUND_MS = 100;
/** As `BOUND_MS`, where all connections of the program are to mocked services, and all requests are answered. */
const ANSWERED_BOUND_MS = 30;
const MAX_TIMERS = 1000;
/** Limits a loop of timers; the remaining ones fire when they are due, as late work. */
const MAX_AT_END = 10;
/** How often, at the end, it is looked whether services have answered; after each time, at least 1 ms passes. */
const MAX_LOOKS = 50;
/** How often all has to be answered in a row once something was not: one request leads to the next. */
const QUIET_LOOKS = 3;
const LOOK_MS = 10;
/** A longer time-out guards nobody: whoever has called the program has given up by then. */
const MAX_GUARD_MS = 60_000;
/** Clients have one clock for each of their copies in the program. */
const MAX_CLOCKS = 16;

/**
 * @typedef {object} Sleep
 * @property {any} timer
 * @property {number} number of the work that set it
 * @property {number} since the time when it was set
 * @property {number} due in skipped time
 * @property {boolean} isSkippable
 * @property {number} bytesOutside what was transferred when a library set it (`Activity.bytesOutside`), since when
 *   nothing may be; -1: it is never skipped to
 * @property {any} socket the connection for whose time-out it stands; null: it is a timer of the program
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
    /** Timers that clients set again by `refresh`, which is not seen, also in later evaluations. @type {any[]} */
    this.clocks = [];
    /** How far time has been skipped, in ms. */
    this.skipped = 0;
    /** Identifies the evaluation of the timer that was added last. */
    this.skippedIn = 0;
    this.isLooking = false;
    this.hasSlept = false;
    /** How often services still have to be found to have answered, at the end. */
    this.quietLooks = 0;
  }

  /**
   * @param {any} timer just set
   * @param {number} ms
   * @param {number} number
   * @param {boolean} isSkippable
   * @param {boolean} [isOfClient] whether a library set it that may be a client of mocked services
   */
  add(timer, ms, number, isSkippable, isOfClient = false) {
    if (this.pending.length >= MAX_TIMERS || work.first !== this.skippedIn) this.purge();
    this.skippedIn = work.first;
    if (this.pending.length >= MAX_TIMERS) return;
    const now = performanceNow();
    const due = now + this.skipped + ms;
    const bytesOutside = !isSkippable && isOfClient && serviceWaits.isUsed ? this.activity.bytesOutside() : -1;
    this.pending[this.pending.length] = { timer, number, since: now, due, isSkippable, bytesOutside, socket: null };
    this.hasSlept = true;
    if (serviceWaits.isUsed) this.lookIn(LOOK_MS);
    else if (isSkippable && mode.isOn) this.lookIn(BOUND_MS);
  }

  /**
   * @param {any} timer just set
   * @param {number} ms
   * @param {number} number
   * @param {any} socket for whose time-out it stands
   */
  addStandIn(timer, ms, number, socket) {
    this.add(timer, ms, number, false);
    const last = this.pending[this.pending.length - 1];
    if (last !== undefined && last.timer === timer) last.socket = socket;
  }

  /** @param {any} timer by which a client measures its time-outs, just set */
  addClock(timer) {
    if (this.clocks.length < MAX_CLOCKS) this.clocks[this.clocks.length] = timer;
  }

  /** Adds the clocks that run now, whichever evaluation has set them: what they guard is waited for now. */
  addRunningClocks() {
    for (let index = 0; index < this.clocks.length; index++) {
      const timer = this.clocks[index];
      if (timer._destroyed !== true && !this.isPending(timer)) {
        this.add(timer, timer._idleTimeout, work.newest, false, true);
      }
    }
  }

  /** @param {any} timer */
  isPending(timer) {
    for (let index = 0; index < this.pending.length; index++) if (this.pending[index].timer === timer) return true;
    return false;
  }

  /** Returns whether the order of other timers matters now. */
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
          this.pending = []; // timers with an unexpected structure keep their time
        }
      }, ms),
    );
  }

  look() {
    this.purge();
    if (!this.hasAwaited()) return;
    const next = this.first(false);
    if (serviceWaits.isUsed && serviceWaits.isHanging()) {
      this.skipToGuard();
      return;
    }
    if (mode.isOn && next !== null && this.isRipe(next)) {
      if (next.isSkippable) this.skipTo(next);
      else this.skipToLibrary(next);
      this.lookIn(1);
    } else this.lookIn(LOOK_MS);
  }

  /** @param {Sleep} sleep */
  isRipe(sleep) {
    const age = performanceNow() - sleep.since;
    if (age < (serviceWaits.isUsed ? ANSWERED_BOUND_MS : BOUND_MS)) return false;
    if (!sleep.isSkippable && !this.isOfRetry(sleep)) return false;
    return this.activity.isQuiet() && (age >= BOUND_MS || this.activity.isAllAnswered);
  }

  /**
   * Whether a library's timer guards nothing: the program has exchanged data with mocked services only since it was
   * set.
   * @param {Sleep} sleep
   */
  isOfRetry({ bytesOutside, due }) {
    const isNear = due - performanceNow() - this.skipped <= MAX_GUARD_MS;
    // There are fewer once a connection that failed is closed.
    const now = this.activity.bytesOutside();
    return bytesOutside >= 0 && isNear && now >= 0 && now <= bytesOutside;
  }

  /** While a request is left unanswered on purpose: time advances to what is due first, of the program or a library. */
  skipToGuard() {
    this.addRunningClocks();
    const next = this.first(false);
    if (next === null) return;
    if (next.due - performanceNow() <= mode.guardMs) {
      this.skipToLibrary(next);
    }
    this.lookIn(1);
  }

  /** @param {Sleep} sleep whose callback may set the same timer again */
  skipToLibrary(sleep) {
    this.skipTo(sleep);
    sleep.due = performanceNow() + this.skipped + sleep.timer._idleTimeout;
  }

  /**
   * Whether nothing can end the waiting for a request that a service leaves unanswered on purpose, or for the rest of
   * an answer that ends in the middle. It has to hold twice, since bytes that have moved in between are a sign of life.
   */
  isEndless() {
    if (!serviceWaits.isHanging() && (!serviceWaits.isCut() || serviceWaits.isSlow())) return false;
    this.purge();
    this.addRunningClocks();
    const next = this.first(false);
    const isDue = next !== null && next.due - performanceNow() <= mode.guardMs;
    return !isDue && this.activity.isQuietElsewhere();
  }

  hasAwaited() {
    for (let index = 0; index < this.pending.length; index++) {
      const { isSkippable, number } = this.pending[index];
      if ((isSkippable || serviceWaits.isUsed) && this.isAwaited(number)) return true;
    }
    return false;
  }

  /** @param {boolean} isAtEnd at the end, timers of libraries and unref'd timers do not count */
  first(isAtEnd) {
    /** @type {Sleep | null} */
    let first = null;
    for (let index = 0; index < this.pending.length; index++) {
      const sleep = this.pending[index];
      if (isAtEnd && !(sleep.isSkippable && timerHasRef(sleep.timer))) continue;
      if (sleep.socket !== null && isUnused(sleep.socket)) continue;
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

  /** Removes timers that have fired or were cleared, and those of earlier evaluations. */
  purge() {
    let kept = 0;
    for (let index = 0; index < this.pending.length; index++) {
      const sleep = this.pending[index];
      if (sleep.timer._destroyed !== true && sleep.number >= work.first) this.pending[kept++] = sleep;
    }
    splice(this.pending, kept, this.pending.length - kept);
    if (kept === 0 && (mode.isOn || work.first !== this.skippedIn)) this.skipped = 0;
  }

  /**
   * Waits until services have answered what the evaluation's calls have sent, which they do at once, so that these
   * requests are none of the next evaluation; and runs the timers that the calls have left, if time may be skipped.
   * @param {() => void} done
   * @param {number} [left] how many timers may still fire
   * @param {number} [looks] how often services may still be waited for
   */
  finish(done, left = MAX_AT_END, looks = MAX_LOOKS) {
    let isWaiting = false;
    let isOver = true;
    try {
      isWaiting = this.awaitsServices(looks);
      isOver = !isWaiting && !(mode.isOn && this.skipToNext(left));
    } catch {
      // As above.
    }
    if (isOver) {
      if (mode.isOn) {
        this.pending = [];
        this.skipped = 0;
      }
      done();
    } else setTimeout(() => (isWaiting ? this.finish(done, left, looks - 1) : this.finish(done, left - 1, looks)), 1);
  }

  /** @param {number} looks how often they may still be waited for; those that answer later are not waited for again */
  awaitsServices(looks) {
    if (!serviceWaits.isUsed) return false;
    const isBusy = this.activity.awaitsServices(looks === 0);
    if (looks === 0 || (isBusy && serviceWaits.isHanging())) this.quietLooks = 0;
    else if (isBusy) this.quietLooks = QUIET_LOOKS;
    else if (this.quietLooks > 0) this.quietLooks--;
    return this.quietLooks > 0;
  }

  /**
   * @param {number} left
   * @returns {boolean} whether there was a timer to skip to
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
    if (left === MAX_AT_END) this.activity.isQuietOutside(); // counts bytes for the next comparison
    return this.activity.isQuietOutside();
  }
}

/**
 * @param {any} socket
 * @returns {boolean} whether a connection is closed, or is an idle one of a pool: nothing waits for its time-out
 */
function isUnused(socket) {
  return socket.destroyed === true || readData(socket, '_httpMessage') === null;
}

module.exports = { BOUND_MS, MAX_GUARD_MS, Sleeps };
