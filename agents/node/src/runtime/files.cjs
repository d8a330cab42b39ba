'use strict';
/** The instrumented files of this process: their handles, and which file a global target id belongs to. */

const { Map, mapGet, mapSet, parseJson, slice } = require('../intrinsics.cjs');
const { FileProbes, clock, forgetLast, lastStatement } = require('./probes/index.cjs');

class Files {
  constructor() {
    /** @type {FileProbes[]} in order of their bases */
    this.list = [];
    /** @type {Map<string, FileProbes>} by path and hash */
    this.byText = new Map();
    /** @type {Map<string, FileProbes>} */
    this.byPath = new Map();
    /** @type {Map<string, import('../instrument/table.cjs').Original>} by path of the compiled text */
    this.originals = new Map();
    this.nextBase = 0;
    this.isOpen = false;
  }

  /**
   * @param {string} path
   * @param {string} hash
   * @param {string} tableText JSON
   * @returns {{ probes: FileProbes, isNew: boolean }} the same handle for the same text loaded again
   */
  register(path, hash, tableText) {
    const key = hash + ' ' + path;
    const known = mapGet(this.byText, key);
    if (known !== undefined) return { probes: known, isNew: false };
    const table = parseJson(tableText);
    const original = table.original === undefined ? null : table.original;
    const probes = new FileProbes(original === null ? path : original.path, this.nextBase, table);
    this.nextBase += probes.count;
    this.list[this.list.length] = probes;
    mapSet(this.byText, key, probes);
    mapSet(this.byPath, probes.path, probes);
    if (original !== null) {
      mapSet(this.byPath, path, probes);
      mapSet(this.originals, path, original);
    }
    return { probes, isNew: true };
  }

  /** @param {string} path */
  has(path) {
    return mapGet(this.byPath, path) !== undefined;
  }

  /**
   * @template {{ file: string, line: number }} T
   * @param {T} frame in a loaded text
   * @returns {{ file: string, line: number }} where that is in the user's source
   */
  originalPlace(frame) {
    const original = mapGet(this.originals, frame.file);
    const line = original === undefined ? undefined : original.lines[frame.line - 1];
    return original === undefined || line === undefined ? frame : { file: original.path, line };
  }

  /**
   * @param {number} target global id
   * @returns {FileProbes | undefined}
   */
  ownerOf(target) {
    let low = 0;
    let high = this.list.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const probes = this.list[middle];
      if (target < probes.base) high = middle - 1;
      else if (target >= probes.base + probes.count) low = middle + 1;
      else return probes;
    }
    return undefined;
  }

  /** @param {unknown} targets global ids that the core knows to be covered; untrusted */
  cover(targets) {
    const ids = /** @type {number[]} */ (targets);
    for (let index = 0; ids !== undefined && index < ids.length; index++) {
      const probes = this.ownerOf(ids[index]);
      if (probes !== undefined) probes.cover(ids[index] - probes.base);
    }
  }

  /**
   * Lets covered targets report again, or not.
   * @param {boolean} areAllWanted
   */
  open(areAllWanted) {
    if (areAllWanted === this.isOpen) return;
    this.isOpen = areAllWanted;
    for (let index = 0; index < this.list.length; index++) this.list[index].open(areAllWanted);
  }

  /**
   * @param {boolean} isFull
   * @returns {string} JSON array: id, call, h, ...
   */
  resultText(isFull) {
    let text = '';
    for (let index = 0; index < this.list.length; index++) {
      const probes = this.list[index];
      if (probes.touchedCount > 0) text += probes.resultText(isFull);
    }
    return '[' + slice(text, 1) + ']';
  }

  clear() {
    for (let index = 0; index < this.list.length; index++) {
      if (this.list[index].touchedCount > 0) this.list[index].clear();
    }
    forgetLast();
  }

  /** @returns {{ file: string, line: number } | null} the statement executed last */
  lastPlace() {
    return this.placeOf(lastStatement[0]);
  }

  /**
   * The statement that was entered last and has not completed, among those entered after `stamp`.
   * @param {number} stamp
   * @returns {{ file: string, line: number } | null}
   */
  unfinishedPlace(stamp) {
    let latest = stamp;
    let target = -1;
    for (let at = 0; at < this.list.length; at++) {
      const { entered, count, base } = this.list[at];
      for (let index = 0; index < count; index++) {
        if (entered[index] > latest) {
          latest = entered[index];
          target = base + index;
        }
      }
    }
    return this.placeOf(target);
  }

  /** @param {number} target */
  placeOf(target) {
    const probes = target < 0 ? undefined : this.ownerOf(target);
    return probes === undefined ? null : { file: probes.path, line: probes.lines[target - probes.base] };
  }
}

/** How many statements have been entered so far. */
function stampNow() {
  return clock[0];
}

module.exports = { Files, stampNow };
