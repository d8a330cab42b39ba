'use strict';
/** The instrumented files of this process: their handles, and which file a global target id belongs to. */

const { Map, mapGet, mapSet, parseJson, slice } = require('../../base/intrinsics.cjs');
const { FileProbes, clock, forgetLast, lastStatement, settlePending } = require('../probes/file-probes.cjs');
const { takeTargets } = require('../../base/thread-memory.cjs');

/** @typedef {() => import('../../instrument/texts/source-map.cjs').SourceMap | null} LoadMap */

class Files {
  constructor() {
    /** @type {FileProbes[]} in order of their bases */
    this.list = [];
    /** @type {Map<string, FileProbes>} by path and hash */
    this.byText = new Map();
    /** @type {Map<string, FileProbes>} */
    this.byPath = new Map();
    /** @type {Map<string, LoadMap>} of compiled texts, by path */
    this.maps = new Map();
    this.isOpen = false;
  }

  /**
   * @param {string} path
   * @param {string} hash
   * @param {string} tableText JSON
   * @param {LoadMap} [loadMap] from places in the instrumented text to places in its sources
   * @returns {{ probes: FileProbes, isNew: boolean }} the same handle if the same text is loaded again
   */
  register(path, hash, tableText, loadMap) {
    const key = hash + ' ' + path;
    const known = mapGet(this.byText, key);
    if (known !== undefined) return { probes: known, isNew: false };
    const table = parseJson(tableText);
    const probes = new FileProbes(path, takeTargets(table.targets.length), table);
    this.add(probes, table, loadMap);
    mapSet(this.byText, key, probes);
    return { probes, isNew: true };
  }

  /**
   * @param {FileProbes} probes
   * @param {import('../probes/file-targets.cjs').Table} table
   * @param {LoadMap} [loadMap]
   */
  add(probes, table, loadMap) {
    const { path } = probes;
    let at = this.list.length;
    // Workers take target numbers, too, and their files are registered later.
    for (; at > 0 && this.list[at - 1].base > probes.base; at--) this.list[at] = this.list[at - 1];
    this.list[at] = probes;
    mapSet(this.byPath, path, probes);
    for (let part = 0; part < probes.parts.length; part++) mapSet(this.byPath, probes.parts[part][1], probes);
    if (table.parts !== undefined && loadMap !== undefined) mapSet(this.maps, path, loadMap);
  }

  /**
   * @param {string} path
   * @returns {boolean | undefined} whether it is the user's source; undefined if no text of it was loaded
   */
  isSource(path) {
    const probes = mapGet(this.byPath, path);
    return probes === undefined ? undefined : probes.isSource(path);
  }

  /**
   * Returns whether a line of a source only hands on a command that its function got.
   * @param {string} path
   * @param {number} line
   */
  isRelay(path, line) {
    const probes = mapGet(this.byPath, path);
    return probes !== undefined && probes.isRelay(path, line);
  }

  /**
   * Returns whether a line of a middleware hands on the request: what comes back from there is not its own.
   * @param {string} path
   * @param {number} line
   */
  isNext(path, line) {
    const probes = mapGet(this.byPath, path);
    return probes !== undefined && probes.isNext(path, line);
  }

  /**
   * @param {string} file path of a loaded text
   * @param {number} line from 1
   * @param {number} column from 1
   * @returns {{ file: string, line: number, column: number } | null} the corresponding
   *   place in its source
   */
  originalPlace(file, line, column) {
    const loadMap = mapGet(this.maps, file);
    return loadMap === undefined ? null : originalPlaceBy(loadMap, line, column);
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
   * Sets whether covered targets report again.
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
    settlePending();
    let text = '';
    for (let index = 0; index < this.list.length; index++) {
      const probes = this.list[index];
      if (probes.touchedCount > 0) text += probes.resultText(isFull);
    }
    return '[' + slice(text, 1) + ']';
  }

  clear() {
    for (let index = 0; index < this.list.length; index++) {
      const probes = this.list[index];
      if (probes.touchedCount > 0 || probes.changedCount > 0) probes.clear();
    }
    forgetLast();
  }

