'use strict';
/**
 * Where the code of packages in a bundle, or of its compiler, has expressions that are rewritten nevertheless
 * (passes/inputs/bundled-validators.cjs, passes/inputs/bundled-routes.cjs).
 */

const VALIDATIONS = /\._zod\.run\(|\bthis\._parse(?:Sync)?\(\s*\{|\["~run"\]\(\s*\{/;
const ROUTES = /\{\s*route:\s*["'`]|(?<=\.use\(\s*)[\w$]+\.app\.baseURL\b/;
const CALLS = new RegExp(`${VALIDATIONS.source}|${ROUTES.source}`, 'g');

/** @param {string} text @returns {number[]} their positions, in order */
function bundledCalls(text) {
  return Array.from(text.matchAll(CALLS), ({ index }) => index);
}

/** @param {number[]} calls @param {number} start @param {number} end @returns {boolean} whether one stands there */
function hasCallWithin(calls, start, end) {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle] < start) low = middle + 1;
    else high = middle;
  }
  return low < calls.length && calls[low] < end;
}

module.exports = { bundledCalls, hasCallWithin };
