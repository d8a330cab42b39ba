'use strict';
/**
 * The statement of a resolver that gave a value. What ran last may be a function that the resolver has called, or that
 * of another field, whose promise was settled in the meantime.
 */

const { WeakMap, charCodeAt, functionText, indexOf, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');

const MAX_STATEMENTS = 200;
const ZERO = 48;
const NINE = 57;
/** How the probes of a statement begin, after the name of the handle. */
const PROBES = ['.s(', '.x('];

/** @typedef {{ path: string, statements: number[] } | null} Found */

class ResolverPlaces {
  /**
   * @param {{ placeAmong: (path: string, statements: number[]) => { file: string, line: number } | null }} files
   * @param {(text: string) => string | null} pathOf path of the instrumented text that has this function
   * @param {string} handle how the names of handles begin
   */
  constructor(files, pathOf, handle) {
    this.files = files;
    this.pathOf = pathOf;
    this.handle = handle;
    /** @type {WeakMap<Function, { found: Found }>} */
    this.known = new WeakMap();
  }

  /**
   * @param {Function} resolver
   * @returns {{ file: string, line: number } | null} null if it is no function of an instrumented text
   */
  placeIn(resolver) {
    let entry = weakMapGet(this.known, resolver);
    if (entry === undefined) {
      entry = { found: this.locate(resolver) };
      weakMapSet(this.known, resolver, entry);
    }
    return entry.found === null ? null : this.files.placeAmong(entry.found.path, entry.found.statements);
  }

  /**
   * @param {Function} resolver
   * @returns {Found}
   */
  locate(resolver) {
    const text = functionText(resolver);
    const statements = this.statementsIn(text);
    const path = statements.length === 0 ? null : this.pathOf(text);
    return path === null ? null : { path, statements };
  }

  /** @param {string} text of an instrumented function @returns {number[]} target indexes of its statements, in order */
  statementsIn(text) {
    /** @type {number[]} */
    const statements = [];
    for (let at = indexOf(text, this.handle); at >= 0; at = indexOf(text, this.handle, at + this.handle.length)) {
      const number = numberOfProbe(text, at);
      if (number >= 0 && statements.length < MAX_STATEMENTS) statements[statements.length] = number;
    }
    return statements;
  }
}

/**
 * @param {string} text
 * @param {number} at where the name of a handle begins
 * @returns {number} that of the statement whose probe begins there; -1 if it is another probe
 */
function numberOfProbe(text, at) {
  const dot = indexOf(text, '.', at);
  for (let one = 0; one < PROBES.length; one++) {
    if (dot >= 0 && indexOf(text, PROBES[one], dot) === dot) return numberAt(text, dot + PROBES[one].length);
  }
  return -1;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {number} -1 if there is no digit
 */
function numberAt(text, from) {
  let number = -1;
  for (let at = from; at < text.length; at++) {
    const code = charCodeAt(text, at);
    if (code < ZERO || code > NINE) break;
    number = (number < 0 ? 0 : number * 10) + code - ZERO;
  }
  return number;
}

module.exports = { ResolverPlaces };
