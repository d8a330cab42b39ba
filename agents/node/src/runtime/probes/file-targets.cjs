'use strict';
/** The targets of one file: the state of each, the best h of this evaluation, and the hints of missed outcomes. */

const { Float64Array, Int32Array, ObjectCreate, Uint8Array, hasOwn } = require('../../base/intrinsics.cjs');
const { MAX_HINTS_PER_TARGET, addHint, hintsOfCall, recorder, runningCall } = require('../calls/recorder.cjs');
const { isLate } = require('../calls/async-attribution.cjs');
const { dropLate } = require('../calls/late-targets.cjs');

/** States of a target. From DONE on a probe has nothing to do. */
const UNTOUCHED = 0;
const ENTERED = 1;
const DONE = 2;
const COVERED = 3;

const MAX_HINT_TRIES = 8;

/**
 * @param {[source: string, line: number][]} lines
 * @param {string} source
 * @param {number} line
 */
function holdsLine(lines, source, line) {
  for (let at = 0; at < lines.length; at++) {
    if (lines[at][1] === line && lines[at][0] === source) return true;
  }
  return false;
}

/**
 * @typedef {object} Table
 * @property {[string, number, number, string][]} targets
 * @property {[number, number][]} [lineOf]
 * @property {[number, number][]} [entryOf]
 * @property {[number, number][]} [endOf]
 * @property {[number, number][]} [readers]
 * @property {[number, number][]} [firsts]
 * @property {Record<string, any[]>} [cases]
 * @property {[first: number, path: string][]} [parts] the sources of targets, if they are not in the text itself
 * @property {[source: string, line: number][]} [relays] lines that hand on a command; the source of the text itself is
 *   ''
 * @property {[source: string, line: number][]} [nexts] lines in which a middleware hands on the request
 * @property {[source: string, line: number][]} [answers] values that the program answers
 * @property {[source: string, line: number, member?: string][]} [tests] values of which the program keeps only the
 *   truth, or that of a member
 * @property {Record<string, any[]>} [calls]
 * @property {[path: string[], location: string, from?: string[]][]} [reads] of members that may be inputs
 * @property {Record<string, string>} [keyedReads] by target of a look-up: where its object may hold input
 * @property {import('../inputs/uses-of-members.cjs').Uses[]} [uses] what the program takes members for
 * @property {Record<string, [name: string, next: string][]>} [unprobed] by statement: members whose members are read
 *   without a probe
 * @property {Record<string, [next: string, location: string, path: string[]][]>} [places] by statement: values in
 *   inputs whose members are read
 * @property {[next: string, path: string[]][]} [givenPlaces] values in arguments that patterns take apart
 * @property {Record<string, string>} [names] of operands: the left or only one under the first target of a site, the
 *   right one under its second
 */

class FileTargets {
  /**
   * @param {string} path
   * @param {number} base global id of target 0
   * @param {Table} table
   */
  constructor(path, base, table) {
    const count = table.targets.length;
    this.path = path;
    this.parts = table.parts === undefined ? [] : table.parts;
    this.base = base;
    this.count = count;
    this.state = new Uint8Array(count);
    /** 1: covered by an earlier evaluation. */
    this.covered = new Uint8Array(count);
    /** Best h in this evaluation. */
    this.best = new Float64Array(count);
    this.callOf = new Int32Array(count);
    this.touched = new Int32Array(count);
    this.touchedCount = 0;
    this.lineTarget = new Int32Array(count);
    /** By statement that begins a function: the target of the function. 0: none. */
    this.entryOf = new Int32Array(count);
    /** By statement whose completion completes a function: the target of the function. */
    this.endOf = new Int32Array(count);
    /** By statement: the site that is evaluated first; by site: the next one inside it. */
    this.firsts = new Int32Array(count);
    this.lines = new Int32Array(count);
    /** The `file` target of the source in which a target stands. */
    this.fileTarget = new Int32Array(count);
    this.hintTries = new Uint8Array(count);
    this.names = table.names;
    this.relays = table.relays === undefined ? [] : table.relays;
    this.nexts = table.nexts === undefined ? [] : table.nexts;
    this.answers = table.answers === undefined ? [] : table.answers;
    this.read(table);
  }

  /** @param {Table} table */
  read(table) {
    const { targets, lineOf } = table;
    for (let index = 0; index < targets.length; index++) {
      this.lines[index] = targets[index][1];
    }
    this.readParts();
    readPairs(this.lineTarget, lineOf);
    readPairs(this.entryOf, table.entryOf);
    readPairs(this.endOf, table.endOf);
    readPairs(this.firsts, table.firsts);
  }

  readParts() {
    const { parts } = this;
    /** @type {Record<string, number>} */
    const fileTargets = ObjectCreate(null);
    for (let at = 0; at < parts.length; at++) {
      const first = parts[at][0];
      const path = parts[at][1];
      const end = at + 1 < parts.length ? parts[at + 1][0] : this.count;
      if (fileTargets[path] === undefined) fileTargets[path] = first;
      for (let index = first; index < end; index++) this.fileTarget[index] = fileTargets[path];
    }
  }

