'use strict';
/** Gives what a program takes values for (names/value-uses.cjs) to the statements of the functions in which it does. */

/**
 * What the statements from `first` to `last`, those of one function, take values for, by their names.
 * @typedef {[first: number, last: number, uses: Record<string, string[]>]} Uses
 */

/** Names of one function. */
const MAX_NAMES = 200;
/** Tells nothing where another use is known. */
const CONDITION = 'condition';
/** Uses of one name in one function. */
const MAX_USES = 3;

/**
 * @param {[position: number, target: number][]} statements
 * @param {[start: number, end: number][]} functions inner ones before those around them
 * @param {[position: number, name: string, use: string][]} uses
 * @returns {Uses[]} the last one is of the whole file
 */
function settledUses(statements, functions, uses) {
  if (uses.length === 0) return [];
  const [ofStatements, ofUses] = [sorted(statements), sorted(uses)];
  const settled = [];
  for (const [start, end] of [...functions, [0, Infinity]]) {
    const names = usesByName(between(ofUses, start, end));
    const targets = between(ofStatements, start, end).map(([, target]) => target);
    if (names === null || targets.length === 0) continue;
    const range = targets.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, 0]);
    settled.push(/** @type {Uses} */ ([...range, names]));
  }
  return settled;
}

/** @template {[position: number, ...any[]]} T @param {T[]} entries @returns {T[]} by position, in a new list */
const sorted = (entries) => [...entries].sort(([one], [other]) => one - other);

/**
 * @template {[position: number, ...any[]]} T
 * @param {T[]} entries by position
 * @param {number} start
 * @param {number} end
 * @returns {T[]} those from `start` to before `end`
 */
function between(entries, start, end) {
  return entries.slice(firstFrom(entries, start), firstFrom(entries, end));
}

/** @param {[position: number, ...any[]][]} entries by position @param {number} position @returns {number} index */
function firstFrom(entries, position) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {[position: number, name: string, use: string][]} uses @returns {Record<string, string[]> | null} */
function usesByName(uses) {
  /** @type {Map<string, string[]>} */
  const names = new Map();
  for (const [, name, use] of uses) {
    const known = names.get(name) ?? [];
    if (known.length === 0 && names.size < MAX_NAMES) names.set(name, known);
    if (known[0] === CONDITION) known.pop();
    if (known.length < MAX_USES && !known.includes(use) && (use !== CONDITION || known.length === 0)) known.push(use);
  }
  return names.size === 0 ? null : Object.fromEntries(names);
}

module.exports = { settledUses };
