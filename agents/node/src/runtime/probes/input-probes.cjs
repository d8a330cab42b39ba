'use strict';
/** Probes of reads that may be inputs of a call (passes/input-reads.cjs): only a read that finds nothing costs more. */

const { ObjectCreate, hasOwn, isArray, isProxy } = require('../../base/intrinsics.cjs');
const { isPlainArray, readData } = require('../../base/data-properties.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { noteParsed, placeOf, placeOfText } = require('../answers/parsed-answers.cjs');
const { callerOf, relay } = require('../errors/handed-on-answers.cjs');
const { noteRead } = require('../errors/missing-awaits.cjs');
const { noteSent } = require('../errors/sent-values.cjs');
const { recorder } = require('../calls/recorder.cjs');
const {
  isInCall,
  noteAsked,
  noteMissing,
  noteNoList,
  noteParsedText,
  noteUpload,
} = require('../inputs/missing-inputs.cjs');
const { probeTable } = require('./probe-table.cjs');

const { last: lastStatement } = memory;

/** Reads of one place that are reported, by process; after that, one in RARELY is. */
const MANY = 300;
const RARELY = 32;
/** Times that the answer of one place is searched before only one in RARELY is. */
const OFTEN_ANSWERED = 20;
/** Members that one call picks. */
const MAX_PICKED = 40;

const inputProbes = probeTable({
  /**
   * @template T
   * @param {number} n
   * @param {T} object whose member is about to be read
   * @returns {T}
   */
  xo(n, object) {
    this.readObject = object;
    if (object === undefined || object === null) this.missing(n, undefined);
    return object;
  },

  /**
   * The same for an index.
   * @template T
   * @param {number} n
   * @param {T} object
   * @returns {T}
   */
  xi(n, object) {
    this.readObject = object;
    if (object === undefined || object === null || typeof object === 'string') {
      this.missing(n, object === null ? undefined : object);
    }
    return object;
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} value of the member
   * @returns {T}
   */
  xv(n, value) {
    if (value === undefined) {
      noteRead(this.readObject, this.reads[n][0][0], this.path);
      this.missing(n, this.readObject);
    }
    return value;
  },

  /**
   * The default of a member that is not there, in a pattern.
   * @param {number} n
   * @param {unknown} [root] the variable from which the object is read
   * @returns {undefined}
   */
  xd(n, root) {
    this.missing(n, root === undefined || root === null ? undefined : this.heldAt(n, root));
    return undefined;
  },

  /**
   * The first member of a pattern, once its name is bound.
   * @param {number} n
   * @param {unknown} value
   * @param {unknown} [root]
   */
  xc(n, value, root) {
    if (value === undefined) this.xd(n, root);
  },

  /**
   * A chain that may have ended early, where nothing fails.
   * @template T
   * @param {number} n
   * @param {T} value
   * @returns {T}
   */
  xu(n, value) {
    if (value === undefined && this.mayReport(n)) noteAsked(lastStatement[0], this.reads[n][0], this.reads[n][1]);
    return value;
  },

  /**
   * The list that a loop is about to go through.
   * @param {number} n
   * @param {unknown} root
   */
  xl(n, root) {
    const object = root === undefined || root === null ? undefined : this.heldAt(n, root);
    const isObject = typeof object === 'object' && object !== null;
    if (isObject && (isProxy(object) || hasOwn(object, this.reads[n][0][0]))) return;
    this.missing(n, isObject ? object : undefined);
  },

  /**
   * What the program asks whether it is a list.
   * @template T
   * @param {number} n
   * @param {T} value
   * @returns {T}
   */
  xw(n, value) {
    if (isArray(value)) return value;
    const read = this.reads[n];
    const isObject = typeof value === 'object' && value !== null;
    if ((isObject || read[1] !== '') && this.mayReport(n)) noteNoList(lastStatement[0], read[0][0], read[1], value);
    return value;
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} name by which the program asks for an input
   * @returns {T}
   */
  xa(n, name) {
    const read = this.reads[n];
    if (read.length > 2) noteUpload(read[0][0]);
    else if (this.mayReport(n)) noteAsked(lastStatement[0], read[0], read[1]);
    return name;
  },

  /**
   * The object of which members are picked.
   * @template T
   * @param {number} n
   * @param {T} object
   * @returns {T}
   */
  xs(n, object) {
    this.pickedFrom = object;
    return object;
  },

  /**
   * Names of members that are picked: a text, or a list of texts.
   * @template T
   * @param {number} n
   * @param {T} names
   * @returns {T}
   */
  xp(n, names) {
    if (!this.mayReport(n)) return names;
    const list = isPlainArray(names) ? names : [names];
    for (let at = 0; at < list.length && at < MAX_PICKED; at++) this.notePicked(n, list[at]);
    return names;
  },

  /**
   * @param {number} n
   * @param {unknown} name
   */
  notePicked(n, name) {
    const object = /** @type {any} */ (this.pickedFrom);
    const isObject = typeof object === 'object' && object !== null;
    if (typeof name !== 'string' || name === '' || (isObject && (isProxy(object) || hasOwn(object, name)))) return;
    noteMissing(lastStatement[0], [name], this.reads[n][1], isObject ? object : undefined);
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} value that the program answers
   * @returns {T}
   */
  ua(n, value) {
    if (recorder.isFull || this.isLookedAt(n)) {
      const at = this.answers[n];
      const place = { file: at[0] === '' ? this.path : at[0], line: at[1] };
      // Who has called a function that answers with what it got is only known where everything is looked at.
      if (recorder.isFull || !relay.isRelay(place.file, place.line)) noteSent(value, true, callerOf(place));
    }
    return value;
  },

  /** Whether an answer is searched in evaluations that do not look at everything. @param {number} n */
  isLookedAt(n) {
    if (recorder.record === null) return false;
    const count = this.timesAnswered[n]++;
    return count < OFTEN_ANSWERED || count % RARELY === 0;
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} text that is about to be parsed
   * @returns {T}
   */
  pt(n, text) {
    // A client that parses JSON whatever is asked for hands a document to the program's own parser.
    const place = placeOfText(text) ?? placeOf(text);
    if (place === undefined) {
      if (this.parsing !== null) this.parsing[n] = undefined; // of a parser that has thrown
      return text;
    }
    this.parsing ??= ObjectCreate(null);
    /** @type {Record<number, any>} */ (this.parsing)[n] = place;
    if (place.path.length === 0 && isInCall()) noteParsedText(lastStatement[0], place.ids);
    return text;
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} value that the parser has made of it
   * @returns {T}
   */
  pr(n, value) {
    if (this.parsing === null) return value;
    const place = this.parsing[n];
    if (place !== undefined && typeof value === 'object' && value !== null) {
      this.parsing[n] = undefined;
      noteParsed(value, place);
    }
    return value;
  },

  /**
   * @param {number} n
   * @param {unknown} object
   */
  missing(n, object) {
    if (!this.mayReport(n)) return;
    const read = this.reads[n];
    if (object !== undefined || read[1] !== '') noteMissing(lastStatement[0], read[0], read[1], object, read[3]);
  },

  /** @param {number} n @returns {boolean} */
  mayReport(n) {
    if (!isInCall()) return false;
    const count = this.misses[n];
    if (count > MANY && count % RARELY !== 0) {
      this.misses[n]++;
      return false;
    }
    this.misses[n]++;
    return true;
  },

  /**
   * @param {number} n
   * @param {unknown} root
   * @returns {unknown} the object that a path of data properties leads to; undefined if there is a getter
   */
  heldAt(n, root) {
    const path = this.reads[n][2];
    let object = /** @type {any} */ (root);
    for (let at = 0; path && at < path.length; at++) {
      if (typeof object !== 'object' || object === null) return undefined;
      object = readData(object, path[at]);
    }
    return object;
  },
});

module.exports = { inputProbes };