  /** @param {number} i @returns {string} path of the source in which a target stands */
  sourceOf(i) {
    let path = this.path;
    for (let at = 0; at < this.parts.length && this.parts[at][0] <= i; at++) path = this.parts[at][1];
    return path;
  }

  /** @param {string} path */
  isSource(path) {
    for (let at = 0; at < this.parts.length; at++) if (this.parts[at][1] === path) return true;
    return this.parts.length === 0 && path === this.path;
  }

  /**
   * Returns whether a line only hands on a command that its function got.
   * @param {string} path of a source of this file
   * @param {number} line
   */
  isRelay(path, line) {
    return holdsLine(this.relays, this.parts.length === 0 ? '' : path, line);
  }

  /**
   * Returns whether a line of a middleware hands on the request.
   * @param {string} path of a source of this file
   * @param {number} line
   */
  isNext(path, line) {
    return holdsLine(this.nexts, this.parts.length === 0 ? '' : path, line);
  }

  /**
   * Sets whether the probes have to report all targets, including those covered earlier.
   * @param {boolean} isFull
   */
  open(isFull) {
    for (let index = 0; index < this.count; index++) {
      if (this.covered[index] === 1) this.state[index] = isFull ? UNTOUCHED : this.restingState(index);
    }
  }

  /** @param {number} index target that the core knows to be covered */
  cover(index) {
    this.covered[index] = 1;
    this.state[index] = this.restingState(index);
  }

  /**
   * Returns the state of a target between evaluations. A covered statement goes on reporting that a function was
   * entered until the function has completed once.
   * @param {number} index
   */
  restingState(index) {
    if (this.covered[index] === 0) return UNTOUCHED;
    const begun = this.entryOf[index];
    return begun === 0 || this.covered[begun] === 1 ? COVERED : UNTOUCHED;
  }

  /**
   * Returns the part of `result.targets` about this file, each entry preceded by a comma.
   * @param {boolean} isFull
   */
  resultText(isFull) {
    let text = '';
    for (let at = 0; at < this.touchedCount; at++) {
      const index = this.touched[at];
      if (isFull || this.covered[index] === 0) {
        text += ',' + (this.base + index) + ',' + this.callOf[index] + ',' + this.best[index];
      }
    }
    return text;
  }

  /**
   * Reverts the record of a target for the rest of this evaluation.
   * @param {number} i
   */
  takeBack(i) {
    const best = this.best[i];
    if (this.state[i] !== COVERED) {
      this.state[i] = best === 1 ? DONE : best > 0 && !recorder.isTracing ? ENTERED : UNTOUCHED;
    }
  }

  /** Forgets the evaluation that was answered. */
  clear() {
    for (let at = 0; at < this.touchedCount; at++) {
      this.forget(this.touched[at]);
    }
    this.touchedCount = 0;
  }

  /** @param {number} i */
  forget(i) {
    this.best[i] = 0;
    this.hintTries[i] = 0;
    this.state[i] = this.restingState(i);
  }

  /**
   * @param {number} i
   * @param {number} h
   */
  reach(i, h) {
    const known = this.best[i];
    if (!(h > known)) return;
    if (isLate()) return dropLate(this, i);
    if (known === 0) this.touched[this.touchedCount++] = i;
    this.best[i] = h;
    this.callOf[i] = runningCall();
  }

  /** @param {number} i */
  isDone(i) {
    return this.state[i] > ENTERED && this.state[i + 1] > ENTERED;
  }

  /**
   * An evaluation that reports everything has hints about all outcomes that were missed: a guard that several
   * operations share may have let others pass.
   * @param {number} target index in this file of an outcome that was missed
   */
  wantsHint(target) {
    if (!recorder.areHintsWanted || (this.state[target] >= DONE && !recorder.isFull)) return false;
    const tries = this.hintTries[target];
    if (tries >= MAX_HINT_TRIES && tries >= hintsOfCall(MAX_HINT_TRIES)) return false;
    this.hintTries[target]++;
    return true;
  }

  /**
   * @param {number} target
   * @param {import('../calls/hint-kinds.cjs').Hint | null} hint
   */
  hint(target, hint) {
    addHint(this.base + target, hint, MAX_HINTS_PER_TARGET);
  }

  /**
   * @param {number} target under which the name of an operand is stored
   * @returns {string} empty if it has none
   */
  nameAt(target) {
    return this.names !== undefined && hasOwn(this.names, target) ? this.names[target] : '';
  }
}

/**
 * @param {Int32Array} into
 * @param {[number, number][] | undefined} pairs
 */
function readPairs(into, pairs) {
  for (let at = 0; pairs !== undefined && at < pairs.length; at++) into[pairs[at][0]] = pairs[at][1];
}

module.exports = { FileTargets, readPairs, UNTOUCHED, ENTERED, DONE };
