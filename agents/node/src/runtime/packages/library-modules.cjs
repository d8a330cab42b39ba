'use strict';
/**
 * Recognises loaded files of packages: files whose exports have replacements, drivers of databases, and compilers of
 * schemas.
 */

const { endsWith, lastIndexOf, slice } = require('../../base/intrinsics.cjs');
const { installedPackage } = require('../../base/own-files.cjs');
const { noticePackage } = require('./tapped-packages.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { noticeExports } = require('../methods/replaced-functions.cjs');
const { noticeCompiler } = require('../schemas/ajv-validators.cjs');

/** The file in which ajv compiles schemas to functions. */
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
    // A module that cannot be inspected is not recognised.
  }
}

module.exports = { noticeLibrary };
