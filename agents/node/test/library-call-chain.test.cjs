'use strict';
const test = require('node:test');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { madeCall, newProgress } = require('../src/library/call-chain.cjs');
const { setMakers } = require('../src/library/call-values.cjs');
const { listOperations, methodsOfResult } = require('../src/library/exported-functions.cjs');
const { loadedLibrary } = require('../src/library/loaded-library.cjs');
const { thrownError } = require('../src/library/thrown-errors.cjs');

class Url {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
  /** @param {string} more */
  with(more) {
    return new Url(this.text + more);
  }
  /** @param {string} more */
  append(more) {
    this.text += more;
    return [more];
  }
  /** @param {string} more */
  async later(more) {
    return this.with(more);
  }
  async fails() {
    throw new Error('no');
  }
}
/** Its promises are settled by later calls. */
class Bus {
  constructor() {
    /** @type {((value: any) => void)[]} */
    this.waiting = [];
  }
  once() {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
  slow() {
    return new Promise((resolve) => setTimeout(resolve, 60));
  }
  /** @param {any} value */
  emit(value) {
    for (const resolve of this.waiting) resolve(value);
    return this.waiting.length;
  }
}
/** Returns what it has found, in the place of an object of its class, if it gets a list. */
class Query {
  /** @param {any} given */
  constructor(given) {
    this.given = given;
    if (Array.isArray(given)) return /** @type {any} */ (given);
  }
  run(/** @type {string} */ more) {
    return this.given + more;
  }
}
class Queue {
  constructor() {
    /** @type {any[]} */
    this.items = [];
  }
  get size() {
    return this.items.length;
  }
  set size(count) {
    this.items.length = count;
  }
  /** @param {any} item */
  push(item) {
    this.items.push(item);
    return this;
  }
  [Symbol.iterator]() {
    return this.items[Symbol.iterator]();
  }
}
const exported = {
  Bus,
  Query,
  Queue,
  queue: () => new Queue(),
  Url,
  url: (/** @type {string} */ text) => new Url(text),
  open: async (/** @type {string} */ text) => new Url(text),
  twice: () => (/** @type {string} */ t) => t + t,
};
const { operations } = listOperations(exported, 'lib');

/** @param {string} name @param {Partial<import('../src/library/call-chain.cjs').WantedCall>} call */
function made(name, call) {
  const progress = newProgress();
  const operation = operations.find(({ about }) => about.name === name);
  const result = madeCall(/** @type {any} */ (operation), { operation: 0, arguments: [], ...call }, progress);
  return { result, chained: progress.chained };
}

test('getters are read, and what yields items is the object itself, also after other calls', () => {
  const listed = operations.filter(({ about }) => about.path[0] === 'Queue').map(({ about }) => about);
  assert.deepEqual(
    listed.map(({ name, access }) => [name, access]),
    [
      ['new Queue', 'call'],
      ['Queue#size', 'read'],
      ['Queue#size=', 'call'],
      ['Queue#push', 'call'],
      ['Queue#[Symbol.iterator]', 'items'],
    ],
  );
  assert.deepEqual(made('Queue#size', { receiver: [], access: 'read' }), { result: 0, chained: [] });
  const steps = [{ method: 'push', arguments: ['a'] }];
  assert.deepEqual(made('Queue#size', { receiver: [], steps, access: 'read' }), { result: 1, chained: [false, false] });
  const { result } = made('Queue#[Symbol.iterator]', { receiver: [], steps, access: 'items' });
  assert.deepEqual([...result], ['a']);
  const ofResult = methodsOfResult(new Queue(), 'queue', () => false);
  assert.deepEqual(
    ofResult.map(({ name, access }) => [name, access]),
    [
      ['queue()#size', 'read'],
      ['queue()#size=', 'call'],
      ['queue()#push', 'call'],
      ['queue()#[Symbol.iterator]', 'items'],
    ],
  );
  assert.equal(made('queue', { receiver: [], steps, method: 'size', access: 'read' }).result, 1);
});

test('a method is called on an object that a function of the library has made, which is an argument, too', () => {
  setMakers(operations);
  const { result, chained } = made('Url#with', {
    object: { $made: ['url', 'a'] },
    arguments: [{ $made: ['new Url', 'b'] }],
  });
  assert.equal(result.text, 'a[object Object]');
  assert.deepEqual(chained, [false]);
});

test('a method is one of the object that was made, whatever its class has', () => {
  let nOther = 0;
  const call = (/** @type {any[]} */ receiver) => {
    const operation = operations.find(({ about }) => about.name === 'Query#run');
    const wanted = { operation: 0, receiver, arguments: ['b'] };
    return madeCall(/** @type {any} */ (operation), wanted, newProgress(), () => {
      nOther += 1;
    });
  };
  assert.equal(call(['a']), 'ab');
  assert.equal(nOther, 0);
  assert.deepEqual(call([['found']]), ['found']);
  assert.equal(nOther, 1);
});

test('a step is followed on what it returns if this has the method, else on the same object', () => {
  const steps = [
    { method: 'with', arguments: ['b'] },
    { method: 'append', arguments: ['c'] },
  ];
  const { result, chained } = made('Url#with', { receiver: ['a'], steps, arguments: ['d'] });
  assert.equal(result.text, 'abcd');
  // The array that `append` returns has a method `with` of its own, which is built in.
  assert.deepEqual(chained, [false, true, false]);
});

test('a method of what a function returns is called, or the function that it returns', () => {
  assert.equal(made('url', { receiver: ['a'], method: 'with', arguments: ['b'] }).result.text, 'ab');
  assert.equal(made('twice', { receiver: [], method: '', arguments: ['b'] }).result, 'bb');
});

test('a method that a constructor gives each object is called on a new one', () => {
  const steps = [{ method: 'append', arguments: ['b'] }];
  const { result, chained } = made('new Url', { receiver: ['a'], steps, method: 'with', arguments: ['c'] });
  assert.equal(result.text, 'abc');
  assert.deepEqual(chained, [false, false]);
});

test('calls end where there is no such method', () => {
  assert.deepEqual(made('url', { receiver: ['a'], method: 'none' }), { result: new Url('a'), chained: [] });
});

/** @param {string} name @param {Partial<import('../src/library/call-chain.cjs').WantedCall>} call */
async function waited(name, call) {
  const progress = newProgress();
  const operation = operations.find(({ about }) => about.name === name);
  const result = madeCall(/** @type {any} */ (operation), { operation: 0, arguments: [], ...call }, progress);
  const { chained, awaited } = progress;
  return { value: await result.catch((/** @type {Error} */ error) => error.message), chained, awaited };
}

test('a promise is waited for before the next call, on what it gives or on the same object', async () => {
  const later = { method: 'later', arguments: ['b'] };
  assert.deepEqual(await waited('Url#append', { receiver: ['a'], steps: [later], arguments: ['c'] }), {
    value: ['c'],
    chained: [false, true],
    awaited: [false, true, false],
  });
  const fails = { method: 'fails', arguments: [] };
  assert.deepEqual(await waited('Url#append', { receiver: ['a'], steps: [fails], arguments: ['c'] }), {
    value: 'no',
    chained: [false],
    awaited: [false, true],
  });
  assert.deepEqual(await waited('open', { receiver: ['a'], method: 'later', arguments: ['b'] }), {
    value: new Url('ab'),
    chained: [false],
    awaited: [true, true],
  });
});

test('nothing more is called once nobody waits', async () => {
  const progress = newProgress();
  const operation = operations.find(({ about }) => about.name === 'open');
  const call = { operation: 0, receiver: ['a'], method: 'append', arguments: ['b'] };
  const result = madeCall(/** @type {any} */ (operation), call, progress);
  progress.isOver = true;
  assert.equal(await result, undefined);
  assert.deepEqual(progress.chained, []);
});

test('methods of results are listed, but those that the package exports', () => {
  const known = new Set(operations.map(({ target }) => target));
  const names = (/** @type {any} */ value) =>
    methodsOfResult(value, 'f', (method) => known.has(method)).map(({ method }) => method);
  assert.deepEqual(names({ find: () => 1, size: 1 }), ['find']);
  assert.deepEqual(names(new Url('a')), []);
  assert.deepEqual(
    names((/** @type {any} */ text) => text),
    [''],
  );
});

test("methods of Node's classes are none of the library's", () => {
  class Feed extends EventEmitter {
    start() {}
  }
  const found = listOperations({ Feed }, 'lib').operations.map(({ about }) => about.name);
  assert.deepEqual(found, ['new Feed', 'Feed#start']);
});

/** @param {() => void} act */
function isOnPurpose(act) {
  try {
    act();
  } catch (error) {
    return thrownError(error, () => null).is_on_purpose;
  }
  return undefined;
}

test('errors that an object emits, and those of a wrapped built-in method, are expected', () => {
  const feed = new EventEmitter();
  assert.equal(
    isOnPurpose(() => feed.emit('error', new TypeError('broken'))),
    true,
  );
  assert.equal(
    isOnPurpose(() => feed.emit('error', { reason: 1 })),
    true,
  );
  const date = {
    toISOString() {
      return new Date(NaN).toISOString();
    },
    show() {
      return new Date(NaN).toISOString();
    },
  };
  assert.equal(
    isOnPurpose(() => date.toISOString()),
    true,
  );
  assert.equal(
    isOnPurpose(() => date.show()),
    false,
  );
});

test('an assertion with a text is a check, one without is a belief', () => {
  assert.equal(
    isOnPurpose(() => assert.ok(Number('0'), 'text expected')),
    true,
  );
  assert.equal(
    isOnPurpose(() => assert.ok(Number('0'))),
    false,
  );
});

test("an error that the program makes with a code of Node's is on purpose", () => {
  const refuse = () => {
    throw Object.assign(new TypeError('Illegal characters in path'), { code: 'ERR_INVALID_ARG_VALUE' });
  };
  assert.equal(isOnPurpose(refuse), true);
  assert.equal(
    isOnPurpose(() => Buffer.from(/** @type {any} */ (undefined))),
    false,
  );
});

test('a function that only sets up its object is called with `new` alone, whatever else it asks or returns within', () => {
  /** @type {any} @this {any} @param {any} options */
  function Builder(options) {
    this.options = options;
    this.nodes = options.nodes.map((/** @type {any} */ node) => {
      return node instanceof Url ? node.text : node;
    });
  }
  Builder.prototype.build = () => '';
  /** @type {any} @this {any} @param {any} value */
  function Either(value) {
    if (!(this instanceof Either)) return new /** @type {any} */ (Either)(value);
    this.value = value;
  }
  const found = listOperations({ Builder, Either }, 'lib').operations.map(({ about }) => about.name);
  assert.deepEqual(found, ['new Builder', 'Builder#build', 'Either']);
});

test('what is exported by a name and within `default` is known by its name', () => {
  const parse = (/** @type {string} */ text) => text;
  const extra = () => 1;
  const found = listOperations({ default: { parse, extra }, parse }, 'lib').operations.map(({ about }) => about.name);
  assert.deepEqual(found, ['parse', 'default.extra']);
});

test('a CommonJS module with the tag of a namespace is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-tagged-'));
  const file = join(folder, 'index.cjs');
  writeFileSync(
    file,
    "Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });\nexports.one = () => 1;\n",
  );
  const load = async () => assert.fail('it is required');
  const { exported, isModule } = await loadedLibrary(file, { require, load });
  assert.equal(exported.one(), 1);
  assert.equal(isModule, false);
  rmSync(folder, { recursive: true });
});

