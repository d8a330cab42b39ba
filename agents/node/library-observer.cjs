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
const { createContext, Script } = require('node:vm');

const [, , resultFile, packageName, moduleName, examplesFile] = process.argv;
const ofAgent = (/** @type {string} */ file) =>
  join(/** @type {string} */ (process.env.WIMBLE_AGENT), 'src/library', file);
const { classOf, listOperations, methodsOfResult, ownMethodsOf } = require(ofAgent('exported-functions.cjs'));
const { Recording, beginTurn } = require(ofAgent('recording-arguments.cjs'));
const { decoded, setMakers } = require(ofAgent('call-values.cjs'));
const { settledCalls } = require(ofAgent('example-names.cjs'));
const { encoded } = require(ofAgent('result-values.cjs'));
const { isWriting } = require(ofAgent('stream-methods.cjs'));
const { loadedLibrary } = require(ofAgent('loaded-library.cjs'));

const MAX_PARAMETERS = 5;
/** What stands at the place of the first argument, where it is not recorded. */
const FIRSTS = ['a', ['a'], 1, {}];
/** Which members the second argument has then. @type {('none' | 'late')[]} */
const PRESENT = ['none', 'late'];
const MAX_EXAMPLES = 8;
/**
 * In the text of a class: it keeps its state where nobody else can see it. What is seen to change then is the rest,
 * such as listeners, so that nothing is said of its methods.
 */
