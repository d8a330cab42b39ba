'use strict';
/**
 * The sites of one file with two outcomes, at targets i and i + 1, and which of them are still measured.
 *
 * Law: an outcome that has not been observed in this evaluation is always measured. Only repeated measurements of an
 * outcome that was missed again are bounded: after MAX_VISITS of them a site backs off, and only every
 * BACK_OFF_VISITS-th visit is measured until a new outcome is observed. Sites that read each other's truthness back off
 * and wake together, since a reader needs the pair of its operand.
 */

const { Int32Array, ObjectCreate, Uint8Array } = require('../../base/intrinsics.cjs');
const { recorder } = require('../calls/recorder.cjs');
const { hintIssues } = require('../schemas/schema-errors.cjs');
const { truthiness } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { hintKeysOfBare, isTable, noteLookup } = require('./latest-lookups.cjs');
const { hintParts, mayBeMissing, noteParts } = require('../methods/split-texts.cjs');
const { TRUTHY, last } = require('./last-truthness.cjs');
const { DONE, FileTargets, readPairs } = require('./file-targets.cjs');

/**
 * Values of `skip` for a site. LOOK: distances and hints are computed. NEVER: both outcomes are covered, and no
 * enclosing expression needs this site.
 */
const LOOK = 0;
const NEVER = 1;
/** The site is not measured until its reader wakes. Greater values: it is not measured on as many more visits. */
const WITH_READER = 2;

/** Measurements of one site in one evaluation before it backs off. The count fits into a byte. */
const MAX_VISITS = 250;
/** Look-ups and split texts that a site with two known outcomes still notes in one evaluation. */
const MAX_NOTES = 8;
/** A prime, and so not a power of two, in which the programs with the longest loops count. */
const BACK_OFF_VISITS = 17;

class BranchSites extends FileTargets {
  /**
   * @param {string} path
   * @param {number} base
   * @param {import('./file-targets.cjs').Table} table
   */
  constructor(path, base, table) {
    super(path, base, table);
    const { count } = this;
    this.skip = new Uint8Array(count);
    /** Measurements of a site since the last new outcome. */
    this.visits = new Uint8Array(count);
    /** By site: the enclosing site that reads its truthness. 0: none. */
    this.readers = new Int32Array(count);
    /** By site: the sites whose truthness it reads. @type {Record<number, number[]>} */
    this.operands = ObjectCreate(null);
    /** Sites of which `skip` or `visits` has changed in this evaluation, readers before the sites that they read. */
    this.changed = new Int32Array(count);
    this.changedCount = 0;
    this.isChanged = new Uint8Array(count);
    /**
     * 1: a site that looks up keys in tables, splits texts or reads issues. Its result may be used anywhere, so the
     * site goes on recording it when both outcomes are covered.
     */
    this.isNoted = new Uint8Array(count);
    readPairs(this.readers, table.readers);
    /** 1: the site is a negation. */
    this.negates = new Uint8Array(count);
    for (let site = 1; site < count; site++) {
      const reader = this.readers[site];
      if (reader === 0) continue;
      if (table.targets[reader][3] === '! true') this.negates[reader] = 1;
      const operands = this.operands[reader];
      if (operands === undefined) this.operands[reader] = [site];
      else operands[operands.length] = site;
    }
  }

  /** @param {boolean} isFull */
  open(isFull) {
    super.open(isFull);
    this.refreshAll();
  }

  /** @param {number} index */
  cover(index) {
    super.cover(index);
    this.refreshSkip(index);
    // The target may be the second one of its site.
    if (index > 0) this.refreshSkip(index - 1);
  }

  /** @param {number} i */
  takeBack(i) {
    super.takeBack(i);
    this.reopen(i);
    if (i > 0) this.reopen(i - 1);
  }

  clear() {
    super.clear();
    for (let at = 0; at < this.changedCount; at++) {
      const site = this.changed[at];
      this.isChanged[site] = 0;
      this.visits[site] = 0;
      this.skip[site] = this.canSkip(site) ? NEVER : LOOK;
    }
    this.changedCount = 0;
  }

  /** Computes `skip` of all sites; readers come before the sites that they read. */
  refreshAll() {
    for (let site = 0; site < this.count; site++) {
      this.visits[site] = 0;
      this.skip[site] = this.canSkip(site) ? NEVER : LOOK;
    }
  }

  /**
   * Reports both outcomes of a branch at i and i + 1; exactly one of them has h 1, or none if the branch is not decided
   * yet.
   * @param {number} i
   * @param {number} ofTrue
   * @param {number} ofFalse
   */
  branch(i, ofTrue, ofFalse) {
    const { state } = this;
    if (state[i] < DONE) {
      if (ofTrue === 1) state[i] = DONE;
      this.reach(i, ofTrue);
    }
    if (state[i + 1] < DONE) {
      if (ofFalse === 1) state[i + 1] = DONE;
      this.reach(i + 1, ofFalse);
    }
    if (state[i] >= DONE && state[i + 1] >= DONE) this.refreshSkip(i);
  }

  /**
   * Returns the outcome that a hint is for: the one that was missed or, if that is covered, the outcome of the reading
   * site that was missed with it. `a === 'x' && b > 1` may need another `a` long after `a === 'x'` has been both true
   * and false.
   * @param {number} i
   * @param {number} missed i or i + 1
   * @returns {number} -1: no hint is wanted
   */
  outcomeToHint(i, missed) {
    if (!recorder.areHintsWanted) return -1;
    if (recorder.isFull) return this.wantsHint(missed) ? missed : -1;
    let site = i;
    let outcome = missed - i;
    while (this.state[site + outcome] >= DONE) {
      const reader = this.readers[site];
      if (reader === 0) return -1;
      if (this.negates[reader] === 1) outcome = 1 - outcome;
      site = reader;
    }
    return this.wantsHint(site + outcome) ? site + outcome : -1;
  }

