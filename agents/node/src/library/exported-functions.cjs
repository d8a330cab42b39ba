'use strict';
/**
 * Lists the functions, classes and methods that a library exports, to depth 2. Getters and setters of classes, and what
 * their objects yield, are listed like methods: users reach that code, too.
 */

const { builtinModules } = require('node:module');
const { types } = require('node:util');
const { parse } = require('../instrument/texts/parse.cjs');
const { SET } = require('./callable-members.cjs');
const { classNameOf } = require('./class-names.cjs');
const { methodsOfCollection } = require('./filling-methods.cjs');
const { hasOwnCode, methodsOfStream } = require('./stream-methods.cjs');

const { apply, getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
const { isArray } = Array;
const { toString: textOf } = Function.prototype;

const MAX_OPERATIONS = 600;
const MAX_DEPTH = 2;
/** Of one object that a call returns. */
const MAX_METHODS = 40;
/** Exported objects that calls may pass. */
const MAX_VALUES = 24;
/** How names of exported objects begin in the place of names of what makes one. */
const VALUE = 'value ';
const MAX_SOURCE_CHARS = 200_000;
/** What every class has, and what transpilers add, such as a second name of `default` for `require`. */
const IGNORED = new Set('prototype constructor __esModule super_ module.exports'.split(' '));
/** Own properties of every function; of other objects, such as a prototype, they are members like all others. */
const OF_FUNCTIONS = new Set('length name arguments caller'.split(' '));
/** Of generators, and of all iterators. */
const OF_ITERATORS = [
  Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())),
  Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())),
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())),
];
/** @type {Set<any>} */
const BUILT_IN = new Set([Object.prototype, Function.prototype, Array.prototype, Error.prototype, ...OF_ITERATORS]);

/**
 * @typedef {object} About
 * @property {string} name as a user writes it: `parse`, `Netmask#contains`
 * @property {'function' | 'method' | 'constructor'} kind
 * @property {string[]} path names that lead from what is exported to the function, or to the class of the method
 * @property {string} method empty for functions and constructors
 * @property {'call' | 'read' | 'items'} access how a method is used: a getter is read, and of an iterable the items are
 * @property {Parameter[]} parameters
 * @property {boolean} reads_arguments whether it may take more
 * @property {Parameter[]} receiver parameters of the constructor, for a method
 * @property {string} class_name of a constructor that the library exports as a whole or as its default; else empty
 */
/** @typedef {{ name: string, is_rest: boolean, is_optional: boolean, members: string[], initial: string }} Parameter */
/** @typedef {{ about: About, target: any, owner: any }} Operation */
/** @typedef {{ name: string, value: any }} ExportedValue */
/** @typedef {[name: string, method: any, access: About['access']]} Method */

/** Of what an object yields: how tests write their names. @type {Map<any, string>} */
const ITERATIONS = new Map([
  [Symbol.iterator, '[Symbol.iterator]'],
  [Symbol.asyncIterator, '[Symbol.asyncIterator]'],
]);

/**
 * @param {any} exported
 * @param {string} name of the package
 * @returns {{ operations: Operation[], nLeftOut: number, values: ExportedValue[] }} at most MAX_OPERATIONS, and how
 *   many more there are; and objects that nobody but the library can make
 */
function listOperations(exported, name) {
  ofNode = prototypesOfNode(); // the library has loaded what it needs
  const lister = new Lister(name);
  lister.add(exported, [], undefined, 0);
  lister.addInstances();
  const nLeftOut = lister.operations.length - MAX_OPERATIONS;
  const { values } = lister;
  if (nLeftOut <= 0) return { operations: lister.operations, nLeftOut: 0, values };
  // Methods that a class has in hundreds are mostly functions of the package again, as of lodash's wrappers.
  const isMethod = (/** @type {Operation} */ operation) => operation.about.kind === 'method';
  const functions = lister.operations.filter((one) => !isMethod(one));
  const ordered = [...functions, ...lister.operations.filter(isMethod)];
  return { operations: ordered.slice(0, MAX_OPERATIONS), nLeftOut, values };
}

