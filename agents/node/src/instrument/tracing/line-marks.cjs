'use strict';
/**
 * Keeps what is written on the lines of the original, which stacks show: marks in the text stand for a line, and become
 * as many line ends as are missing there.
 *
 * A mark may stand where a line end changes nothing, that is between tokens. After words like `return` it has no
 * effect.
 */

const LINE_END = /\r\n?|[\n\u2028\u2029]/g;
/** A line end after these words ends the statement, or changes what is meant. */
const ENDED_BY_LINE = /(?:^|[^\w$.])(?:return|throw|yield|async|break|continue)\s*$/;
const LONGEST_WORD_END = 16;

/** @param {string} text @returns {number} */
const countLineEnds = (text) => text.match(LINE_END)?.length ?? 0;

class LineMarks {
  /**
   * @param {string} text the original
   * @param {string} handle a name that it does not contain
   */
  constructor(text, handle) {
    this.ends = [...text.matchAll(LINE_END)].map(({ 0: end, index }) => index + end.length);
    this.handle = handle;
  }

  /** @param {number} position in the original @returns {number} its line, from 0 */
  line(position) {
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} start @param {number} end @returns {boolean} whether both are on one line of the original */
  areOne(start, end) {
    return this.line(start) === this.line(end);
  }

  /** @param {string} code @returns {boolean} whether it begins with a parenthesis */
  isParenthesized(code) {
    let at = 0;
    while (code.startsWith(`${this.handle}@`, at)) at = code.indexOf(';', at) + 1;
    return code.startsWith('(', at);
  }

  /** @param {number} position in the original @returns {string} what follows is on its line, or below */
  mark(position) {
    return `${this.handle}@${this.line(position)};`;
  }

  /** @param {string} code @returns {string} with line ends in the place of marks */
  placed(code) {
    const parts = code.split(`${this.handle}@`);
    let placed = parts[0];
    let line = countLineEnds(placed);
    for (const part of parts.slice(1)) {
      const end = part.indexOf(';');
      const missing = Number(part.slice(0, end)) - line;
      if (missing > 0 && !ENDED_BY_LINE.test(placed.slice(-LONGEST_WORD_END))) {
        placed += '\n'.repeat(missing);
        line += missing;
      }
      const text = part.slice(end + 1);
      line += countLineEnds(text);
      placed += text;
    }
    return placed;
  }
}

module.exports = { LineMarks };
