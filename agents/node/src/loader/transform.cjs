'use strict';
/**
 * Returns the instrumented text and the table of a file, from the disk cache or by instrumenting. Runs in every thread.
 */

const { hashOf, keyOf } = require('../instrument/texts/text-identity.cjs');
const { tracing } = require('../concolic/running-trace.cjs');
const { instrumentAsText, movedColumns, traceAsText } = require('./instrumenter-realm.cjs');
const { DiskCache } = require('./disk-cache.cjs');

/**
 * @typedef {object} Registration the data with which a handle is opened
 * @property {string} key
 * @property {string} path
 * @property {string} hash
 * @property {string} tableText
 * @property {string} text the original
 * @property {boolean} isModule
 * @property {string} [code] only if it was instrumented in this thread
 */
/** @typedef {{code: string, registration: Registration}} Transformed */

/** Follows the key of a file whose columns are cached, rather than its code. */
const COLUMNS = '\0columns';
const NO_TARGETS = '{"targets":[],"constants":[]}';

class Transformer {
  /** @param {string | null | undefined} cacheDir */
  constructor(cacheDir) {
    this.cache = new DiskCache(cacheDir);
  }

  /**
   * @param {string} text
   * @param {string} path
   * @param {boolean} isModule
   * @returns {Transformed}
   * @throws the errors of the instrumenter
   */
  transform(text, path, isModule) {
    const hash = hashOf(text);
    const key = keyOf(hash, path);
    if (tracing !== null) {
      const code = traceAsText(text, path, isModule);
      return { code, registration: { key, path, hash, tableText: NO_TARGETS, text, isModule, code } };
    }
    let entry = this.cache.read(key, isModule);
    if (entry === undefined) {
      entry = instrumentAsText(text, path, isModule);
      this.cache.write(key, isModule, entry);
    }
    const { code, tableText } = entry;
    return { code, registration: { key, path, hash, tableText, text, isModule, code } };
  }

  /**
   * Returns where pieces of the original text stand in the instrumented one, from the disk cache or by instrumenting.
   * @param {string} text
   * @param {string} path
   * @param {boolean} isModule
   * @returns {string} for each line of both, the columns of each piece: in the instrumented text, in the original one
   */
  columnsOf(text, path, isModule) {
    const key = keyOf(hashOf(text), path) + COLUMNS;
    const known = this.cache.read(key, isModule);
    if (known !== undefined) return known.code;
    let code = '';
    const mappings = movedColumns(text, { path, isModule });
    for (let line = 0; line < mappings.length; line++) {
      const segments = mappings[line];
      if (line > 0) code += '\n';
      for (let index = 0; index < segments.length; index++) code += segments[index][0] + ' ' + segments[index][3] + ' ';
    }
    this.cache.write(key, isModule, { code, tableText: '' });
    return code;
  }
}

module.exports = { Transformer };
