'use strict';
/** How probes tell of routes in a bundle; the room of routes, which passes them on, is above. */

const bundledRoutes = {
  /** @type {((entry: unknown) => void) | null} */
  note: null,
  /** Told the path below which all of them are served. @type {((base: unknown) => void) | null} */
  noteBase: null,
};

module.exports = { bundledRoutes };
