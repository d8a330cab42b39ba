'use strict';
/**
 * Which tests turn out otherwise with the agent than without it, and which of those do so by chance: tests with
 * outcomes that change from run to run are repeated both ways, and are no difference where the plain program shows the
 * same outcome once.
 */

/** Of the tests that differ, plain and with the agent. */
const N_REPEATS = 4;

/** @typedef {import('./outcomes.cjs').Outcome} Outcome */
/** @typedef {{plain: Outcome[], instrumented: Outcome[][]}} Round */
/**
 * @typedef {object} Verdicts by name of the test
 * @property {string[]} differences with what each side showed
 * @property {string[]} flaky what is flaky without the agent, too
 * @property {string[]} once what was seen once only, with what was seen
 * @property {string[]} races what is known to be a race, and was won at times
 * @property {number} nRounds
 */

/**
 * How often a test of this name passed and failed: names are not unique, and tests of several processes come in any
 * order.
 * @param {Outcome[]} outcomes
 * @returns {Map<string, string>} by name
 */
function results(outcomes) {
  /** @type {Map<string, [passed: number, failed: number]>} */
  const counted = new Map();
  for (const { name, isOk } of outcomes) {
    const pair = counted.get(name) ?? [0, 0];
    pair[isOk ? 0 : 1] += 1;
    counted.set(name, pair);
  }
  return new Map([...counted].map(([name, [passed, failed]]) => [name, `${passed} ok, ${failed} not ok`]));
}

/**
 * @param {Round} round
 * @returns {Set<string>} names of the tests that one of the instrumented runs shows otherwise
 */
function differing({ plain, instrumented }) {
  const expected = results(plain);
  const names = new Set();
  for (const found of instrumented.map(results)) {
    for (const name of new Set([...expected.keys(), ...found.keys()])) if (expected.get(name) !== found.get(name)) names.add(name);
  }
  return names;
}

/**
 * @param {Set<string>} names
 * @param {Round} round
 * @returns {string[] | undefined} the files that have to run again; undefined: all, since it is not told of each
 */
function filesOf(names, { plain, instrumented }) {
  const failed = [plain, ...instrumented].flat().filter(({ name, isOk }) => !isOk && names.has(name));
  const files = new Map(failed.map(({ name, file }) => [name, file]));
  const known = [...names].map((name) => files.get(name));
  return known.includes(undefined) ? undefined : /** @type {string[]} */ ([...new Set(known)]);
}

/**
 * @param {(files: string[] | undefined) => Promise<Round>} runRound runs all tests of a package, or those of some files
 * @param {Record<string, string>} races name of a test -> why it is one
 * @returns {Promise<Verdicts>}
 */
async function judge(runRound, races) {
  const first = await runRound(undefined);
  const names = differing(first);
  const rounds = [first];
  const files = filesOf(names, first);
  while (rounds.length <= N_REPEATS && !isSettled(names, rounds)) rounds.push(await runRound(files));
  return verdictsOn(names, rounds, races);
}

/**
 * @param {string} name
 * @param {Round[]} rounds
 * @returns {{expected: Set<string | undefined>, found: (string | undefined)[], others: (string | undefined)[]}} what
 *   plain runs showed, what instrumented ones did, and what of it no plain one did
 */
function shown(name, rounds) {
  const expected = new Set(rounds.map(({ plain }) => results(plain).get(name)));
  const found = rounds.flatMap(({ instrumented }) => instrumented.map((outcomes) => results(outcomes).get(name)));
  return { expected, found, others: found.filter((result) => !expected.has(result)) };
}

/**
 * @param {Set<string>} names
 * @param {Round[]} rounds
 */
function isSettled(names, rounds) {
  return [...names].every((name) => shown(name, rounds).others.length === 0);
}

/**
 * @param {Set<string>} names
 * @param {Round[]} rounds
 * @param {Record<string, string>} races
 * @returns {Verdicts}
 */
function verdictsOn(names, rounds, races) {
  /** @type {Verdicts} */
  const verdicts = { differences: [], flaky: [], once: [], races: [], nRounds: rounds.length };
  for (const name of names) {
    const { expected, found, others } = shown(name, rounds);
    const words = `${name} (plain ${[...expected].map((result) => result ?? 'absent').join(' or ')}; instrumented ${[...new Set(others)].map((result) => result ?? 'absent').join(' or ')})`;
    if (others.length === 0) verdicts.flaky.push(name);
    else if (Object.hasOwn(races, name) && others.length < found.length) verdicts.races.push(`${name} (${races[name]})`);
    else if (others.length === 1) verdicts.once.push(words);
    else verdicts.differences.push(words);
  }
  return verdicts;
}

module.exports = { judge };
