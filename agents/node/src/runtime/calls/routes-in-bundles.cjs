'use strict';
/** How probes tell of routes that a compiler has written into a bundle; the room of routes, which tells them, is above. */

const bundledRoutes = {
  /** @type {((entry: unknown) => void) | null} */
  note: null,
  /** Told the path below which all of them are served. @type {((base: unknown) => void) | null} */
  noteBase: null,
};

module.exports = { bundledRoutes };