  /**
   * Records the hint of a bare value that decided a branch at i; the hint asks for the opposite truthiness.
   * @param {number} i
   * @param {unknown} value
   * @param {boolean} isNegated
   * @param {boolean} [isRight] whether it is a right operand
   */
  hintBare(i, value, isNegated, isRight) {
    const missed = this.outcomeToHint(i, !value === isNegated ? i + 1 : i);
    if (typeof value === 'object' && value !== null) this.noteIssues(i, missed, value);
    if (missed < 0) return;
    this.hint(missed, truthiness(scalarText(value), !value, value ? '' : this.nameAt(isRight ? i + 1 : i)));
    hintKeysOfBare(this.base + missed, value);
    if (mayBeMissing(value)) hintParts(this.base + missed, false);
  }

  /**
   * Records issues of a value that was a bare condition. Such a condition is often in a function that checks all
   * documents of the program, so it goes on reporting issues when both of its outcomes are covered, because the call
   * did not get past it.
   * @param {number} i
   * @param {number} missed the outcome to hint at; -1: none
   * @param {object} value
   */
  noteIssues(i, missed, value) {
    if (recorder.areHintsWanted && hintIssues(this.base + (missed < 0 ? i : missed), value) > 0) this.isNoted[i] = 1;
  }

  /** @param {number} site */
  canSkip(site) {
    return this.isNoted[site] === 0 && this.isSettled(site);
  }

  /** @param {number} site whether neither it nor its readers have anything to compute */
  isSettled(site) {
    if (site + 1 >= this.count || this.state[site] < DONE || this.state[site + 1] < DONE) return false;
    return this.readers[site] === 0 || this.skip[this.readers[site]] === NEVER;
  }

  /** @param {number} site */
  refreshSkip(site) {
    if (this.skip[site] === NEVER || !this.canSkip(site)) return;
    this.change(site, NEVER);
    const operands = this.operands[site];
    for (let at = 0; operands !== undefined && at < operands.length; at++) {
      if (this.skip[operands[at]] === WITH_READER) this.skip[operands[at]] = LOOK;
      this.refreshSkip(operands[at]);
    }
  }

  /**
   * Reopens a site after one of its outcomes was taken back.
   * @param {number} site
   */
  reopen(site) {
    if (this.skip[site] !== NEVER || this.canSkip(site)) return;
    this.skip[site] = LOOK;
    const operands = this.operands[site];
    for (let at = 0; operands !== undefined && at < operands.length; at++) this.reopen(operands[at]);
  }

  /**
   * @param {number} site
   * @param {number} skip
   */
  change(site, skip) {
    this.skip[site] = skip;
    if (this.isChanged[site] === 1) return;
    this.isChanged[site] = 1;
    this.changed[this.changedCount++] = site;
  }

  /**
   * Notes a key that was looked up at a site.
   * @param {number} i
   * @param {unknown} object
   * @param {unknown} key
   * @param {unknown} value
   */
  noteLookup(i, object, key, value) {
    if (isTable(object)) this.isNoted[i] = 1;
    noteLookup(object, key, value);
    this.backOffFromNotes(i);
  }

  /**
   * Notes a text that was split at a site.
   * @param {number} i
   * @param {import('../methods/split-texts.cjs').Parted} parted
   */
  noteParts(i, parted) {
    this.isNoted[i] = 1;
    noteParts(parted);
    this.backOffFromNotes(i);
  }

  /** @param {number} i */
  backOffFromNotes(i) {
    if (this.isNoted[i] === 1 && this.visits[i] >= MAX_NOTES && this.isSettled(i)) this.change(i, NEVER);
  }

  /**
   * Counts a measurement of a site.
   * @param {number} i
   */
  countVisit(i) {
    if (this.skip[i] === NEVER || (this.readers[i] !== 0 && this.skip[this.readers[i]] !== NEVER)) return;
    if (this.visits[i] === 0) this.change(i, this.skip[i]);
    if (this.visits[i] >= MAX_VISITS) this.backOff(i, WITH_READER + BACK_OFF_VISITS - 1);
    else this.visits[i]++;
  }

  /**
   * @param {number} site
   * @param {number} skip
   */
  backOff(site, skip) {
    if (this.skip[site] === NEVER) return;
    this.change(site, skip);
    const operands = this.operands[site];
    for (let at = 0; operands !== undefined && at < operands.length; at++) this.backOff(operands[at], WITH_READER);
  }

  /**
   * Returns whether a site that backed off has nothing to do on this visit.
   * @param {number} i
   * @param {boolean} outcome
   */
  isBackedOff(i, outcome) {
    if (this.state[outcome ? i : i + 1] < DONE) return this.resetBackOff(i, outcome);
    if (this.skip[i] > WITH_READER && --this.skip[i] === WITH_READER) this.wake(i);
    return true;
  }

  /**
   * Lets a site that backed off be measured again, after a new outcome.
   * @param {number} i
   * @param {boolean} outcome
   */
  resetBackOff(i, outcome) {
    let top = i;
    while (this.skip[top] === WITH_READER && this.readers[top] !== 0) top = this.readers[top];
    this.visits[top] = 0;
    this.wake(top);
    // Its operand was not measured, and has recorded nothing.
    last.operation = TRUTHY;
    last.left = outcome;
    return false;
  }

  /** @param {number} site */
  wake(site) {
    if (this.skip[site] < WITH_READER) return;
    this.skip[site] = LOOK;
    const operands = this.operands[site];
    for (let at = 0; operands !== undefined && at < operands.length; at++) this.wake(operands[at]);
  }
}

module.exports = { LOOK, NEVER, BranchSites };
