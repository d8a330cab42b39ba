'use strict';
/** Arguments that record what a function does with them, and what that says of their type. */

const MAX_DEPTH = 3;
const MAX_MEMBERS = 40;
const MAX_READS = 2000;

const OF_TEXTS = new Set(
  `split charAt charCodeAt codePointAt substring substr trim trimStart trimEnd trimLeft trimRight toLowerCase toUpperCase
  replace replaceAll match matchAll search startsWith endsWith padStart padEnd repeat localeCompare normalize`.split(
    /\s+/,
  ),
);
const OF_ARRAYS = new Set(
  'push pop map forEach filter reduce reduceRight join shift unshift splice sort every some find findIndex reverse flat flatMap'.split(
    ' ',
  ),
);
const OF_BOTH = new Set(['slice', 'indexOf', 'lastIndexOf', 'includes', 'concat', 'length', 'at']);
const OF_NUMBERS = new Set(['toFixed', 'toPrecision', 'toExponential']);
const OF_DATES = new Set([
  'getTime',
  'getFullYear',
  'getMonth',
  'getDate',
  'getUTCFullYear',
  'toISOString',
  'getHours',
]);
const OF_REGEXPS = new Set(['exec', 'test', 'source', 'flags', 'lastIndex']);
const OF_FUNCTIONS = new Set(['call', 'apply', 'bind']);
const OF_ALL = new Set([
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
  'inspect',
  '__proto__',
  'prototype',
  'name',
]);

let reads = 0;
/** Number of the call that is recorded. */
let turn = 0;
/** @typedef {'all' | 'none' | 'late'} Present members that are there; `late`: those that were first read without any */
/** @type {Present} */
let present = 'all';

/**
 * Begins a call: members that are read first in it are missing as long as it lasts.
 * @param {Present} [members] one that is there may lead away from the others, as `$ref` of a schema does
 */
function beginTurn(members = 'all') {
  turn += 1;
  reads = 0;
  present = members;
}

class Recording {
  /** @param {number} [depth] */
  constructor(depth = 0) {
    this.depth = depth;
    this.firstTurn = turn;
    this.isLate = present !== 'all';
    /** @type {Set<string>} */
    this.kinds = new Set();
    /** @type {Map<string, Recording>} */
    this.members = new Map();
    /** @type {Recording | null} */
    this.items = null;
    /** Whether all members were asked for, so that any name may be one. */
    this.isEnumerated = false;
    /** The highest index that was read. */
    this.lastIndex = 0;
  }

  /** @param {boolean} isFunction whether `typeof` says so, also of its members @returns {any} */
  value(isFunction) {
    return new Proxy(isFunction ? function () {} : {}, {
      get: (_, key) => this.read(key, isFunction),
      set: (_, key) => this.written(key),
      has: () => true,
      ownKeys: (target) => {
        this.kinds.add('object');
        this.isEnumerated = true;
        return Reflect.ownKeys(target);
      },
      getPrototypeOf: () => Object.prototype,
      apply: () => {
        this.kinds.add('function');
        return 'a';
      },
      construct: () => {
        this.kinds.add('function');
        return {};
      },
    });
  }

  /** @param {string | symbol} key @param {boolean} isFunction whether members are functions @returns {any} */
  read(key, isFunction) {
    if (++reads > MAX_READS) {
      reads = 0;
      throw new Error('too many reads'); // a loop that the recorded value keeps going
    }
    if (typeof key === 'symbol') return this.readSymbol(key);
    if (OF_ALL.has(key)) return key === 'toString' || key === 'valueOf' ? () => 'a' : undefined;
    for (const [names, kind, value] of /** @type {[Set<string>, string, any][]} */ ([
      [OF_TEXTS, 'string', () => 'a'],
      [OF_ARRAYS, 'array', () => this.called()],
      [OF_NUMBERS, 'number', () => '1'],
      [OF_DATES, 'Date', () => 0],
      [OF_REGEXPS, 'RegExp', () => null],
      [OF_FUNCTIONS, 'function', () => 'a'],
    ])) {
      if (names.has(key)) {
        this.kinds.add(kind);
        return value;
      }
    }
    if (OF_BOTH.has(key)) {
      this.kinds.add('text or array');
      return key === 'length' ? 1 : key === 'slice' || key === 'concat' ? () => this.value(false) : () => 0;
    }
    if (/^\d+$/.test(key)) {
      this.lastIndex = Math.max(this.lastIndex, Number(key));
      return this.item();
    }
    return this.member(key, isFunction);
  }

