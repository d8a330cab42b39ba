'use strict';
/* eslint no-restricted-globals: off -- runs before the program does */
/**
 * Loads the agent's modules, from one file with their texts and V8's compiled code if there is one. So a start neither
 * looks for some two hundred files nor compiles them. The first process that finds no such file writes it once the
 * program serves: by then, the functions that a start needs are compiled, and belong to the code.
 *
 * The modules are not in `require.cache`: a program that lists it must not see them, and a program that empties it (to
 * reload its own files) must not make the agent load second copies of its parts.
 *
 * Law: the file is never trusted. If it is incomplete, altered, or of another agent or Node, each module is read and
 * compiled by itself.
 */

const { createHash } = require('node:crypto');
const { readdirSync, renameSync, statSync, unlinkSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, sep } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');
const intrinsics = require('../base/intrinsics.cjs');

const {
  BufferCompare,
  ObjectCreate,
  ObjectKeys,
  bufferAlloc,
  bufferConcat,
  bufferFrom,
  bufferSubarray,
  bufferToString,
  endsWith,
  isBuiltin,
  lastIndexOf,
  lengthOfBytes,
  parseJson,
  readFileSync,
  readUInt32LE,
  reflectApply,
  slice,
  startsWith,
  writeUInt32LE,
} = intrinsics;
const { stringify } = JSON;
const { update, digest } = Object.getPrototypeOf(createHash('sha1'));
const { createCachedData, runInThisContext } = Script.prototype;

const ROOT = join(__dirname, '..', '..') + sep;
const PACKAGES = join(ROOT, 'node_modules') + sep;
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';
const PREFIX = 'agent-';
const DIGEST_LENGTH = 20;
/** Age at which a file of another edition is removed. Its agent may be in use, and would then write it again. */
const OLD_MS = 7 * 24 * 3600 * 1000;

const requireBuiltIn = createRequire(ROOT);
/** By absolute path. @type {Record<string, {exports: any}>} */
const modules = ObjectCreate(null);
/** Those that have run, by path below ROOT. @type {Record<string, {script: import('node:vm').Script, text: string}>} */
const scripts = ObjectCreate(null);
/** Texts and code by path below ROOT; null: there is no file. @type {Record<string, [string, Buffer]> | null} */
let kept = null;
let cacheFolder = '';
/** Of the file; empty: none is wanted. */
let codeName = '';

/**
 * @param {string} folder the cache
 * @param {string} edition of the agent's files, as the core names it
 */
function useCode(folder, edition) {
  cacheFolder = folder + sep;
  codeName = `${PREFIX}${edition}-${process.arch}-${cachedDataVersionTag()}`;
  try {
    kept = unpacked(readFileSync(cacheFolder + codeName));
  } catch {
    kept = null;
  }
}

/** @param {Buffer} bytes */
const digestOf = (bytes) =>
  /** @type {Buffer} */ (reflectApply(digest, reflectApply(update, createHash('sha1'), [bytes]), []));

/**
 * @param {Buffer} content a digest of all that follows, the length of a table (4 bytes), the table, all texts and codes
 * @returns {Record<string, [string, Buffer]> | null} null: it is incomplete or altered
 */
function unpacked(content) {
  const payload = bufferSubarray(content, DIGEST_LENGTH);
  if (BufferCompare(digestOf(payload), bufferSubarray(content, 0, DIGEST_LENGTH)) !== 0) return null;
  const tableEnd = 4 + readUInt32LE(payload, 0);
  /** @type {[string, number, number][]} */
  const table = parseJson(bufferToString(payload, 'utf8', 4, tableEnd));
  const entries = ObjectCreate(null);
  let start = tableEnd;
  for (let index = 0; index < table.length; index++) {
    const [path, textLength, codeLength] = table[index];
    const textEnd = start + textLength;
    entries[path] = [
      bufferToString(payload, 'utf8', start, textEnd),
      bufferSubarray(payload, textEnd, textEnd + codeLength),
    ];
    start = textEnd + codeLength;
  }
  return entries;
}

