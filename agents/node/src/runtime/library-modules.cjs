'use strict';
/** Which file of which package has been loaded, as far as replacements are known for what it exports. */

const { endsWith, lastIndexOf, slice } = require('../intrinsics.cjs');
const { installedPackage } = require('../own-files.cjs');
const { noticeExports } = require('./methods/index.cjs');

/**
 * @param {string} path of a CommonJS module that has run
 * @param {unknown} module Node's object
 */
function noticeLibrary(path, module) {
  try {
    const owner = installedPackage(path);
    if (owner === null) return;
    const file = slice(path, lastIndexOf(path, '/') + 1);
    noticeExports(owner.name, endsWith(file, '.js') ? slice(file, 0, -'.js'.length) : file, module);
  } catch {
    // What cannot be looked at is not recognised.
  }
}

module.exports = { noticeLibrary };
