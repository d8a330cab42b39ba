'use strict';
/**
 * A realm of the agent's own, in which the instrumenter and its parser run. They use many built-ins, and the program
 * may have patched its own. This realm has its own arrays, strings and regular expressions, so the program can neither
 * observe nor disturb the instrumenter.
 *
 * Law: the realm is created when it is first needed, and loads its modules itself, bypassing the program's hooks. The
 * program receives nothing but strings from it.
 */

const fs = require('node:fs');
const path = require('node:path');
const url = require('node:url');
const vm = require('node:vm');
const { createHash } = require('node:crypto');
const {
  Buffer,
  Error,
  ObjectCreate,
  String,
  URL,
  endsWith,
  parseJson,
  reflectApply,
  slice,
  startsWith,
} = require('../base/intrinsics.cjs');

const { compileFunction, createContext, runInContext } = vm;
const { existsSync, readFileSync } = fs;
const { dirname, join } = path;
const { fileURLToPath, pathToFileURL } = url;

const INSTRUMENTER = join(__dirname, '..', 'instrument', path.sep);
const PACKAGES = join(__dirname, '..', '..', 'node_modules', path.sep);
const PARAMETERS = ['exports', 'require', 'module'];

/**
 * Parts of Node's modules that the instrumenter uses, taken before the program can patch them.
 * @type {Record<string, object>}
 */
const BUILT_IN = {
  __proto__: /** @type {any} */ (null),
  'node:crypto': { createHash },
  'node:fs': { existsSync, readFileSync },
  'node:path': { dirname, join },
  'node:url': { fileURLToPath, pathToFileURL },
};

/** @type {import('node:vm').Context | undefined} */
let context;
/** By path. @type {Record<string, {exports: any}>} */
const modules = ObjectCreate(null);

/**
 * @returns {import('node:vm').Context} a realm with those of Node's additions to the language that the instrumenter
 *   uses
 */
function realm() {
  if (context !== undefined) return context;
  const { DONT_CONTEXTIFY } = /** @type {any} */ (vm.constants ?? {});
  // A plain global object if this Node supports it: looking up a name in the other kind takes many times as long.
  context = /** @type {import('node:vm').Context} */ (createContext(DONT_CONTEXTIFY ?? ObjectCreate(null)));
  context.Buffer = Buffer;
  context.URL = URL;
  return context;
}

/**
 * @param {string} file absolute
 * @returns {any} its exports
 */
function load(file) {
  const known = modules[file];
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules[file] = module;
  try {
    const run = compileFunction(readFileSync(file, 'utf8'), PARAMETERS, { filename: file, parsingContext: realm() });
    const folder = dirname(file);
    reflectApply(run, undefined, [
      module.exports,
      (/** @type {string} */ name) => BUILT_IN[name] ?? load(fileOf(name, folder)),
      module,
    ]);
    return module.exports;
  } catch (error) {
    delete modules[file];
    throw error;
  }
}

/**
 * Resolves a required name without `path.join`, which calls a method of an array that the program may have patched.
 * @param {string} name as written in the `require`
 * @param {string} folder of the requiring module
 * @returns {string} path
 */
function fileOf(name, folder) {
  if (startsWith(name, './')) return fileOf(slice(name, 2), folder + path.sep);
  if (startsWith(name, '../')) return fileOf('./' + slice(name, 3), dirname(folder));
  if (endsWith(folder, path.sep)) return folder + name;
  const own = PACKAGES + name + path.sep;
  const { main } = parseJson(readFileSync(own + 'package.json', 'utf8'));
  return own + main;
}

/** @param {string} name of a file of the instrumenter */
const part = (name) => load(INSTRUMENTER + name);

/**
 * @param {string} text
 * @param {string} file
 * @param {boolean} isModule
 * @returns {{code: string, tableText: string}} the results of instrument/instrument.cjs, the table as JSON
 * @throws {Error} of the program's realm, with the message of the instrumenter's error
 */
function instrumentAsText(text, file, isModule) {
  try {
    const { code, table } = part('instrument.cjs').instrument(text, { path: file, isModule });
    return { code, tableText: runInContext('JSON.stringify', realm())(table) };
  } catch (error) {
    throw new Error(String(/** @type {any} */ (error)?.message ?? error));
  }
}

/** @type {(text: string, file: string, isModule: boolean) => string} as instrumentAsText, with tracing */
function traceAsText(text, file, isModule) {
  try {
    return part('tracing/trace.cjs').trace(text, { path: file, isModule });
  } catch (error) {
    throw new Error(String(/** @type {any} */ (error)?.message ?? error));
  }
}

/**
 * @param {string} text of an ES module
 * @returns {import('../instrument/texts/parse.cjs').Node}
 * @throws {SyntaxError} of this realm
 */
const parseModule = (text) => part('texts/parse.cjs').parse(text, true);

/**
 * @param {string} text
 * @returns {boolean} whether it can be parsed as an ES module
 */
function isEsModule(text) {
  try {
    parseModule(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the realm has been created. */
const isMade = () => context !== undefined;

/** @type {typeof import('../instrument/texts/original-functions.cjs').functionTexts} */
const functionTexts = (code, text, isModule) =>
  part('texts/original-functions.cjs').functionTexts(code, text, isModule);

/** @type {typeof import('../instrument/texts/source-map.cjs').findSourceMap} */
const findSourceMap = (text, file) => part('texts/source-map.cjs').findSourceMap(text, file);

/** @type {typeof import('../instrument/instrument.cjs').movedColumns} */
const movedColumns = (text, file) => part('instrument.cjs').movedColumns(text, file);

module.exports = {
  findSourceMap,
  functionTexts,
  instrumentAsText,
  isEsModule,
  isMade,
  movedColumns,
  parseModule,
  traceAsText,
};
