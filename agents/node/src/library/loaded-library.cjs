'use strict';
/** Loads a library as its users do: by `require`, or by `import` where that is the only or the better way. */

const { existsSync, readFileSync } = require('node:fs');
const { dirname, extname, isAbsolute, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { isModuleNamespaceObject } = require('node:util').types;

/** What `require` says of a package that can only be imported. */
const ONLY_IMPORTED = ['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];
/** Characters per line, on average, from which on a text is taken for minified. */
const MINIFIED = 500;

/**
 * @typedef {object} Means
 * @property {NodeJS.Require} require of a file from which the library is found
 * @property {(name: string) => Promise<any>} load imports a module from there
 */

/**
 * @param {string} name of the package, or the path of a module
 * @param {Means} means
 * @returns {Promise<{ exported: any, isModule: boolean }>}
 */
async function loadedLibrary(name, { require: requireThere, load }) {
  try {
    if (!isImported(name, requireThere.resolve(name))) {
      const exported = requireThere(name);
      // Bundlers give what CommonJS exports the tag of a namespace.
      return { exported, isModule: isModuleNamespaceObject(exported) };
    }
  } catch (error) {
    if (!ONLY_IMPORTED.includes(/** @type {any} */ (error).code)) throw error;
  }
  return { exported: await load(isAbsolute(name) ? pathToFileURL(name).href : name), isModule: true };
}

/**
 * Whether a file is declared as an ES module, which not all versions of Node that can `require` it pass through the
 * agent; or is a minified bundle, of which nobody can read lines, while its package has another text for `import`.
 * @param {string} name
 * @param {string} file
 */
function isImported(name, file) {
  if (extname(file) === '.mjs') return true;
  if (!isAbsolute(file)) return false; // a module of Node
  const manifest = manifestOf(file);
  if (extname(file) === '.js' && manifest.type === 'module') return true;
  return !isAbsolute(name) && hasOtherText(manifest.exports) && isMinified(file);
}

/** @param {string} file @returns {any} the package.json of its package; empty if there is none */
function manifestOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8'));
  }
  return {};
}

/** @param {any} exports of a package.json @returns {boolean} whether `import` gets another file */
function hasOtherText(exports) {
  const main = exports?.['.'] ?? exports;
  const wanted = typeof main === 'object' && main !== null ? main.import : undefined;
  const file = typeof wanted === 'object' && wanted !== null ? wanted.default : wanted;
  return typeof file === 'string' && !/\.min\.\w+$/.test(file);
}

/** @param {string} file */
function isMinified(file) {
  const text = readFileSync(file, 'utf8');
  return text.length > MINIFIED * text.split('\n').length;
}

module.exports = { loadedLibrary };
