'use strict';
/**
 * Instruments what a required ES module imports, where Node gives these files to no hook (20.19 to 22.14).
 *
 * Node links such a module before anything of it runs, and reads each file of its graph with functions of `fs`. Until
 * the first of them runs, which the handle of an instrumented text tells, these functions are replaced: so no code of
 * the program ever meets the replacements. Nothing tells when a required library runs; those whose files are watched
 * read none while they are loaded.
 */

const fs = require('node:fs');
const Module = require('node:module');
const { devNull } = require('node:os');
const { extname } = require('node:path');
const { URL, fileURLToPath } = require('node:url');

const { disguise } = require('../base/function-text.cjs');
const { installedPackage } = require('../base/own-files.cjs');
const { isOfWatched, isWatched, watchedText } = require('../runtime/validators/watched-texts.cjs');
const { announcing, isAnnounced } = require('./announce.cjs');
const { isEsModule } = require('./instrumenter-realm.cjs');
const { nearestPackage } = require('./nearest-package.cjs');
const {
  ObjectCreate,
  ObjectKeys,
  bufferFrom,
  bufferSubarray,
  endsWith,
  hasOwn,
  lengthOfBytes,
  min,
  openSync,
  readFileSync,
  reflectApply,
  typedArraySet,
} = require('../base/intrinsics.cjs');

/** Since Node 22.15 the hooks of modules.cjs see these files. */
const isNeeded = typeof (/** @type {any} */ (Module).registerHooks) !== 'function';
/** Up to Node 20.19.1 and 22.13, a required `.mjs` does not pass through `_compile`. */
const hasOwnExtension = typeof (/** @type {any} */ (Module)._extensions['.mjs']) === 'function';

/** @type {any} */
const files = fs;

class LinkedModules {
  /**
   * @param {object} parts
   * @param {(path: string) => boolean} parts.isOwnFile
   * @param {(text: string, path: string) => string} parts.instrumentHere
   * @param {import('./transform.cjs').Transformer} parts.transformer
   * @param {import('./announce.cjs').Announced} parts.announced files of packages that announce their exports
   */
  constructor({ isOwnFile, instrumentHere, transformer, announced }) {
    this.announced = announced;
    this.isOwnFile = isOwnFile;
    this.instrumentHere = instrumentHere;
    this.transformer = transformer;
    /** What `fs` had before; null: no graph is being linked. @type {Record<string, any> | null} */
    this.before = null;
    /** What is left to read, by file descriptor. @type {Record<number, Uint8Array>} */
    this.unread = ObjectCreate(null);
  }

  /** @param {import('./modules.cjs').ModuleHooks} moduleHooks which hear of required modules */
  install(moduleHooks) {
    if (!isNeeded || !hasOwnExtension) return;
    const linked = this;
    const prototype = /** @type {any} */ (Module).prototype;
    const { load } = prototype;
    prototype.load = disguise(
      /** @this {any} */
      function (/** @type {any[]} */ ...args) {
        const path = args[0];
        if (typeof path !== 'string' || !endsWith(path, '.mjs')) return reflectApply(load, this, args);
        const isOwn = linked.isOwnFile(path);
        moduleHooks.noticeRequired(path, isOwn);
        if (isOwn) linked.begin(path);
        try {
          return reflectApply(load, this, args);
        } finally {
          linked.end();
        }
      },
      load,
    );
  }

  /** @param {unknown} format of a text that Node compiles now */
  noteCompiled(format) {
    if (format === 'module') this.begin();
  }

  /**
   * Compiles an ES module that is not instrumented, with what it imports.
   * @param {Function} compile
   * @param {any} self
   * @param {unknown[]} args the text, its path, and more
   */
  compileLibrary(compile, self, args) {
    const path = args[1];
    const begins = isNeeded && this.before === null && typeof path === 'string' && this.isOfInterest(path);
    if (begins) this.begin();
    try {
      return reflectApply(compile, self, args);
    } finally {
      if (begins) this.end();
    }
  }

  /** @param {string} path of a library's file */
  isOfInterest(path) {
    const owner = installedPackage(path);
    return isOfWatched(path) || (owner !== null && hasOwn(this.announced, owner.name));
  }

  /** @param {string} [first] path of the required module, if it was not read yet. Node is about to link its imports. */
  begin(first) {
    if (!isNeeded || this.before !== null) return;
    const before = {
      openSync: files.openSync,
      readSync: files.readSync,
      closeSync: files.closeSync,
      readFileSync: files.readFileSync,
    };
    this.before = before;
    const linked = this;
    /** @type {Record<string, (...args: any[]) => any>} */
    const replacements = {
      openSync: (...args) => linked.opened(args[0]) ?? reflectApply(before.openSync, fs, args),
      readSync: (...args) =>
        linked.unread[args[0]] === undefined ? reflectApply(before.readSync, fs, args) : linked.read(args),
      closeSync: (...args) => {
        delete linked.unread[args[0]];
        return reflectApply(before.closeSync, fs, args);
      },
      readFileSync: (...args) => {
        const text = reflectApply(before.readFileSync, fs, args);
        return args[0] === first && typeof text === 'string' ? linked.instrumentHere(text, args[0]) : text;
      },
    };
    this.replace(replacements);
  }

  /** The first module runs, or none will. */
  end() {
    if (this.before !== null) this.replace(this.before);
    this.before = null;
  }

  /** @param {Record<string, any>} functions of `fs` */
  replace(functions) {
    try {
      const names = ObjectKeys(functions);
      for (let index = 0; index < names.length; index++) files[names[index]] = functions[names[index]];
    } catch {
      // The program has frozen them.
    }
  }

  /** @param {unknown} url @returns {number | undefined} a descriptor to read the instrumented text from */
  opened(url) {
    try {
      if (!(url instanceof URL) || url.protocol !== 'file:') return undefined;
      const path = fileURLToPath(url);
      const isOwn = this.isOwnFile(path);
      if (!isOwn && !isWatched(path) && !isAnnounced(path, this.announced)) return undefined;
      const text = readFileSync(path, 'utf8');
      if (!this.isModule(text, path)) return undefined;
      const changed = isOwn ? this.instrumentHere(text, path) : watchedText(text, path);
      const bytes = bufferFrom(announcing(changed, path, this.announced));
      // Not the file itself: Node reads as much as that has, and of this one as long as there is something.
      const descriptor = openSync(devNull, 'r');
      this.unread[descriptor] = bytes;
      return descriptor;
    } catch {
      return undefined; // Node reports what is wrong with the file
    }
  }

  /** @param {any[]} args of `fs.readSync`: descriptor, buffer, offset, length */
  read([descriptor, buffer, offset, length]) {
    const unread = this.unread[descriptor];
    const count = min(length, lengthOfBytes(unread));
    typedArraySet(buffer, bufferSubarray(unread, 0, count), offset);
    this.unread[descriptor] = bufferSubarray(unread, count);
    return count;
  }

  /** @param {string} text @param {string} path @returns {boolean} whether Node takes it for an ES module */
  isModule(text, path) {
    const extension = extname(path);
    if (extension !== '.js') return extension === '.mjs';
    const { type } = nearestPackage(path);
    if (type === 'module' || type === 'commonjs') return type === 'module';
    try {
      this.transformer.transform(text, path, false); // which is needed anyway
      return false;
    } catch {
      return isEsModule(text);
    }
  }
}

module.exports = { LinkedModules };
