'use strict';
/** What a test run printed -> its tests with their outcomes. All runners here print TAP. */

const { createHash } = require('node:crypto');

const TAP_LINE = /^\s*(not ok|ok)\s+\d+\s*-?\s*(.*)$/;
/** `# time=1.5ms` and the like; `# SKIP` and `# TODO` stay, they belong to the outcome. */
const TIMES = /\s*#\s*time=.*$|\b\d+(?:\.\d+)?\s?(?:ms|s|seconds)\b/g;
const TIMES_ANYWHERE = /# time=.*$|\b\d+(?:\.\d+)?\s?(?:ms|s|seconds)\b/gm;
/** Paths of temporary folders, ports, process ids. */
const CHANCE = /\/tmp\/\S+|\b(?:127\.0\.0\.1|localhost):\d+|\b\d{4,}\b/g;

/** Of a test that failed, where `node --test` says so. */
const LOCATION = /^\s*location: '(.*?):\d+:\d+'$/;

/** @typedef {{name: string, isOk: boolean, file?: string}} Outcome file: of the test, where it is known */

/**
 * @param {string} output
 * @param {{code: number | null, signal: string | null}} end
 * @param {boolean} isScript a program that need not print TAP: all that it prints is one outcome more
 * @returns {Outcome[]} the end of the process is one of them
 */
function outcomesOf(output, { code, signal }, isScript) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const line of output.split('\n')) {
    const match = TAP_LINE.exec(line);
    if (match !== null) outcomes.push({ name: match[2].replace(TIMES, '').replace(CHANCE, '…'), isOk: match[1] === 'ok' });
    const location = LOCATION.exec(line);
    if (location !== null && outcomes.length > 0) outcomes[outcomes.length - 1].file = location[1];
  }
  if (isScript) {
    const printed = output.replace(TIMES_ANYWHERE, '').replace(CHANCE, '…');
    outcomes.push({ name: `${printed.split('\n').length} lines, ${createHash('sha256').update(printed).digest('hex')}`, isOk: true });
  }
  outcomes.push({ name: `the process ends with ${signal ?? code}`, isOk: code === 0 });
  return outcomes;
}

/** @param {Outcome[]} outcomes */
function counts(outcomes) {
  const passed = outcomes.filter(({ isOk }) => isOk).length;
  return { passed, failed: outcomes.length - passed };
}

module.exports = { counts, outcomesOf };
