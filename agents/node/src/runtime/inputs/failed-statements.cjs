'use strict';
/**
 * The statement in which a member could not be read. It is the one that began last, unless a call within it has run
 * statements of its own: `{ owner: ownerOf(req).id, to: given.to.trim() }`. Then it is the one, of those with such a
 * read, that began last and has not completed; statements whose completion is not noted count if they have run.
 */

const { Map, ObjectKeys, mapGet, mapSet } = require('../../base/intrinsics.cjs');

/** @typedef {Record<string, [string, ...unknown[]][]>} Reads by statement */
/** @typedef {{ base: number, count: number, entered: Float64Array, state: ArrayLike<number> }} Statements of a file */
/** @typedef {Statements & { places: Reads, unprobed: Reads }} File */

/** Statements that are told where the one that failed is not known. */
const MAX_STATEMENTS = 3;
/** Stands for a member whose name is data. */
const ANY = '*';

/** @type {File[]} */
const files = [];
/** Statements with a read of a member, as numbers of the file and of the statement. @type {Map<string, number[][]>} */
let byMember = new Map();

/**
 * @param {Statements} statements
 * @param {Reads} [places] the member that is read comes first
 * @param {Reads} [unprobed] it comes second
 */
function registerReads({ base, count, entered, state }, places = {}, unprobed = {}) {
  files[files.length] = { base, count, entered, state, places, unprobed };
  byMember = new Map();
}

/**
 * @param {number} last global id of the statement that began last
 * @param {string} next the member that could not be read
 * @param {number} since value of the clock of statements when the call began
 * @returns {number[]} global ids, at least one
 */
function failedStatements(last, next, since) {
  const named = statementsWith(next);
  const candidates = named.length > 0 ? named : statementsWith(ANY);
  let failed = last;
  let latest = since;
  for (let at = 0; at < candidates.length; at++) {
    const { base, entered } = files[candidates[at][0]];
    const statement = candidates[at][1];
    if (base + statement === last) return [last];
    if (entered[statement] <= latest) continue;
    latest = entered[statement];
    failed = base + statement;
  }
  return failed === last ? haveRun(candidates, last) : [failed];
}

/**
 * @param {number[][]} candidates
 * @param {number} last
 * @returns {number[]} those that have run, of the file of the last one first; the last one if there are none
 */
function haveRun(candidates, last) {
  /** @type {number[]} */
  const found = [];
  for (let turn = 0; turn < 2; turn++) {
    for (let at = 0; at < candidates.length && found.length < MAX_STATEMENTS; at++) {
      const { base, count, state } = files[candidates[at][0]];
      const isOfFile = last >= base && last < base + count;
      if (isOfFile === (turn === 0) && state[candidates[at][1]]) found[found.length] = base + candidates[at][1];
    }
  }
  return found.length > 0 ? found : [last];
}

/** @param {string} next @returns {number[][]} */
function statementsWith(next) {
  const known = mapGet(byMember, next);
  if (known !== undefined) return known;
  /** @type {number[][]} */
  const found = [];
  for (let at = 0; at < files.length; at++) {
    const { places, unprobed } = files[at];
    addStatements(found, at, places, 0, next);
    addStatements(found, at, unprobed, 1, next);
  }
  mapSet(byMember, next, found);
  return found;
}

/**
 * @param {number[][]} found
 * @param {number} file
 * @param {Reads} reads
 * @param {number} position of the member in a read
 * @param {string} next
 */
function addStatements(found, file, reads, position, next) {
  const statements = ObjectKeys(reads);
  for (let at = 0; at < statements.length; at++) {
    const read = reads[statements[at]];
    for (let index = 0; index < read.length; index++) {
      if (read[index][position] !== next) continue;
      found[found.length] = [file, +statements[at]];
      break;
    }
  }
}

module.exports = { failedStatements, registerReads };
