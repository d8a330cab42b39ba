'use strict';
/** The targets of one file, in the order in which the passes found them (protocol/README.md, PROBES.md). */

/** @typedef {[kind: string, line: number, column: number, detail: string]} Target */
/** @typedef {{targets: Target[], lineOf: [number, number][], cases: Record<string, unknown[]>}} Table */

const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/g;

class TargetTable {
  /** @param {string} text original text, for lines and columns */
  constructor(text) {
    /** @type {Table} */
    this.table = { targets: [['file', 0, 0, '']], lineOf: [], cases: {} };
    /** @type {number[]} where each line starts */
    this.lineStarts = [0];
    for (const lineBreak of text.matchAll(LINE_BREAK)) this.lineStarts.push(lineBreak.index + lineBreak[0].length);
    /** @type {Map<number, number>} line -> its target */
    this.lineTargets = new Map();
  }

  /**
   * @param {string} kind
   * @param {number} position in the original text
   * @param {...string} details one target for each, next to each other
   * @returns {number} index of the first
   */
  add(kind, position, ...details) {
    const line = this.lineAt(position);
    const column = position - this.lineStarts[line - 1];
    const first = this.table.targets.length;
    for (const detail of details) this.table.targets.push([kind, line, column, detail]);
    return first;
  }

  /** @param {number} position where the statement starts */
  addStatement(position) {
    const line = this.lineAt(position);
    let lineTarget = this.lineTargets.get(line);
    if (lineTarget === undefined) {
      lineTarget = this.table.targets.length;
      this.table.targets.push(['line', line, 0, '']);
      this.lineTargets.set(line, lineTarget);
    }
    const statement = this.add('statement', position, '');
    this.table.lineOf.push([statement, lineTarget]);
    return statement;
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

module.exports = { TargetTable };
