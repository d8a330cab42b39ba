'use strict';
/** Which file of which package has been loaded: replacements are known for what it exports, or it is a database's driver. */

const { endsWith, lastIndexOf, slice } = require('../intrinsics.cjs');
const { installedPackage } = require('../own-files.cjs');
const { noticeDriver } = require('../databases/drivers/index.cjs');
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
    noticeDriver(owner.name, owner.folder, path, module);
    noticeExports(owner.name, endsWith(file, '.js') ? slice(file, 0, -'.js'.length) : file, module);
  } catch {
    // What cannot be looked at is not recognised.
  }
}

module.exports = { noticeLibrary };
