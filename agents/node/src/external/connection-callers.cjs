'use strict';
/** Determines from the call stack which package opens a connection or looks up a name. */

const path = require('path');
const { regExpExec, startsWith } = require('../base/intrinsics.cjs');
const { readCallSites } = require('../base/call-sites.cjs');
const { isDatabaseDriver } = require('../base/database-packages.cjs');
const { pathOf } = require('../base/error-stacks.cjs');
const { installedPackage } = require('../base/own-files.cjs');

/** Enough for a client library that uses another one, both with frames of Node in between. */
const MAX_FRAMES = 60;
const AGENT = path.join(__dirname, '..', '..') + path.sep;
/** Node's own client -> its name for the user. */
const BUILT_IN = /^node:(?:internal\/deps\/(undici)|_(http)_client|internal\/(http2)|(?:internal\/)?(dgram))/;

/**
 * @typedef {object} Caller
 * @property {string} client the package that the program calls, else Node's own client; empty: a plain socket
 * @property {boolean} isDatabase whether a driver of a database takes part
 */

/** @returns {Caller} */
function readCaller() {
  /** @type {Caller} */
  let caller = { client: '', isDatabase: false };
  readCallSites(readCaller, MAX_FRAMES, (sites) => {
    caller = callerOf(sites);
  });
  return caller;
}

/**
 * Beyond the first frame of the program itself are those that have called it: a framework, or a driver whose callback
 * it is.
 * @param {NodeJS.CallSite[]} sites @returns {Caller}
 */
function callerOf(sites) {
  let builtIn = '';
  const caller = { client: '', isDatabase: false };
  for (let index = 0; index < sites.length; index++) {
    const name = sites[index].getFileName();
    if (typeof name !== 'string') continue;
    if (startsWith(name, 'node:')) {
      const own = regExpExec(BUILT_IN, name);
      if (own !== null && builtIn === '') builtIn = own[1] ? 'fetch' : own[2] || own[3] || own[4];
      continue;
    }
    const file = pathOf(name);
    if (startsWith(file, AGENT)) continue;
    const owner = installedPackage(file);
    if (owner === null) break;
    caller.client = owner.name;
    // Their connections stay as they are: databases have rules of their own (docs/databases.md).
    if (isDatabaseDriver(owner.name)) caller.isDatabase = true;
  }
  if (caller.client === '') caller.client = builtIn;
  return caller;
}

module.exports = { callerOf, readCaller };
