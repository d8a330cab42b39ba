'use strict';
/**
 * Keys that are asked for and keys that are there ([WB-JS] §3.6): what is found, how far it was missed, what may not
 * run.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const {
  LOOKUP,
  existingKeys,
  lookUp,
  missedAbsence,
  missedAmong,
  missedPresence,
} = require('../src/runtime/heuristics/existing-keys.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { forgetLookup } = require('../src/runtime/probes/latest-lookups.cjs');
const { instrument } = require('../src/instrument/instrument.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

class Base {
  start() {}
  static make() {}
}
class Derived extends Base {
  own = 1;
  stop() {}
}

test('a property is found where the in operator finds it', () => {
  const symbol = Symbol('s');
  const holders = [
    { a: undefined, 7: 1, [symbol]: 1 },
    // eslint-disable-next-line no-sparse-arrays -- a hole is no property
    [1, , 3],
    new Derived(),
    Derived,
    new Uint8Array(2),
    Object.create(null),
    Object.create({ a: 1 }),
    new Map(),
    () => {},
  ];
  for (const holder of holders) {
    for (const key of [
      'a',
      'b',
      0,
      1,
      2,
      '1',
      -1,
      7,
      '7',
      'length',
      'own',
      'stop',
      'start',
      'make',
      'toString',
      symbol,
      null,
      undefined,
      true,
      1n,
    ]) {
      assert.equal(lookUp(holder, key), key in holder ? LOOKUP.PRESENT : LOOKUP.ABSENT, String(key));
    }
  }
  assert.deepEqual(
    [lookUp('abc', 1), lookUp('abc', 3), lookUp('abc', 'slice'), lookUp(5, 'toFixed'), lookUp(5, 'x')],
    [1, 0, 1, 1, 0],
  );
});

test('nothing of the object runs: what cannot be told is unknown', () => {
  const touched = new Proxy({}, new Proxy({}, { get: (_, name) => () => assert.fail(`trap ${name}`) }));
  const key = { toString: () => assert.fail('converted'), [Symbol.toPrimitive]: () => assert.fail('converted') };
  assert.deepEqual([lookUp(touched, 'a'), lookUp(Object.create(touched), 'a')], [2, 2]);
  assert.deepEqual([lookUp({}, key), lookUp(null, 'a'), lookUp(undefined, 'a')], [2, 2, 2]);
  assert.deepEqual(
    [existingKeys(touched), existingKeys(Object.create(touched)), existingKeys(new Proxy([], {}))],
    [[], [], []],
  );
  assert.equal(lookUp(Object.defineProperty({}, 'a', { get: () => assert.fail('got') }), 'a'), LOOKUP.PRESENT);
  assert.ok(missedPresence({ b: 1 }, key, ['b']) > 0 && missedAbsence(touched, key) > 0);
});

test('existing keys come in the order of the object, and are bounded', () => {
  assert.deepEqual(existingKeys({ b: 1, 2: 1, a: 1 }), ['2', 'b', 'a']);
  assert.deepEqual(existingKeys(new Derived()), ['own', 'stop', 'start']);
  assert.deepEqual(
    existingKeys(
      new Map([
        ['x', 1],
        [2, 1],
      ]),
    ),
    ['x', 2],
  );
  assert.deepEqual(existingKeys(new Set(['y', 3])), ['y', 3]);
  assert.deepEqual(
    [existingKeys([]), existingKeys([5]), existingKeys([5, 6, 7]), existingKeys('ab'), existingKeys(new Uint8Array(3))],
    [[], [0], [0, 2], [0, 1], [0, 2]],
  );
  const names = (/** @type {number} */ n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, at]));
  assert.equal(existingKeys(names(4000)).length, 100);
  assert.deepEqual(existingKeys(names(6000)), []);
  assert.deepEqual([existingKeys(null), existingKeys(undefined), existingKeys(5)], [[], [], []]);
});

