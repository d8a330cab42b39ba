'use strict';
/**
 * What every probe that asks for a key does with the answer (seed 000 §3.6), and the probes of `object[key]`.
 *
 * The property is read by the program itself. That a value is there says that the property was; only for `undefined` are
 * object and key looked at, without running getters or traps.
 */

const { addHint } = require('../recorder.cjs');
const { MAX_KEY_HINTS, alike, existingKeys, lengthOf, missedAbsence, missedPresence } = require('../keys.cjs');
const { scalarText } = require('../values.cjs');
const { StatementProbes } = require('./statements.cjs');
const { DONE } = require('./targets.cjs');

/** How often a site looks at object and key for a distance, in one evaluation: it may stand in a loop. */
const MAX_LOOKS = 50;

class KeyProbes extends StatementProbes {
  /**
   * Both outcomes of having asked for a key: targets i (it was there) and i + 1.
   * @param {number} i
   * @param {unknown} object that has keys: any value, hostile ones too; a map or set stands for its keys or elements
   * @param {unknown} key
   * @param {boolean} isPresent
   */
  learnKey(i, object, key, isPresent) {
    const missed = isPresent ? i + 1 : i;
    if (this.looks[i] >= MAX_LOOKS || this.state[missed] >= DONE) return this.branch(i, isPresent ? 1 : 0, isPresent ? 0 : 1);
    this.looks[i]++;
    if (isPresent) {
      this.branch(i, 1, missedAbsence(object, key));
      if (this.wantsHint(missed)) this.hintAbsence(missed, object, key);
      return;
    }
    const keys = existingKeys(object);
    this.branch(i, missedPresence(object, key, keys), 1);
    if (this.wantsHint(missed)) this.hintKeys(missed, key, keys);
  }

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
      addHint(this.base + target, '===', left, right, true, '', MAX_KEY_HINTS);
      sent++;
    }
  }

  /**
   * @param {number} target `... false`, missed
   * @param {unknown} object
   * @param {unknown} key
   */
  hintAbsence(target, object, key) {
    const left = scalarText(key);
    const length = lengthOf(object);
    if (length >= 0) this.hint(target, '===', left, scalarText(alike(key, length)), true, '');
    else this.hint(target, '===', left, left, false, '');
  }
}

module.exports = { KeyProbes };
