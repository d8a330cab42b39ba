'use strict';
/**
 * Instruments texts that Node compiles as CommonJS, and texts that `require` loads as ES modules, through
 * `Module.prototype._compile`. It runs after the SUT's own hooks (ts-node, swc, pirates), so its input is the
 * JavaScript that runs.
 *
 * Law: after any failure here the original text runs, and a SyntaxError of the user is the one that V8 throws.
 */

const Module = require('node:module');
const { isAbsolute, resolve, sep } = require('node:path');
const { OPEN_FUNCTION } = require('../instrument/texts/header.cjs');
const { disguise } = require('../base/function-text.cjs');
const { Error, String, defineProperty, indexOf, reflectApply, startsWith } = require('../base/intrinsics.cjs');
const { isEsModule } = require('./instrumenter-realm.cjs');
const { hashOf } = require('../instrument/texts/text-identity.cjs');
const { watchedText } = require('../runtime/validators/watched-texts.cjs');

const AGENT_FOLDER = resolve(__dirname, '..', '..') + sep;

/** @typedef {(this: unknown, content: string, filename: string, ...rest: unknown[]) => unknown} Compile */

/**
 * @param {object} parts
 * @param {import('./transform.cjs').Transformer} parts.transformer
 * @param {import('./file-handles.cjs').Handles} parts.handles
 * @param {(path: string) => boolean} parts.isOwnFile
 * @param {import('./file-handles.cjs').ReportFailure} parts.reportFailure
 * @param {import('./modules.cjs').ModuleHooks} parts.moduleHooks
 * @param {import('./linked-modules.cjs').LinkedModules} parts.linked
 * @param {(path: string, module: unknown) => void} parts.noticeModule called with Node's module object after a module
 *   has run
 */
function installCommonJs({ transformer, handles, isOwnFile, reportFailure, moduleHooks, linked, noticeModule }) {
  const prototype = /** @type {{_compile: Compile}} */ (/** @type {any} */ (Module).prototype);
  const original = prototype._compile;

  /**
   * @param {string} content
   * @param {string} filename
   * @param {boolean} isModule
   */
  function transformed(content, filename, isModule) {
    // A load hook of the agent has already instrumented it.
    if (indexOf(content, OPEN_FUNCTION) >= 0) return undefined;
    try {
      return transformer.transform(content, filename, isModule);
    } catch (error) {
      // Without a declared type, Node tries a text as CommonJS first and then loads it as an ES module by other ways.
      if (isModule || !isEsModule(content)) reportFailure(filename, hashOf(content), messageOf(error));
      else moduleHooks.ensure();
      return undefined;
    }
  }

  /** @param {unknown} format @param {unknown} filename */
  const isOwnSource = (format, filename) =>
    isJavaScript(format) && typeof filename === 'string' && isAbsolute(filename) && isOwnFile(filename);

  /** @type {Compile} */
  function compile(content, filename, ...rest) {
    // Not spread, because that would use an iterator that the program may have replaced.
    /** @type {unknown[]} */
    const given = [content, filename];
    for (let index = 0; index < rest.length; index += 1) given[index + 2] = rest[index];
    if (typeof content !== 'string') return reflectApply(original, this, given);
    if (!isOfAgent(filename)) moduleHooks.noticeText(content);
    const format = rest[0];
    const isOwn = isOwnSource(format, filename);
    if (format === 'module') moduleHooks.noticeRequired(filename, isOwn);
    const result = isOwn ? transformed(content, filename, format === 'module') : undefined;
    if (result === undefined) {
      given[0] = plainText(content, filename);
      const value =
        format === 'module' ? linked.compileLibrary(original, this, given) : reflectApply(original, this, given);
      if (typeof filename === 'string') noticeModule(filename, this);
      return value;
    }

    const { key, hash } = result.registration;
    handles.expect(result.registration);
    let isDone = false;
    try {
      given[0] = result.code;
      linked.noteCompiled(format);
      const value = reflectApply(original, this, given);
      isDone = true;
      return value;
    } finally {
      // No `catch`: Node shows the line of the latest throw, which must not be a line of the agent. If the text has
      // begun to run, the exception is the user's. If it has not, V8 refused the text: either the rewriting is wrong,
      // or the user's text is, which then has to report that itself; so the exception is dropped.
      linked.end();
      const hasStarted = !handles.isExpected(key);
      handles.forget(key);
      if (!isDone && !hasStarted) {
        reportFailure(filename, hash, 'V8 refused the instrumented text');
        given[0] = content;
        // eslint-disable-next-line no-unsafe-finally -- the exception of V8 is dropped on purpose
        return reflectApply(original, this, given);
      }
    }
  }

  prototype._compile = disguise(compile, original);
  // The function has no name; V8 finds one by searching the receiver, and shows it in each stack.
  if (original.name === '') defineProperty(original, 'name', { value: '_compile', configurable: true });
}

/**
 * @param {string} content of a file that is not instrumented
 * @param {unknown} filename
 */
const plainText = (content, filename) => (typeof filename === 'string' ? watchedText(content, filename) : content);

/** @param {unknown} filename */
const isOfAgent = (filename) => typeof filename === 'string' && startsWith(filename, AGENT_FOLDER);

/** @param {unknown} format as Node names it; undefined: CommonJS */
const isJavaScript = (format) => format === undefined || format === 'commonjs' || format === 'module';

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

module.exports = { installCommonJs };
