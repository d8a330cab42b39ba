'use strict';
/**
 * Calls the functions of a library with objects that record what is done with them, and writes down what that says of
 * the parameters. It is the main module of a process of its own, without the agent, which ends after it.
 *
 * Arguments: the file for the result, the name of the package, the module, and the file with the calls of its
 * documentation. The folder of the agent is in WIMBLE_AGENT.
 */

const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { types } = require('node:util');

const [, , resultFile, packageName, moduleName, examplesFile] = process.argv;
const ofAgent = (/** @type {string} */ file) =>
  join(/** @type {string} */ (process.env.WIMBLE_AGENT), 'src/library', file);
const { classOf, listOperations, methodsOfResult } = require(ofAgent('exported-functions.cjs'));
const { Recording } = require(ofAgent('recording-arguments.cjs'));
const { decoded } = require(ofAgent('call-values.cjs'));
const { encoded } = require(ofAgent('result-values.cjs'));
const { loadedLibrary } = require(ofAgent('loaded-library.cjs'));

const MAX_PARAMETERS = 5;
/** What stands at the place of the first argument, where it is not recorded. */
const FIRSTS = ['a', ['a'], 1, {}];
const MAX_EXAMPLES = 8;
/**
 * In the text of a class: it keeps its state where nobody else can see it. What is seen to change then is the rest, such
 * as listeners, so that nothing is said of its methods.
 */
