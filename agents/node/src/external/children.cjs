'use strict';
/**
 * Child processes, which cannot be redirected unless they are Node with the agent inside. All get the agent's
 * variables, also where the program gives them an environment of their own; those that are not Node get the mock server
 * as their proxy, and are reported by name.
 *
 * Law: the program's own environment and the objects that it passes stay as they are.
 */

const childProcess = require('child_process');
const {
  ObjectKeys,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  isArray,
  reflectApply,
  regExpExec,
  slice,
  startsWith,
} = require('../base/intrinsics.cjs');
const { disguise } = require('../base/function-text.cjs');
const { reportProgram } = require('./reports.cjs');
const { baseName, programsOf } = require('./shell-commands.cjs');

const OPTIONS = 'NODE_OPTIONS';
const OWN = 'WIMBLE_';
const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
const WITHOUT_PROXY = ['no_proxy', 'NO_PROXY'];
/** Which certificates programs trust: curl, git, and what OpenSSL and Go read. They need not exist at the start. */
const TRUST = ['CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'SSL_CERT_FILE'];
/** Loads the agent; it stands at the end, where the core has added it. */
const PRELOAD = /--require(?:=| +)(?:"(?:[^"\\]|\\.)*"|\S+)\s*$/;
/** They are Node, which the agent redirects. */
const NODE = /^(?:node|nodejs|npm|npx|yarn|pnpm)$/;
/** As file names have them everywhere. */
const NAME = /^[\w.+-]{1,100}$/;
const SHELL = /^(?:sh|bash|dash|zsh|ash)$/;

/**
 * @typedef {object} Surroundings of children
 * @property {string} folder of the mock server
 * @property {string} preload the option of Node that loads the agent; empty: none
 * @property {string[]} own `NAME=value` of the agent's variables
 * @property {string[]} proxied `NAME=value` for programs that are not Node
 */

/** @param {import('./service-rules.cjs').Mocks} mocks */
function watchChildren(mocks) {
  const proxied = proxyVariables(mocks);
  takeBack(proxied);
  const surroundings = { folder: mocks.folder, preload: preloadOption(), own: ownVariables(), proxied };
  const spawners = nativeSpawners();
  for (let index = 0; index < spawners.length; index++) replaceSpawn(spawners[index], surroundings);
}

/** @param {import('./service-rules.cjs').Mocks} mocks @returns {string[]} */
function proxyVariables({ port, folder, allowed }) {
  let direct = 'localhost,127.0.0.1,::1';
  for (let index = 0; index < allowed.length; index++) direct += ',' + hostOf(allowed[index]);
  /** @type {string[]} */
  const found = [];
  const add = (/** @type {string[]} */ names, /** @type {string} */ value) => {
    for (let index = 0; index < names.length; index++) found[found.length] = names[index] + '=' + value;
  };
  add(PROXIES, 'http://127.0.0.1:' + port);
  add(WITHOUT_PROXY, direct);
  // An allowed host has a certificate of a public authority.
  if (allowed.length === 0) add(TRUST, folder + '/authority.pem');
  return found;
}

/** @param {string} entry of the allowed hosts @returns {string} without its port */
function hostOf(entry) {
  const found = regExpExec(/^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/, entry);
  return found === null ? entry : found[1] || found[2];
}

/**
 * A process of Node below another program needs no proxy, and does not see it.
 * @param {string[]} pairs
 */
function takeBack(pairs) {
  for (let index = 0; index < pairs.length; index++) {
    const name = nameOf(pairs[index]);
    if (process.env[name] === slice(pairs[index], name.length + 1)) delete process.env[name];
  }
}

function preloadOption() {
  const found = regExpExec(PRELOAD, process.env[OPTIONS] || '');
  return found === null ? '' : found[0];
}

function ownVariables() {
  const { env } = process;
  const names = ObjectKeys(env);
  /** @type {string[]} */
  const own = [];
  for (let index = 0; index < names.length; index++) {
    if (startsWith(names[index], OWN)) own[own.length] = names[index] + '=' + env[names[index]];
  }
  return own;
}

