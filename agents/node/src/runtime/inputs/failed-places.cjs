'use strict';
/**
 * What is missing in an input if a member could not be read, by the member's name and the statement that failed: the
 * table of each file tells where the values lie whose members are read (passes/inputs/failed-reads.cjs).
 */

const { Map, hasOwn, mapGet, mapSet } = require('../../base/intrinsics.cjs');

/** @typedef {[next: string, location: string, path: string[]]} PlaceOfRead */

/** What lists are destructured by, as V8 writes it. */
const ITERATOR = 'Symbol(Symbol.iterator)';
/** Stands for a member whose name is data. */
const ANY = '*';

/** The files with such reads. @type {{ base: number, count: number, places: Record<string, PlaceOfRead[]> }[]} */
const files = [];
/** Paths in an argument that a pattern takes apart, by the member that is read. @type {Map<string, string[][]>} */
const given = new Map();

/**
 * @param {number} base global id of the file's first target
 * @param {number} count of its targets
 * @param {Record<string, PlaceOfRead[]>} places by statement
 */
function registerPlaces(base, count, places) {
  files[files.length] = { base, count, places };
}

/** @param {[next: string, path: string[]][]} places */
function registerGivenPlaces(places) {
  for (let at = 0; at < places.length; at++) {
    const next = places[at][0];
    const known = mapGet(given, next);
    if (known === undefined) mapSet(given, next, [places[at][1]]);
    else known[known.length] = places[at][1];
  }
}

/**
 * @param {number} statement global id
 * @param {string} next the member that could not be read
 * @returns {PlaceOfRead[]}
 */
function placesBefore(statement, next) {
  for (let at = files.length - 1; at >= 0; at--) {
    const { base, count, places } = files[at];
    if (statement < base || statement >= base + count || !hasOwn(places, statement - base)) continue;
    const named = withNext(places[statement - base], next);
    return named.length > 0 ? named : withNext(places[statement - base], ANY);
  }
  return [];
}

/** @param {PlaceOfRead[]} places @param {string} next @returns {PlaceOfRead[]} */
function withNext(places, next) {
  /** @type {PlaceOfRead[]} */
  const found = [];
  for (let at = 0; at < places.length; at++) if (places[at][0] === next) found[found.length] = places[at];
  return found;
}

/** @param {string} next the member that could not be read @returns {string[][]} paths in an argument */
function givenPlacesBefore(next) {
  const found = mapGet(given, next);
  return found === undefined ? [] : found;
}

module.exports = { ITERATOR, givenPlacesBefore, placesBefore, registerGivenPlaces, registerPlaces };
