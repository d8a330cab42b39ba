'use strict';
/**
 * The handle `$` of one source file, whose methods instrumented text calls (PROBES.md).
 *
 * Law: a probe returns the value of the plain text, runs the native operation exactly once, and adds no exception of
 * its own. Each probe first checks whether its targets are known to be covered, and then returns at once.
 */

const { ObjectKeys, defineProperty } = require('../../base/intrinsics.cjs');
const { assignmentProbes } = require('./assignment-probes.cjs');
const { bindProbes } = require('./bind-probes.cjs');
const { comparisonProbes } = require('./comparison-probes.cjs');
const { FileState } = require('./file-state.cjs');
const { functionProbes } = require('./function-probes.cjs');
const { givenProbes } = require('./given-probes.cjs');
const { inputProbes } = require('./input-probes.cjs');
const { keyProbes } = require('./key-probes.cjs');
const { forgetLast } = require('./last-truthness.cjs');
const { logicalProbes } = require('./logical-probes.cjs');
const { methodProbes, settlePending } = require('./method-probes.cjs');
const { nullishProbes } = require('./nullish-probes.cjs');
const { clock, lastStatement, statementProbes } = require('./statement-probes.cjs');
const { routeProbes } = require('./route-probes.cjs');
const { validatorProbes } = require('./validator-probes.cjs');
const { patternProbes } = require('./pattern-probes.cjs');
const { switchProbes } = require('./switch-probes.cjs');

/** The probes by kind. A new kind is a file and a line here. */
const KINDS = [
  statementProbes,
  keyProbes,
  comparisonProbes,
  logicalProbes,
  switchProbes,
  methodProbes,
  patternProbes,
  functionProbes,
  bindProbes,
  nullishProbes,
  assignmentProbes,
  inputProbes,
  givenProbes,
  validatorProbes,
  routeProbes,
];

/** One state with all probes as methods, so that the handles of all files are objects of one shape. */
class FileProbes extends FileState {}

for (let kind = 0; kind < KINDS.length; kind++) {
  const functions = /** @type {Record<string, unknown>} */ (KINDS[kind]);
  const names = ObjectKeys(functions);
  for (let index = 0; index < names.length; index++) {
    const value = functions[names[index]];
    defineProperty(FileProbes.prototype, names[index], {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
}

module.exports = { FileProbes, clock, forgetLast, lastStatement, settlePending };
