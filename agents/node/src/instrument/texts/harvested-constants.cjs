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
/** How many of them are numbers, if there are so many, whatever the number of texts is. */
const LEAST_NUMBERS = 100;
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
    for (const { position, value } of this.found.sort((one, other) => one.position - other.position)) {
      const { line, source } = targets.placeOf(position);
      const part = parts === undefined ? 0 : parts.indexOf(source);
      const name = `${line} ${part} ${typeof value} ${value}`;
      if (part < 0 || known.has(name)) continue;
      known.add(name);
      list.push(parts === undefined ? [line, value] : [line, value, part]);
    }
    return list.length > MAX_CONSTANTS ? mostTelling(list) : list;
  }
}

/**
 * @param {Constant[]} list sorted by line
 * @returns {Constant[]} as many as may be told: texts first, since tables of parsers hold thousands of numbers, and
 *   each value before any is told for another line
 */
function mostTelling(list) {
  const seen = new Set();
  const isFirst = list.map(([, value]) => !seen.has(value) && Boolean(seen.add(value)));
  const isText = (/** @type {number} */ index) => typeof list[index][1] === 'string';
  const indices = list.map((_, index) => index);
  const texts = indices.filter((index) => isFirst[index] && isText(index));
  const numbers = indices.filter((index) => isFirst[index] && !isText(index));
  const others = indices.filter((index) => !isFirst[index]);
  const nTexts = MAX_CONSTANTS - Math.min(LEAST_NUMBERS, numbers.length);
  const chosen = [...texts.slice(0, nTexts), ...numbers, ...others, ...texts.slice(nTexts)].slice(0, MAX_CONSTANTS);
  return chosen.sort((one, other) => one - other).map((index) => list[index]);
}

module.exports = { Constants };
