'use strict';
/**
 * Proof that programs cannot tell that they are instrumented: the tests of many packages, plain, with the agent, and
 * with the agent when all is covered. With --traced instead: plain, and as text that is traced for the solver, where
 * each value that the program reads is an unknown. Prints a table; exits with 1 on any difference and on any file that
 * was not instrumented.
 *
 *   node --experimental-vm-modules bench/conformance/run.cjs [--traced] [NAME ...]
 */

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { Core } = require('./core.cjs');
const { PACKAGES } = require('./packages.cjs');
const { counts, outcomesOf } = require('./outcomes.cjs');
const { moduleness, rewriteAll } = require('./rewritable.cjs');
const { judge } = require('./verdicts.cjs');

const REPOSITORY = path.resolve(__dirname, '..', '..');
const WORK = path.join(REPOSITORY, '.bench', 'conformance');
const MODULES = path.join(WORK, 'node_modules');
const REGISTER = path.join(REPOSITORY, 'agents', 'node', 'register.cjs');
/** Of one run of one package's tests; the longest takes a minute plain. */
const MAX_RUN_MS = 300_000;
/** Of one test, where the runner has a limit of its own: traced text is slow. */
const MAX_TEST_MS = '60000';
/** Sockets and rewritten files of this run. Unix socket paths are short, so it is not below WORK. */
const RUN_FOLDER = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'conformance-'));
const MAX_SHOWN_DIFFERENCES = 12;
/** Packages at a time; many tests mostly wait. */
const N_PARALLEL = 2;

/** @typedef {import('./packages.cjs').Entry} Entry */
/** @typedef {'plain' | 'uncovered' | 'covered' | 'traced'} Mode */

const LIVE_SYMBOLS = path.join(__dirname, 'live-symbols.cjs');
const isTraced = process.argv[2] === '--traced';
/** @type {readonly Mode[]} */
const MODES = isTraced ? ['plain', 'traced'] : ['plain', 'uncovered', 'covered'];

/**
 * @param {string} folder
 * @param {string[]} globs with a star in the last part at most
 */
function expand(folder, globs) {
  return globs.flatMap((glob) => {
    const [directory, last] = [path.dirname(glob), path.basename(glob)];
    if (!last.includes('*')) return [glob];
    const [head, tail] = last.split('*');
    const names = fs.readdirSync(path.join(folder, directory)).filter((name) => name.startsWith(head) && name.endsWith(tail));
    return names.sort().map((name) => path.join(directory, name));
  });
}

/**
 * @param {Entry} entry
 * @param {string[] | undefined} files that will do; undefined: all of its tests
 * @returns {{cwd: string, args: string[]}}
 */
function commandOf(entry, files) {
  const cwd = path.join(MODULES, entry.name);
  const all = expand(cwd, entry.tests ?? []).filter((file) => !(entry.without ?? {})[file]);
  const some = files?.map((file) => path.relative(cwd, file));
  // A test can stand in a helper, which runs nothing by itself.
  const tests = some?.every((file) => all.includes(file)) ? some : all;
  switch (entry.runner) {
    case 'tape':
      return { cwd, args: [path.join(MODULES, 'tape', 'bin', 'tape'), ...tests] };
    case 'mocha':
      return { cwd, args: [path.join(MODULES, 'mocha', 'bin', 'mocha.js'), '--reporter', 'tap', '--timeout', MAX_TEST_MS, ...tests] };
    case 'node':
      return { cwd, args: ['--test', '--test-reporter=tap', '--test-concurrency=2', ...tests] };
    case 'promises':
      return { cwd: WORK, args: [path.join(__dirname, 'promises.cjs'), entry.name] };
    case 'differential':
      return { cwd: WORK, args: [path.join(__dirname, 'differential', String(entry.program?.[0])), ...(entry.program ?? []).slice(1)] };
    default:
      return { cwd, args: tests };
  }
}

/**
 * @param {Entry} entry
 * @param {Mode} mode
 * @param {string[]} [files] that will do
 */
