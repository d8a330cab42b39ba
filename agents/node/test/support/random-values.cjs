'use strict';
/**
 * Values of every type from a seeded generator, hostile objects among them; each is made anew, so that none of them
 * hides behind another's state.
 */

/** @param {number} seed */
function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const int = (n) => Math.floor(next() * n);
  const pick = (list) => list[int(list.length)];
  return { next, int, pick };
}

const SPECIAL_NUMBERS = [
  0,
  -0,
  1,
  -1,
  42,
  41.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1e15,
  1e21,
  1e308,
  -1e308,
  1.7976931348623157e308,
  5e-324,
  0.1 + 0.2,
  0.3,
];
const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'abc',
  'abd',
  '42',
  ' 42 ',
  '-0',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  'true',
  'null',
  '9007199254740993',
  '\ud800',
  'é',
  'x'.repeat(3000),
  `${'x'.repeat(2999)}y`,
  '12'.repeat(700),
  '2020-01-01',
];
const refuse = (what) => () => {
  throw new Error(`the program's own ${what} ran`);
};
const HOSTILE = {
  throwing: () => ({ valueOf: refuse('valueOf'), toString: refuse('toString') }),
  primitive: () => ({ [Symbol.toPrimitive]: refuse('toPrimitive') }),
  getter: () => Object.defineProperty({}, 'length', { get: refuse('getter'), enumerable: true }),
  proxy: () => new Proxy({}, new Proxy({}, { get: (_, trap) => refuse(`trap ${String(trap)}`) })),
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  bare: () => Object.create(null),
  inherited: () => Object.create(new Proxy({}, { getPrototypeOf: refuse('getPrototypeOf'), get: refuse('get') })),
};

/** @type {Record<string, (random: ReturnType<typeof generator>) => unknown>} */
const TYPES = {
  number: ({ pick, next, int }) => (int(2) ? pick(SPECIAL_NUMBERS) : (next() - 0.5) * 10 ** int(20)),
  bigint: ({ pick, int }) =>
    pick([0n, 1n, -1n, 42n, 2n ** 53n + 1n, 2n ** 80n, -(2n ** 1100n), 2n ** 50000n, BigInt(int(1000))]),
  string: ({ pick, int }) => (int(3) ? pick(TEXTS) : String(int(100))),
  boolean: ({ int }) => int(2) === 1,
  nullish: ({ pick }) => pick([null, undefined]),
  symbol: ({ pick }) => pick([Symbol.iterator, Symbol('s')]),
  date: ({ pick }) => new Date(pick([0, 42, NaN, 1e12, -8.64e15])),
  array: ({ pick, int }) =>
    pick([[], [1], ['a', 'b'], [undefined], [[1]], new Array(3), Array.from({ length: int(20) }, (_, at) => at)]),
  binary: ({ pick }) =>
    pick([
      Buffer.from('ab'),
      new Uint8Array(3),
      new Float64Array([NaN]),
      new DataView(new ArrayBuffer(2)),
      new BigInt64Array(1),
    ]),
  collection: ({ pick }) => pick([new Map(), new Map([['a', 1]]), new Set([1, 'b']), new WeakMap()]),
  object: ({ pick }) =>
    pick([
      {},
      { a: 1 },
      { 0: 1, length: 2 },
      new (class Point {
        x = 1;
      })(),
      Object.freeze({ b: 2 }),
      new Error('e'),
      /a/,
      new Number(5),
      new String('ab'),
      Promise.resolve(1),
    ]),
  callable: ({ pick }) => pick([() => 1, class A {}, Math.max, async function f() {}, function* g() {}]),
  hostile: ({ pick }) => HOSTILE[pick(Object.keys(HOSTILE))](),
};

module.exports = { TYPES, generator };
