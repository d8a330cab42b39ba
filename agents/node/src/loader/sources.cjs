'use strict';
/**
 * The original texts of the files that run instrumented, for those who ask a function for its text.
 *
 * Law: nothing is parsed before somebody asks, and nothing here throws.
 */

const { fileURLToPath } = require('node:url');
const { indexOf, slice, startsWith } = require('../intrinsics.cjs');
const { findSourceMap, functionTexts } = require('../own-realm.cjs');

/** @typedef {{path: string, text: string, isModule: boolean, code?: string, functions?: Map<string, string>, map?: SourceMap | null}} Source */
/** @typedef {import('../instrument/source-map.cjs').SourceMap} SourceMap */

class Sources {
  /** @param {import('./transform.cjs').Transformer} transformer */
  constructor(transformer) {
    this.transformer = transformer;
    /** @type {Source[]} */
    this.list = [];
  }

  /** @param {Source} source without `code` where it was instrumented in another thread; the text gives it again */
  add({ path, text, isModule, code }) {
    this.list[this.list.length] = { path, text, isModule, code };
  }

  /**
   * @param {string} functionText
   * @returns {string} the original one; the same, where it is of no instrumented file
   */
  originalOf(functionText) {
    try {
      for (let index = this.list.length - 1; index >= 0; index--) {
        const found = this.searched(this.list[index], functionText);
        if (found !== undefined) return found;
      }
    } catch {
      // Patched built-ins: better the wrong text than an exception.
    }
    return functionText;
  }

  /**
   * @param {string} path of an instrumented text
   * @returns {SourceMap | null} from the places of that text, as it runs, to its sources
   */
  mapOf(path) {
    for (let index = this.list.length - 1; index >= 0; index--) {
      const source = this.list[index];
      if (source.path !== path) continue;
      if (source.map === undefined) source.map = findSourceMap(this.codeOf(source), path);
      return /** @type {SourceMap | null} */ (source.map);
    }
    return null;
  }

  /**
   * For those who print stacks: the map of an instrumented text.
   * @param {string} place path or URL
   * @returns {object | null}
   */
  shownMapOf(place) {
    try {
      const map = this.mapOf(startsWith(place, 'file:') ? fileURLToPath(place) : place);
      return map === null ? null : { ...map.map, sources: map.paths.map((path, index) => path ?? map.map.sources[index]) };
    } catch {
      return null; // Patched built-ins: then it looks on disk.
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
    // The function that Node makes of a CommonJS file: `arguments.callee` at its top.
    const at = isModule ? -1 : indexOf(functionText, code);
    return at < 0 ? undefined : slice(functionText, 0, at) + text + slice(functionText, at + code.length);
  }
}

module.exports = { Sources };
