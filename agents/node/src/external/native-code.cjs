'use strict';
/** Reports the native code that the program loads: it may connect by itself, which the core can see in its file. */

const { replaceMethod } = require('../base/patching.cjs');
const { isDatabaseDriver } = require('../base/database-packages.cjs');
const { installedPackage } = require('../base/own-files.cjs');
const { reflectApply, regExpExec } = require('../base/intrinsics.cjs');
const { reportText } = require('./reports.cjs');

/** Of databases, which have rules of their own: drivers in C, and the engine of Prisma, wherever it is copied to. */
const OF_DATABASE = /\/node_modules\/(?:libpq|odbc|ibm_db|\.?@?prisma)\/|\/(?:lib)?query_engine[\w.-]*\.node$/;

/** @param {string} folder of the mock server */
function watchNativeCode(folder) {
  replaceMethod(
    process,
    'dlopen',
    (original) =>
      /** @this {any} */ function () {
        const result = reflectApply(original, this, /** @type {any} */ (arguments));
        if (typeof arguments[1] === 'string') report(folder, arguments[1]);
        return result;
      },
    true,
  );
}

/**
 * @param {string} folder
 * @param {string} file
 */
function report(folder, file) {
  const owner = installedPackage(file);
  const isOfDatabase = regExpExec(OF_DATABASE, file) !== null || (owner !== null && isDatabaseDriver(owner.name));
  if (!isOfDatabase) reportText(folder, 'native', file);
}

module.exports = { watchNativeCode };
