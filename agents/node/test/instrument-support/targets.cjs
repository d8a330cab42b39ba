'use strict';
/** Runs a CommonJS text with the probes of the runtime, and tells the h of each of its targets. */

const vm = require('node:vm');
const { instrument } = require('../../src/instrument/instrument.cjs');
const { FileProbes } = require('../../src/runtime/probes/file-probes.cjs');
const { clearRecorder, recorder } = require('../../src/runtime/calls/recorder.cjs');
const { keptHints } = require('../support/hints.cjs');

/**
 * @param {string} text
 * @param {Record<string, unknown>} [scope] values for its free names
 * @returns {Promise<any>} a list of targets with index, kind, line, column, detail and h, after the turn that the text
 *   takes; `again()` reads them anew
 */
async function targetsAfter(text, scope = {}) {
  const { code, table } = instrument(text, { path: '/sut/file.js', isModule: false });
  clearRecorder();
  recorder.areHintsWanted = true;
  const probes = new FileProbes('/sut/file.js', 0, table);
  const module = { exports: {} };
  const names = ['module', '__wimble_open__', ...Object.keys(scope)];
  const values = [module, () => probes, ...Object.values(scope)];
  vm.compileFunction(code, names, { filename: '/sut/file.js' })(...values);
  await new Promise(setImmediate);
  const read = () => {
    const list = table.targets.map(([kind, line, column, detail], index) => ({
      index,
      kind,
      line,
      column,
      detail,
      h: probes.best[index],
    }));
    list.sort((a, b) => a.line - b.line || a.column - b.column || a.index - b.index);
    const hints = keptHints(recorder);
    return Object.assign(list, { probes, exports: module.exports, again: read, code, hints });
  };
  return read();
}

module.exports = { targetsAfter };
