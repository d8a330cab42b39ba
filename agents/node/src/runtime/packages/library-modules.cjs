'use strict';
/**
 * Which file of which package has been loaded: replacements are known for what it exports, it is a database's driver,
 * or it compiles schemas.
 */

const { endsWith, lastIndexOf, slice } = require('../../base/intrinsics.cjs');
const { installedPackage } = require('../../base/own-files.cjs');
const { noticePackage } = require('./tapped-packages.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { noticeExports } = require('../methods/replaced-functions.cjs');
const { noticeCompiler } = require('../schemas/ajv-validators.cjs');

/** Where ajv makes functions out of schemas. */
const AJV_COMPILER = '/dist/compile/index.js';

/**
 * @param {string} path of a CommonJS module that has run
 * @param {unknown} module Node's object
 */
function noticeLibrary(path, module) {
  try {
    const owner = installedPackage(path);
    if (owner === null) return;
    const file = slice(path, lastIndexOf(path, '/') + 1);
    if (owner.name === 'ajv' && endsWith(path, AJV_COMPILER)) {
      noticeCompiler(ownData(/** @type {object} */ (module), 'exports'));
    }
    noticePackage(owner.name, owner.folder, path, module);
    noticeExports(owner.name, endsWith(file, '.js') ? slice(file, 0, -'.js'.length) : file, module);
  } catch {
    // What cannot be looked at is not recognised.
  }
}

module.exports = { noticeLibrary };
