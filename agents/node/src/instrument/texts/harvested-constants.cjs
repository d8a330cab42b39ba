'use strict';
/**
 * Strings and numbers of a file: candidates for inputs whose comparison no probe observes.
 *
 * Constants that occur in every program, and those with which no input is compared, are omitted; the others are bounded
 * in number and length.
 */

/** @typedef {import('./parse.cjs').Node} Node */
/** @typedef {[line: number, value: string | number] | [line: number, value: string | number, part: number]} Constant */

/**
 * @typedef {{ table: { parts?: [number, string][] }, placeOf(position: number): { line: number, source: string } }}
 *   Targets
 */

const MAX_CONSTANTS = 500;
/** How many of them are numbers at most, if texts take the rest: tables of parsers hold thousands of numbers. */
const LEAST_NUMBERS = 250;
const MAX_LENGTH = 100;
const USUAL_NUMBERS = new Set([0, 1, -1]);
/** A text without a letter or digit is punctuation: separators, line ends. */
const HAS_CONTENT = /[\p{L}\p{N}]/u;

class Constants {
  /** @param {Targets} targets for places */
  constructor(targets) {
    this.targets = targets;
    /** @type {Set<Node>} literals that are no candidates */
    this.skipped = new Set();
    /** @type {{position: number, value: string | number}[]} */
    this.found = [];
    /** @type {Map<string, Node[]>} name of a variable or property -> the object literals assigned to it */
    this.tables = new Map();
    /** @type {Set<string>} names of objects in which keys are looked up */
    this.asked = new Set();
  }

  /**
   * @param {number} position
   * @param {unknown} value
   */
  add(position, value) {
    if (
      typeof value === 'number'
        ? this.isTelling(value)
        : typeof value === 'string' && value.length <= MAX_LENGTH && HAS_CONTENT.test(value)
    ) {
      this.found.push({ position, value: /** @type {string | number} */ (value) });
    }
  }

  /** @param {number} value */
  isTelling(value) {
    return Number.isFinite(value) && !USUAL_NUMBERS.has(value);
  }

  /** @param {Node | null | undefined} node */
  skip(node) {
    if (node) this.skipped.add(node);
  }

  /**
   * @param {string | undefined} name
   * @param {Node} value
   */
  addTable(name, value) {
    if (name === undefined) return;
    if (!this.tables.has(name)) this.tables.set(name, []);
    this.tables.get(name)?.push(value);
  }

  /** Adds the keys of object literals if keys are looked up under their name. */
  addKeys() {
    for (const [name, literals] of this.tables) {
      if (!this.asked.has(name)) continue;
      for (const { properties } of literals) {
        for (const { type, key, computed } of properties) {
          if (type === 'Property' && !computed) this.add(key.start, key.type === 'Identifier' ? key.name : key.value);
        }
      }
    }
  }

  /** @returns {Constant[]} sorted by line; to be called after the whole text was visited */
  list() {
    this.addKeys();
    const { targets } = this;
    const parts = targets.table.parts?.map(([, path]) => path);
    /** @type {Constant[]} */
    const list = [];
    const known = new Set();
    const nTexts = this.found.filter(({ value }) => typeof value === 'string').length;
    const maxNumbers = Math.max(LEAST_NUMBERS, MAX_CONSTANTS - nTexts);
    let nNumbers = 0;
    for (const { position, value } of this.found.sort((one, other) => one.position - other.position)) {
      if (list.length === MAX_CONSTANTS) break;
      const { line, source } = targets.placeOf(position);
      const part = parts === undefined ? 0 : parts.indexOf(source);
      const name = `${line} ${part} ${typeof value} ${value}`;
      if (part < 0 || known.has(name) || (typeof value === 'number' && nNumbers >= maxNumbers)) continue;
      known.add(name);
      nNumbers += typeof value === 'number' ? 1 : 0;
      list.push(parts === undefined ? [line, value] : [line, value, part]);
    }
    return list;
  }
}

module.exports = { Constants };
