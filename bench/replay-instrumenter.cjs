'use strict';
/**
 * Instruments a library's files with istanbul: those below LIBRARY_FOLDER, without the packages in there. ISTANBUL: the
 * folder with istanbul-lib-instrument.
 */

const { sep } = require('node:path');

const { LIBRARY_FOLDER, ISTANBUL } = process.env;
const { createInstrumenter } = require(`${ISTANBUL}/node_modules/istanbul-lib-instrument`);

const root = LIBRARY_FOLDER + sep;

function isOwn(filename) {
  return filename.startsWith(root) && !filename.slice(root.length).includes(`node_modules${sep}`);
}

function instrumented(content, filename, isModule) {
  try {
    return createInstrumenter({ esModules: isModule, compact: false }).instrumentSync(content, filename);
  } catch {
    return content;
  }
}

module.exports = { instrumented, isOwn };
