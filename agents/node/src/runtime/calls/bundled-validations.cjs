'use strict';
/** How probes tell of schemas that were applied within a bundle; the room of validators, which knows them, is above. */

const bundledValidations = {
  /** @type {((library: string, schema: unknown, value: unknown, isValid: boolean | null) => void) | null} */
  note: null,
};

module.exports = { bundledValidations };