/**
 * The methods of an object that a call has returned, or the function itself; none that the library exports.
 * @param {any} value
 * @param {string} name of what returned it
 * @param {(method: any) => boolean} isKnown
 * @returns {About[]}
 */
function methodsOfResult(value, name, isKnown) {
  /** @type {About[]} */
  const found = [];
  const add = (
    /** @type {string} */ key,
    /** @type {any} */ method,
    access = /** @type {About['access']} */ ('call'),
  ) => {
    if (found.length >= MAX_METHODS || isKnown(method)) return;
    if (key !== '' && apply(textOf, method, []).includes('[native code]')) return; // such as `next` of an iterator
    const { parameters, readsArguments, isClass } = shapeOf(method);
    if (isClass) return;
    const about = { path: [], receiver: [], parameters, reads_arguments: readsArguments, class_name: '', access };
    found.push({ ...about, name: name + (key === '' ? '()()' : '()#' + key), kind: 'method', method: key });
  };
  if (typeof value === 'function') add('', value);
  const names = new Set();
  ofNode = prototypesOfNode(); // the call may have loaded more
  for (let at = value; at !== null && !isBuiltIn(at); at = getPrototypeOf(at)) {
    for (const [key, method, access] of methodsIn(at, names)) add(key, method, access);
  }
  // What a library returns of Node as it is has none of the library's code.
  const parent = typeof value === 'object' ? getPrototypeOf(value) : null;
  const isOwn = parent !== null && (!isBuiltIn(parent) || hasOwnCode(value));
  for (const { method, access, parameters } of isOwn ? methodsOfStream(value) : []) {
    if (names.has(method)) continue;
    const about = { path: [], receiver: [], parameters, reads_arguments: false, class_name: '', access };
    found.push({ ...about, name: `${name}()#${method}`, kind: 'method', method });
  }
  return found;
}

/**
 * The methods that a constructor gives each object, as functions of its own (`this.parse = function (text) { ... }`).
 * @param {any} object that it has made
 * @param {About} maker
 * @returns {About[]}
 */
function ownMethodsOf(object, maker) {
  /** @type {About[]} */
  const found = [];
  const { path, name, parameters: receiver } = maker;
  for (const method of memberNames(object)) {
    const value = valueOf(object, method);
    if (typeof value !== 'function' || found.length >= MAX_METHODS) continue;
    if (apply(textOf, value, []).includes('[native code]')) continue; // such as a bound method of its class
    const { parameters, readsArguments, isClass } = shapeOf(value);
    if (isClass) continue;
    const about = { path, method, receiver, parameters, reads_arguments: readsArguments, class_name: '' };
    found.push({ ...about, name: name.slice('new '.length) + '#' + method, kind: 'method', access: 'call' });
  }
  return found;
}

/**
 * @param {any} value that a call has returned
 * @param {readonly Operation[]} operations
 * @returns {string | null} the name of the exported class whose object it is
 */
function classOf(value, operations) {
  for (let at = getPrototypeOf(value); at !== null && !isBuiltIn(at); at = getPrototypeOf(at)) {
    for (const { about, target } of operations) {
      if (about.kind === 'constructor' && valueOf(target, 'prototype') === at) return about.name.slice('new '.length);
    }
  }
  return null;
}

