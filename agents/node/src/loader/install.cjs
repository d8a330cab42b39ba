'use strict';
/** Installs the instrumenter in Node's loaders; this is the only function that the agent's start calls. */

const { HANDLE_NAME } = require('../instrument/texts/header.cjs');
const { hashOf } = require('../instrument/texts/text-identity.cjs');
const { publishAnnounce } = require('./announce.cjs');
const { Transformer } = require('./transform.cjs');
const { Error, String } = require('../base/intrinsics.cjs');
const { hideFunctionTexts } = require('../base/function-text.cjs');
const { Handles } = require('./file-handles.cjs');
const { Sources } = require('./source-texts.cjs');
const { installCommonJs } = require('./commonjs.cjs');
const { LinkedModules } = require('./linked-modules.cjs');
const { ModuleHooks } = require('./modules.cjs');

/**
 * @typedef {object} Options
 * @property {import('./file-handles.cjs').RegisterFile} registerFile returns the handle for a file that starts to run
 * @property {(path: string) => boolean} isOwnFile whether the file with this absolute path belongs to the SUT and is
 *   instrumented
 * @property {unknown} [ownFiles] the description from which base/own-files.cjs creates the same test in another thread;
 *   without it, `isOwnFile.description`
 * @property {string} [ownFilesModule] another file that exports createOwnFileTest
 * @property {string | null} [cacheDir] folder for rewritten files; null: none
 * @property {(path: string, module: unknown) => void} [noticeModule] called for each CommonJS module that has run, and
 *   for each module of `announced`
 * @property {import('./announce.cjs').Announced} [announced] files of packages that may be ES modules and are reported
 *   to `noticeModule` as well
 * @property {(url: string) => void} [noticeBuiltIn] called for built-in modules of Node that are loaded (since Node
 *   22.15)
 * @property {import('./file-handles.cjs').ReportFailure} reportFailure called for a file that runs without
 *   instrumentation
 */

/**
 * @param {Options} options
 * @returns {Sources}
 */
function install({
  registerFile,
  isOwnFile,
  ownFiles,
  ownFilesModule,
  cacheDir,
  noticeModule = () => {},
  announced = {},
  noticeBuiltIn = () => {},
  reportFailure,
}) {
  const description = ownFiles ?? /** @type {any} */ (isOwnFile).description;
  const transformer = new Transformer(cacheDir);
  const sources = new Sources(transformer);
  const handles = new Handles({ registerFile, reportFailure, sources });
  hideFunctionTexts(HANDLE_NAME, (text) => sources.originalOf(text));
  const instrumentHere = (/** @type {string} */ text, /** @type {string} */ path) => {
    if (!isOwnFile(path)) return text;
    try {
      const { code, registration } = transformer.transform(text, path, true);
      handles.expect(registration);
      return code;
    } catch (error) {
      reportFailure(path, hashOf(text), error instanceof Error ? error.message : String(error));
      return text;
    }
  };
  const hooks = new ModuleHooks({
    ownFiles: description,
    ownFilesModule,
    cacheDir,
    reportFailure,
    instrumentHere,
    announced,
    noticeBuiltIn,
  });
  const linked = new LinkedModules({ isOwnFile, instrumentHere, transformer, announced });
  handles.noticeStart = () => linked.end();
  handles.publish();
  publishAnnounce(noticeModule);
  installCommonJs({
    transformer,
    handles,
    isOwnFile,
    reportFailure,
    moduleHooks: hooks,
    linked,
    noticeModule,
  });
  hooks.install();
  linked.install(hooks);
  return sources;
}

module.exports = { install };