test('the closer a key is to an existing one, the higher is h; never 0, never 1', () => {
  const ascending = (/** @type {number[]} */ ...hs) => {
    for (const [at, h] of hs.entries()) assert.ok(h > (at === 0 ? 0 : hs[at - 1]) && h < 1, hs.join());
  };
  const named = { blue: 1, green: 1 };
  const byName = (/** @type {unknown} */ key, object = named) => missedPresence(object, key, existingKeys(object));
  ascending(byName('x'), byName('bxxx'), byName('blux'), byName('bluf'));
  ascending(byName(900, { 42: 1 }), byName(50, { 42: 1 }), byName('43', { 42: 1 }));
  const inArray = (/** @type {unknown} */ key) => missedPresence([1, 2, 3], key, [0, 2]);
  ascending(inArray(1e9), inArray(500), inArray(5), inArray(3));
  ascending(inArray(-500), inArray('-2'), inArray(-1));
  ascending(inArray('abc'), inArray(1.5));
  assert.equal(missedAmong('a', []), 0.05);
  assert.equal(missedAmong(undefined, ['a']), 0.1);
  ascending(missedAbsence(new Array(100), 50), missedAbsence(new Array(100), 90), missedAbsence(new Array(100), 99));
  for (const odd of [NaN, Infinity, -Infinity, 1n, true, Symbol('s'), {}]) ascending(inArray(odd));
});

const site = () => {
  clearRecorder();
  recorder.areHintsWanted = true;
  return new FileProbes('/a.js', 100, {
    targets: [
      ['file', 0, 0, ''],
      ['branch', 1, 0, 'key true'],
      ['branch', 1, 0, 'key false'],
    ],
    lineOf: [],
    cases: {},
  });
};
const hints = () => keptHints(recorder).map(({ target, left, right, wanted }) => [target, left, right, wanted]);

test('a missing key hints at the existing ones, at most ten, as the type of the key asked for', () => {
  let probes = site();
  probes.learnKey(1, { 1: 0, b: 0 }, 'x', false);
  assert.deepEqual(
    [...probes.best].slice(1).map((h) => h === 1),
    [false, true],
  );
  assert.deepEqual(hints(), [
    [101, 'x', '1', true],
    [101, 'x', 'b', true],
  ]);
  probes = site();
  probes.learnKey(1, { 1: 0, b: 0 }, 9, false);
  assert.deepEqual(hints(), [
    [101, 9, 1, true],
    [101, 9, 'b', true],
  ]);
  probes = site();
  probes.learnKey(1, [5, 6, 7], 9, false);
  assert.deepEqual(hints(), [
    [101, 9, 0, true],
    [101, 9, 2, true],
  ]);
  probes = site();
  probes.learnKey(1, new Set('abcdefghijklmnop'), 'x', false);
  assert.equal(hints().length, 10);
});

test('a key that is there hints at one that is not', () => {
  let probes = site();
  probes.learnKey(1, { a: 1 }, 'a', true);
  assert.deepEqual(hints(), [[102, 'a', 'a', false]]);
  probes = site();
  probes.learnKey(1, [1, 2], '0', true);
  assert.deepEqual(hints(), [[102, '0', '2', true]]);
});

test('a site in a loop looks at keys a bounded number of times, and still sees what it covers', () => {
  const probes = site();
  for (let n = 0; n < 1000; n += 1) probes.learnKey(1, [1, 2, 3, 4], 1, true);
  assert.equal(probes.looks[1], 50);
  probes.learnKey(1, [1], 7, false);
  assert.equal(probes.best[2], 1);
  probes.clear();
  assert.equal(probes.looks[1], 0);
});

test('a comparison of what a key led to hints at the keys that lead to what it wants', () => {
  const { instrument } = require('../src/instrument/instrument.cjs');
  const text =
    "const COMMANDS = { list: 1, show: 1, 'drop-all': 0, get trap() { throw new Error('run'); } };\nfunction isFatal(key) { return COMMANDS[String(key)] === 0; }\nfunction isLarge(table, key) { return 5 < table[key]; }";
  const { code, table } = instrument(text, { path: '/a.js', isModule: false });
  const $ = new FileProbes('/a.js', 100, JSON.parse(JSON.stringify(table)));
  const { isFatal, isLarge } = new Function(
    'h',
    `${code.replace(/^.*?const COMMANDS/s, 'const COMMANDS').replaceAll('$wmb', 'h')}\nreturn { isFatal, isLarge };`,
  )($);
  const asked = (run) => {
    clearRecorder();
    recorder.areHintsWanted = true;
    run();
    return keptHints(recorder)
      .filter((hint) => hint.operator === '===' && typeof hint.left === 'string')
      .map((hint) => [hint.left, hint.right, hint.wanted]);
  };
  assert.deepStrictEqual(
    asked(() => assert.strictEqual(isFatal('list'), false)).filter(([, right]) => right === 'drop-all'),
    [['list', 'drop-all', true]],
  );
  assert.deepStrictEqual(
    asked(() => assert.strictEqual(isLarge({ a: 1, b: 9, c: {}, d: 'x', e: 7 }, 'a'), false)).filter(
      ([, , wanted]) => wanted,
    ),
    [
      ['a', 'b', true],
      ['a', 'e', true],
    ],
  );
});