async function runTests(entry, mode, files) {
  const { cwd, args } = commandOf(entry, files);
  /** @type {Record<string, string>} */
  const env = { TZ: 'Europe/Amsterdam', CONFORMANCE_MODULES: MODULES };
  const core = mode === 'plain' ? null : new Core(path.join(RUN_FOLDER, `${PACKAGES.indexOf(entry)}.sock`), mode === 'covered');
  if (core !== null) {
    await core.listen();
    env.NODE_OPTIONS = `--require ${REGISTER}`;
    if (mode === 'traced') {
      env.NODE_OPTIONS += ` --require ${LIVE_SYMBOLS}`;
      env.WIMBLE_TRACE = '1';
      env.CONFORMANCE_TRACED = tracedNotes(entry);
    }
    env.WIMBLE_SOCKET = core.socketPath;
    env.WIMBLE_ROOT = WORK;
    env.WIMBLE_INCLUDE = JSON.stringify([entry.name]);
    env.WIMBLE_CACHE = path.join(RUN_FOLDER, 'cache');
  }
  const startMs = Date.now();
  const { output, end } = await spawned(args, cwd, env);
  if (core !== null) await core.stop();
  fs.writeFileSync(path.join(WORK, 'logs', `${entry.name}.${mode}.txt`), output);
  return { outcomes: outcomesOf(output, end, entry.runner === 'script'), core, tookMs: Date.now() - startMs };
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} env
 * @returns {Promise<{output: string, end: {code: number | null, signal: string | null}}>}
 */
function spawned(args, cwd, env) {
  const { NODE_OPTIONS, NODE_TEST_CONTEXT, ...inherited } = process.env;
  const child = spawn(process.execPath, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (errors += text));
  // The whole group: runners start children of their own.
  const timer = setTimeout(() => process.kill(-(/** @type {number} */ (child.pid)), 'SIGKILL'), MAX_RUN_MS);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ output: `${output}\n--- stderr ---\n${errors}`, end: { code, signal } });
    });
  });
}

/**
 * @param {string} folder
 * @param {Core} core
 */
function instrumentedFiles(folder, core) {
  const files = [...core.files].filter(([file]) => file.startsWith(folder + path.sep));
  const failed = files.filter(([file, error]) => error !== null && fs.existsSync(file) && moduleness(fs.readFileSync(file, 'utf8'), file) !== undefined);
  return { nFiles: files.filter(([, error]) => error === null).length, failures: failed.map(([file, error]) => `${file}: ${error}`) };
}

/** @param {Entry} entry @returns {string} a file with a line per process that ran traced text */
const tracedNotes = ({ name }) => path.join(RUN_FOLDER, `${name.replaceAll('/', '-')}.traced`);

