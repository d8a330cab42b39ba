'use strict';
/**
 * The sources of a compiled text: the source map that a compiler or bundler left in it or beside it.
 *
 * Law: the user's sources are those that exist and were not installed by a package manager. All other code in the text
 * (helpers of the compiler, packages in a bundle) counts as added, and has no targets.
 */

const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { decode, encode } = require('@jridgewell/sourcemap-codec');

/** @typedef {{line: number, column: number, source: string}} Place line from 1, column from 0; `source` is a path */
/** @typedef {import('@jridgewell/sourcemap-codec').SourceMapMappings} Mappings */
/** @typedef {import('@jridgewell/sourcemap-codec').SourceMapSegment} Segment */

const MARK = '//# sourceMappingURL=';
const INLINE = /^data:application\/json[^,]*?(;base64)?,/;
/**
 * A helper has at least this many segments with the same place: more than a statement of the user has, but not more
 * than the shortest helper.
 */
const HELPER_SEGMENTS = 4;
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;

class SourceMap {
  /**
   * @param {Mappings} mappings
   * @param {object} about
   * @param {(string | null)[]} about.paths of the sources; null if a source is not a file
   * @param {boolean[]} about.areOwn whether each of them is the user's
   * @param {any} about.map with absolute sources
   * @param {{start: number, end: number}} about.comment its position in the text
   */
  constructor(mappings, { paths, areOwn, map, comment }) {
    this.mappings = mappings;
    this.paths = paths;
    this.areOwn = areOwn;
    this.map = map;
    this.comment = comment;
  }

  /** @returns {string[]} the user's sources */
  get sources() {
    return /** @type {string[]} */ (this.paths.filter((_, index) => this.areOwn[index]));
  }

  /** @param {Segment | undefined} segment */
  isOwn(segment) {
    return segment !== undefined && segment.length !== 1 && this.areOwn[segment[1]];
  }

  /**
   * @param {number} line of the compiled text, from 1
   * @param {number} column from 0
   * @returns {Place | null} null for code that is not the user's
   */
  exactPlace(line, column) {
    const segments = this.mappings[line - 1] ?? [];
    const segment = segments[lastAtOrBefore(segments, column)];
    return this.isOwn(segment) ? this.placeOf(segment) : null;
  }

  /**
   * As `exactPlace`, but in any source.
   * @param {number} line
   * @param {number} column
   * @returns {Place | null}
   */
  anyPlace(line, column) {
    const segments = this.mappings[line - 1] ?? [];
    const segment = segments[lastAtOrBefore(segments, column)];
    return segment === undefined || segment.length === 1 || this.paths[segment[1]] === null
      ? null
      : this.placeOf(segment);
  }

  /** @param {Segment} segment @returns {Place} */
  placeOf(segment) {
    const [, source, line, column] = /** @type {[number, number, number, number]} */ (segment);
    return { source: /** @type {string} */ (this.paths[source]), line: line + 1, column };
  }

  /**
   * Returns whether any code between two places of the compiled text comes from the user. Babel gives all code of a
   * helper one place, that of the code that required the helper.
   * @param {{line: number, column: number}} start
   * @param {{line: number, column: number}} end
   */
  isFromSource(start, end) {
    /** @type {Segment | undefined} */
    let first;
    let count = 0;
    for (let line = start.line; line <= end.line; line += 1) {
      const segments = this.mappings[line - 1] ?? [];
      const from = line === start.line ? lastAtOrBefore(segments, start.column - 1) + 1 : 0;
      for (let index = from; index < segments.length; index += 1) {
        const segment = segments[index];
        if (line === end.line && segment[0] >= end.column) break;
        if (!this.isOwn(segment)) continue;
        first ??= segment;
        if (segment[2] !== first[2] || segment[3] !== first[3]) return true;
        count += 1;
      }
    }
    return count > 0 && count < HELPER_SEGMENTS;
  }