/** Writes the file if this process has found none, and removes old ones of other editions of the agent. */
function keepCode() {
  if (codeName === '' || kept !== null || !isMainThread) return;
  kept = ObjectCreate(null);
  const temporary = `${cacheFolder}${codeName}.${process.pid}.tmp`;
  try {
    const payload = packed();
    writeFileSync(temporary, bufferConcat([digestOf(payload), payload]), { mode: 0o600 });
    renameSync(temporary, cacheFolder + codeName);
    removeOthers();
  } catch {
    try {
      unlinkSync(temporary);
    } catch {
      // The temporary file was never written.
    }
  }
}

/** The new file's time stands for the present, since the program's clock may be shifted. */
function removeOthers() {
  const present = statSync(cacheFolder + codeName).mtimeMs;
  const own = slice(codeName, 0, lastIndexOf(codeName, process.arch));
  const names = readdirSync(cacheFolder);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (!startsWith(name, PREFIX) || startsWith(name, own)) continue;
    if (present - statSync(cacheFolder + name).mtimeMs > OLD_MS) unlinkSync(cacheFolder + name);
  }
}

/** @returns {Buffer} as `unpacked` takes it, without the digest */
function packed() {
  /** @type {[string, number, number][]} */
  const table = [];
  /** @type {Buffer[]} */
  const parts = [];
  const paths = ObjectKeys(scripts);
  for (let index = 0; index < paths.length; index++) {
    const { script, text } = scripts[paths[index]];
    const bytes = bufferFrom(text);
    const code = /** @type {Buffer} */ (reflectApply(createCachedData, script, []));
    table[index] = [paths[index], lengthOfBytes(bytes), lengthOfBytes(code)];
    parts[2 * index] = bytes;
    parts[2 * index + 1] = code;
  }
  const tableBytes = bufferFrom(stringify(table));
  const length = bufferAlloc(4);
  writeUInt32LE(length, lengthOfBytes(tableBytes), 0);
  return bufferConcat([length, tableBytes, bufferConcat(parts)]);
}

/**
 * @param {string} file absolute
 * @returns {any} its exports
 */
function load(file) {
  const known = modules[file];
  if (known !== undefined) return known.exports;
  if (endsWith(file, '.json')) return parseJson(readFileSync(file, 'utf8'));
  const module = { exports: {} };
  modules[file] = module;
  try {
    const folder = dirname(file);
    const run = reflectApply(runInThisContext, scriptOf(file), []);
    reflectApply(run, undefined, [module.exports, requireIn(folder), module, file, folder]);
    return module.exports;
  } catch (error) {
    delete modules[file];
    throw error;
  }
}

/** @param {string} file absolute */
function scriptOf(file) {
  const path = slice(file, ROOT.length);
  const entry = kept === null ? undefined : kept[path];
  const text = entry === undefined ? readFileSync(file, 'utf8') : entry[0];
  const script = new Script(HEAD + text + TAIL, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData: entry === undefined ? undefined : entry[1],
  });
  scripts[path] = { script, text };
  return script;
}

/**
 * @param {string} folder
 * @returns {(name: string) => any} the `require` of modules in a folder
 */
const requireIn = (folder) => (name) => (isBuiltin(name) ? requireBuiltIn(name) : load(fileOf(name, folder)));

/**
 * Resolves a required name without `path.join`, which calls a method of an array that the program may have patched.
 * @param {string} name as written in the `require`
 * @param {string} folder of the requiring module
 * @returns {string} path
 */
function fileOf(name, folder) {
  if (startsWith(name, './')) return fileOf(slice(name, 2), folder + sep);
  if (startsWith(name, '../')) return fileOf(`./${slice(name, 3)}`, dirname(folder));
  if (endsWith(folder, sep)) return folder + name;
  const own = PACKAGES + name + sep;
  return own + parseJson(readFileSync(`${own}package.json`, 'utf8')).main;
}

/** @type {[string, any][]} */
const LOADED_BY_NODE = [
  [__filename, { keepCode, load, useCode }],
  [require.resolve('../base/intrinsics.cjs'), intrinsics],
];
for (const [file, exports] of LOADED_BY_NODE) {
  modules[file] = { exports };
  delete require.cache[file];
}

module.exports = { keepCode, load, useCode };
