'use strict';
/** The targets of one file, in the order in which the passes found them (protocol/README.md, PROBES.md). */

/** @typedef {[kind: string, line: number, column: number, detail: string]} Target */
/**
 * @typedef {{targets: Target[], lineOf: [number, number][], entryOf: [number, number][], endOf: [number, number][],
 *   cases: Record<string, unknown[]>, readers: [number, number][], firsts: [number, number][], calls?: Record<string,
 *   unknown[]>, names?: Record<string, string>, reads?: Read[], keyedReads?: Record<string, string>,
 *   unprobed?: Record<string, [name: string, next: string][]>,
 *   places?: Record<string, [next: string, location: string, path: string[]][]>,
 *   givenPlaces?: [next: string, path: string[]][], uses?: Uses[], constants:
 *   import('./texts/harvested-constants.cjs').Constant[], parts?: Part[], relays?: [source: string, line: number][],
 *   nexts?: [source: string, line: number][],
 *   answers?: [source: string, line: number][], tests?: [source: string, line: number, member?: string][]} & Structure}
 *   Table
 */
/**
 * @typedef {[path: string[], location: string, from?: string[] | null, after?: string[]]} Read see
 *   passes/input-reads.cjs
 */
/** @typedef {import('./texts/settled-uses.cjs').Uses} Uses */
/** @typedef {[first: number, path: string]} Part from target `first` on, places are in the source `path` */
/** @typedef {[target: number, line: number, column: number, endLine: number, endColumn: number]} Region */
/**
 * @typedef {[name: string, line: number, column: number, endLine: number, endColumn: number, part: number]}
 *   FunctionBody
 */
/** @typedef {{regions?: Region[], functions?: FunctionBody[]}} Structure see branch-regions.cjs */

const { settledUses } = require('./texts/settled-uses.cjs');

const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/g;
/** Of one statement. */
const MAX_UNPROBED = 8;
const MAX_PLACES = 16;

class TargetTable {
  /**
   * @param {string} text original text, for lines and columns
   * @param {import('./texts/source-map.cjs').SourceMap | null} [sourceMap] maps these places to the source from which
   *   the text was compiled
   */
  constructor(text, sourceMap = null) {
    this.sourceMap = sourceMap;
    /** @type {Table} */
    this.table = { targets: [], lineOf: [], entryOf: [], endOf: [], cases: {}, readers: [], firsts: [], constants: [] };
    /** @type {Map<string, Map<number, number>>} source -> line -> its target */
    this.lineTargets = new Map();
    /** The source of the latest target. */
    this.source = '';
    if (sourceMap === null) this.enterSource('');
    else {
      this.table.parts = [];
      // A single source gets its target even if no code of it runs.
      if (sourceMap.sources.length === 1) this.enterSource(sourceMap.sources[0]);
    }
    /** @type {number[]} where each line starts */
    this.lineStarts = [0];
    for (const lineBreak of text.matchAll(LINE_BREAK)) this.lineStarts.push(lineBreak.index + lineBreak[0].length);
    /** @type {Set<string>} of the targets, because a source map may give several targets the same place */
    this.names = new Set();
    /** @type {Map<string, number>} position and first detail -> first target */
    this.byPosition = new Map();
    /** @type {[position: number, target: number][]} */
    this.statements = [];
    /** @type {[position: number, name: string, next: string][]} */
    this.unprobed = [];
    /** @type {[position: number, read: [next: string, location: string, path: string[]]][]} */
    this.places = [];
    /** @type {[position: number, name: string, use: string][]} */
    this.uses = [];
    /** Where functions begin and end. @type {[start: number, end: number][]} */
    this.functions = [];
  }

  /**
   * Makes this the source of all targets that are added from now on.
   * @param {string} source
   * @returns {Map<number, number>} its lines' targets
   */
  enterSource(source) {
    const { targets, parts } = this.table;
    let lines = this.lineTargets.get(source);
    if (parts !== undefined && (parts.length === 0 || source !== this.source)) parts.push([targets.length, source]);
    this.source = source;
    if (lines !== undefined) return lines;
    lines = new Map();
    this.lineTargets.set(source, lines);
    targets.push(['file', 0, 0, '']);
    return lines;
  }

