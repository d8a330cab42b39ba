'use strict';
/** class-validator: the requirements of decorators for properties of classes, stored until they are needed. */

const { WeakMap, getPrototypeOf, isArray, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { addValidator } = require('./validator-rules.cjs');

const MAX_DEPTH = 10;

/** By class. @type {WeakMap<object, any[]>} */
const demands = new WeakMap();

const watchStorage = (/** @type {any} */ exports) => {
  tapMethod(exports.MetadataStorage.prototype, 'addValidationMetadata', (_, args) => {
    const metadata = args[0];
    const target = readData(metadata, 'target');
    if (typeof target !== 'function') return;
    const known = weakMapGet(demands, target);
    if (known === undefined) weakMapSet(demands, target, [metadata]);
    else known[known.length] = metadata;
  });
};

/** @type {Record<string, (exports: any) => void>} */
const watchClassValidator = {
  'cjs/metadata/MetadataStorage.js': watchStorage,
  'esm2015/metadata/MetadataStorage.js': watchStorage,
  'esm5/metadata/MetadataStorage.js': watchStorage,
};

/** @param {object} target a class @returns {any[]} the metadata of its own properties, as the library has it */
function demandsOf(target) {
  return weakMapGet(demands, target) ?? [];
}

/**
 * @param {import('./seen-models.cjs').Rules} rules of a property of the class; they are extended
 * @param {any} target
 * @param {string} property
 */
function addDecorators(rules, target, property) {
  let owner = target;
  for (let depth = 0; depth < MAX_DEPTH && typeof owner === 'function'; depth++) {
    const known = demandsOf(owner);
    for (let index = 0; index < known.length; index++) {
      const metadata = known[index];
      if (readData(metadata, 'propertyName') !== property || readData(metadata, 'each') === true) continue;
      const name = readData(metadata, 'name') ?? readData(metadata, 'type');
      const args = readData(metadata, 'constraints');
      if (typeof name === 'string') addValidator(rules, name, isArray(args) ? args : []);
    }
    owner = getPrototypeOf(owner);
  }
}

module.exports = { addDecorators, demandsOf, watchClassValidator };
