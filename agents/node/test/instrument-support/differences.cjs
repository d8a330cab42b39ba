'use strict';
/**
 * How a program differs under probes: checked ones, those of the runtime, and those of the runtime with all targets
 * covered.
 */

const { isDeepStrictEqual } = require('node:util');
const { FileProbes } = require('../../src/runtime/probes/file-probes.cjs');
const { observeBoth } = require('./run.cjs');

/** @param {any} table */
function runtimeProbes(table) {
  return new FileProbes('/sut/file.js', 0, table);
}

/** @param {any} table */
function coveredProbes(table) {
  const probes = runtimeProbes(table);
  for (let index = 0; index < table.targets.length; index += 1) probes.cover(index);
  return probes;
}

const HANDLES = {
  'checked probes': undefined,
  'the probes of the runtime': runtimeProbes,
  'the probes of the runtime, all covered': coveredProbes,
};

/**
 * V8 writes `(intermediate value)` for a function in a callee, once for each statement in it, so probes in `(() =>
 * {...})().x()` show in the message where `x` is missing. That one difference is known (and that V8 writes a function
 * that is used as a key by its text).
 * @param {{effects: string[], outcome: string}} run
 */
function withoutCounts({ effects, outcome }) {
  const once = (/** @type {string} */ text) =>
    text
      .replace(/(?:\(intermediate value\))+/g, '(intermediate value)')
      .replace(/\(reading '[^']*\{[^']*'\)/g, '(reading a function)');
  return { effects: effects.map(once), outcome: once(outcome) };
}

/**
 * @param {string} text CommonJS
 * @returns {Promise<{difference: string | null, effects: number}>} the first difference, with the rewritten text; how
 *   many effects the program has
 */
async function firstDifference(text) {
  let effects = 0;
  for (const [name, makeHandle] of Object.entries(HANDLES)) {
    const both = await observeBoth(text, makeHandle);
    const { code } = both;
    const [original, rewritten] = [both.original, both.rewritten].map(withoutCounts);
    effects = original.effects.length;
    if (original.outcome.startsWith('throws SyntaxError')) {
      return { difference: `${original.outcome}\n${text}`, effects };
    }
    if (isDeepStrictEqual(original, rewritten)) continue;
    const at = original.effects.findIndex((effect, index) => effect !== rewritten.effects[index]);
    const [before, after] = [original, rewritten].map((run) =>
      at >= 0 ? run.effects[at] : `${run.effects.length} effects, ${run.outcome}`,
    );
    return {
      difference: `${name}, effect ${at}\nplain:        ${before}\ninstrumented: ${after}\n${text}\n--\n${code}`,
      effects,
    };
  }
  return { difference: null, effects };
}

module.exports = { firstDifference, withoutCounts };