const PRIVATE = /[\s{;.]#[\w$]+|\bWeakMap\b|[cC]lassPrivateField/;
/** How often a function is called with recording objects in all places. */
const MAX_TURNS = 4;
/** How many turns of the event loop the promises of one function are waited for. */
const TURNS = 4;
/** @type {{ name: string, is_new?: boolean, arguments?: any[] }[]} */
const examples = JSON.parse(readFileSync(examplesFile, 'utf8'));

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
process.exit = /** @type {any} */ (() => undefined);

const means = { require, load: (/** @type {string} */ name) => import(name) };
loadedLibrary(moduleName, means).then(async (/** @type {any} */ { exported }) => {
  const save = writeFileSync;
  /** @type {Record<string, object[]>} */
  const shapes = {};
  /** @type {Record<string, object[]>} */
  const results = {};
  /** Name of a class -> functions that return its objects. @type {Record<string, string[]>} */
  const makers = {};
  const { operations } = listOperations(exported, packageName);
  /**
   * Functions of an exported object that is the prototype of what another function returns (`fn` of jQuery), with their
   * names as methods of that. @type {Map<string, string>}
   */
  const prototypes = new Map();
  /** Names of methods that change their object. @type {Set<string>} */
  const changing = new Set();
  /** Names of methods that return promises. @type {Set<string>} */
  const later = new Set();
  /** @type {Set<any>} */
  const known = new Set(operations.map(({ target }) => target));
  for (const operation of operations) {
    const { name } = operation.about;
    const returned = observed(operation, shapes, { changing, later });
    const objects = await settled(returned);
    // What a promise gives cannot be written as an argument.
    const made = operation.about.kind === 'function' ? objects.filter((one) => returned.includes(one)) : [];
    const classes = made.map((one) => classOf(one, operations));
    for (const one of new Set(classes)) if (one !== null) makers[one] = [...(makers[one] || []), name];
    for (const one of objects) {
      for (const { about, target } of operations.filter(isInPrototypeOf(one))) {
        prototypes.set(about.name, `${name}()#${about.path.at(-1)}`);
        known.delete(target);
      }
      const methods = methodsOfResult(one, name, (/** @type {any} */ method) => known.has(method));
      if (methods.length > 0) results[name] = methods;
      if (methods.length > 0) break;
    }
    for (const [own, method] of prototypes) if (own in shapes) shapes[method] = shapes[own];
    const found = {
      shapes,
      results,
      makers,
      prototypes: [...prototypes.keys()],
      changing: [...changing],
      later: [...later],
    };
    save(resultFile, JSON.stringify(found)); // what follows may hang
  }
  process.reallyExit(0);
});

/** @param {any} object @returns {(operation: any) => boolean} */
function isInPrototypeOf(object) {
  const prototype = Object.getPrototypeOf(object);
  return ({ about, owner }) => about.kind === 'function' && about.path.length > 1 && owner === prototype;
}

/**
 * @param {any[]} returned
 * @returns {Promise<any[]>} the objects and functions among them, those that promises give in their place
 */
async function settled(returned) {
  const objects = [...returned];
  for (const one of returned.filter(types.isPromise)) {
    one.then(
      (/** @type {any} */ value) => objects.push(value),
      () => {},
    );
  }
  // Turns, not time: each run gets the same.
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  const isOne = (/** @type {any} */ one) => typeof one === 'function' || (typeof one === 'object' && one !== null);
  return objects.filter((one) => isOne(one) && !types.isProxy(one) && !Array.isArray(one) && !types.isPromise(one));
}

/**
 * @param {any} operation
 * @param {Record<string, object[]>} shapes is filled
 * @param {{ changing: Set<string>, later: Set<string> }} methods get its name, if it is a method that changes its object,
 *   or returns a promise
 * @returns {any[]} what calls of it have returned that may have methods
 */
function observed({ about, target, owner }, shapes, { changing, later }) {
  /** @type {any[]} */
  const returned = [];
  const count = Math.min(MAX_PARAMETERS, Math.max(about.parameters.length, about.reads_arguments ? 2 : 0));
  const recordings = Array.from({ length: count }, () => new Recording());
  const receiver = about.kind === 'method' ? argumentsOfMaker(owner, about) : [];
  const isHidden = about.kind === 'method' && PRIVATE.test(Function.prototype.toString.call(owner));
  for (const isFunction of [false, true]) {
    // A member is missing when it is read first, so each time the function gets further.
    for (let turn = 0; turn < MAX_TURNS; turn++) attempt(recordings.map((one) => one.value(isFunction)));
    for (const first of FIRSTS) {
      attempt(recordings.map((one, index) => (index === 0 ? first : one.value(isFunction))));
    }
  }
  shapes[about.name] = recordings.map((one) => one.shape());
  for (const values of [...shown(about), ...FIRSTS.map((first) => [first])]) attempt(values);
  return returned;

  /** @param {any[]} values */
  function attempt(values) {
    try {
      if (about.kind === 'constructor') Reflect.construct(target, values);
      else if (about.kind === 'method') attemptOn(Reflect.construct(owner, receiver), values);
      else keep(Reflect.apply(target, owner, values));
    } catch {
      // What was done with the arguments before is recorded.
    }
  }

  /** @param {any} object @param {any[]} values */
  function attemptOn(object, values) {
    const isKnown = isHidden || changing.has(about.name);
    const before = isKnown ? '' : JSON.stringify(encoded(object).value);
    try {
      if (types.isPromise(Reflect.apply(target, object, values))) later.add(about.name);
    } finally {
      if (!isKnown && JSON.stringify(encoded(object).value) !== before) changing.add(about.name);
    }
  }

  /** @param {any} value */
  function keep(value) {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      if (!types.isProxy(value)) returned.push(value);
    }
  }
}

/**
 * @param {any} owner the class
 * @param {any} about one of its methods
 * @returns {any[]} the first arguments with which it makes an object; options may not be a text, for example
 */
function argumentsOfMaker(owner, about) {
  const made = examples.filter((one) => one.is_new && one.name === (about.path.at(-1) || ''));
  const shownLists = made.slice(0, MAX_EXAMPLES).map((one) => (one.arguments || []).map(decoded));
  const [text, ...others] = FIRSTS.map((first) => [first]);
  for (const values of [text, [], ...others, ...shownLists]) {
    try {
      Reflect.construct(owner, values);
      return values;
    } catch {
      // Others may be taken.
    }
  }
  return [];
}

/** @param {any} about @returns {any[][]} arguments of calls that the documentation shows */
function shown(about) {
  const name = about.path.at(-1) || '';
  return examples
    .filter((one) => one.name === (name === 'default' ? '' : name) && !one.is_new)
    .slice(0, MAX_EXAMPLES)
    .map((one) => (one.arguments || []).map(decoded));
}