/** @param {Entry} entry @returns {number} of all traced runs */
function expressionsOf(entry) {
  const notes = tracedNotes(entry);
  if (!fs.existsSync(notes)) return 0;
  const counts = fs.readFileSync(notes, 'utf8').split('\n');
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/** @param {Entry} entry */
async function compare(entry) {
  const folder = path.join(MODULES, entry.name);
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const rewritten = rewriteAll(folder);
  const failures = new Set(rewritten.failures);
  /** Files that were instrumented, or expressions over unknowns */
  let nFiles = 0;
  /** @type {Awaited<ReturnType<typeof runTests>>[]} of the whole package */
  let firstRuns = [];
  const verdicts = await judge(async (files) => {
    const runs = [];
    for (const mode of MODES) runs.push(await runTests(entry, mode, files));
    if (firstRuns.length === 0) firstRuns = runs;
    for (const { core } of runs) {
      if (core === null) continue;
      const instrumented = instrumentedFiles(folder, core);
      nFiles = Math.max(nFiles, instrumented.nFiles);
      for (const failure of instrumented.failures) failures.add(failure);
    }
    const [plain, ...instrumented] = runs.map(({ outcomes }) => outcomes);
    return { plain, instrumented };
  }, entry.races ?? {});
  if (isTraced) nFiles = expressionsOf(entry);
  if (nFiles === 0) failures.add(isTraced ? 'no value was an unknown' : 'no file of the package was instrumented');
  return { entry, version, rewritten, nFiles, runs: firstRuns, verdicts, failures: [...failures] };
}

const INSTRUMENTED_COLUMNS = /** @type {[string, number][]} */ (
  isTraced
    ? [['traced', -12]]
    : [
        ['instrumented', -12],
        ['all covered', -12],
      ]
);
const COLUMNS = /** @type {[string, number][]} */ ([
  ['package', 27],
  ['version', 14],
  ['tests', 13],
  ['rewritten', -9],
  isTraced ? ['expressions', -11] : ['loaded', -6],
  ['plain', -12],
  ...INSTRUMENTED_COLUMNS,
  ['seconds', -14],
  ['flaky', -5],
  ['differences', -11],
]);

/** @param {readonly (string | number)[]} cells */
function printRow(cells) {
  const padded = COLUMNS.map(([, width], index) => (width < 0 ? String(cells[index]).padStart(-width) : String(cells[index]).padEnd(width)));
  console.log(padded.join('  '));
}

/** @param {Awaited<ReturnType<typeof compare>>} result */
function printResult({ entry, version, rewritten, nFiles, runs, verdicts, failures }) {
  const { differences, flaky, nRounds, once, races } = verdicts;
  const shown = runs.map(({ outcomes }) => `${counts(outcomes).passed}/${counts(outcomes).failed}`);
  const tests = entry.runner === 'differential' ? 'differential' : entry.runner === 'promises' ? 'Promises/A+' : 'own';
  const seconds = runs.map(({ tookMs }) => (tookMs / 1000).toFixed(1)).join(' ');
  printRow([entry.name, version, tests, rewritten.nFiles, nFiles, ...shown, seconds, nFlakyOf(verdicts), differences.length + failures.length]);
  for (const failure of failures) console.log(`    not instrumented: ${failure}`);
  printSome('different', differences, entry);
  printSome('no difference, flaky without the agent too', flaky, entry);
  printSome('no difference, a race that the agent loses at times', races, entry);
  printSome(`no difference, seen once in ${nRounds} rounds`, once, entry);
}

/** @param {import('./verdicts.cjs').Verdicts} verdicts */
const nFlakyOf = ({ flaky, once, races }) => flaky.length + once.length + races.length;

/**
 * @param {string} title
 * @param {string[]} tests
 * @param {Entry} entry
 */
function printSome(title, tests, entry) {
  for (const test of tests.slice(0, MAX_SHOWN_DIFFERENCES)) console.log(`    ${title}: ${test}`);
  if (tests.length > MAX_SHOWN_DIFFERENCES) console.log(`    and ${tests.length - MAX_SHOWN_DIFFERENCES} more; see .bench/conformance/logs/${entry.name}.*.txt`);
}

async function main() {
  const wanted = process.argv.slice(isTraced ? 3 : 2);
  const entries = PACKAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  fs.mkdirSync(path.join(WORK, 'logs'), { recursive: true });
  printRow(COLUMNS.map(([title]) => title));
  let nBad = 0;
  let nTests = 0;
  let nFlaky = 0;
  const waiting = [...entries];
  const work = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const result = await compare(entry);
      printResult(result);
      nTests += result.runs[0].outcomes.length;
      nFlaky += nFlakyOf(result.verdicts);
      if (result.verdicts.differences.length + result.failures.length > 0) nBad += 1;
    }
  };
  await Promise.all(Array.from({ length: N_PARALLEL }, work));
  console.log(`\n${entries.length} packages, ${nTests} outcomes (passed/failed) in each of ${MODES.length} runs; ${nFlaky} of them flaky; ${nBad} packages with differences`);
  fs.rmSync(RUN_FOLDER, { recursive: true, force: true });
  process.exitCode = nBad === 0 ? 0 : 1;
}

main();