/**
 * @param {string} text of functions
 * @param {string} names that are wanted of it
 */
function instrumented(text, names) {
  const { instrument } = require('../src/instrument/instrument.cjs');
  const { code, table } = instrument(text, { path: '/b.js', isModule: false });
  const $ = new FileProbes('/b.js', 100, JSON.parse(JSON.stringify(table)));
  return {
    $,
    ...new Function(
      'h',
      `${code.replace(/^.*?const TABLE/s, 'const TABLE').replaceAll('$wmb', 'h')}\nreturn { ${names} };`,
    )($),
  };
}

/**
 * @param {() => unknown} run
 * @returns {unknown[]} its hints about keys
 */
function keysHinted(run) {
  clearRecorder();
  forgetLookup();
  recorder.areHintsWanted = true;
  run();
  const hints = keptHints(recorder).filter(
    (hint) => hint.wanted && (hint.operator === 'key' || hint.operator === '===') && typeof hint.right === 'string',
  );
  return hints.map((hint) => [hint.operator, hint.left, hint.right]);
}

test('a field below what a map gave, or the default in its place, leads to the keys with the wanted one', () => {
  const text =
    "const TABLE = new Map([['a', { n: 1, get trap() { throw new Error('run'); } }], ['b', { n: 9 }], ['c', { n: 7 }]]);\nfunction isLarge(key) { return (TABLE.get(key)?.n ?? 0) > 5; }";
  const { isLarge } = instrumented(text, 'isLarge');
  const isOfMissed = (/** @type {any} */ [operator]) => operator === 'key';
  assert.deepEqual(keysHinted(() => assert.equal(isLarge('x'), false)).filter(isOfMissed), [
    ['key', 'x', 'b'],
    ['key', 'x', 'c'],
  ]);
  assert.deepEqual(
    keysHinted(() => assert.equal(isLarge('a'), false)),
    [
      ['===', 'a', 'b'],
      ['===', 'a', 'c'],
    ],
  );
});

test('a value kept in a variable is still known by its key where a condition reads it, also once both outcomes of the look-up are covered', () => {
  const text =
    'const TABLE = { a: 0, b: 2, c: 3 };\nfunction isSet(key) { const found = TABLE[key]; if (found) return 1; return 0; }\nfunction product(one, other) { const x = TABLE[one]; const y = TABLE[other]; return x * y === 6; }';
  const { $, isSet, product } = instrumented(text, 'isSet, product');
  assert.deepEqual(
    keysHinted(() => isSet('a')),
    [
      ['===', 'a', 'b'],
      ['===', 'a', 'c'],
    ],
  );
  product('b', 'none');
  $.clear();
  for (let index = 0; index < $.count; index += 1) {
    if ($.isNoted[index] === 1) for (const outcome of [index, index + 1]) $.cover(outcome);
  }
  assert.deepEqual(
    keysHinted(() => product('b', 'b')),
    [
      ['key', 'b', 'c'],
      ['key', 'b', 'a'],
    ],
  );
});

test('an undefined operand is told with the name it was read by', () => {
  const text =
    "const TABLE = 1;\nfunction run(filter) { const { other } = filter; return filter.mode === 'x' || !filter['is-on'] || 'y' === other || (filter.a && filter.b); }";
  const { run } = instrumented(text, 'run');
  clearRecorder();
  recorder.areHintsWanted = true;
  run({});
  run({ 'is-on': true, a: 1 });
  const named = keptHints(recorder).filter((hint) => hint.name !== undefined);
  assert.deepEqual([...new Set(named.map((hint) => hint.name))].sort(), [
    'filter.b',
    'filter.is-on',
    'filter.mode',
    'other',
  ]);
  assert.ok(named.every((hint) => hint.left.$undefined === true || hint.right.$undefined === true));
});