  /**
   * @param {string} kind
   * @param {number} position in the original text
   * @param {...string} details one target for each, next to each other
   * @returns {number} index of the first
   */
  add(kind, position, ...details) {
    const place = this.placeOf(position);
    const { line } = place;
    this.enterSource(place.source);
    const column = this.freeColumn(kind, place, details);
    const first = this.table.targets.length;
    this.byPosition.set(`${position} ${details[0]}`, first);
    for (const detail of details) this.table.targets.push([kind, line, column, detail]);
    return first;
  }

  /**
   * Returns a column at which the target has a unique name, because two places of a compiled text may come from one
   * place (an enum's `A || (A = {})`).
   * @param {string} kind
   * @param {import('./texts/source-map.cjs').Place} place
   * @param {string[]} details
   * @returns {number} the column, or the next one that is free
   */
  freeColumn(kind, { source, line, column }, details) {
    if (this.sourceMap === null) return column;
    let free = column;
    const nameAt = (/** @type {number} */ at) => `${kind} ${line} ${at} ${details[0]} ${source}`;
    while (this.names.has(nameAt(free))) free += 1;
    this.names.add(nameAt(free));
    return free;
  }

  /**
   * @param {number} target the first of a tracked call
   * @param {unknown[]} entry as in PROBES.md
   */
  addCall(target, entry) {
    this.table.calls ??= {};
    this.table.calls[String(target)] = entry;
  }

  /**
   * @param {number} target
   * @param {string} name of an operand
   */
  addName(target, name) {
    this.table.names ??= {};
    this.table.names[String(target)] = name;
  }

  /**
   * @param {string[]} path of the member that is read
   * @param {string} location of the input that the object holds, as far as names tell
   * @param {string[]} [from] the names that lead from a variable to the object
   * @param {string[]} [after] the names that are read of the member
   * @returns {number} its number in the file
   */
  addRead(path, location, from, after = []) {
    this.table.reads ??= [];
    if (after.length > 0) this.table.reads.push([path, location, from ?? null, after]);
    else this.table.reads.push(from === undefined ? [path, location] : [path, location, from]);
    return this.table.reads.length - 1;
  }

  /**
   * Notes a read of a member of a member that has no probe.
   * @param {number} position
   * @param {string} name of the member whose member is read
   * @param {string} next the name of that one
   */
  addUnprobedRead(position, name, next) {
    this.unprobed.push([position, name, next]);
  }

  /**
   * Notes a read of a member of a value that lies in an input.
   * @param {number} position
   * @param {string} next the name of the member, as V8 writes it; `*`: any
   * @param {string} location of the input
   * @param {string[]} path that is missing if the read fails
   */
  addPlace(position, next, location, path) {
    this.places.push([position, [next, location, path]]);
  }

  /**
   * The same of an argument that a pattern takes apart, before any statement of its function begins.
   * @param {string} next
   * @param {string[]} path
   */
  addGivenPlace(next, path) {
    this.table.givenPlaces ??= [];
    this.table.givenPlaces.push([next, path]);
  }

  /** Gives reads to the statements in which they are. */
  settleUnprobedReads() {
    const statements = this.statements.sort(([one], [other]) => one - other);
    /** @type {[number, any][]} */
    const unprobed = this.unprobed.map(([position, ...read]) => [position, read]);
    const reads = byStatement(unprobed, statements, MAX_UNPROBED);
    if (reads !== undefined) this.table.unprobed = reads;
    const places = byStatement(this.places, statements, MAX_PLACES);
    if (places !== undefined) this.table.places = places;
  }

  /**
   * @param {number} position
   * @param {string} name of a value
   * @param {string} use what the program takes the value for
   */
  addUse(position, name, use) {
    this.uses.push([position, name, use]);
  }

  /** @param {number} start @param {number} end of a function */
  addFunction(start, end) {
    this.functions.push([start, end]);
  }

