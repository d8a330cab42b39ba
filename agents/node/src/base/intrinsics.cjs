'use strict';
/**
 * The agent's own copies of the built-ins that it uses, taken before the program under test can patch them.
 *
 * Law: every other file of the agent takes built-ins from here, iterates over arrays by index (the SUT may patch
 * iterators) and never calls a method on a value of the SUT.
 */

const EventEmitter = require('events');
const fs = require('fs');
const net = require('net');
const http = require('http');
const Module = require('module');
const util = require('util');
const diagnostics = require('diagnostics_channel');
const asyncHooks = require('async_hooks');
const url = require('url');
const v8 = require('v8');
const childProcess = require('child_process');
const vm = require('vm');

const { apply, bind, call } = Function.prototype;

const timer = setTimeout(() => {}, 1);
clearTimeout(timer);
const timerPrototype = /** @type {NodeJS.Timeout} */ (Object.getPrototypeOf(timer));

/**
 * Turns a method into a function that is safe from later patches of `call` and `apply`:
 * `uncurryThis(String.prototype.slice)(text, 1)`.
 * @template {(...args: any[]) => any} F
 * @param {F} method
 * @returns {(self: any, ...args: Parameters<F>) => ReturnType<F>}
 */
function uncurryThis(method) {
  return /** @type {any} */ (bind.call(call, method));
}

/**
 * @param {object} owner
 * @param {string} name
 * @returns {(self: any) => any}
 */
function getterOf(owner, name) {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  return uncurryThis(/** @type {() => any} */ (descriptor && descriptor.get));
}

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const GeneratorPrototype = Object.getPrototypeOf(function* () {}).prototype;

/** The flags of a regular expression, each read from its internal slot (`flags` itself would run code of the SUT). */
const FLAG_GETTERS = [
  { letter: 'd', read: getterOf(RegExp.prototype, 'hasIndices') },
  { letter: 'g', read: getterOf(RegExp.prototype, 'global') },
  { letter: 'i', read: getterOf(RegExp.prototype, 'ignoreCase') },
  { letter: 'm', read: getterOf(RegExp.prototype, 'multiline') },
  { letter: 's', read: getterOf(RegExp.prototype, 'dotAll') },
  { letter: 'u', read: getterOf(RegExp.prototype, 'unicode') },
  { letter: 'v', read: getterOf(RegExp.prototype, 'unicodeSets') },
  { letter: 'y', read: getterOf(RegExp.prototype, 'sticky') },
];

/** Since V8 12, `stack` is an accessor, the same of every error. */
const { get: stackGetter, set: stackSetter } = Object.getOwnPropertyDescriptor(new Error(), 'stack') || {};

