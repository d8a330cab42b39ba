'use strict';
/** Tells the core by name what the program uses although no mock can serve it: files in the mock server's folder. */

const { closeSync, openSync, symlinkSync } = require('../base/intrinsics.cjs');

/** The core removes the files as it reads them, after each call. */
const MAX_UNREAD = 100;

/**
 * A link holds any text, and is whole as soon as it is seen.
 * @param {string} folder
 * @param {'unix' | 'native' | 'refused'} kind
 * @param {string} text
 */
function reportText(folder, kind, text) {
  for (let number = 0; number < MAX_UNREAD; number++) {
    try {
      symlinkSync(text, folder + '/told-' + kind + '-' + process.pid + '-' + number);
      return;
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'EEXIST') return; // the core has ended
    }
  }
}

/**
 * @param {string} folder
 * @param {string} program of letters that file names have everywhere
 */
function reportProgram(folder, program) {
  try {
    closeSync(openSync(folder + '/told-program-' + program, 'a', 0o600));
  } catch {
    // The core has ended.
  }
}

module.exports = { reportText, reportProgram };
