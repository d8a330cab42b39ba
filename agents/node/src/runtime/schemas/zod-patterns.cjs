'use strict';
/**
 * Patterns that texts did not match in zod 3, whose issues omit them. Each check of a member first determines the type
 * of the value, and there schema and value can be observed together.
 *
 * Law: only own data properties are read; the program's expressions are tried on copies.
 */

const { isProxy } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { isMatching, regexParts } = require('../methods/string-methods.cjs');
const { recorder } = require('../calls/recorder.cjs');

/** Checks of one member that are read. */
const MAX_CHECKS = 20;
/** Members that are kept: an issue follows immediately after its check. */
const MAX_MEMBERS = 100;

/**
 * Path -> the pattern that its latest value did not match.
 * @type {Record<string, { source: string, flags: string }>}
 */
let missed = { __proto__: /** @type {any} */ (null) };
let count = 0;

const watchTypes = (/** @type {any} */ exports) => {
  tapMethod(exports.ZodType.prototype, '_getType', (schema, args) => {
    if (recorder.areHintsWanted && !isProxy(schema)) notice(schema, args[0]);
  });
};

/** @type {Record<string, (exports: any) => void>} */
const watchZod = {
  'v3/types.cjs': watchTypes,
  'v3/types.js': watchTypes,
  'lib/types.js': watchTypes,
  'lib/index.mjs': watchTypes,
};

/**
 * @param {any} schema
 * @param {any} input
 */
function notice(schema, input) {
  const value = ownData(input, 'data');
  const checks = typeof value === 'string' ? ownData(/** @type {object} */ (ownData(schema, '_def')), 'checks') : null;
  if (!isPlainArray(checks)) return;
  for (let index = 0; index < checks.length && index < MAX_CHECKS; index++) {
    const regex = ownData(/** @type {object} */ (ownData(checks, index)), 'regex');
    const parts = regex === undefined ? null : regexParts(regex);
    if (parts === null || isMatching(/** @type {string} */ (value), regex) !== false) continue;
    if (count++ === MAX_MEMBERS) {
      missed = { __proto__: /** @type {any} */ (null) };
      count = 1;
    }
    missed[pathText(ownData(input, 'path') ?? ownData(input, '_path')) + pathText(ownData(input, '_key'))] = parts;
    return;
  }
}

/** @param {unknown} path as libraries pass it: a part, or a list of parts */
function pathText(path) {
  if (typeof path === 'string' || typeof path === 'number') return '.' + path;
  let text = '';
  for (let at = 0; isPlainArray(path) && at < path.length; at++) {
    const part = ownData(path, at);
    if (typeof part === 'string' || typeof part === 'number') text += '.' + part;
  }
  return text;
}

/** @param {unknown} path of an issue */
function missedPattern(path) {
  return missed[pathText(path)] ?? null;
}

module.exports = { missedPattern, watchZod };
