'use strict';
/** The package.json that applies to a file. */

const { dirname, join } = require('node:path');
const { parseJson, readFileSync } = require('../base/intrinsics.cjs');

/** @param {string} path of a file @returns {Record<string, any>} the package.json that applies to it; empty: none */
function nearestPackage(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      return parseJson(readFileSync(join(folder, 'package.json'), 'utf8'));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT' || folder === dirname(folder)) return {};
    }
  }
}

module.exports = { nearestPackage };
