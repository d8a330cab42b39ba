'use strict';
/**
 * Determines which line of the program sends a request to a service: the innermost frame of its own files, also beyond
 * an `await` and a `then`, as far as V8 keeps them, without functions that only hand a request on.
 *
 * Where a client sends it from an event (a pool, a redirect, a retry), there is no such frame: then it is the statement
 * of the call that waits.
 */

const { readCallSites } = require('../base/call-sites.cjs');
const { AGENT_FOLDER, pathOf } = require('../base/error-stacks.cjs');
const { regExpExec, startsWith } = require('../base/intrinsics.cjs');
const { recorder } = require('../runtime/calls/recorder.cjs');

/** Enough for the program's frame behind those of most clients; to read more takes longer than to send a request. */
const FEW_FRAMES = 16;
/** Enough for the program's frames behind those of a client with interceptors and retries. */
const MAX_FRAMES = 60;
/** Enough for those of a method that is tapped, and one more. */
const MAX_AGENT_FRAMES = 10;

/** @typedef {{ file: string, line: number }} Place */

const context = {
  /** Whether a file is the program's own. @type {((path: string) => boolean) | null} null: nobody asks for places */
  isOwn: null,
  /** The place in the user's source. @type {(file: string, line: number, column: number) => Place | null} */
  originalPlace: () => null,
  /** Whether a line only hands on what its function got. @type {(file: string, line: number) => boolean} */
  isRelay: () => false,
  /** The statement entered last, after a stamp, that has not completed. @type {(stamp: number) => Place | null} */
  unfinishedPlace: () => null,
};

/**
 * @param {Function} above the frames of this function and of the functions that it called are omitted
 * @param {boolean} isNewest whether the newest call sends the request
 * @returns {string} `file:line`; empty if it is not known
 */
function siteAbove(above, isNewest) {
  if (context.isOwn === null) return '';
  const near = placeAbove(above, FEW_FRAMES);
  let { place } = near.isWhole ? near : placeAbove(above, MAX_FRAMES);
  const { record } = recorder;
  if (place === null && isNewest && record !== null) place = context.unfinishedPlace(record.startStamp);
  return place === null ? '' : place.file + ':' + place.line;
}

/**
 * @param {Function} above
 * @param {number} limit
 * @returns {{ place: Place | null, isWhole: boolean }} isWhole: more frames would tell nothing else
 */
function placeAbove(above, limit) {
  let found = { place: /** @type {Place | null} */ (null), isWhole: true };
  readCallSites(above, limit, (sites) => {
    found = ownPlace(sites);
    if (sites.length < limit) found.isWhole = true;
  });
  return found;
}

/** @param {NodeJS.CallSite[]} sites @returns {{ place: Place | null, isWhole: boolean }} */
function ownPlace(sites) {
  /** @type {Place | null} */
  let relay = null;
  for (let index = 0; index < sites.length; index++) {
    const name = sites[index].getFileName();
    if (typeof name !== 'string' || startsWith(name, 'node:')) continue;
    const file = pathOf(name);
    if (!(/** @type {NonNullable<typeof context.isOwn>} */ (context.isOwn)(file))) continue;
    const line = sites[index].getLineNumber() || 0;
    const place = context.originalPlace(file, line, sites[index].getColumnNumber() || 1) || { file, line };
    if (!context.isRelay(place.file, place.line)) return { place, isWhole: true };
    if (relay === null) relay = place;
  }
  return { place: relay, isWhole: false };
}

/**
 * @param {Function} above as of `siteAbove`
 * @param {RegExp} file
 * @returns {boolean} whether the innermost caller, apart from the agent, is in such a file
 */
function isCalledBy(above, file) {
  let isCalled = false;
  readCallSites(above, MAX_AGENT_FRAMES, (sites) => {
    for (let index = 0; index < sites.length; index++) {
      const name = sites[index].getFileName();
      if (typeof name !== 'string' || startsWith(pathOf(name), AGENT_FOLDER)) continue;
      isCalled = regExpExec(file, name) !== null;
      return;
    }
  });
  return isCalled;
}

module.exports = { context, isCalledBy, siteAbove };