/** @returns {any[]} the objects with the `spawn` that all functions of `child_process` end in */
function nativeSpawners() {
  const found = [];
  try {
    found[0] = getPrototypeOf(/** @type {any} */ (new childProcess.ChildProcess())._handle);
    found[1] = /** @type {any} */ (process).binding('spawn_sync');
  } catch {
    // With Node's permission model, there are no bindings.
  }
  return found;
}

/**
 * @param {any} owner
 * @param {Surroundings} surroundings
 */
function replaceSpawn(owner, surroundings) {
  const descriptor = getOwnPropertyDescriptor(owner, 'spawn');
  if (descriptor === undefined || typeof descriptor.value !== 'function') return;
  const original = descriptor.value;
  const wrapper = /** @this {any} @param {any[]} args */ function (...args) {
    try {
      // Node 24 gives the parts of the options to ChildProcess one by one.
      if (typeof args[0] === 'string') args[3] = environmentOf(args, surroundings);
      else args[0] = surrounded(args[0], surroundings);
    } catch {
      // Options that Node refuses.
    }
    return reflectApply(original, this, args);
  };
  defineProperty(owner, 'spawn', { ...descriptor, value: disguise(wrapper, original) });
}

/**
 * @param {any[]} args the file, its arguments, the folder, the environment, and more
 * @param {Surroundings} surroundings
 * @returns {string[]} the environment
 */
function environmentOf({ 0: file, 1: list, 3: envPairs }, surroundings) {
  return surrounded({ file, args: list, envPairs }, surroundings).envPairs;
}

/**
 * @param {any} options of a native `spawn`
 * @param {Surroundings} surroundings
 */
function surrounded(options, { folder, preload, own, proxied }) {
  if (!isArray(options.envPairs) || typeof options.file !== 'string') return options;
  const pairs = merged(options.envPairs, own, false);
  if (preload !== '') addPreload(pairs, preload);
  if (options.file === process.execPath) return { ...options, envPairs: pairs };
  const programs = programsIn(options);
  let isNode = programs.length > 0;
  for (let index = 0; index < programs.length; index++) {
    if (regExpExec(NODE, programs[index]) !== null) continue;
    isNode = false;
    if (regExpExec(NAME, programs[index]) !== null) reportProgram(folder, programs[index]);
  }
  return { ...options, envPairs: isNode ? pairs : merged(pairs, proxied, true) };
}

/** @param {any} options @returns {string[]} the names of the programs, also if a shell starts them */
function programsIn({ file, args }) {
  const name = baseName(file);
  const isCommand =
    regExpExec(SHELL, name) !== null && isArray(args) && args[1] === '-c' && typeof args[2] === 'string';
  return isCommand ? programsOf(args[2]) : [name];
}

/** @param {string} pair */
const nameOf = (pair) => slice(pair, 0, indexOf(pair, '='));

/**
 * @param {string[]} pairs
 * @param {string[]} added
 * @param {boolean} replaces whether they replace variables of the same name
 */
function merged(pairs, added, replaces) {
  /** @type {string[]} */
  const result = [];
  const has = (/** @type {string[]} */ list, /** @type {string} */ name) => {
    for (let index = 0; index < list.length; index++) {
      if (startsWith(list[index], name + '=')) return true;
    }
    return false;
  };
  for (let index = 0; index < pairs.length; index++) {
    if (!replaces || !has(added, nameOf(pairs[index]))) result[result.length] = pairs[index];
  }
  for (let index = 0; index < added.length; index++) {
    if (replaces || !has(pairs, nameOf(added[index]))) result[result.length] = added[index];
  }
  return result;
}

/**
 * @param {string[]} pairs are changed
 * @param {string} preload
 */
function addPreload(pairs, preload) {
  for (let index = 0; index < pairs.length; index++) {
    if (!startsWith(pairs[index], OPTIONS + '=')) continue;
    if (indexOf(pairs[index], preload) < 0) {
      pairs[index] = OPTIONS + '=' + preload + ' ' + slice(pairs[index], OPTIONS.length + 1);
    }
    return;
  }
  pairs[pairs.length] = OPTIONS + '=' + preload;
}

module.exports = { watchChildren };