test('generators are functions, not classes with methods of their own', () => {
  const { operations: listed } = listOperations(
    { *pieces() {}, async *later() {}, items: (/** @type {any[]} */ list) => list },
    'lib',
  );
  assert.deepEqual(
    listed.map(({ about }) => about.name),
    ['pieces', 'later', 'items'],
  );
  assert.deepEqual(
    methodsOfResult([1][Symbol.iterator](), 'items', () => false),
    [],
  );
});

test('of very many, functions are called rather than methods', () => {
  class Chain {}
  /** @type {Record<string, any>} */
  const exported = { Chain };
  for (let index = 0; index < 700; index++) {
    Object.defineProperty(Chain.prototype, 'step' + index, { value: (/** @type {any} */ value) => value + index });
  }
  for (let index = 0; index < 300; index++) exported['f' + index] = (/** @type {any} */ value) => value - index;
  const names = listOperations(exported, 'lib').operations.map(({ about }) => about.name);
  assert.equal(names.length, 600);
  assert.ok(names.includes('f299'));
  assert.ok(names.includes('Chain#step0'));
});

test('a function that only sets up `this`, and has the name of a class, is called with `new` only', () => {
  const made = {
    /** @this {any} @param {any} config */
    Handle: function Handle(config) {
      config ||= {};
      this.parse = () => config.text;
    },
    /** @this {any} @param {string} text */
    Link: function Link(text) {
      // @ts-expect-error: as older programs do
      if (!(this instanceof Link)) return new Link(text);
      /** @type {any} */ (this).text = text;
    },
    /** @this {any} @param {any} given */
    setOptions: function setOptions(given) {
      this.options = given;
    },
    /** @param {any} given */
    Pair: function Pair(given) {
      const one = function () {
        // @ts-expect-error: of the inner function
        this.given = given;
      };
      return [given, one];
    },
  };
  const names = listOperations(made, 'lib').operations.map(({ about }) => about.name);
  assert.deepEqual(names, ['new Handle', 'Link', 'setOptions', 'Pair']);
});

