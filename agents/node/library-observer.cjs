'use strict';
/**
 * Calls the functions of a library with objects that record what is done with them, and writes down what that says of
 * the parameters. It is the main module of a process of its own, without the agent, which ends after it.
 *
 * Arguments: the file for the result, the name of the package, and the module. The folder of the agent is in
 * WIMBLE_AGENT.
 */

const { writeFileSync } = require('node:fs');
const { isAbsolute, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const [, , resultFile, packageName, moduleName] = process.argv;
const { listOperations } = require(
  join(/** @type {string} */ (process.env.WIMBLE_AGENT), 'src/library/exported-functions.cjs'),
);
const { Recording } = require(
  join(/** @type {string} */ (process.env.WIMBLE_AGENT), 'src/library/recording-arguments.cjs'),
);

const ONLY_IMPORTED = ['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];
const MAX_PARAMETERS = 5;
/** What stands at the place of the first argument, where it is not recorded. */
const FIRSTS = ['a', ['a'], 1, {}];

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
process.exit = /** @type {any} */ (() => undefined);

async function load() {
  try {
    return require(moduleName);
  } catch (error) {
    if (!ONLY_IMPORTED.includes(/** @type {any} */ (error).code)) throw error;
    return import(isAbsolute(moduleName) ? pathToFileURL(moduleName).href : moduleName);
  }
}

load().then((exported) => {
  const save = writeFileSync;
  /** @type {Record<string, object[]>} */
  const found = {};
  for (const operation of listOperations(exported, packageName)) {
    found[operation.about.name] = observed(operation);
    save(resultFile, JSON.stringify(found)); // what follows may hang
  }
  process.reallyExit(0);
});

/** @param {any} operation */
function observed({ about, target, owner }) {
  const count = Math.min(MAX_PARAMETERS, Math.max(about.parameters.length, about.reads_arguments ? 2 : 0));
  const recordings = Array.from({ length: count }, () => new Recording());
  for (const isFunction of [false, true]) {
    attempt(recordings.map((one) => one.value(isFunction)));
    for (const first of FIRSTS) {
      attempt(recordings.map((one, index) => (index === 0 ? first : one.value(isFunction))));
    }
  }
  return recordings.map((one) => one.shape());

  /** @param {any[]} values */
  function attempt(values) {
    try {
      if (about.kind === 'constructor') Reflect.construct(target, values);
      else if (about.kind === 'method') Reflect.apply(target, Reflect.construct(owner, FIRSTS.slice(0, 1)), values);
      else Reflect.apply(target, owner, values);
    } catch {
      // What was done with the arguments before is recorded.
    }
  }
}