class Lister {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** @type {Operation[]} */
    this.operations = [];
    /** @type {ExportedValue[]} */
    this.values = [];
    /** Exported objects. @type {{ value: any, path: string[] }[]} */
    this.instances = [];
    this.seen = new Set();
  }

  /**
   * @param {any} value
   * @param {string[]} path
   * @param {any} owner
   * @param {number} depth
   */
  add(value, path, owner, depth) {
    const isFunction = typeof value === 'function';
    if ((!isFunction && (typeof value !== 'object' || value === null)) || this.seen.has(value)) return;
    this.seen.add(value);
    if (isFunction) this.addFunction(value, path, owner);
    else this.addValue(value, path);
    if (isArray(value)) return;
    if (depth < MAX_DEPTH) this.addMembers(value, path, depth);
  }

  /** @param {any} value @param {string[]} path */
  addValue(value, path) {
    const isMain = path.length === 0 || path[path.length - 1] === 'default';
    if (!isMain && this.values.length < MAX_VALUES && isMadeByLibrary(value)) {
      this.values.push({ name: VALUE + path.join('.'), value });
    }
  }

  /**
   * @param {any} value
   * @param {string[]} path
   * @param {number} depth
   */
  addMembers(value, path, depth) {
    const names = memberNames(value);
    // What also has a name of its own is known by that.
    if (names.includes('default')) names.push(...names.splice(names.indexOf('default'), 1));
    for (const key of names) {
      const member = valueOf(value, key);
      // An ES module has what a CommonJS module would export as its `default`.
      const isExported = depth === 0 && key === 'default';
      this.add(member, [...path, key], value, isExported ? 0 : depth + 1);
    }
    if (typeof value !== 'function') this.instances.push({ value, path });
  }

  /** Adds the methods of exported objects whose class is not exported: else they are called on objects of the class. */
  addInstances() {
    for (const { value, path } of this.instances) this.addInherited(value, path);
  }

  /**
   * Methods of an exported object that is an instance of a class.
   * @param {any} value
   * @param {string[]} path
   */
  addInherited(value, path) {
    for (let at = getPrototypeOf(value); at !== null && !isBuiltIn(at); at = getPrototypeOf(at)) {
      for (const key of memberNames(at)) {
        const member = valueOf(at, key);
        if (typeof member === 'function') this.add(member, [...path, key], value, MAX_DEPTH);
      }
    }
  }

  /**
   * @param {any} target
   * @param {string[]} path
   * @param {any} owner
   */
  addFunction(target, path, owner) {
    const shape = shapeOf(target, path.at(-1));
    const shown = path.length === 0 ? this.name : path.join('.');
    const methods = methodsOf(target);
    const inherited = inheritedMethodsOf(target, new Set(methods.map(([key]) => key)));
    const isClass = shape.isClass || methods.length + inherited.length > 0;
    const about = {
      path,
      method: '',
      access: /** @type {const} */ ('call'),
      parameters: shape.parameters,
      reads_arguments: shape.readsArguments,
      receiver: [],
      class_name: '',
    };
    if (isClass) {
      const isMain = path.length === 0 || (path.length === 1 && path[0] === 'default');
      const class_name = isMain ? classNameOf(target, owner, this.name, shape.isClass) : '';
      this.operations.push({
        about: { ...about, name: 'new ' + shown, kind: 'constructor', class_name },
        target,
        owner,
      });
    }
    if (!shape.isClass) {
      this.operations.push({ about: { ...about, name: shown, kind: 'function' }, target, owner });
    }
    this.addInheritedMethods(inherited, { ...about, receiver: shape.parameters, name: shown, kind: 'method' }, target);
    for (const [key, method, access] of methods) {
      if (this.seen.has(method)) continue;
      const own = shapeOf(method, key);
      // A class in a prototype is mostly exported by itself, too: `Limiter.Group = Limiter.prototype.Group = Group`.
      if (own.isClass && access === 'call' && target[key] === method) continue;
      this.seen.add(method);
      this.operations.push({
        about: {
          name: shown + '#' + key,
          kind: 'method',
          path,
          method: key,
          access,
          parameters: own.parameters,
          reads_arguments: own.readsArguments,
          receiver: shape.parameters,
          class_name: '',
        },
        target: method,
        owner: target,
      });
    }
  }

  /**
   * @param {import('./stream-methods.cjs').StreamMethod[]} methods
   * @param {About} about of the class
   * @param {any} owner the class
   */
  addInheritedMethods(methods, about, owner) {
    for (const { target, ...own } of methods) {
      const shown = { ...about, ...own, name: about.name + '#' + own.method, reads_arguments: false };
      this.operations.push({ about: shown, target, owner });
    }
  }
}

