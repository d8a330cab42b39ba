'use strict';
/**
 * Taps packages that are loaded as ES modules: a statement that is appended to their text announces their exports when
 * the module has run. Of these, function declarations may be replaced, and methods of classes.
 *
 * A function that is the default export, and functions in an object that is, are announced, and maybe replaced, before
 * they are exported: by a statement at the start of the text, where functions exist already.
 *
 * Law: the text keeps its lines, except for the first one also its columns, and the statements cannot fail.
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
    const program = parseModule(text);
    const exports = exportedBindings(program);
    const name = defaultFunction(program);
    if (name !== null) return replacing(text, path, name);
    const inDefault = functionsInDefault(program);
    if (inDefault.length > 0) return replacing(text, path, `{${inDefault.join(',')}}`);
    if (exports.length === 0) return text;
    // In an import cycle a binding may not exist yet, and a thread without the agent has no such function.
    const call = `${ANNOUNCE_FUNCTION}(${quote(path)},{__proto__:null,${exports.join(',')}})`;
    const functions = exportedFunctions(program);
    const replacement = functions.length > 0 ? `({${functions.join(',')}}=${call})` : call;
    return `${text}\ntry{typeof ${ANNOUNCE_FUNCTION}==='function'&&${replacement}}catch{}`;
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
 * @param {import('../instrument/texts/parse.cjs').Node} program
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

/**
 * @param {import('../instrument/texts/parse.cjs').Node} program
 * @returns {string[]} properties of a pattern, one for each function declaration that is exported by `export function`
 */
function exportedFunctions({ body }) {
  /** @type {string[]} */
  const names = [];
  for (const { type, declaration } of body) {
    if (type === 'ExportNamedDeclaration' && declaration?.type === 'FunctionDeclaration') {
      names.push(declaration.id.name);
    }
  }
  return names;
}

/**
 * @param {import('../instrument/texts/parse.cjs').Node} program
 * @returns {string | null} the name of the function declaration that is exported by `export default NAME`
 */
function defaultFunction({ body }) {
  for (const node of body) {
    if (node.type !== 'ExportDefaultDeclaration' || node.declaration.type !== 'Identifier') continue;
    const { name } = node.declaration;
    for (const other of body) if (other.type === 'FunctionDeclaration' && other.id.name === name) return name;
  }
  return null;
}

/**
 * @param {import('../instrument/texts/parse.cjs').Node} program
 * @returns {string[]} the names of function declarations in `export default { hash, compare }`
 */
function functionsInDefault({ body }) {
  /** @type {string[]} */
  const names = [];
  for (const node of body) {
    if (node.type !== 'ExportDefaultDeclaration' || node.declaration.type !== 'ObjectExpression') continue;
    for (const { shorthand, key } of node.declaration.properties) {
      if (shorthand && body.some((/** @type {any} */ other) => isFunction(other, key.name))) names.push(key.name);
    }
  }
  return names;
}

/**
 * @param {import('../instrument/texts/parse.cjs').Node} node
 * @param {string} name
 */
function isFunction(node, name) {
  const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  return declared?.type === 'FunctionDeclaration' && declared.id.name === name;
}

/**
 * @param {string} text
 * @param {string} path
 * @param {string} functions of the module: the name of one, or `{hash,compare}`
 */
function replacing(text, path, functions) {
  const assignment = `(${functions}=${ANNOUNCE_FUNCTION}(${quote(path)},${functions}))`;
  return `try{if(typeof ${ANNOUNCE_FUNCTION}==='function')${assignment}}catch{}${text}`;
}

/** @param {(path: string, module: unknown) => void} notice */
function publishAnnounce(notice) {
  const announce = (/** @type {unknown[]} */ ...parts) => {
    const module = { exports: parts[1] };
    notice(String(parts[0]), module);
    return module.exports; // which a tap may have replaced
  };
  defineProperty(globalThis, ANNOUNCE_FUNCTION, {
    value: announce,
    enumerable: false,
    writable: false,
    configurable: false,
  });
}

module.exports = { announcing, isAnnounced, publishAnnounce };