test('methods of Node are none of the library, also of a module that the call has loaded', () => {
  const { Socket } = require('node:dgram');
  class Reader extends Socket {
    rows() {}
  }
  const names = methodsOfResult(Object.create(Reader.prototype), 'read', () => false).map(({ name }) => name);
  assert.deepEqual(names, ['read()#rows']);
});

test('the default of an ES module is as deep as what a CommonJS module exports', () => {
  const convert = { rgb: { hsl: (/** @type {number} */ red) => [red], deeper: { raw: () => 0 } } };
  const names = (/** @type {any} */ exported) =>
    listOperations(exported, 'lib').operations.map(({ about }) => about.name);
  assert.deepEqual(names(convert), ['rgb.hsl']);
  assert.deepEqual(names({ default: convert }), ['default.rgb.hsl']);
});

test('a setter is called like a method, and gives what an assignment gives', () => {
  const push = { method: 'push', arguments: ['a'] };
  assert.deepEqual(made('Queue#size=', { receiver: [], steps: [push], arguments: [3] }), {
    result: 3,
    chained: [false, false],
  });
  const steps = [push, { method: 'size=', arguments: [3] }];
  assert.deepEqual(made('Queue#size', { receiver: [], steps, access: 'read' }).result, 3);
  assert.equal(made('Queue#size=', { receiver: [], arguments: [2] }).result, 2);
});

