'use strict';
/**
 * Hooks for ES modules: in this thread where Node can (22.15), else those of module-hooks.mjs in Node's own thread for
 * hooks. The latter are registered as late as possible: their thread costs tens of milliseconds, and a SUT that is all
 * CommonJS never needs it.
 */

const Module = require('node:module');
const { readFileSync } = require('node:fs');
const { dirname, join, extname } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { MessageChannel } = require('node:worker_threads');

const { disguise } = require('../base/function-text.cjs');
const { announcing } = require('./announce.cjs');
const { withoutCounting } = require('../base/thread-memory.cjs');
const {
  TextDecoder,
  decodeText,
  lastIndexOf,
  max,
  parseJson,
  reflectApply,
  regExpExec,
  slice,
  startsWith,
} = require('../base/intrinsics.cjs');

const OWN_FILES_MODULE = join(__dirname, '..', 'base', 'own-files.cjs');
const HOOKS = pathToFileURL(join(__dirname, 'module-hooks.mjs')).href;

/** Global, so it searches one text at a time. */
const IMPORT_CALL = /\bimport\s*\(/g;
const COMMENT_START = /^\s*(?:\*\s|\/\/)/;

/** Lines longer than this are minified: the string "/*" in them is more likely than a comment. In UTF-16 units. */
const MAX_COMMENT_LINE = 300;

/** A text without this is not taken for an ES module unless it is declared as one. */
const MAY_BE_MODULE = /^\s*(?:import|export)\b|\bimport\b.*\bfrom\b|\bimport\.meta\b|\bawait\b/m;

class ModuleHooks {
  /**
   * @param {object} options
   * @param {unknown} options.ownFiles description for createOwnFileTest
   * @param {string} [options.ownFilesModule] file that exports createOwnFileTest
   * @param {string | null | undefined} options.cacheDir
   * @param {import('./file-handles.cjs').ReportFailure} options.reportFailure
   * @param {(text: string, path: string) => string} options.instrumentHere instruments an ES module of this thread
   * @param {import('./announce.cjs').Announced} options.announced files of packages that tell what they export
   * @param {(url: string) => void} options.noticeBuiltIn called for modules of Node's own that are asked for, where
   *   Node tells
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
   * With `module.registerHooks` (Node 22.15), in this thread. Else in Node's thread for hooks: now or, where the entry
   * is plain CommonJS, when a text that may import is seen.
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

  /** Keeps our hooks in front of those that the SUT registers, see module-hooks.mjs. */
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
   * Registers a hook of this thread, and again in front of each one that the SUT registers (tsx does). Hooks in a
   * thread of their own would not do beside it: with such, Node hands hooks of this thread a promise where they expect
   * a source.
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
    // Hooks of the SUT in a thread of their own make it a promise.
    return typeof loaded?.then === 'function'
      ? loaded.then((/** @type {any} */ late) => this.loaded(url, late))
      : this.loaded(url, loaded);
  }

  /**
   * @param {string} url
   * @param {any} loaded what a load hook answers
   */
  loaded(url, loaded) {
    const { format, source } = loaded;
    if (source === null || source === undefined || !startsWith(url, 'file:')) return loaded;
    const text = () => (typeof source === 'string' ? source : decodeText(new TextDecoder(), source));
    if (format === 'module') {
      const path = fileURLToPath(url);
      return { ...loaded, source: announcing(this.instrumentHere(text(), path), path, this.data.announced) };
    }
    if (format !== 'module-typescript') return loaded;
    const plain = withoutTypes(text(), url);
    if (plain === undefined) return loaded;
    // Node takes the types out once more, of which there are none. But what it transforms loses its source map.
    return {
      ...loaded,
      format: plain.isFinal ? 'module' : format,
      source: this.instrumentHere(plain.code, fileURLToPath(url)),
    };
  }
}

/**
 * As Node takes types out, which it does after all hooks.
 * @param {string} text
 * @param {string} url
 * @returns {{code: string, isFinal: boolean} | undefined} undefined where Node will complain, or cannot be asked
 */
function withoutTypes(text, url) {
  const { stripTypeScriptTypes: strip } = /** @type {any} */ (Module);
  const { emitWarning } = process;
  try {
    process.emitWarning = () => {}; // that this is experimental; Node says so itself
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
 * Does the text contain `import(...)` outside of a comment? Many packages name types so in JSDoc. A false alarm, as in
 * a string, costs time only.
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

/** Is it certain that the process starts with a CommonJS file, with nothing imported before? */
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
    const path = require.resolve(entry);
    const extension = extname(path);
    if (extension === '.cjs') return true;
    if (extension !== '.js' && extension !== '') return false;
    return nearestType(path) !== 'module' && !MAY_BE_MODULE.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

/** @param {string} path of a file @returns {unknown} `type` in the package.json that governs it */
function nearestType(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      return parseJson(readFileSync(join(folder, 'package.json'), 'utf8')).type;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT' || folder === dirname(folder)) {
        return undefined;
      }
    }
  }
}

module.exports = { ModuleHooks, mayImport };