const PRIVATE = /[\s{;.]#[\w$]+|\bWeakMap\b|[cC]lassPrivateField/;
/** How often a function is called with recording objects in all places. */
const MAX_TURNS = 4;
/** How long one call may take: hundreds of times as long as others, so that no load of the machine decides. */
const CALL_MS = 500;
/** How many calls of one function, and of all, are waited for in vain. */
const MAX_HANGS = 2;
const MAX_ALL_HANGS = 10;
/** On how many objects that are made in other ways a method is called. */
const MAX_OBJECTS = 2;
/** Objects of one class, or with the same methods, whose methods are called behind each of so many that return one. */
const MAX_PRODUCERS = 3;
/** How many of these methods are called in all: there are as many again of what they return, and so on. */
const MAX_PRODUCED = 120;
/** How many turns of the event loop the promises of one function are waited for. */
const TURNS = 4;
/** @type {{ name: string, is_new?: boolean, arguments?: any[] }[]} */
let examples = JSON.parse(readFileSync(examplesFile, 'utf8'));

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
process.exit = /** @type {any} */ (() => undefined);

const means = { require, load: (/** @type {string} */ name) => import(name) };
loadedLibrary(moduleName, means).then(async (/** @type {any} */ { exported }) => {
  const save = writeFileSync;
  const { operations, values } = listOperations(exported, packageName);
  const observer = new Observer(operations);
  setMakers(operations, values);
  examples = settledCalls(examples, { exported, operations, encoded });
  for (const operation of observer.operations) {
    try {
      await observer.look(operation);
    } catch {
      // What this one returns cannot be looked at, such as a proxy that throws.
    }
    save(resultFile, JSON.stringify(observer.told())); // what follows may hang
  }
  process.reallyExit(0);
});

class Observer {
  /** @param {any[]} operations */
  constructor(operations) {
    this.operations = operations;
    this.names = new Set(operations.map(({ about }) => about.name));
    /** @type {Set<any>} */
    this.known = new Set(operations.map(({ target }) => target));
    /** Name of an operation -> what it did with its arguments. @type {Record<string, object[]>} */
    this.shapes = {};
    /** Name of an operation -> the methods of what it makes. @type {Record<string, object[]>} */
    this.results = {};
    /** Names of methods of what methods return -> how many methods return such. @type {Map<string, number>} */
    this.produced = new Map();
    this.nProduced = 0;
    /** Name of a class -> functions that return its objects. @type {Record<string, string[]>} */
    this.makers = {};
    /**
     * Functions of an exported object that is the prototype of what another function returns (`fn` of jQuery), with
     * their names as methods of that. @type {Map<string, string>}
     */
    this.prototypes = new Map();
    /** Names of methods that change their object. @type {Set<string>} */
    this.changing = new Set();
    /** Names of methods that return promises. @type {Set<string>} */
    this.later = new Set();
    /** Names of constructors that say that only those of other classes make objects. @type {Set<string>} */
    this.abstract = new Set();
  }

  told() {
    const { shapes, results, makers, prototypes, changing, later, abstract } = this;
    return {
      calls: examples,
      shapes,
      results,
      makers,
      prototypes: [...prototypes.keys()],
      changing: [...changing],
      later: [...later],
      abstract: [...abstract],
    };
  }

  /** @param {any} operation */
  async look(operation) {
    const { kind } = operation.about;
    const returned = observed(subjectOf(operation), this);
    const objects = await settled([...returned.keys()]);
    if (kind === 'function') this.lookAtResults(operation, objects, returned);
    else if (kind === 'constructor') this.lookAtObject(operation);
    else this.lookAtProduced(operation.about, objects, this.siblingsOf(operation.about));
    const { shapes } = this;
    for (const [own, method] of this.prototypes) if (own in shapes) shapes[method] = shapes[own];
  }

  /**
   * @param {any} operation a function
   * @param {any[]} objects that it has returned
   * @param {Map<any, any[]>} returned those that no promise gave
   */
  lookAtResults(operation, objects, returned) {
    const { name } = operation.about;
    // What a promise gives cannot be written as an argument.
    const classes = objects.filter((one) => returned.has(one)).map((one) => classOf(one, this.operations));
    for (const one of new Set(classes)) if (one !== null) this.makers[one] = [...(this.makers[one] || []), name];
    for (const one of objects) {
      if (one === operation.owner) continue; // a constructor that was called as a function
      for (const { about, target } of this.operations.filter(isInPrototypeOf(one))) {
        this.prototypes.set(about.name, `${name}()#${about.path.at(-1)}`);
        this.known.delete(target);
      }
      const methods = methodsOfResult(one, name, (/** @type {any} */ method) => this.known.has(method));
      if (methods.length === 0) continue;
      this.results[name] = methods;
      const values = returned.get(one);
      const siblings = new Set(methods.map(({ method }) => method));
      for (const about of values === undefined ? [] : methods) {
        const found = observed(ofResult(operation, about, values), this);
        this.lookAtProduced(about, [...found.keys()], siblings);
      }
      return;
    }
  }

  /** @param {any} about of a method of a class @returns {Set<string>} the names of all of its methods */
  siblingsOf({ path }) {
    const place = path.join('.');
    const methods = this.operations.filter(({ about }) => about.kind === 'method' && about.path.join('.') === place);
    return new Set(methods.map(({ about }) => about.method));
  }

  /**
   * Methods of what a method returns, such as of an iterator; not of objects of an exported class.
   * @param {any} about of the method
   * @param {any[]} objects that it has returned
   * @param {Set<string>} siblings names of the methods of its own object
   */
  lookAtProduced(about, objects, siblings) {
    if (about.access !== 'call') return;
    for (const one of objects) {
      if (typeof one !== 'object' || !isOne(one) || classOf(one, this.operations) !== null) continue;
      const all = methodsOfResult(one, about.name, (/** @type {any} */ method) => this.known.has(method));
      const methods = all.filter(({ method }) => !siblings.has(method));
      const names = methods.map(({ method }) => method).join();
      const count = this.produced.get(names) || 0;
      const isTooMuch = count >= MAX_PRODUCERS || this.nProduced + methods.length > MAX_PRODUCED;
      if (methods.length === 0 || isTooMuch) continue;
      this.produced.set(names, count + 1);
      this.nProduced += methods.length;
      this.results[about.name] = methods;
      for (const own of methods) if (own.access === 'call') observed(ofProduced(one, own), this);
      return;
    }
  }

  /** @param {any} operation a constructor */
  lookAtObject(operation) {
    const { name } = operation.about;
    if (isAbstract(operation.target)) this.abstract.add(name);
    const { prototype } = operation.target;
    const base = prototype ? classOf(prototype, this.operations) : null;
    if (base !== null) this.makers[base] = [...(this.makers[base] || []), name];
    const own = ownMethods(operation).filter((one) => !this.names.has(one.name));
    if (own.length > 0) this.results[operation.about.name] = own;
    for (const about of own) observed(ofObject(operation, about), this);
  }
}

/** What constructors say that are there for classes that extend theirs. */
const ABSTRACT = /abstract|instantiat|subclass|extended/i;

/** @param {any} target a constructor */
function isAbstract(target) {
  let said = '';
  ended(() => {
    try {
      Reflect.construct(target, []);
    } catch (/** @type {any} */ error) {
      said = String(error.message);
    }
  });
  return ABSTRACT.test(said);
}

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
  return objects.filter(isOne);
}

