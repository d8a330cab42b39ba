'use strict';
/** Determines from the call stack who sets a timer: a file of the program's own, or a library. */

const { functionText, lastIndexOf, slice, startsWith } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { readCallSites } = require('../../base/call-sites.cjs');
const { isDatabaseDriver } = require('../../base/database-packages.cjs');
const { installedPackage } = require('../../base/own-files.cjs');
const { AGENT_FOLDER, pathOf } = require('../../base/error-stacks.cjs');

/** Without the agent's packages, which a program under test may use as well. */
const AGENT_SOURCES = AGENT_FOLDER + 'src/';
const MAX_FRAMES = 12;
const SEGMENT = '/node_modules/';
/** Where Node keeps the packages that it brings along, such as the client behind `fetch`. */
const BUNDLED = 'node:internal/deps/';
/** Packages that manage schedules: their timers always belong to a job. */
const SCHEDULERS = [
  'node-cron',
  'cron',
  'node-schedule',
  'croner',
  'toad-scheduler',
  '@nestjs/schedule',
  'long-timeout',
  'cron-schedule',
  'bree',
  'agenda',
];
/** Clients that have a clock of their own, which ticks whether or not there is a time-out. */
const TICKING = ['undici'];
/** Text of the function that resolves a promise: a built-in without a name. */
const RESOLVER = 'function () { [native code] }';
/** Packages that sleep for their caller, also where the callback does not show it. */
const SLEEPERS = ['delay', 'sleep-promise', 'promise-delay', 'yoctodelay', 'await-sleep', 'p-sleep', 'es-toolkit'];

/**
 * @typedef {object} Caller
 * @property {'own' | 'sleeper' | 'library'} kind of the innermost caller
 * @property {string} file of the innermost own frame; empty: none
 * @property {number} line
 * @property {number} column from 1
 * @property {boolean} isScheduler whether a package that manages schedules is among the callers
 * @property {boolean} isDatabase whether a driver of a database is among them
 * @property {boolean} isTicking whether the innermost caller is a client's own clock, which guards nothing by itself
 */

/** @typedef {{ path: string, line: number, column: number }} Frame */

/**
 * @param {Function} above the frames of this function and of the functions that it called are omitted
 * @returns {Frame[]}
 */
function framesAbove(above) {
  /** @type {Frame[]} */
  let frames = [];
  readCallSites(above, MAX_FRAMES, (sites) => {
    frames = readSites(sites);
  });
  return frames;
}

/** @param {string} name */
function isOfFile(name) {
  return startsWith(name, '/') || startsWith(name, 'file:') || startsWith(name, BUNDLED);
}

/** @param {NodeJS.CallSite[]} sites */
function readSites(sites) {
  /** @type {Frame[]} */
  const frames = [];
  for (let index = 0; index < sites.length; index++) {
    const name = sites[index].getFileName();
    if (typeof name !== 'string' || !isOfFile(name)) continue;
    const path = pathOf(name);
    if (!startsWith(path, AGENT_SOURCES)) {
      frames[frames.length] = {
        path,
        line: sites[index].getLineNumber() || 0,
        column: sites[index].getColumnNumber() || 1,
      };
    }
  }
  return frames;
}

/**
 * @param {string} path
 * @param {string[]} names of packages
 */
function isOfPackage(path, names) {
  const start = lastIndexOf(path, SEGMENT);
  if (start < 0) return false;
  const rest = slice(path, start + SEGMENT.length);
  for (let index = 0; index < names.length; index++) if (startsWith(rest, names[index] + '/')) return true;
  return false;
}

/**
 * @param {Function} above
 * @param {(path: string) => boolean} isOwn
 * @returns {Caller}
 */
function callerAbove(above, isOwn) {
  const frames = framesAbove(above);
  /** @type {Caller} */
  const caller = {
    kind: 'library',
    file: '',
    line: 0,
    column: 1,
    isScheduler: false,
    isDatabase: false,
    isTicking: frames.length > 0 && (startsWith(frames[0].path, BUNDLED) || isOfPackage(frames[0].path, TICKING)),
  };
  for (let index = 0; index < frames.length; index++) {
    const { path, line, column } = frames[index];
    if (isOwn(path)) {
      if (index === 0) caller.kind = 'own';
      caller.file = path;
      caller.line = line;
      caller.column = column;
      break;
    }
    if (isOfPackage(path, SCHEDULERS)) caller.isScheduler = true;
    const owner = installedPackage(path);
    if (owner !== null && isDatabaseDriver(owner.name)) caller.isDatabase = true;
    if (index === 0 && isOfPackage(path, SLEEPERS)) caller.kind = 'sleeper';
  }
  return caller;
}

/**
 * Whether a timer with this callback only sleeps, whoever sets it: it calls the next handler of a chain of them, or
 * resolves a promise. What guards a wait calls a function that knows what is waited for.
 * @param {unknown} callback
 */
function isContinuation(callback) {
  if (typeof callback !== 'function') return false;
  const name = readData(callback, 'name');
  return name === 'next' || (name === '' && functionText(callback) === RESOLVER);
}

/**
 * @param {Caller} caller
 * @param {unknown} callback of the timer that it sets
 * @returns {boolean} whether the timer only sleeps, and so guards no wait for something outside of the program
 */
function onlySleeps({ kind, isDatabase }, callback) {
  return kind !== 'library' || (!isDatabase && isContinuation(callback));
}

module.exports = { callerAbove, framesAbove, onlySleeps };
