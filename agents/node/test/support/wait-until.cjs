'use strict';
/** Waits for a condition of which no event tells. */

const POLL_MS = 5;
const TIMEOUT_MS = 20_000;

/** @param {() => unknown} condition asked every few milliseconds until it is true; rejects after 20 seconds */
async function waitUntil(condition) {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

module.exports = { waitUntil };