  /** @param {string | symbol} key of a member that is set: so it is an object @returns {true} */
  written(key) {
    if (typeof key === 'string') {
      if (/^\d+$/.test(key)) this.kinds.add('array');
      else if (this.depth < MAX_DEPTH && this.members.size < MAX_MEMBERS && !OF_ALL.has(key)) {
        this.kinds.add('object');
        if (!this.members.has(key)) this.members.set(key, new Recording(this.depth + 1));
      }
    }
    return true;
  }

  called() {
    return [this.item()];
  }

  item() {
    this.kinds.add('text or array');
    if (this.depth >= MAX_DEPTH) return undefined;
    this.items ||= new Recording(this.depth + 1);
    return this.items.value(false);
  }

  /** @param {string} key @param {boolean} isFunction */
  member(key, isFunction) {
    if (this.depth >= MAX_DEPTH || this.members.size >= MAX_MEMBERS) return undefined;
    let member = this.members.get(key);
    if (member === undefined) {
      member = new Recording(this.depth + 1);
      this.members.set(key, member);
    }
    // Missing at first: then its default is used, and what it would lead away from is reached.
    return member.isThere() ? member.value(isFunction) : undefined;
  }

  /** @returns {boolean} whether it is a member in the call that is recorded */
  isThere() {
    return this.firstTurn !== turn && (present === 'all' || (present === 'late' && this.isLate));
  }

  /** @param {symbol} key */
  readSymbol(key) {
    if (key === Symbol.toPrimitive) {
      return (/** @type {string} */ hint) => {
        this.kinds.add(hint === 'number' ? 'number' : hint === 'string' ? 'string' : 'text or number');
        return hint === 'number' ? 1 : 'a';
      };
    }
    if (key === Symbol.iterator) {
      this.kinds.add('array');
      return () => [this.item()][Symbol.iterator]();
    }
    return undefined;
  }

  /** @returns {object} as `argument_shape.Shape` of the core */
  shape() {
    const kinds = new Set(this.kinds);
    settleEither(kinds, 'text or array', 'array', 'string');
    settleEither(kinds, 'text or number', 'string', 'number');
    /** @type {Record<string, object>} */
    const members = {};
    const isKnown = ['string', 'array', 'number', 'Date', 'RegExp'].some((kind) => kinds.has(kind));
    if (isKnown) kinds.delete('object');
    else if (this.members.size > 0) {
      kinds.add('object');
      for (const [name, member] of this.members) members[name] = member.shape();
    }
    // A member with which something was done; what was only read, or read after others were missing, may be missing.
    const isNeeded = (/** @type {Recording} */ { kinds: used, isLate }) => used.size > 0 && !isLate;
    const needed = [...this.members].filter(([name, member]) => members[name] && isNeeded(member));
    const names = needed.map(([name]) => name);
    // The length that is told is 1, so no loop reads more than the first element: the others have places of their own.
    if (kinds.has('array') && this.lastIndex > 0) names.push(String(this.lastIndex));
    const hasItems = this.items !== null && kinds.has('array');
    return {
      kinds: [...kinds],
      members,
      needed: names,
      ...(hasItems ? { items: /** @type {Recording} */ (this.items).shape() } : {}),
      ...(kinds.has('object') && this.isEnumerated ? { others: { kinds: [] } } : {}),
    };
  }
}

/**
 * Replaces what may mean one of two types by both, unless one of them is known.
 * @param {Set<string>} kinds
 * @param {string} either
 * @param {string} first
 * @param {string} second
 */
function settleEither(kinds, either, first, second) {
  if (!kinds.delete(either) || kinds.has(first) || kinds.has(second)) return;
  kinds.add(first);
  kinds.add(second);
}

module.exports = { Recording, beginTurn };