test('what may be a default is told with its name, and so are what a switch looks at and what may be nullish', () => {
  const text =
    "const TABLE = 1;\nfunction run(query) { let n = 0; if (query.limit > 50) n++; if (query.all) n++; switch (query.sort) { case 'up': n++; } return (query.page ?? 1) + n; }";
  const { run } = instrumented(text, 'run');
  clearRecorder();
  recorder.areHintsWanted = true;
  run({ limit: 10, all: false });
  const named = keptHints(recorder)
    .filter(({ operator }) => operator !== 'key')
    .map(({ operator, left, name }) => [operator, typeof left, name]);
  assert.deepEqual(named, [
    ['>', 'number', 'query.limit'],
    ['truthy', 'boolean', 'query.all'],
    ['===', 'object', 'query.sort'],
    ['==', 'object', 'query.page'],
  ]);
});

test('what has the type that is compared is told with its name, and so is what may be a list', () => {
  const text =
    "const TABLE = 1;\nfunction run(body) { let n = 0; if (typeof body.age === 'number') n++; if (Array.isArray(body.rows)) n++; return n; }";
  const { run } = instrumented(text, 'run');
  clearRecorder();
  recorder.areHintsWanted = true;
  run({ rows: 'a' });
  const named = keptHints(recorder).map(({ operator, left, name }) => [operator, left, name]);
  assert.deepEqual(named, [
    ['===', 'undefined', 'type of body.age'],
    ['list', 'a', 'body.rows'],
  ]);
});

test('a name is the whole path that is read, also where a function is given it', () => {
  const { table } = instrument(
    "f(a.b?.c['d'].e === 1); f(get(a, 'b.c').d === 2); f(_.get(a, 'b.c') === 3); f(a[0].b === 4); f(g(a).b === 5);",
    { path: '/n.js', isModule: false },
  );
  assert.deepEqual(Object.values(table.names), ['a.b.c.d.e', 'b.c.d', 'b.c', 'a.0.b', 'b']);
});

test('a number that is computed from one read and constants has the name of the read', () => {
  const namesIn = (/** @type {string} */ text) =>
    Object.values(instrument(text, { path: '/n.js', isModule: false }).table.names ?? {});
  assert.deepEqual(namesIn('if (row.total % 7 === 0) f();'), ['row.total']);
  assert.deepEqual(namesIn('if (-(100 - row.total) * DAY_MS > 5) f();'), ['row.total']);
  assert.deepEqual(namesIn('if (Math.floor(Number(row.total) / 10) === 3) f();'), ['row.total']);
  assert.deepEqual(namesIn('if (Number.parseInt(row.total, 10) === 3) f();'), ['row.total']);
  assert.deepEqual(namesIn("if (row.net + row.tax === 3 || row.name + 'x' === y || f(row.a) === 1) f();"), ['y']);
});

test('indexes are parts of names, and so are those of paths that functions read', () => {
  const namesIn = (/** @type {string} */ text) =>
    Object.values(instrument(text, { path: '/n.js', isModule: false }).table.names ?? {});
  assert.deepEqual(namesIn("if (b.lines[0].sku === 'x') f();"), ['b.lines.0.sku']);
  assert.deepEqual(namesIn('if (b.lines?.[1]?.sku > 5) f();')[0], 'b.lines.1.sku');
  assert.deepEqual(namesIn("if (b[99].sku === 'x') f();"), ['sku']);
  assert.deepEqual(namesIn("if (_.get(b, 'items[0].sku') === 'x') f();"), ['items.0.sku']);
  assert.deepEqual(namesIn("if (_.get(b, ['items', 0, 'sku']) === 'x') f();"), ['items.0.sku']);
  assert.deepEqual(namesIn("if (_.get(b, ['items', i]) === 'x') f();"), []);
});

