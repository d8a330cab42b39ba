'use strict';
/**
 * The original texts of the instrumented files, used when a function is converted to its text and when places are
 * mapped.
 *
 * Law: nothing is parsed before it is needed, and nothing here throws.
 */

const { fileURLToPath, pathToFileURL } = require('node:url');
const { Number, indexOf, min, reflectApply, slice, splitText, startsWith } = require('../base/intrinsics.cjs');
const { findSourceMap, functionTexts } = require('./instrumenter-realm.cjs');

/**
 * @typedef {{path: string, text: string, isModule: boolean, code?: string, functions?: Map<string, string>, map?:
 *   SourceMap | null, columns?: string[]}} Source
 */
/** @typedef {import('../instrument/texts/source-map.cjs').SourceMap} SourceMap */

class Sources {
  /** @param {import('./transform.cjs').Transformer} transformer */
  constructor(transformer) {
    this.transformer = transformer;
    /** @type {Source[]} */
    this.list = [];
  }

  /**
   * @param {Source} source without `code` if it was instrumented in another thread; then `code` is computed from the
   *   text
   */
  add({ path, text, isModule, code }) {
    this.list[this.list.length] = { path, text, isModule, code };
  }

  /**
   * @param {string} functionText
   * @returns {string} the original text; `functionText` itself if it is of no instrumented file
   */
  originalOf(functionText) {
    try {
      for (let index = this.list.length - 1; index >= 0; index--) {
        const found = this.searched(this.list[index], functionText);
        if (found !== undefined) return found;
      }
    } catch {
      // A patched built-in threw: the wrong text is better than an exception.
    }
    return functionText;
  }

  /**
   * @param {string} functionText as it runs
   * @returns {string | null} the path of the text that was loaded last of those with this function
   */
  pathOfFunction(functionText) {
    for (let index = this.list.length - 1; index >= 0; index--) {
      if (indexOf(this.codeOf(this.list[index]), functionText) >= 0) return this.list[index].path;
    }
    return null;
  }

  /**
   * @param {string} path of an instrumented text
   * @returns {SourceMap | null} from places in the running text to places in its sources
   */
  mapOf(path) {
    const source = this.latest(path);
    if (source === null) return null;
    if (source.map === undefined) source.map = findSourceMap(this.codeOf(source), path);
    return /** @type {SourceMap | null} */ (source.map);
  }

  /** @param {string} path @returns {Source | null} the text of that file which was loaded last */
  latest(path) {
    for (let index = this.list.length - 1; index >= 0; index--) {
      if (this.list[index].path === path) return this.list[index];
    }
    return null;
  }

  /** @param {string} path @returns {string | null} */
  textOf(path) {
    const source = this.latest(path);
    return source === null ? null : source.text;
  }

  /** @param {string} path @returns {string | null} */
  runningTextOf(path) {
    const source = this.latest(path);
    return source === null ? null : this.codeOf(source);
  }

  /** @param {string} path @returns {string} as V8 names the text */
  shownNameOf(path) {
    const source = this.latest(path);
    return source !== null && source.isModule ? pathToFileURL(path).href : path;
  }

  /** @param {string} path @returns {boolean} whether Node shows the sources of this text instead of it */
  isShownMapped(path) {
    return /** @type {any} */ (process).sourceMapsEnabled === true && this.mapOf(path) !== null;
  }

  /**
   * @param {string} path
   * @param {number} line from 1
   * @param {number} column from 0, in the text as it runs
   * @returns {number} in the original text; -1 if the file is not instrumented, or if its name may be that of its
   *   source
   */
  columnOf(path, line, column) {
    const source = this.latest(path);
    const map = source === null ? null : this.mapOf(path);
    if (source === null || (map !== null && namesSource(map, path))) return -1;
    source.columns ??= split(this.transformer.columnsOf(source.text, path, source.isModule), '\n');
    return movedBack(source.columns[line - 1] ?? '', column);
  }

  /**
   * The map of an instrumented text, for packages that print stacks.
   * @param {string} place path or URL
   * @returns {object | null}
   */
  shownMapOf(place) {
    try {
      const map = this.mapOf(startsWith(place, 'file:') ? fileURLToPath(place) : place);
      return map === null
        ? null
        : { ...map.map, sources: map.paths.map((path, index) => path ?? map.map.sources[index]) };
    } catch {
      return null; // A patched built-in threw: the package then looks on disk.
    }
  }

  /** @param {Source} source @returns {string} the instrumented text */
  codeOf(source) {
    source.code ??= this.transformer.transform(source.text, source.path, source.isModule).code;
    return source.code;
  }

  /**
   * @param {Source} source
   * @param {string} functionText
   * @returns {string | undefined}
   */
  searched(source, functionText) {
    const code = this.codeOf(source);
    const { text, isModule } = source;
    if (indexOf(code, functionText) >= 0) {
      source.functions ??= functionTexts(code, text, isModule);
      return source.functions.get(functionText);
    }
    // The function that Node creates from a CommonJS file: `arguments.callee` at its top level.
    const at = isModule ? -1 : indexOf(functionText, code);
    return at < 0 ? undefined : slice(functionText, 0, at) + text + slice(functionText, at + code.length);
  }
}

/** @param {string} text @param {string} separator @returns {string[]} */
const split = (text, separator) => reflectApply(splitText, text, [separator]);

/**
 * @param {string} pieces of a line: columns in the running text, each followed by that in the original one
 * @param {number} column in the running text
 * @returns {number} in the original text; -1 before all pieces
 */
function movedBack(pieces, column) {
  let moved = -1;
  const columns = split(pieces, ' ');
  for (let index = 0; index + 1 < columns.length; index += 2) {
    const from = Number(columns[index]);
    const to = Number(columns[index + 1]);
    if (from > column) return moved < 0 ? moved : min(moved, to);
    moved = to + column - from;
  }
  return moved;
}

/** @param {SourceMap} map @param {string} path */
function namesSource({ paths }, path) {
  for (let index = 0; index < paths.length; index++) if (paths[index] === path) return true;
  return false;
}

module.exports = { Sources };