  /**
   * As `exactPlace`, but for added code it returns the place of the preceding code.
   * @param {number} line
   * @param {number} column
   * @returns {Place}
   */
  nearPlace(line, column) {
    for (let at = line; at >= 1; at -= 1) {
      const segments = this.mappings[at - 1] ?? [];
      const last = at === line ? lastAtOrBefore(segments, column) : segments.length - 1;
      for (let index = last; index >= 0; index -= 1) {
        if (this.isOwn(segments[index])) return this.placeOf(segments[index]);
      }
    }
    return { source: this.sources[0], line: 1, column: 0 };
  }

  /**
   * Returns the map of the rewritten text, for code that prints or reads stacks with it: columns have changed, lines
   * have not.
   * @param {Mappings} moved from the rewritten text to the compiled one, at least one segment for each piece that was
   *   moved as a whole
   * @returns {string} the comment
   */
  movedComment(moved) {
    const mappings = this.mappings.map((segments, index) => movedSegments(segments, moved[index] ?? []));
    return `${MARK}data:application/json;base64,${Buffer.from(JSON.stringify({ ...this.map, mappings: encode(mappings) })).toString('base64')}`;
  }
}

/**
 * @param {Segment[]} segments of one line of the compiled text
 * @param {Segment[]} pieces of that line: where each is now, and where it was
 * @returns {Segment[]}
 */
function movedSegments(segments, pieces) {
  let at = 0;
  return segments.map((segment) => {
    while (at + 1 < pieces.length && /** @type {number} */ (pieces[at + 1][3]) <= segment[0]) at += 1;
    const [now, , , before] = pieces[at] ?? [0, 0, 0, 0];
    const column = segment[0] + now - /** @type {number} */ (before);
    return /** @type {Segment} */ ([column, ...segment.slice(1)]);
  });
}

/**
 * @param {readonly Segment[]} segments by column
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
    const base = inline ? pathToFileURL(path) : new URL(url, pathToFileURL(path));
    const content = inline
      ? decodeData(url.slice(inline[0].length), inline[1] !== undefined)
      : readFileSync(base, 'utf8');
    const map = absolute(JSON.parse(content), base);
    const paths = map.sources.map((/** @type {string} */ source) => sourcePath(source, fileURLToPath(base)));
    const home = packageOf(path);
    const areOwn = paths.map(
      (/** @type {string | null} */ source) => source !== null && packageOf(source) === home && existsSync(source),
    );
    const arePackages = paths.every(
      (/** @type {string | null} */ source) => source !== null && packageOf(source) !== home,
    );
    if (!areOwn.includes(true) && !arePackages) return null;
    return new SourceMap(decode(map.mappings), {
      paths,
      areOwn,
      map,
      comment: { start, end: start + MARK.length + url.length },
    });
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
 * Returns the map with absolute sources, resolved in the same way as Node does.
 * @param {any} map
 * @param {URL} base the base of its relative sources
 */
function absolute(map, base) {
  if (map.version !== 3 || typeof map.mappings !== 'string' || map.sources.length === 0) {
    throw new TypeError('no source map');
  }
  const root = map.sourceRoot ? map.sourceRoot.replace(/\/?$/, '/') : '';
  const sources = map.sources.map((/** @type {string | null} */ source) =>
    source === null ? null : new URL(root + source, base).href,
  );
  return { ...map, sourceRoot: '', sources };
}

/**
 * @param {string | null} source URL
 * @param {string} mapPath
 * @returns {string | null}
 */
function sourcePath(source, mapPath) {
  if (source?.startsWith('file:')) return fileURLToPath(source);
  // webpack names files relative to the folder of the project: webpack://NAME/./src/a.ts
  const inProject = /^webpack:\/\/[^/]*\/(?:\.\/)?([^?]*)/.exec(source ?? '');
  return inProject === null ? null : join(projectOf(dirname(mapPath)), decodeURIComponent(inProject[1]));
}

/** @param {string} folder @returns {string} the nearest enclosing folder with a package.json, or the folder itself */
function projectOf(folder) {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'package.json'))) return at;
  return folder;
}

/** @param {string} path @returns {string | undefined} folder of the installed package that a file belongs to */
function packageOf(path) {
  return PACKAGE.exec(path)?.[0];
}

module.exports = { SourceMap, findSourceMap };