/** @param {any} one @returns {boolean} whether it may have methods, and is no list and no promise */
function isOne(one) {
  const isThing = typeof one === 'function' || (typeof one === 'object' && one !== null);
  return isThing && !types.isProxy(one) && !Array.isArray(one) && !types.isPromise(one);
}

/**
 * What is called to see what it does with its arguments: an operation, or a method of what one makes.
 * @typedef {object} Subject
 * @property {any} about
 * @property {((values: any[], attemptOn: (object: any, method: any) => any) => any)[]} calls of a method, on objects
 *   that are made in other ways
 * @property {boolean} isHidden whether nobody can see the state of its object
 */

/** @param {any} operation @returns {Subject} */
function subjectOf({ about, target, owner }) {
  if (about.kind === 'constructor') {
    return { about, isHidden: true, calls: [(values) => void Reflect.construct(target, values)] };
  }
  if (about.kind === 'function') {
    return { about, isHidden: true, calls: [(values) => Reflect.apply(target, owner, values)] };
  }
  const isHidden = PRIVATE.test(Function.prototype.toString.call(owner));
  const ways = argumentsOfMaker(owner, about).map((given) => () => Reflect.construct(owner, given));
  return { about, isHidden, calls: ways.map((make) => (_, attemptOn) => attemptOn(make(), target)) };
}

/**
 * @param {any} operation a function
 * @param {any} about a method of what it returns, or what is returned itself
 * @param {any[]} given arguments with which it has returned something with the method
 * @returns {Subject} its state may be in variables of the function
 */
function ofResult({ target, owner }, about, given) {
  return {
    about,
    isHidden: true,
    calls: [
      (_, attemptOn) => {
        const object = Reflect.apply(target, owner, given);
        return attemptOn(object, about.method === '' ? object : object[about.method]);
      },
    ],
  };
}

/**
 * @param {any} operation a constructor
 * @param {any} about a method that it gives each object
 * @returns {Subject} its state may be in variables of the constructor
 */
function ofObject({ target }, about) {
  const ways = argumentsOfMaker(target, about).map((given) => () => Reflect.construct(target, given));
  return {
    about,
    isHidden: true,
    calls: ways.map((make) => (_, attemptOn) => {
      const object = make();
      attemptOn(object, object[about.method]);
    }),
  };
}

/** @param {any} object @param {any} about one of its methods @returns {Subject} */
const ofProduced = (object, about) => ({
  about,
  isHidden: true,
  calls: [(_, attemptOn) => attemptOn(object, object[about.method])],
});

/** @param {any} operation a constructor @returns {any[]} the methods that it gives each object */
function ownMethods({ about, target }) {
  /** @type {any[]} */
  let methods = [];
  for (const given of argumentsOfMaker(target, about)) {
    ended(() => {
      if (methods.length === 0) methods = ownMethodsOf(Reflect.construct(target, given), about);
    });
  }
  return methods;
}

/**
 * @param {Subject} subject
 * @param {{ shapes: Record<string, object[]>, changing: Set<string>, later: Set<string> }} found gets the shapes of its
 *   arguments, and its name, if it is a method that changes its object, or returns a promise
 * @returns {Map<any, any[]>} what calls of it have returned that may have methods -> the arguments of these
 */