  /** Gives uses to the statements of the functions that hold them, inner ones first, and of the whole file. */
  settleUses() {
    const settled = settledUses(this.statements, this.functions.reverse(), this.uses);
    if (settled.length > 0) this.table.uses = settled;
  }

  /**
   * @param {number} target of a look-up by a key that is computed
   * @param {string} location of the input that the object holds, as far as names tell
   */
  addKeyedRead(target, location) {
    this.table.keyedReads ??= {};
    this.table.keyedReads[String(target)] = location;
  }

  /**
   * @param {number} position in a call that hands on a command or a request (passes/calls/relays.cjs)
   * @param {'relays' | 'nexts'} kind
   */
  addRelay(position, kind) {
    const { source, line } = this.placeOf(position);
    const lines = (this.table[kind] ??= []);
    if (!lines.some(([of, at]) => of === source && at === line)) lines.push([source, line]);
  }

  /**
   * @param {number} position of a value that the program answers (passes/answers.cjs)
   * @returns {number} its number
   */
  addAnswer(position) {
    const { source, line } = this.placeOf(position);
    this.table.answers ??= [];
    return this.table.answers.push([source, line]) - 1;
  }

  /**
   * @param {number} position of a value that is no promise, as far as the program goes (passes/tested-promises.cjs)
   * @param {string} [member] that is read of it; without one, the program keeps only its truth
   * @returns {number} its number
   */
  addTest(position, member) {
    const { source, line } = this.placeOf(position);
    this.table.tests ??= [];
    return this.table.tests.push(member === undefined ? [source, line] : [source, line, member]) - 1;
  }

  /** @param {number} position where the statement starts */
  addStatement(position) {
    const { source, line } = this.placeOf(position);
    const lines = this.enterSource(source);
    let lineTarget = lines.get(line);
    if (lineTarget === undefined) {
      lineTarget = this.table.targets.length;
      this.table.targets.push(['line', line, 0, '']);
      lines.set(line, lineTarget);
    }
    const statement = this.add('statement', position, '');
    this.statements.push([position, statement]);
    this.table.lineOf.push([statement, lineTarget]);
    return statement;
  }

  /** @param {number} position @returns {import('./texts/source-map.cjs').Place} in the user's source */
  placeOf(position) {
    const place = this.placeInText(position);
    return this.sourceMap === null ? place : this.sourceMap.nearPlace(place.line, place.column);
  }

  /** @param {number} position @returns {import('./texts/source-map.cjs').Place} */
  placeInText(position) {
    const line = this.lineAt(position);
    return { source: '', line, column: position - this.lineStarts[line - 1] };
  }

  /**
   * Returns whether no code of a part of the text comes from the user's source.
   * @param {number} start
   * @param {number} end
   */
  isAdded(start, end) {
    return this.sourceMap !== null && !this.sourceMap.isFromSource(this.placeInText(start), this.placeInText(end));
  }

  /** @param {number} position @returns {boolean} whether code of the user's source begins there */
  startsInSource(position) {
    if (this.sourceMap === null) return true;
    const { line, column } = this.placeInText(position);
    return this.sourceMap.exactPlace(line, column) !== null;
  }

  /** @param {number} position @returns {number} from 1 */
  lineAt(position) {
    let low = 0;
    let high = this.lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle] <= position) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/**
 * @template T
 * @param {[position: number, read: T][]} reads
 * @param {[position: number, target: number][]} statements in the order of their positions
 * @param {number} most of one statement
 * @returns {Record<string, T[]> | undefined} by statement: of each read, the one that starts last before it
 */
function byStatement(reads, statements, most) {
  /** @type {Record<string, T[]>} */
  const found = {};
  let at = 0;
  for (const [position, read] of reads.sort(([one], [other]) => one - other)) {
    while (at + 1 < statements.length && statements[at + 1][0] <= position) at++;
    if (statements.length === 0 || statements[at][0] > position) continue;
    const ofStatement = (found[String(statements[at][1])] ??= []);
    if (ofStatement.length < most) ofStatement.push(read);
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

module.exports = { TargetTable };
