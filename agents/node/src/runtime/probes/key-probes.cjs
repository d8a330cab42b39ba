'use strict';
/**
 * Outcomes and hints of key look-ups ([WB-JS] §3.6), for all probes of look-ups, and the probes of `object[key]`.
 *
 * The program itself reads the property. A value shows that the property exists; only for `undefined` are object and
 * key inspected, without running getters or traps.
 */

const { hasOwn } = require('../../base/intrinsics.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { closeness } = require('../heuristics/distance.cjs');
const { addHint } = require('../calls/recorder.cjs');
const {
  LOOKUP,
  MAX_KEY_HINTS,
  alike,
  existingKeys,
  lengthOf,
  lookUp,
  missedAbsence,
  missedPresence,
} = require('../heuristics/existing-keys.cjs');
const { lookedUpTable } = require('../heuristics/keyed-tables.cjs');
const { placeOf } = require('../answers/parsed-answers.cjs');
const { isInCall, noteMissing } = require('../inputs/missing-inputs.cjs');
const { comparison, table } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { DONE } = require('./file-targets.cjs');
const { probeTable } = require('./probe-table.cjs');

const { last: lastStatement } = memory;

/** How often a site inspects object and key for a distance, in one evaluation: it may be in a loop. */
const MAX_LOOKS = 50;
/** h of looking up a key that does not exist, if an existing key is at distance 1. */
const NEXT_TO_ABSENCE = closeness(1);
/** The key if the preceding `?.` had no object to read from. */
const NO_KEY = {};

const keyProbes = probeTable({
  /**
   * Records that `object[key]` has been read.
   * @template T
   * @param {number} i
   * @param {T} value
   * @param {unknown} object
   * @param {unknown} key
   */
  kx(i, value, object, key) {
    if (this.skip[i] !== NEVER) this.readKey(i, value, object, key);
    return value;
  },

  /**
   * @param {number} i
   * @param {unknown} value
   * @param {unknown} object
   * @param {unknown} key
   */
  readKey(i, value, object, key) {
    if (this.skip[i] > NEVER && value !== undefined && this.isBackedOff(i, true)) return;
    this.noteLookup(i, object, key, value);
    if (value === undefined) this.noteKeyedRead(i, object, key);
    this.countVisit(i);
    if (this.isDone(i) || (value !== undefined && this.isNothingNew(i))) return;
    const found = value === undefined ? lookUp(object, key) : LOOKUP.PRESENT;
    if (found !== LOOKUP.UNKNOWN) this.learnKey(i, object, key, found === LOOKUP.PRESENT);
  },

  /**
   * Records that a member was read of an object that may hold input or an answer, which lacks it.
   * @param {number} i
   * @param {unknown} object
   * @param {unknown} key
   */
  noteKeyedRead(i, object, key) {
    const { keyedReads } = this;
    const isNamed = keyedReads !== undefined && hasOwn(keyedReads, i);
    const isOfAnswer = placeOf(object) !== undefined;
    if (typeof key !== 'string' || (isOfAnswer ? false : !isNamed || key === '')) return;
    if (isInCall()) noteMissing(lastStatement[0], [key], isNamed ? keyedReads[i] : '', object);
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} object whose property is about to be read
   */
  ko(i, object) {
    if (this.skip[i] !== NEVER) this.hold(i, object);
    return object;
  },

  /**
   * @param {number} i
   * @param {unknown} object
   */
  hold(i, object) {
    this.heldObjects[i] = object;
    this.heldKeys[i] = NO_KEY;
    this.holds = true;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} key
   */
  kk(i, key) {
    if (this.skip[i] !== NEVER && this.holds) this.heldKeys[i] = key;
    return key;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} value of the property that `ko` and `kk` have recorded
   */
  kv(i, value) {
    if (this.skip[i] !== NEVER && this.holds) this.readHeld(i, value);
    return value;
  },

  /**
   * @param {number} i
   * @param {unknown} value
   */
  readHeld(i, value) {
    const object = this.heldObjects[i];
    const key = this.heldKeys[i];
    this.heldObjects[i] = undefined;
    this.heldKeys[i] = NO_KEY;
    if (key !== NO_KEY) this.readKey(i, value, object, key);
  },

  /**
   * Records that `object[key]` will be read as (the beginning of) a callee: its value does not show whether the
   * property exists.
   * @param {number} i
   * @param {unknown} object
   * @param {unknown} key
   */
  kq(i, object, key) {
    if (this.skip[i] === NEVER || this.looks[i] >= MAX_LOOKS) return this;
    const found = lookUp(object, key);
    if (found === LOOKUP.ABSENT) this.noteKeyedRead(i, object, key);
    if (found === LOOKUP.UNKNOWN) this.looks[i]++;
    else this.learnKey(i, object, key, found === LOOKUP.PRESENT);
    return this;
  },

  /**
   * Returns the value of the call that follows `kq`.
   * @template T
   * @param {T} value
   */
  v(value) {
    return value;
  },

  /**
   * Returns whether an existing property gives no new information at this site, in this evaluation.
   * @param {number} i
   */
  isNothingNew(i) {
    return this.state[i] >= DONE && (this.looks[i] >= MAX_LOOKS || this.best[i + 1] >= NEXT_TO_ABSENCE);
  },

  /**
   * Records both outcomes of a look-up: targets i (the key exists) and i + 1.
   * @param {number} i
   * @param {unknown} object whose keys are looked up: any value, including hostile ones; for a map or set, its keys or
   *   elements count
   * @param {unknown} key
   * @param {boolean} isPresent
   */
  learnKey(i, object, key, isPresent) {
    const missed = isPresent ? i + 1 : i;
    if (this.looks[i] >= MAX_LOOKS || this.state[missed] >= DONE) {
      // The first key that is missed, after others that were found, shows that the look-up follows the input.
      if (!isPresent && this.wantsHint(i + 1)) this.hintTable(i + 1, object, key, false);
      return this.branch(i, isPresent ? 1 : 0, isPresent ? 0 : 1);
    }
    this.looks[i]++;
    if (isPresent) {
      this.branch(i, 1, missedAbsence(object, key));
      if (!this.wantsHint(missed)) return;
      this.hintAbsence(missed, object, key);
      this.hintTable(missed, object, key, true);
      return;
    }
    const keys = existingKeys(object);
    this.branch(i, missedPresence(object, key, keys), 1);
    if (!this.wantsHint(missed)) return;
    this.hintKeys(missed, key, keys);
    this.hintTable(missed, object, key, false);
  },

  /**
   * Records a hint of the keys of a table.
   * @param {number} target missed
   * @param {unknown} object
   * @param {unknown} key
   * @param {boolean} isFound
   */
  hintTable(target, object, key, isFound) {
    if (typeof key !== 'string' || key === '') return;
    const found = lookedUpTable(this.base + target, object, isFound);
    if (found !== null) addHint(this.base + target, table(scalarText(key), found), MAX_KEY_HINTS + 1);
  },

  /**
   * Records hints of existing keys for an input that was looked up as a key.
   * @param {number} target `... true`, missed
   * @param {unknown} key
   * @param {unknown[]} keys the existing keys
   */
  hintKeys(target, key, keys) {
    const left = scalarText(key);
    if (left === '') return;
    let sent = 0;
    for (let at = 0; at < keys.length && sent < MAX_KEY_HINTS; at++) {
      const right = scalarText(alike(key, keys[at]));
      if (right === '') continue;
      addHint(this.base + target, comparison('identical', left, right, true), MAX_KEY_HINTS);
      sent++;
    }
  },

  /**
   * @param {number} target `... false`, missed
   * @param {unknown} object
   * @param {unknown} key
   */
  hintAbsence(target, object, key) {
    const left = scalarText(key);
    const length = lengthOf(object);
    if (length >= 0) this.hint(target, comparison('identical', left, scalarText(alike(key, length)), true));
    else this.hint(target, comparison('identical', left, left, false));
  },
});

module.exports = { keyProbes };
