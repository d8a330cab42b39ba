'use strict';
/**
 * The handle `$` of one source file: what instrumented text calls (PROBES.md).
 *
 * Law: a probe answers what the plain text would have answered, runs the native operation exactly once, and adds no exception of its own.
 * Each probe begins with the shortest way out for targets that are known to be covered. One class per kind of probe, each on the one before it,
 * so that a handle is one object of one shape.
 */

const { AssignmentProbes } = require('./assignments.cjs');
const { settlePending } = require('./methods.cjs');
const { forgetLast } = require('./last.cjs');
const { clock, lastStatement } = require('./statements.cjs');

class FileProbes extends AssignmentProbes {}

module.exports = { FileProbes, clock, forgetLast, lastStatement, settlePending };
