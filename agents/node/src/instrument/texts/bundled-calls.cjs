'use strict';
/** Where the code of packages in a bundle has calls that are rewritten nevertheless (passes/bundled-validators.cjs). */

const CALLS = /\._zod\.run\(|\bthis\._parse(?:Sync)?\(\s*\{|\["~run"\]\(\s*\{/g;

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