test('the keys of a table of functions or of collections are told, those of things and settings are not', () => {
  const text = `const TABLE = 1;
const trap = { enumerable: true, get() { throw new Error('run'); } };
class Service { list() {} add() {} }
class Thing { rename() {} move() {} }
const TABLES = {
  functions: Object.defineProperty({ add() {}, drop: () => 1, version: '2' }, 'trap', trap),
  handlers: { add: { roles: [], run() {} }, drop: { run() {} } },
  service: new Service(),
  lists: { posts: [], users: new Map(), profile: { name: 'a' } },
  settings: { on: true, off: false },
  things: { 1: { name: 'a', tags: [] }, 2: { name: 'b' } },
  named: { a: new Thing(), b: new Thing() },
  one: { add() {} },
  hostile: new Proxy({ a() {}, b() {} }, { get: trap.get, getOwnPropertyDescriptor: trap.get, ownKeys: trap.get, getPrototypeOf: trap.get }),
};
const isIn = (table, key) => key in table;
const owns = (table, key) => Object.hasOwn(table, key);
const has = (table, key) => table.has(key);
const get = (table, key) => table.get(key);
const run = (table, key) => table[key]();`;
  const { $, isIn, owns, has, get, run, TABLES } = instrumented(text, 'isIn, owns, has, get, run, TABLES');
  /** @param {() => unknown} ask */
  const told = (ask) => {
    clearRecorder();
    forgetLookup();
    $.clear();
    recorder.areHintsWanted = true;
    ask();
    const hints = keptHints(recorder).filter(({ operator }) => ['functions', 'lists', 'things'].includes(operator));
    return hints.map(({ operator, left, right }) => [operator, left, ...right]);
  };
  const { functions, handlers, service, lists, settings, things, named, one, hostile } = TABLES;
  assert.deepEqual(
    told(() => isIn(functions, 'x')),
    [['functions', 'x', 'add', 'drop']],
  );
  assert.deepEqual(
    told(() => isIn(handlers, 'add')),
    [['functions', 'add', 'add', 'drop']],
  );
  assert.deepEqual(
    told(() => owns(handlers, 'x')),
    [['functions', 'x', 'add', 'drop']],
  );
  assert.deepEqual(
    told(() => isIn(lists, 'x')),
    [['lists', 'x', 'posts', 'users', 'profile']],
  );
  assert.deepEqual(
    told(() => run(service, 'list')),
    [['functions', 'list', 'list', 'add']],
  );
  const map = new Map(Object.entries(handlers));
  assert.deepEqual(
    told(() => has(map, 'x')),
    [['functions', 'x', 'add', 'drop']],
  );
  assert.deepEqual(
    told(() => get(map, 'x')),
    [['functions', 'x', 'add', 'drop']],
  );
  for (const table of [settings, things, named, one]) {
    assert.deepEqual(
      told(() => isIn(table, 'x')),
      [],
    );
  }
  assert.deepEqual(
    told(() =>
      get(
        new Map([
          ['a', hostile],
          ['b', hostile],
        ]),
        'x',
      ),
    ),
    [],
  );
  assert.deepEqual(
    told(() => isIn(things, '1')),
    [['things', '1', '1', '2']],
  );
  for (let count = 0; count < 8; count++) told(() => isIn(things, '1'));
  assert.deepEqual(
    told(() => isIn(things, '1')),
    [],
  );
  assert.deepEqual(
    told(() => isIn(functions, 7)),
    [],
  );
  assert.deepEqual(
    told(() =>
      get(
        new Map([
          [1, []],
          [2, []],
        ]),
        '1',
      ),
    ),
    [],
  );
});

test('the first key that is missed after others were found tells the table', () => {
  const { $, isIn } = instrumented('const TABLE = 1;\nconst isIn = (table, key) => key in table;', 'isIn');
  const table = { add() {}, drop() {} };
  const told = (/** @type {string} */ key) => {
    clearRecorder();
    forgetLookup();
    recorder.areHintsWanted = true;
    isIn(table, key);
    return keptHints(recorder).filter(({ operator }) => operator === 'functions');
  };
  const [found] = told('add');
  const site = found.target - 100 - 1;
  $.clear();
  $.cover(site);
  assert.deepEqual(told('x')[0].right, ['add', 'drop']);
  $.clear();
  $.cover(site + 1);
  assert.equal(told('y').length, 0);
});
