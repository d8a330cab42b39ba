'use strict';
/**
 * Outcomes and hints of looking up a key ([WB-JS] §3.6), for all probes that do, and the probes of `object[key]`.
 *
 * The property is read by the program itself. That a value is there says that the property was; only for `undefined`
 * are object and key looked at, without running getters or traps.
 */

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
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { DONE } = require('./file-targets.cjs');
const { probeTable } = require('./probe-table.cjs');

/** How often a site looks at object and key for a distance, in one evaluation: it may stand in a loop. */
const MAX_LOOKS = 50;
/** h of asking for a key that is not there, by the nearest key that is. */
const NEXT_TO_ABSENCE = closeness(1);
/** Where the `?.` before it had no object to read from. */
const NO_KEY = {};

const keyProbes = probeTable({
  /**
   * `object[key]` has been read.
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
    this.countVisit(i);
    if (this.isDone(i) || (value !== undefined && this.isNothingNew(i))) return;
    const found = value === undefined ? lookUp(object, key) : LOOKUP.PRESENT;
    if (found !== LOOKUP.UNKNOWN) this.learnKey(i, object, key, found === LOOKUP.PRESENT);
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
   * @param {T} value of the property that `ko` and `kk` have told of
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
   * `object[key]` is about to be read as (the beginning of) a callee: whether it is there cannot be told by its value.
   * @param {number} i
   * @param {unknown} object
   * @param {unknown} key
   */
  kq(i, object, key) {
    if (this.skip[i] === NEVER || this.looks[i] >= MAX_LOOKS) return this;
    const found = lookUp(object, key);
    if (found === LOOKUP.UNKNOWN) this.looks[i]++;
    else this.learnKey(i, object, key, found === LOOKUP.PRESENT);
    return this;
  },

  /**
   * The value of the call before which `kq` stands.
   * @template T
   * @param {T} value
   */
  v(value) {
    return value;
  },

  /**
   * Has a property that is there nothing to tell at this site, in this evaluation?
   * @param {number} i
   */
  isNothingNew(i) {
    return this.state[i] >= DONE && (this.looks[i] >= MAX_LOOKS || this.best[i + 1] >= NEXT_TO_ABSENCE);
  },

  /**
   * Both outcomes of having asked for a key: targets i (it was there) and i + 1.
   * @param {number} i
   * @param {unknown} object that has keys: any value, hostile ones too; a map or set stands for its keys or elements
   * @param {unknown} key
   * @param {boolean} isPresent
   */
  learnKey(i, object, key, isPresent) {
    const missed = isPresent ? i + 1 : i;
    if (this.looks[i] >= MAX_LOOKS || this.state[missed] >= DONE) {
      return this.branch(i, isPresent ? 1 : 0, isPresent ? 0 : 1);
    }
    this.looks[i]++;
    if (isPresent) {
      this.branch(i, 1, missedAbsence(object, key));
      if (this.wantsHint(missed)) this.hintAbsence(missed, object, key);
      return;
    }
    const keys = existingKeys(object);
    this.branch(i, missedPresence(object, key, keys), 1);
    if (this.wantsHint(missed)) this.hintKeys(missed, key, keys);
  },

  /**
   * Existing keys for an input that was asked for as a key.
   * @param {number} target `... true`, missed
   * @param {unknown} key
   * @param {unknown[]} keys that are there
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