module.exports = {
  uncurryThis,
  FLAG_GETTERS,

  functionPrototypeApply: apply,
  functionPrototypeCall: call,
  reflectApply: Reflect.apply,
  reflectConstruct: Reflect.construct,
  reflectHas: Reflect.has,
  functionText: uncurryThis(Function.prototype.toString),
  ObjectKeys: Object.keys,
  assign: Object.assign,
  ObjectCreate: Object.create,
  ObjectOwnKeys: Reflect.ownKeys,
  ObjectHasOwn: Object.hasOwn,
  defineProperty: Object.defineProperty,
  getOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
  getPrototypeOf: Object.getPrototypeOf,
  setPrototypeOf: Object.setPrototypeOf,
  hasOwn: uncurryThis(Object.prototype.hasOwnProperty),
  isArray: Array.isArray,
  getOwnPropertyNames: Object.getOwnPropertyNames,
  isProxy: util.types.isProxy,
  isMap: util.types.isMap,
  isSet: util.types.isSet,
  isTypedArray: util.types.isTypedArray,
  isGeneratorObject: util.types.isGeneratorObject,
  isRegExp: util.types.isRegExp,
  isDate: util.types.isDate,
  isUint8Array: util.types.isUint8Array,
  isAnyArrayBuffer: util.types.isAnyArrayBuffer,
  isDeepStrictEqual: util.isDeepStrictEqual,
  isNativeError: util.types.isNativeError,
  isPromise: util.types.isPromise,

  ArrayPrototype: Array.prototype,
  BigIntPrototype: BigInt.prototype,
  BooleanPrototype: Boolean.prototype,
  BufferPrototype: Buffer.prototype,
  DatePrototype: Date.prototype,
  ErrorPrototype: Error.prototype,
  FunctionPrototype: Function.prototype,
  GeneratorPrototype,
  TypedArrayPrototype,
  MapPrototype: Map.prototype,
  NumberPrototype: Number.prototype,
  ObjectPrototype: Object.prototype,
  RegExpPrototype: RegExp.prototype,
  SetPrototype: Set.prototype,
  StringPrototype: String.prototype,
  SymbolPrototype: Symbol.prototype,
  symbolDescription: getterOf(Symbol.prototype, 'description'),
  symbolFor: Symbol.for,
  URLSearchParamsPrototype: URLSearchParams.prototype,
  httpServerPrototype: http.Server.prototype,
  EventEmitter,
  netServerPrototype: net.Server.prototype,
  clientRequestPrototype: http.ClientRequest.prototype,
  netSocketPrototype: net.Socket.prototype,
  socketBytesRead: getterOf(net.Socket.prototype, 'bytesRead'),
  socketBytesWritten: getterOf(net.Socket.prototype, 'bytesWritten'),

  BigInt,
  Object,
  Proxy,
  Date,
  RegExp,
  String,
  URL,
  /** Empty if Node was built without it. */
  Intl: /** @type {any} */ (
    typeof Intl === 'undefined'
      ? {}
      : {
          NumberFormat: Intl.NumberFormat,
          DateTimeFormat: Intl.DateTimeFormat,
          Locale: Intl.Locale,
          getCanonicalLocales: Intl.getCanonicalLocales,
        }
  ),
  JSON,
  Boolean,
  Number,
  iteratorSymbol: /** @type {typeof Symbol.iterator} */ (Symbol.iterator),
  arrayFrom: Array.from,
  Error,
  TypeError,
  captureStackTrace: Error.captureStackTrace,
  stackGetter,
  stackSetter,
  parseJson: JSON.parse,
  /** For strings only: for objects it would call a `toJSON` of the SUT. */
  quote: /** @type {(text: string) => string} */ (JSON.stringify),
  isFinite: Number.isFinite,
  Math,
  abs: Math.abs,
  ceil: Math.ceil,
  log2: Math.log2,
  floor: Math.floor,
  imul: Math.imul,
  min: Math.min,
  max: Math.max,
  round: Math.round,
  parseInt,
  parseFloat,
  globalIsNaN: isNaN,
  globalIsFinite: isFinite,
  dateText: uncurryThis(Date.prototype.toString),
  dateTime: uncurryThis(Date.prototype.getTime),
  dateUTC: Date.UTC,
  dayOfDate: uncurryThis(Date.prototype.getUTCDate),
  monthOfDate: uncurryThis(Date.prototype.getUTCMonth),
  yearOfDate: uncurryThis(Date.prototype.getUTCFullYear),
  dateNow: Date.now,
  decodeURI,
  ObjectValues: Object.values,
  ObjectEntries: Object.entries,
  ObjectFromEntries: Object.fromEntries,
  ObjectAssign: Object.assign,
  atob,
  btoa,
  encodeURI,
  encodeURIComponent,
  mapForEach: uncurryThis(Map.prototype.forEach),
  setForEach: uncurryThis(Set.prototype.forEach),
  Set,
  latin1Slice: uncurryThis(/** @type {any} */ (Buffer.prototype).latin1Slice),
  URLSearchParams,
  decodeURIComponent,

  fromCharCode: String.fromCharCode,
  charCodeAt: uncurryThis(String.prototype.charCodeAt),
  indexOf: uncurryThis(String.prototype.indexOf),
  lastIndexOf: uncurryThis(String.prototype.lastIndexOf),
  slice: uncurryThis(String.prototype.slice),
  startsWith: uncurryThis(String.prototype.startsWith),
  toLowerCase: uncurryThis(String.prototype.toLowerCase),
  toUpperCase: uncurryThis(String.prototype.toUpperCase),
  trim: uncurryThis(String.prototype.trim),
  endsWith: uncurryThis(String.prototype.endsWith),
  splitText: String.prototype.split,
  regExpSource: getterOf(RegExp.prototype, 'source'),
  regExpExec: uncurryThis(RegExp.prototype.exec),

  typedArrayLength: getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'length'),
  isView: ArrayBuffer.isView,
  typedArraySet: uncurryThis(TypedArrayPrototype.set),
  DataViewPrototype: DataView.prototype,
  bufferOfView: getterOf(DataView.prototype, 'buffer'),
  offsetOfView: getterOf(DataView.prototype, 'byteOffset'),
  isDataView: util.types.isDataView,
  viewBuffer: getterOf(TypedArrayPrototype, 'buffer'),
  viewByteLength: getterOf(TypedArrayPrototype, 'byteLength'),
  viewByteOffset: getterOf(TypedArrayPrototype, 'byteOffset'),
  Atomics,
  atomicsAdd: Atomics.add,
  SharedArrayBuffer,
  Uint8Array,
  Int32Array,
  Uint32Array,
  Float64Array,
  TextDecoder,
  TextEncoder,
  decodeText: uncurryThis(TextDecoder.prototype.decode),
  Buffer,
  BufferCompare: Buffer.compare,
  lengthOfBytes: getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'length'),
  bufferFrom: Buffer.from,
  bufferAlloc: Buffer.alloc,
  bufferConcat: Buffer.concat,
  bufferToString: uncurryThis(Buffer.prototype.toString),
  bufferSubarray: uncurryThis(Buffer.prototype.subarray),
  writeUInt32LE: uncurryThis(Buffer.prototype.writeUInt32LE),
  readUInt32LE: uncurryThis(Buffer.prototype.readUInt32LE),

  Map,
  mapGet: uncurryThis(Map.prototype.get),
  mapSet: uncurryThis(Map.prototype.set),
  mapKeys: uncurryThis(Map.prototype.keys),
  mapDelete: uncurryThis(Map.prototype.delete),
  mapSize: getterOf(Map.prototype, 'size'),
  nextKey: uncurryThis(Object.getPrototypeOf(new Map().keys()).next),
  setValues: uncurryThis(Set.prototype.values),
  nextValue: uncurryThis(Object.getPrototypeOf(new Set().values()).next),
  Promise,
  promiseThen: uncurryThis(Promise.prototype.then),
  paramsKeys: uncurryThis(URLSearchParams.prototype.keys),
  nextOfArray: uncurryThis(Object.getPrototypeOf([].entries()).next),
  nextOfGenerator: uncurryThis(GeneratorPrototype.next),
  returnOfGenerator: uncurryThis(GeneratorPrototype.return),
  nextOfMatches: uncurryThis(Object.getPrototypeOf(''.matchAll(/a/g)).next),
  nextOfParams: uncurryThis(Object.getPrototypeOf(new URLSearchParams().keys()).next),
  WeakRef,
  derefWeak: uncurryThis(WeakRef.prototype.deref),
  WeakMap,
  weakMapGet: uncurryThis(WeakMap.prototype.get),
  weakMapSet: uncurryThis(WeakMap.prototype.set),
  WeakSet,
  weakSetHas: uncurryThis(WeakSet.prototype.has),
  weakSetAdd: uncurryThis(WeakSet.prototype.add),

  executionAsyncResource: asyncHooks.executionAsyncResource,
  createPromiseHook: v8.promiseHooks.createHook,
  clearTimeout,
  setImmediate,
  setTimeout,
  timerRef: uncurryThis(timerPrototype.ref),
  timerUnref: uncurryThis(timerPrototype.unref),
  timerHasRef: uncurryThis(timerPrototype.hasRef),
  timerRefresh: uncurryThis(timerPrototype.refresh),
  performanceNow: /** @type {() => number} */ (performance.now.bind(performance)),
  activeHandles: /** @type {() => any[]} */ (/** @type {any} */ (process)._getActiveHandles),
  activeRequests: /** @type {() => any[]} */ (/** @type {any} */ (process)._getActiveRequests),
  childProcessPrototype: childProcess.ChildProcess.prototype,
  nextTick: process.nextTick,
  getBuiltinModule: /** @type {any} */ (process).getBuiltinModule,
  eventEmit: require('events').prototype.emit,
  writeSync: fs.writeSync,
  openSync: fs.openSync,
  closeSync: fs.closeSync,
  symlinkSync: fs.symlinkSync,
  readSync: fs.readSync,
  readFileSync: fs.readFileSync,
  readdirSync: fs.readdirSync,
  existsSync: fs.existsSync,
  realpathSync: fs.realpathSync,
  connect: net.connect,
  subscribe: diagnostics.subscribe,
  loadModule: /** @type {(name: string) => any} */ ((name) => moduleLoad(name, null, false)),
  isBuiltin: Module.isBuiltin,
  domainToAscii: url.domainToASCII,
  runInThisContext: vm.runInThisContext,
  runInContext: vm.runInContext,
  createContext: vm.createContext,
  atomicsWait: Atomics.wait,
  sleepCell: new Int32Array(new SharedArrayBuffer(4)),
};

const moduleLoad = /** @type {any} */ (Module)._load;