/**
 * @param {any} value
 * @returns {string[]} names of members that are meant for users
 */
function memberNames(value) {
  const names = [];
  const isFunction = typeof value === 'function';
  for (const key of ownKeys(value)) {
    if (typeof key !== 'string' || IGNORED.has(key) || (isFunction && OF_FUNCTIONS.has(key))) continue;
    if (!key.startsWith('_')) names.push(key);
  }
  return names;
}

/**
 * @param {any} object
 * @param {string} key
 */
function valueOf(object, key) {
  try {
    const described = getOwnPropertyDescriptor(object, key);
    // Getters of modules give what the module exports.
    return described === undefined ? undefined : described.get === undefined ? described.value : object[key];
  } catch {
    return undefined;
  }
}

/**
 * @param {any} target
 * @returns {Method[]}
 */
function methodsOf(target) {
  /** @type {Method[]} */
  const found = [];
  /** @type {Set<string>} */
  const names = new Set();
  const first = valueOf(target, 'prototype');
  if (typeof first !== 'object' || first === null) return found;
  for (let at = first; at !== null && !isBuiltIn(at); at = getPrototypeOf(at)) found.push(...methodsIn(at, names));
  return found;
}

/**
 * @param {any} target
 * @param {Set<string>} known names of methods that it has itself
 * @returns {import('./stream-methods.cjs').StreamMethod[]} those by which users fill its objects, if these are streams
 *   or collections
 */
function inheritedMethodsOf(target, known) {
  const prototype = valueOf(target, 'prototype');
  if (typeof prototype !== 'object' || prototype === null || isBuiltIn(prototype)) return [];
  const found = [...methodsOfStream(prototype), ...methodsOfCollection(prototype)];
  return found.filter(({ method }) => !known.has(method));
}

/**
 * @param {any} object
 * @param {Set<string>} names of members that are known, which are left out; grows
 * @returns {Method[]} methods, getters and iteration of the object itself
 */
function methodsIn(object, names) {
  /** @type {Method[]} */
  const found = [];
  for (const key of [...memberNames(object), ...ITERATIONS.keys()]) {
    const name = ITERATIONS.get(key) || key;
    if (names.has(name)) continue;
    const described = getOwnPropertyDescriptor(object, key) || {};
    const members = name === key ? accessesOf(name, described) : iterationOf(name, described);
    if (members.length > 0) names.add(name);
    found.push(...members);
  }
  return found;
}

/** @param {string} name @param {PropertyDescriptor} described @returns {Method[]} a method, or what gets and sets */
function accessesOf(name, { value, get, set }) {
  /** @type {Method[]} */
  const found = typeof value === 'function' ? [[name, value, 'call']] : [];
  if (get !== undefined) found.push([name, get, 'read']);
  if (set !== undefined) found.push([name + SET, set, 'call']);
  return found;
}

/** @param {string} name @param {PropertyDescriptor} described @returns {Method[]} */
const iterationOf = (name, { value }) => (typeof value === 'function' ? [[name, value, 'items']] : []);

/** Prototypes of Node's classes, such as of streams, in modules that are loaded; they have a text as others do. */
function prototypesOfNode() {
  const prototypes = new Set();
  const isLoaded = new Set(/** @type {any} */ (process).moduleLoadList);
  for (const name of builtinModules) {
    if (!isLoaded.has('NativeModule ' + name) || name.startsWith('_')) continue;
    const exported = require('node:' + name);
    const keys = ownKeys(exported);
    for (let index = -1; index < keys.length; index++) {
      const described = index < 0 ? { value: exported } : getOwnPropertyDescriptor(exported, keys[index]);
      // Getters may warn that what they give is outdated.
      const value = described === undefined ? undefined : described.value;
      if (typeof value === 'function' && value.prototype) prototypes.add(value.prototype);
    }
  }
  return prototypes;
}

