'use strict';
/**
 * The original texts of the files that run instrumented, for those who ask a function for its text.
 *
 * Law: nothing is parsed before somebody asks, and nothing here throws.
 */

const { indexOf, slice } = require('../intrinsics.cjs');

/** @typedef {{path: string, text: string, isModule: boolean, code?: string, functions?: Map<string, string>}} Source */

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
   * @param {Source} source
   * @param {string} functionText
   * @returns {string | undefined}
   */
  searched(source, functionText) {
    source.code ??= this.transformer.transform(source.text, source.path, source.isModule).code;
    const { code, text, isModule } = source;
    if (indexOf(code, functionText) >= 0) {
      source.functions ??= require('../instrument/functions.cjs').functionTexts(code, text, isModule);
      return source.functions.get(functionText);
    }
    // The function that Node makes of a CommonJS file: `arguments.callee` at its top.
    const at = isModule ? -1 : indexOf(functionText, code);
    return at < 0 ? undefined : slice(functionText, 0, at) + text + slice(functionText, at + code.length);
  }
}

module.exports = { Sources };