function observed({ about, calls, isHidden }, { shapes, changing, later }) {
  if (isWriting(about)) {
    // Node checks what is written before the library gets it, and the rest happens later.
    shapes[about.name] = [{ kinds: ['string', 'Buffer'] }];
    return new Map();
  }
  /** @type {Map<any, any[]>} */
  const returned = new Map();
  let nHangs = 0;
  const count = Math.min(MAX_PARAMETERS, Math.max(about.parameters.length, about.reads_arguments ? 2 : 0));
  const recordings = Array.from({ length: count }, () => new Recording());
  for (const isFunction of [false, true]) {
    // A member is missing in the call that reads it first, so each time the function gets further.
    for (let turn = 0; turn < MAX_TURNS; turn++) attempt(recordings.map((one) => one.value(isFunction)));
    for (const first of FIRSTS) {
      attempt(recordings.map((one, index) => (index === 0 ? first : one.value(isFunction))));
      // Without further arguments, what these ask for is not done.
      const two = () => [first, ...recordings.slice(1, 2).map((one) => one.value(isFunction))];
      for (const present of count > 1 ? PRESENT : []) attempt(two(), present);
    }
  }
  shapes[about.name] = recordings.map((one) => one.shape());
  for (const values of [...shown(about), ...FIRSTS.map((first) => [first])]) attempt(values);
  return returned;

  /** @param {any[]} values @param {'all' | 'none' | 'late'} [present] members of recording objects */
  function attempt(values, present = 'all') {
    beginTurn(present);
    for (const call of calls) {
      if (nHangs >= MAX_HANGS || nAllHangs >= MAX_ALL_HANGS) return;
      const isOver = ended(() => {
        keep(
          call(values, (object, method) => attemptOn(object, method, values)),
          values,
        );
      });
      if (isOver) continue;
      nHangs += 1;
      nAllHangs += 1;
    }
  }

  /** @param {any} object @param {any} method @param {any[]} values */
  function attemptOn(object, method, values) {
    const isKnown = isHidden || changing.has(about.name);
    const before = isKnown ? '' : JSON.stringify(encoded(object).value);
    try {
      const result = Reflect.apply(method, object, values);
      if (types.isPromise(result)) later.add(about.name);
      return result;
    } finally {
      if (!isKnown && JSON.stringify(encoded(object).value) !== before) changing.add(about.name);
    }
  }

  /** @param {any} value @param {any[]} values */
  function keep(value, values) {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      if (!types.isProxy(value)) returned.set(value, values);
    }
  }
}

let nAllHangs = 0;
/** @type {{ act: () => void }} */
const bounded = { act: () => {} };
createContext(bounded);
const boundedCall = new Script('act()');

/**
 * Calls a function of the library. What was done with its arguments is recorded, also if it throws.
 * @param {() => void} act
 * @returns {boolean} whether it came to its end; else it was stopped
 */
function ended(act) {
  bounded.act = act;
  try {
    boundedCall.runInContext(bounded, { timeout: CALL_MS });
  } catch (/** @type {any} */ error) {
    return !(types.isNativeError(error) && /** @type {any} */ (error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT');
  }
  return true;
}

/**
 * @param {any} owner the class
 * @param {any} about one of its methods
 * @returns {any[][]} the first arguments with which it makes objects: none at all, if it can be, for then the object is
 *   in the state that its author had in mind; and a text, or what is shown, if options may not be one
 */
function argumentsOfMaker(owner, about) {
  const made = examples.filter((one) => one.is_new && one.name === (about.path.at(-1) || ''));
  const shownLists = made.slice(0, MAX_EXAMPLES).flatMap(argumentsOf);
  const [text, ...others] = FIRSTS.map((first) => [first]);
  /** @type {any[][]} */
  const found = [];
  for (const values of [[], text, ...shownLists, ...others]) {
    if (found.length === MAX_OBJECTS) break;
    ended(() => {
      Reflect.construct(owner, values);
      found.push(values);
    });
  }
  return found.length > 0 ? found : [[]];
}

/** @param {any} about @returns {any[][]} arguments of calls that the documentation shows */
function shown(about) {
  const name = about.method || about.path.at(-1) || '';
  return examples
    .filter((one) => one.name === (name === 'default' ? '' : name) && !one.is_new)
    .slice(0, MAX_EXAMPLES)
    .flatMap(argumentsOf);
}

/** @param {{ arguments?: any[] }} example @returns {any[][]} its arguments; none if the library fails to make them */
function argumentsOf(example) {
  /** @type {any[][]} */
  const found = [];
  ended(() => found.push((example.arguments || []).map(decoded)));
  return found;
}