/** @param {any} value @returns {boolean} whether it is an object of a class of the library, or has a mark of its own */
function isMadeByLibrary(value) {
  if (types.isProxy(value) || types.isModuleNamespaceObject(value)) return false;
  const parent = getPrototypeOf(value);
  const isPlain = parent === null || isBuiltIn(parent);
  return isPlain ? ownKeys(value).some((key) => typeof key === 'symbol') : true;
}

/** @type {Set<any>} */
let ofNode = new Set();

/** @param {any} object */
function isBuiltIn(object) {
  if (BUILT_IN.has(object) || ofNode.has(object)) return true;
  const described = getOwnPropertyDescriptor(object, 'constructor');
  const maker = described === undefined ? undefined : described.value;
  return typeof maker === 'function' && apply(textOf, maker, []).includes('[native code]');
}

/**
 * @param {any} target
 * @param {string} [shown] the name under which it is exported
 * @returns {{ parameters: Parameter[], readsArguments: boolean, isClass: boolean }}
 */
function shapeOf(target, shown) {
  const text = apply(textOf, target, []);
  const isClass = text.startsWith('class');
  const node = text.length > MAX_SOURCE_CHARS ? null : parsedFunction(text, isClass);
  if (node === null) {
    const parameters = [];
    for (let index = 0; index < target.length; index++) parameters.push(parameter('arg' + (index + 1)));
    return { parameters, readsArguments: true, isClass };
  }
  if (node === NO_CONSTRUCTOR) {
    const parent = getPrototypeOf(target);
    return typeof parent === 'function' && parent !== Function.prototype
      ? { ...shapeOf(parent), isClass }
      : { parameters: [], readsArguments: false, isClass };
  }
  const parameters = node.params.map((/** @type {any} */ given, /** @type {number} */ index) =>
    parameterOf(given, index, text, node.shift),
  );
  // What is assigned to a member has no name of its own: `exports.Parser = function (options) { ... }`.
  const needsNew =
    isClass || makesErrors(target) || isConstructor(target, valueOf(target, 'name') || shown, node.body, text);
  return { parameters, readsArguments: /\barguments\b/.test(text), isClass: needsNew };
}

/** @param {any} target @returns {boolean} whether its objects are errors, whose members it sets */
function makesErrors(target) {
  let at = valueOf(target, 'prototype');
  while (typeof at === 'object' && at !== null && at !== Error.prototype) at = getPrototypeOf(at);
  return at === Error.prototype;
}

/**
 * Whether a function sets up `this`, and nothing else: without `new`, it would set members of what it is called on,
 * and so replace what the library exports.
 * @param {any} target
 * @param {unknown} name
 * @param {any} body
 * @param {string} text
 */
function isConstructor(target, name, body, text) {
  if (typeof name !== 'string' || !/^[A-Z]/.test(name) || asksForNew(name, text)) return false;
  if (body === undefined || body.type !== 'BlockStatement') return false;
  if (!/\bthis\s*\./.test(text) || givesValue(body)) return false;
  return setsMember(body) || callsOwnMethod(body, valueOf(target, 'prototype'));
}

/** @param {string} name @param {string} text @returns {boolean} whether a function asks if `new` has called it */
function asksForNew(name, text) {
  if (/\bthis\s+instanceof\b|\bnew\.target\b/.test(text)) return true;
  for (const [, of] of text.matchAll(/\binstanceof\s+([\w$]+)/g)) if (of === name) return true;
  return false;
}

/** @param {any} node @returns {boolean} whether it assigns a member of `this` in the function itself */
function setsMember(node) {
  return isWithin(node, ({ type, left }) => {
    return type === 'AssignmentExpression' && left.type === 'MemberExpression' && left.object.type === 'ThisExpression';
  });
}

