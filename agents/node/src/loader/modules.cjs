'use strict';
/**
 * Hooks for ES modules: in this thread if Node supports it (22.15), else those of module-hooks.mjs in Node's own thread
 * for hooks. The latter are registered as late as possible: their thread costs tens of milliseconds, and a SUT that
 * consists of CommonJS only never needs it.
 */

const Module = require('node:module');
const { readFileSync } = require('node:fs');
const { join, extname } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { MessageChannel } = require('node:worker_threads');

const { disguise } = require('../base/function-text.cjs');
const { announcing } = require('./announce.cjs');
const { nearestPackage } = require('./nearest-package.cjs');
const { withoutCounting } = require('../base/thread-memory.cjs');
const { watchedPackages, watchedText } = require('../runtime/validators/watched-texts.cjs');
const {
  ObjectKeys,
  TextDecoder,
  decodeText,
  lastIndexOf,
  max,
  reflectApply,
  regExpExec,
  slice,
  startsWith,
} = require('../base/intrinsics.cjs');

const OWN_FILES_MODULE = join(__dirname, '..', 'base', 'own-files.cjs');
const HOOKS = pathToFileURL(join(__dirname, 'module-hooks.mjs')).href;

/** Global, so that it can search a text match by match. */
const IMPORT_CALL = /\bimport\s*\(/g;
const COMMENT_START = /^\s*(?:\*\s|\/\/)/;

/** Lines longer than this are minified: the string "/*" in them is more likely than a comment. In UTF-16 units. */
const MAX_COMMENT_LINE = 300;

/** A text that does not match this is not treated as an ES module unless it is declared as one. */
const MAY_BE_MODULE = /^\s*(?:import|export)\b|\bimport\b.*\bfrom\b|\bimport\.meta\b|\bawait\b/m;

class ModuleHooks {
  /**
   * @param {object} options
   * @param {unknown} options.ownFiles description for createOwnFileTest
   * @param {string} [options.ownFilesModule] file that exports createOwnFileTest
   * @param {string | null | undefined} options.cacheDir
   * @param {import('./file-handles.cjs').ReportFailure} options.reportFailure
   * @param {(text: string, path: string) => string} options.instrumentHere instruments an ES module of this thread
   * @param {import('./announce.cjs').Announced} options.announced files of packages that announce their exports
   * @param {(url: string) => void} options.noticeBuiltIn called for built-in modules of Node that are loaded, if Node
   *   reports it
   */
  constructor({
    ownFiles,
    ownFilesModule = OWN_FILES_MODULE,
    cacheDir,
    reportFailure,
    instrumentHere,
    announced,
    noticeBuiltIn,
  }) {
    this.instrumentHere = instrumentHere;
    this.noticeBuiltIn = noticeBuiltIn;
    this.data = { ownFiles, ownFilesModule, cacheDir: cacheDir ?? null, announced };
    this.reportFailure = reportFailure;
    this.register = Module.register;
    this.isRegistered = false;
    this.serial = 0;
  }

  /**
   * Installs the hooks with `module.registerHooks` (Node 22.15) in this thread. Else they run in Node's thread for
   * hooks: from now on or, if the entry is plain CommonJS, from the first text on that may import.
   */
  install() {
    if (typeof (/** @type {any} */ (Module).registerHooks) === 'function') this.installSyncHooks();
    else {
      this.followOtherHooks();
      if (!entryIsCommonJs()) this.ensure();
    }
  }

  /** @param {string} text */
  noticeText(text) {
    if (!this.isRegistered && mayImport(text)) this.ensure();
  }

  /**
   * Notices an ES module that is required. Its imports pass through the hooks, so they have to be registered, unless
   * it can only import files that no hook is for.
   * @param {string} path
   * @param {boolean} isOwn whether the module is instrumented itself
   */
  noticeRequired(path, isOwn) {
    if (!this.isRegistered && (isOwn || !importsNothingOfInterest(path, this.data.announced))) this.ensure();
  }

  ensure() {
    if (this.isRegistered) return;
    this.isRegistered = true;
    this.registerAgain();
  }

  registerAgain() {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', ({ path, hash, message }) => this.reportFailure(path, hash, message));
    port1.unref();
    this.serial += 1;
    const data = { ...this.data, port: port2 };
    withoutCounting(() =>
      reflectApply(this.register, Module, [`${HOOKS}?${this.serial}`, { data, transferList: [port2] }]),
    );
  }

  /** Keeps the agent's hooks in front of those that the SUT registers, see module-hooks.mjs. */
  followOtherHooks() {
    const { register } = this;
    const hooks = this;
    /** @type {any} */ (Module).register = disguise(
      /** @this {unknown} */
      function (/** @type {any[]} */ ...args) {
        const result = reflectApply(register, this, args);
        hooks.isRegistered = true;
        hooks.registerAgain();
        return result;
      },
      register,
    );
    Module.syncBuiltinESMExports();
  }

  /**
   * Registers a hook in this thread, and registers it again after each one that the SUT registers (tsx does). Hooks in
   * a separate thread are no alternative here: with them, Node passes a promise to hooks of this thread, which expect a
   * source.
   */
  installSyncHooks() {
    this.isRegistered = true;
    const node = /** @type {any} */ (Module);
    const { registerHooks } = node;
    const hookInFront = () => {
      this.serial += 1;
      const serial = this.serial;
      /** @type {(url: string, context: object, nextLoad: (url: string, context: object) => any) => any} */
      const load = (url, context, nextLoad) =>
        serial === this.serial ? this.loadHere(url, context, nextLoad) : nextLoad(url, context);
      reflectApply(registerHooks, node, [{ load }]);
    };
    hookInFront();
    node.registerHooks = disguise(
      /** @this {unknown} */
      function (/** @type {any[]} */ ...args) {
        const result = reflectApply(registerHooks, this, args);
        hookInFront();
        return result;
      },
      registerHooks,
    );
    Module.syncBuiltinESMExports();
  }

  /**
   * @param {string} url
   * @param {object} context
   * @param {(url: string, context: object) => any} nextLoad
   */
  loadHere(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (startsWith(url, 'node:')) this.noticeBuiltIn(url);
    // Hooks of the SUT in a separate thread turn the result into a promise.
    return typeof loaded?.then === 'function'
      ? loaded.then((/** @type {any} */ late) => this.loaded(url, late))
      : this.loaded(url, loaded);
  }

  /**
   * @param {string} url
   * @param {any} loaded the result of a load hook
   */
  loaded(url, loaded) {
    const { format, source } = loaded;
    if (source === null || source === undefined || !startsWith(url, 'file:')) return loaded;
    const text = () => (typeof source === 'string' ? source : decodeText(new TextDecoder(), source));
    if (format === 'module') {
      const path = fileURLToPath(url);
      return {
        ...loaded,
        source: announcing(watchedText(this.instrumentHere(text(), path), path), path, this.data.announced),
      };
    }
    if (format !== 'module-typescript') return loaded;
    const plain = withoutTypes(text(), url);
    if (plain === undefined) return loaded;
    // Node removes types once more, of which there are none any more. But a text that Node transforms loses its source
    // map.
    return {
      ...loaded,
      format: plain.isFinal ? 'module' : format,
      source: this.instrumentHere(plain.code, fileURLToPath(url)),
    };
  }
}

/**
 * Removes types as Node does after all hooks.
 * @param {string} text
 * @param {string} url
 * @returns {{code: string, isFinal: boolean} | undefined} undefined if Node will report an error, or does not offer
 *   this function
 */
function withoutTypes(text, url) {
  const { stripTypeScriptTypes: strip } = /** @type {any} */ (Module);
  const { emitWarning } = process;
  try {
    process.emitWarning = () => {}; // suppresses the warning that this is experimental; Node prints it itself
    const isFinal = /** @type {any} */ (process.features).typescript === 'transform';
    return {
      code: isFinal ? strip(text, { mode: 'transform', sourceMap: true, sourceUrl: url }) : strip(text),
      isFinal,
    };
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Returns whether the text contains `import(...)` outside of a comment. Many packages refer to types in this form in
 * JSDoc. A false positive, for example in a string, costs time only.
 * @param {string} text
 */
function mayImport(text) {
  IMPORT_CALL.lastIndex = 0;
  for (let match = regExpExec(IMPORT_CALL, text); match !== null; match = regExpExec(IMPORT_CALL, text)) {
    const { index } = match;
    const before = slice(text, max(lastIndexOf(text, '\n', index) + 1, index - MAX_COMMENT_LINE), index);
    const isLong = before.length === MAX_COMMENT_LINE;
    const isComment =
      regExpExec(COMMENT_START, before) !== null || lastIndexOf(before, '/*') > lastIndexOf(before, '*/');
    if (isLong || !isComment) return true;
  }
  return false;
}

/** Returns whether the process certainly starts with a CommonJS file, with nothing imported before. */
function entryIsCommonJs() {
  const options = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)];
  if (
    options.some((option) =>
      /^--(import|loader|experimental-loader|experimental-default-type|input-type|eval|print)\b|^-[ep]+$/.test(option),
    )
  ) {
    return false;
  }
  const entry = process.argv[1];
  if (entry === undefined) return false;
  try {
    const path = Module.createRequire(__filename).resolve(entry);
    const extension = extname(path);
    if (extension === '.cjs') return true;
    if (extension !== '.js' && extension !== '') return false;
    return nearestPackage(path).type !== 'module' && !MAY_BE_MODULE.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Returns whether the file belongs to an installed package that depends on no other one and is not tapped itself. Many
 * small packages offer an ES module to `require` since Node 20.19.
 * @param {string} path
 * @param {import('./announce.cjs').Announced} announced
 */
function importsNothingOfInterest(path, announced) {
  const { name, dependencies, peerDependencies, optionalDependencies } = nearestPackage(path);
  const needed = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  return (
    typeof name === 'string' &&
    announced[name] === undefined &&
    watchedPackages[name] === undefined &&
    ObjectKeys(needed).length === 0
  );
}

module.exports = { ModuleHooks, mayImport };