test('a promise that nothing settles waits for the next call on the object', async () => {
  const operation = /** @type {any} */ (operations.find(({ about }) => about.name === 'Bus#emit'));
  for (const [method, isIdle, isLeft] of /** @type {[string, boolean, boolean][]} */ ([
    ['once', true, true],
    ['slow', true, true],
    ['slow', false, false],
  ])) {
    const progress = newProgress(() => isIdle);
    const call = { operation: 0, arguments: ['x'], steps: [{ method, arguments: [] }] };
    assert.equal(await madeCall(operation, call, progress), Number(method === 'once'));
    assert.equal(progress.left[1], isLeft, method);
    assert.deepEqual(progress.awaited, [false, true, false]);
  }
});

test('calls on arguments come before what makes the object, as the statements of a test do', () => {
  /** @type {string[]} */
  const log = [];
  class Part {
    /** @param {string} name */
    constructor(name) {
      log.push('new ' + name);
      this.name = name;
    }
    start() {
      log.push('start ' + this.name);
    }
    /** @param {...Part} parts */
    join(...parts) {
      return parts.length;
    }
  }
  const { operations } = listOperations({ Part }, 'parts');
  setMakers(operations);
  const at = operations.findIndex(({ about }) => about.method === 'join');
  const used = (/** @type {string} */ name) => ({ $used: [{ $made: ['new Part', name] }, [['start']]] });
  const call = { operation: at, receiver: ['whole'], arguments: [{ $made: ['new Part', 'b'] }, used('c')] };
  const steps = [{ method: 'join', arguments: [used('a')] }];
  assert.equal(madeCall(operations[at], { ...call, steps }, newProgress()), 2);
  assert.deepEqual(log, ['new a', 'start a', 'new b', 'new c', 'start c', 'new whole']);
  log.length = 0;
  const plain = { ...call, arguments: [{ $made: ['new Part', 'b'] }] };
  assert.equal(madeCall(operations[at], plain, newProgress()), 1);
  assert.deepEqual(log, ['new whole', 'new b'], 'where no statement is needed, they stand within the call');
  const progress = newProgress();
  const failing = { $used: [{ $made: ['new Part', 'd'] }, [['missing']]] };
  assert.throws(() => madeCall(operations[at], { ...call, steps, arguments: [failing] }, progress), /is no method/);
  assert.deepEqual(progress.chained, [false, false], 'a test has the statements for all calls');
});
