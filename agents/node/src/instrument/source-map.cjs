'use strict';
/**
 * Where a compiled text came from: the source map that a compiler left in it or beside it.
 *
 * Used for texts that one source was compiled to; what bundlers make of many is reported as it is.
 */

const { existsSync, readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');
const { fileURLToPath } = require('node:url');
const { decode, encode } = require('@jridgewell/sourcemap-codec');

/** @typedef {{line: number, column: number}} Place line from 1, column from 0 */
/** @typedef {import('@jridgewell/sourcemap-codec').SourceMapMappings} Mappings */

const MARK = '//# sourceMappingURL=';
const INLINE = /^data:application\/json[^,]*?(;base64)?,/;

class SourceMap {
  /**
   * @param {Mappings} mappings
   * @param {{path: string, map: any, comment: {start: number, end: number} | null}} about `comment`: where an inline map stands
   */
  constructor(mappings, { path, map, comment }) {
    this.mappings = mappings;
    this.path = path;
    this.map = map;
    this.comment = comment;
  }

  /**
   * @param {number} line of the compiled text, from 1
   * @param {number} column from 0
   * @returns {Place | null} null for code that the compiler added
   */
  exactPlace(line, column) {
    const segments = this.mappings[line - 1] ?? [];
    const segment = segments[lastAtOrBefore(segments, column)];
    return segment === undefined || segment.length === 1 ? null : { line: segment[2] + 1, column: segment[3] };
  }

  /**
   * Does anything between two places of the compiled text come from the source?
   * @param {Place} start
   * @param {Place} end
   */
  isFromSource(start, end) {
    for (let line = start.line; line <= end.line; line += 1) {
      const segments = this.mappings[line - 1] ?? [];
      const from = line === start.line ? lastAtOrBefore(segments, start.column - 1) + 1 : 0;
      for (let index = from; index < segments.length; index += 1) {
        if (line === end.line && segments[index][0] >= end.column) break;
        if (segments[index].length !== 1) return true;
      }
    }
    return false;
  }

  /**
   * As `exactPlace`, but for added code the place of what stands before it.
   * @param {number} line
   * @param {number} column
   * @returns {Place}
   */
  nearPlace(line, column) {
    const place = this.exactPlace(line, column);
    if (place !== null) return place;
    for (let at = line; at >= 1; at -= 1) {
      for (const segment of [...(this.mappings[at - 1] ?? [])].reverse()) {
        if (segment.length !== 1 && (at < line || segment[0] <= column)) return { line: segment[2] + 1, column: segment[3] };
      }
    }
    return { line: 1, column: 0 };
  }

  /** @returns {number[]} for each line of the compiled text, the line that it began as */
  originalLines() {
    return this.mappings.map((segments, index) => {
      for (const segment of segments) if (segment.length !== 1) return segment[2] + 1;
      return this.nearPlace(index + 1, 0).line;
    });
  }

  /**
   * The inline map of the text after it was rewritten, for whoever prints stacks with it: columns have moved.
   * @param {Mappings} moved from the rewritten text to the compiled one
   * @returns {string} the comment
   */
  movedComment(moved) {
    const mappings = moved.map((segments) => {
      /** @type {import('@jridgewell/sourcemap-codec').SourceMapSegment[]} */
      const kept = [];
      for (const segment of segments) {
        if (segment.length === 1) continue;
        const place = this.exactPlace(segment[2] + 1, segment[3]);
        if (place !== null) kept.push([segment[0], 0, place.line - 1, place.column]);
      }
      return kept;
    });
    const map = { ...this.map, names: [], mappings: encode(mappings) };
    return `${MARK}data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  }
}

/**
 * @param {readonly import('@jridgewell/sourcemap-codec').SourceMapSegment[]} segments by column
 * @param {number} column
 * @returns {number} -1 where there is none
 */
function lastAtOrBefore(segments, column) {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle][0] <= column) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * @param {string} text compiled
 * @param {string} path where it was loaded from
 * @returns {SourceMap | null} null where there is none that can be used
 */
function findSourceMap(text, path) {
  try {
    const start = text.lastIndexOf(MARK);
    if (start < 0) return null;
    const [url] = text.slice(start + MARK.length).split(/\s/, 1);
    const inline = INLINE.exec(url);
    const mapPath = inline ? path : resolve(dirname(path), url);
    const content = inline ? decodeData(url.slice(inline[0].length), inline[1] !== undefined) : readFileSync(mapPath, 'utf8');
    const map = JSON.parse(content);
    if (map.version !== 3 || !Array.isArray(map.sources) || map.sources.length !== 1 || typeof map.mappings !== 'string') return null;
    const source = sourcePath(map, mapPath);
    if (!existsSync(source)) return null;
    const comment = inline ? { start, end: start + MARK.length + url.length } : null;
    return new SourceMap(decode(map.mappings), { path: source, map, comment });
  } catch {
    return null; // damaged, or gone
  }
}

/**
 * @param {string} data
 * @param {boolean} isBase64
 */
function decodeData(data, isBase64) {
  return isBase64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
}

/**
 * @param {{sourceRoot?: string, sources: string[]}} map
 * @param {string} mapPath what its paths are relative to
 */
function sourcePath({ sourceRoot, sources: [source] }, mapPath) {
  if (source.startsWith('file:')) return fileURLToPath(source);
  const root = sourceRoot?.startsWith('file:') ? fileURLToPath(sourceRoot) : (sourceRoot ?? '');
  return resolve(dirname(mapPath), root, source);
}

module.exports = { SourceMap, findSourceMap };