  /** @returns {{ file: string, line: number } | null} the statement executed last */
  lastPlace() {
    return this.placeOf(lastStatement[0]);
  }

  /**
   * Returns the statement that has called a function which has just been entered. It is mostly the one executed last,
   * unless that has completed: then the same as `unfinishedPlace`, which looks at all statements.
   * @param {number} stamp after which it was entered
   * @returns {{ file: string, line: number } | null}
   */
  callingPlace(stamp) {
    const target = lastStatement[0];
    const probes = target < 0 ? undefined : this.ownerOf(target);
    const isRunning = probes !== undefined && probes.entered[target - probes.base] > stamp;
    return isRunning ? this.placeOf(target) : this.unfinishedPlace(stamp);
  }

  /**
   * Returns the statement that was entered last and has not completed, among those entered after `stamp`, unless it
   * hands on the request.
   * @param {number} stamp
   * @param {number} [until] stamp after which they were not entered
   * @returns {{ file: string, line: number } | null}
   */
  unfinishedPlace(stamp, until = Infinity) {
    let latest = stamp;
    /** @type {{ file: string, line: number } | null} */
    let found = null;
    for (let at = 0; at < this.list.length; at++) {
      const { entered, count, base } = this.list[at];
      for (let index = 0; index < count; index++) {
        if (entered[index] <= latest || entered[index] > until) continue;
        const place = this.placeOf(base + index);
        if (place === null || this.isNext(place.file, place.line)) continue;
        latest = entered[index];
        found = place;
      }
    }
    return found;
  }

  /**
   * The same, without statements that only hand on a command that their function got.
   * @param {number} stamp
   * @returns {{ file: string, line: number } | null}
   */
  unfinishedCaller(stamp) {
    let latest = stamp;
    /** @type {{ file: string, line: number } | null} */
    let found = null;
    for (let at = 0; at < this.list.length; at++) {
      const { entered, count, base } = this.list[at];
      for (let index = 0; index < count; index++) {
        if (entered[index] <= latest) continue;
        const place = this.placeOf(base + index);
        if (place === null || this.isRelay(place.file, place.line)) continue;
        latest = entered[index];
        found = place;
      }
    }
    return found;
  }

  /**
   * Returns, of some statements of a file, the one that was executed last in the SUT; else the last one in their order
   * that ran in this evaluation, or the last one.
   * @param {string} path
   * @param {number[]} statements target indexes within the file, at least one
   * @returns {{ file: string, line: number } | null}
   */
  placeAmong(path, statements) {
    const probes = mapGet(this.byPath, path);
    if (probes === undefined) return null;
    let found = -1;
    for (let at = 0; at < statements.length; at++) {
      const index = statements[at];
      if (probes.base + index === lastStatement[0]) return this.lastPlace();
      if (found < 0 || probes.state[index] > 0) found = index;
    }
    const hasRun = probes.state[found] > 0;
    return this.placeOf(probes.base + (hasRun ? found : statements[statements.length - 1]));
  }

  /** @param {number} target */
  placeOf(target) {
    const probes = target < 0 ? undefined : this.ownerOf(target);
    return probes === undefined
      ? null
      : { file: probes.sourceOf(target - probes.base), line: probes.lines[target - probes.base] };
  }
}

/**
 * @param {LoadMap} loadMap of a compiled text
 * @param {number} line from 1
 * @param {number} column from 1
 * @returns {{ file: string, line: number, column: number } | null} the corresponding
 *   place in its source
 */
function originalPlaceBy(loadMap, line, column) {
  try {
    const map = loadMap();
    const place = map === null ? null : map.anyPlace(line, column - 1);
    return place === null ? null : { file: place.source, line: place.line, column: place.column + 1 };
  } catch {
    return null; // a built-in that the SUT has broken
  }
}

/** Returns how many statements have been entered so far. */
function stampNow() {
  return clock[0];
}

module.exports = { Files, originalPlaceBy, stampNow };
