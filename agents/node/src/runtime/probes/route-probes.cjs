'use strict';
/** The probe of routes that a compiler has written into a bundle (passes/inputs/bundled-routes.cjs). */

const { bundledRoutes } = require('../calls/routes-in-bundles.cjs');
const { probeTable } = require('./probe-table.cjs');

const routeProbes = probeTable({
  /**
   * @template T
   * @param {T} entry of the table of routes
   * @returns {T}
   */
  nr(entry) {
    const { note } = bundledRoutes;
    if (note !== null) note(entry);
    return entry;
  },

  /**
   * @template T
   * @param {T} base path of all routes
   * @returns {T}
   */
  nb(base) {
    const { noteBase } = bundledRoutes;
    if (noteBase !== null) noteBase(base);
    return base;
  },
});

module.exports = { routeProbes };
