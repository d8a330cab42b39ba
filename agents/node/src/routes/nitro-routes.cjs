'use strict';
/**
 * Nitro, which Nuxt builds on: files of the project are routes. Its compiler writes them into a table of the bundle,
 * each entry of which is told when the program builds it.
 */

const { toUpperCase } = require('../base/intrinsics.cjs');
const { ownData } = require('../base/data-properties.cjs');
const { bundledRoutes } = require('../runtime/calls/routes-in-bundles.cjs');
const { addReader, isObject, noteChange, pathParts, registeredAt } = require('./found-routes.cjs');

/** @typedef {{ path: string, method: string }} Entry method: empty: any */

const MAX_ENTRIES = 20_000;

/** @type {Entry[]} */
const entries = [];
let base = '/';

bundledRoutes.note = (/** @type {unknown} */ entry) => {
  if (!isObject(entry) || ownData(entry, 'middleware') === true || entries.length >= MAX_ENTRIES) return;
  const path = ownData(entry, 'route');
  const method = ownData(entry, 'method');
  if (typeof path !== 'string' || path === '') return;
  entries[entries.length] = { path, method: typeof method === 'string' ? toUpperCase(method) : '' };
  noteChange();
};

bundledRoutes.noteBase = (/** @type {unknown} */ path) => {
  if (typeof path !== 'string' || path === base) return;
  base = path;
  noteChange();
};

addReader((add) => {
  for (let index = 0; index < entries.length; index++) {
    const { path, method } = entries[index];
    add({
      framework: 'nitro',
      methods: method === '' ? [] : [method],
      path: [...pathParts(base), ...pathParts(path)],
      ...registeredAt({ file: '', line: 0, package: '' }),
      port: null,
      requires: {},
    });
  }
});
