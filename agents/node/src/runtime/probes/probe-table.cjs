'use strict';
/** The type of tables of probes, which defines `this` in them. */

/**
 * Returns a table of probe functions of one kind, which file-probes.cjs makes methods of the handle. `this` is the
 * state of the file; the functions of the table itself and those of `uses` are methods of it, too.
 * @template T
 * @template {object} [U={}]
 * @param {T & ThisType<import('./file-state.cjs').FileState & T & U>} functions
 * @param {U} [_uses] functions of other tables that these call
 * @returns {T}
 */
function probeTable(functions, _uses) {
  return functions;
}

module.exports = { probeTable };
