'use strict';
/**
 * Members whose members are read without a probe, since V8 writes them into messages: `R.NAME.NEXT`. If `R.NAME` is not
 * there, the error that arrives tells `NEXT` only; the text of the statement that failed tells `NAME`, and what is read
 * of `NEXT`. If a call in that statement ran statements of its own, the one that failed is not known: then all with
 * such a read may be it.
 */

const {
  ArrayPrototype,
  DatePrototype,
  Map,
  NumberPrototype,
  ObjectKeys,
  ObjectPrototype,
  StringPrototype,
  hasOwn,
  mapGet,
  mapSet,
} = require('../../base/intrinsics.cjs');
const { ITERATOR } = require('./failed-places.cjs');

/** Stands for a member whose name is data. */
const ANY = '*';
/** Names of one path. */
const MAX_PATH = 6;

/** Reads of one name that are told apart where the statement is not known; of more, none is tried. */
const MAX_ANYWHERE = 3;

/** Paths by the member that is read next, whatever the statement. @type {Map<string, string[][]>} */
let anywhere = new Map();
/** The files with such reads. @type {{ base: number, count: number, reads: Record<string, [string, string][]> }[]} */
const files = [];

/**
 * @param {number} base global id of the file's first target
 * @param {number} count of its targets
 * @param {Record<string, [name: string, next: string][]>} reads by statement
 */
function registerUnprobed(base, count, reads) {
  files[files.length] = { base, count, reads };
  anywhere = new Map();
}

/**
 * @param {number} statement global id
 * @param {string} next the member that could not be read
 * @returns {string[][]} paths that may have been missing: names up to the last one that is no built-in method
 */
function pathsBefore(statement, next) {
  const named = pathsIn(statement, next);
  if (named.length > 0) return named;
  const ofData = pathsIn(statement, ANY);
  return ofData.length > 0 ? ofData : pathsAnywhere(next);
}

/** @param {number} statement @param {string} next @returns {string[][]} */
function pathsIn(statement, next) {
  /** @type {string[][]} */
  const paths = [];
  for (let at = 0; at < files.length; at++) {
    const { base, count, reads } = files[at];
    if (statement < base || statement >= base + count || !hasOwn(reads, statement - base)) continue;
    addPaths(paths, reads[statement - base], next);
  }
  return paths;
}

/** @param {string} next the member that could not be read @returns {string[][]} */
function pathsAnywhere(next) {
  if (isBuiltIn(next)) return [];
  const known = mapGet(anywhere, next);
  if (known !== undefined) return known;
  /** @type {string[][]} */
  const paths = [];
  for (let at = 0; at < files.length; at++) {
    const { reads } = files[at];
    const statements = ObjectKeys(reads);
    for (let index = 0; index < statements.length && paths.length <= MAX_ANYWHERE; index++) {
      addPaths(paths, reads[statements[index]], next);
    }
  }
  const found = paths.length > MAX_ANYWHERE ? [] : paths;
  mapSet(anywhere, next, found);
  return found;
}

/**
 * @param {string[][]} paths
 * @param {[name: string, next: string][]} reads of one statement
 * @param {string} next
 */
function addPaths(paths, reads, next) {
  for (let at = 0; at < reads.length; at++) {
    if (reads[at][1] === next) paths[paths.length] = pathFrom(reads[at], reads);
  }
}

/**
 * @param {[name: string, next: string]} first
 * @param {[name: string, next: string][]} reads of the statement
 * @returns {string[]} the path that it begins: `a`, `b`, `c` of `x.a.b.c.trim()`
 */
function pathFrom(first, reads) {
  const path = [first[0]];
  /** @type {[string, string] | undefined} */
  let read = first;
  while (read !== undefined && path.length < MAX_PATH && read[1] !== ANY && !isBuiltIn(read[1])) {
    const name = read[1];
    path[path.length] = name;
    read = undefined;
    for (let at = 0; at < reads.length && read === undefined; at++) if (reads[at][0] === name) read = reads[at];
  }
  return path;
}

/** @param {string} name of a member @returns {boolean} whether texts, lists, numbers or dates have it */
function isBuiltIn(name) {
  if (name === ITERATOR || hasOwn(ArrayPrototype, name) || hasOwn(StringPrototype, name)) return true;
  return hasOwn(NumberPrototype, name) || hasOwn(DatePrototype, name) || hasOwn(ObjectPrototype, name);
}

module.exports = { pathsBefore, registerUnprobed };