/**
 * @param {any} node
 * @param {any} prototype of the objects
 * @returns {boolean} whether the function itself calls a method of them
 */
function callsOwnMethod(node, prototype) {
  return isWithin(node, ({ type, callee }) => {
    if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.computed) return false;
    return callee.object.type === 'ThisExpression' && typeof valueOf(prototype, callee.property.name) === 'function';
  });
}

/** @param {any} node @returns {boolean} whether the function itself returns a value */
function givesValue(node) {
  const isGiven = (/** @type {any} */ { type, argument }) => type === 'ReturnStatement' && argument !== null;
  return isWithin(node, isGiven, 'ArrowFunctionExpression');
}

/**
 * @param {any} node
 * @param {(node: any) => boolean} isWanted
 * @param {string} [leftOut] a further type of nodes that are not looked into
 * @returns {boolean} whether the node, or one within it that is not in another function, is wanted
 */
function isWithin(node, isWanted, leftOut = '') {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' || node.type === leftOut) return false;
  if (typeof node.type === 'string' && isWanted(node)) return true;
  return Object.values(node).some((part) => isWithin(part, isWanted, leftOut));
}

const NO_CONSTRUCTOR = { params: [], shift: 0 };

/**
 * @param {string} text
 * @param {boolean} isClass
 * @returns {any} the function's node; null: the text is native or no expression
 */
function parsedFunction(text, isClass) {
  for (const [head, tail] of [
    ['(', ')'],
    ['({', '})'],
    ['(class { ', '})'],
  ]) {
    try {
      const { expression } = /** @type {any} */ (parse(head + text + tail, false)).body[0].expression; // in parentheses
      const node = functionIn(expression, isClass);
      return node === NO_CONSTRUCTOR ? node : node === null ? null : { ...node, shift: head.length };
    } catch {
      // It is written in another way.
    }
  }
  return null;
}

/**
 * @param {any} expression
 * @param {boolean} isClass
 */
function functionIn(expression, isClass) {
  if (expression.type === 'ObjectExpression') return expression.properties[0].value;
  if (expression.type !== 'ClassExpression') return expression;
  const { body } = expression.body;
  if (!isClass) return body[0].value;
  const maker = body.find((/** @type {any} */ member) => member.kind === 'constructor');
  return maker === undefined ? NO_CONSTRUCTOR : maker.value;
}

/**
 * @param {string} name
 * @returns {Parameter}
 */
function parameter(name) {
  return { name, is_rest: false, is_optional: false, members: [], initial: '' };
}

/**
 * @param {any} node of a parameter
 * @param {number} index
 * @param {string} text
 * @param {number} shift of positions
 * @returns {Parameter}
 */
function parameterOf(node, index, text, shift) {
  if (node.type === 'RestElement') return { ...parameterOf(node.argument, index, text, shift), is_rest: true };
  if (node.type === 'AssignmentPattern') {
    const { start, end } = node.right;
    const initial = text.slice(start - shift, end - shift).slice(0, 80);
    return { ...parameterOf(node.left, index, text, shift), is_optional: true, initial };
  }
  if (node.type === 'Identifier') return parameter(node.name);
  const members = [];
  for (const property of node.type === 'ObjectPattern' ? node.properties : []) {
    if (property.key && property.key.type === 'Identifier' && !property.computed) members.push(property.key.name);
  }
  return { ...parameter('options' + (index + 1)), members };
}

/** @type {WeakMap<object, Parameter[]>} */
const parametersByFunction = new WeakMap();

/**
 * @param {any} target
 * @returns {Parameter[]} its parameters, which are read once
 */
function parametersOf(target) {
  let parameters = parametersByFunction.get(target);
  if (parameters === undefined) {
    parameters = shapeOf(target).parameters;
    parametersByFunction.set(target, parameters);
  }
  return parameters;
}

module.exports = { VALUE, classOf, listOperations, methodsOfResult, ownMethodsOf, parametersOf };
