'use strict';
/**
 * Taps drivers that are loaded as ES modules: a statement that is appended to their text announces their exports when
 * the module has run. An ES module's exports cannot be replaced, but methods of its classes can.
 *
 * Law: the text before the statement keeps its lines and columns, and the statement cannot fail.
 */

const { String, defineProperty, endsWith, hasOwn, quote } = require('../base/intrinsics.cjs');
const { installedPackage } = require('../base/own-files.cjs');
const { parseModule } = require('./instrumenter-realm.cjs');

/** A property of the global object, as `open` of header.cjs. */
const ANNOUNCE_FUNCTION = '__wimble_announce__';

/** Package -> files in it. @typedef {Record<string, string[]>} Announced */

/**
 * @param {string} text of an ES module
 * @param {string} path
 * @param {Announced} announced
 * @returns {string} the text, with the statement appended if the file is an announced one
 */
function announcing(text, path, announced) {
  if (!isAnnounced(path, announced)) return text;
  try {
    const exports = exportedBindings(parseModule(text));
    if (exports.length === 0) return text;
    // In an import cycle a binding may not exist yet, and a thread without the agent has no such function.
    return `${text}\ntry{typeof ${ANNOUNCE_FUNCTION}==='function'&&${ANNOUNCE_FUNCTION}(${quote(path)},{__proto__:null,${exports.join(',')}})}catch{}`;
  } catch {
    return text; // this is not JavaScript that acorn can parse
  }
}

/**
 * @param {string} path
 * @param {Announced} announced
 */
function isAnnounced(path, announced) {
  const owner = installedPackage(path);
  const files = owner === null || !hasOwn(announced, owner.name) ? [] : announced[owner.name];
  for (let index = 0; index < files.length; index++) {
    if (endsWith(path, owner?.folder + '/' + files[index])) return true;
  }
  return false;
}

/**
 * @param {import('../instrument/parse.cjs').Node} program
 * @returns {string[]} properties of an object literal, one for each named export that is a binding of this module
 */
function exportedBindings(program) {
  /** @type {string[]} */
  const properties = [];
  for (const node of program.body) {
    if (node.type !== 'ExportNamedDeclaration' || node.source) continue;
    for (const { local, exported } of node.specifiers) {
      properties.push(`${quote(exported.name ?? exported.value)}:${local.name}`);
    }
    const { declaration } = node;
    if (declaration?.id) properties.push(declaration.id.name);
  }
  return properties;
}

/** @param {(path: string, module: unknown) => void} notice */
function publishAnnounce(notice) {
  const announce = (/** @type {unknown[]} */ ...parts) => notice(String(parts[0]), { exports: parts[1] });
  defineProperty(globalThis, ANNOUNCE_FUNCTION, {
    value: announce,
    enumerable: false,
    writable: false,
    configurable: false,
  });
}

module.exports = { announcing, isAnnounced, publishAnnounce };
