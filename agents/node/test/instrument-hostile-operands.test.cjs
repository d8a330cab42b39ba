'use strict';
/**
 * Operands that are missing, primitive, proxies, or have getters and iterators that tell who reads them: in a call whose
 * inputs are looked at, probes read nothing of them that the program does not read, and throw nothing of their own.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { withoutCounts } = require('./instrument-support/differences.cjs');
const { observeBoth } = require('./instrument-support/run.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, noRecord, recorder } = require('../src/runtime/calls/recorder.cjs');

/** Makes the values; `log` tells what is done to them. */
const PRELUDE = `
const spy = (target) => new Proxy(target, {
  get(t, k) { log('get', String(k)); return t[k] },
  has(t, k) { log('has', String(k)); return k in t },
  set(t, k, v) { log('set', String(k)); t[k] = v; return true },
  deleteProperty(t, k) { log('delete', String(k)); return delete t[k] },
  ownKeys(t) { log('keys'); return Reflect.ownKeys(t) },
  getOwnPropertyDescriptor(t, k) { log('descriptor', String(k)); return Reflect.getOwnPropertyDescriptor(t, k) },
  getPrototypeOf(t) { log('prototype'); return Reflect.getPrototypeOf(t) },
});
const revoked = (target) => { const { proxy, revoke } = Proxy.revocable(target, {}); revoke(); return proxy };
const iterable = (n, how) => ({ [Symbol.iterator]() {
  log('iterator'); let i = 0;
  return {
    next() { log('next'); if (how === 'throws' && i === 1) throw new Error('next'); return { value: ++i, done: i > n } },
    return() { log('return'); return how === 'bad' ? 1 : {} },
  };
} });
class Private { #p = 1; static has(o) { return #p in o } read(o) { return o.#p } write(o, v) { o.#p = v } get a() { return log('private', this.#p) } }
const makers = [
  () => undefined, () => null, () => 0, () => NaN, () => '', () => 'a', () => 1n, () => Symbol('s'), () => true,
  () => [], () => [undefined], () => [null, 2], () => [, 1], () => [[1, 2], { a: 1 }], () => ({}), () => ({ a: null }),
  () => ({ a: { b: { c: 1 } } }), () => ({ rows: [{ x: 1 }, null], a: 'a' }), () => Object.create(null),
  () => ({ get a() { log('get a'); return { b: 1 } }, get rows() { throw new Error('rows') } }),
  () => ({ __proto__: { get a() { return log('inherited') } } }), () => Object.freeze({ a: 1 }),
  () => spy({ a: { b: 1 }, rows: [{ x: 1 }] }), () => spy([1, [2]]), () => spy({}), () => revoked({}), () => revoked([]),
  () => new Proxy({}, { get(t, k) { throw new Error('trap ' + String(k)) } }),
  () => iterable(3), () => iterable(3, 'throws'), () => iterable(3, 'bad'), () => iterable(0),
  () => (function* () { try { yield 1; yield 2 } finally { log('closed') } })(),
  () => Object.assign([1, 2], { [Symbol.iterator]() { log('own iterator'); return [][Symbol.iterator]() } }),
  () => ({ [Symbol.toPrimitive](hint) { log('primitive', hint); return 'a' } }),
  () => ({ toString() { log('text'); return 'a' }, valueOf() { log('number'); return 3 } }),
  () => new Private(), () => new Date(NaN), () => new Map([['a', 1]]), () => new Set(['a']), () => new String('abc'),
];
const table = { a: { x: 1 }, get loud() { return log('loud') } };
const tag = (strings, ...values) => { log(strings.raw.join('|')); return values[0] };
`;

/** Where the value is read from: names that say that it is an input or an answer, and others. */
const OPERANDS = ['data', 'req.body', 'response.data.a'];

/** `D` is the operand. */
const PROGRAMS = [
  'const [first] = D; return first',
  'const [first, second = log("default")] = D; return [first, second]',
  'const [, { a } = {}, ...rest] = D; return [a, rest]',
  'let o = {}; [o.a = log(1), o.b] = D; return o',
  'let o = {}; ({ a: o.a, ...o.rest } = D); return o',
  'const { a = log("default"), ...rest } = D; return [a, rest]',
  'const { a: { b, c = b } = log({ b: 3 }) } = D; return [b, c]',
  'const { [key]: value, ...rest } = D; return [value, rest]',
  'const { rows: [{ x }] } = D; return x',
  'const { a: [b = 1] = [] } = D; return b',
  'const { rows = [] } = D ?? {}; return rows.length',
  '(({ a, b: { c } = {} }) => log(a, c))(D)',
  '(([a, b]) => log(a, b))(D)',
  'return [D].map(({ a }) => a)',
  'for (const x of D) { log(x); break }',
  'for (const { x } of D) log(x)',
  'for (const [k, v] of D) throw new Error("in loop")',
  'for (const k in D) log(k)',
  'for (const x of D.rows) log(x)',
  'for (const [k, v] of Object.entries(D)) log(k, v)',
  'l: for (const x of D) for (const y of D) break l',
  'for (D.q of [1, 2]); return D.q',
  'return [0, ...D, 1]',
  'return { ...D, z: 1 }',
  'return Math.max(...D)',
  'return [...(function* () { log(yield* D) })()]',
  'return D.a.b.c',
  'return D?.a?.b?.c',
  'return D?.a.b',
  'return (D?.a).b',
  'return D?.[key]?.[0]',
  'return (D || {}).a ?? D.rows?.[0]?.x',
  'return tag`x${D}y${D?.a}`',
  'return `${D}-${D.a}`',
  'return "a" in D',
  'if ("a" in D && D.a) return D.a.b',
  'return delete D.a',
  'return delete D?.a.b',
  '"use strict"; return delete D[key]',
  'return Private.has(D)',
  'return new Private().read(D)',
  'return new Private().write(D, 1)',
  'return D instanceof Object',
  'return data instanceof D',
  'return D == null || D === "a" || D > 3',
  'switch (D) { case "a": return 1; case null: return 2; default: return D.a }',
  'D[log("key")] += log(1)',
  'D.a ??= log(1); D.n++; return D.n',
  '[D.a, D.b] = [1, 2]',
  'return table[D]?.x',
  'return table[D.a].x',
  'return Array.isArray(D)',
  'return new Date(D).getTime()',
  'return JSON.parse(JSON.stringify(D)).a',
  'try { throw D } catch ({ message, code = log(1) }) { return message }',
  'try { return D.rows[0].y.z } catch (error) { return error.message }',
  'class C { [D] = 1; static s = D?.a; static { log(D?.a) } } return Object.keys(new C())',
  'return ((a, b = D, { c } = b) => [a, b, c])(1)',
];

/** @param {string} program @param {string} operand */
function textOf(program, operand) {
  return `${PRELUDE}
function program(req, data, key, response) {
${program.replace(/\bD\b/g, operand)}
}
for (const make of makers) {
  const value = make();
  attempt(() => program({ body: value }, value, 'a', { data: { a: value } }));
}`;
}

/** @param {any} table */
function probesInCall(table) {
  const probes = new FileProbes('/sut/file.js', 1, JSON.parse(JSON.stringify(table)));
  probes.open(true);
  return probes;
}

for (const operand of OPERANDS) {
  test(`in a call, ${operand} may be anything`, async () => {
    let nEffects = 0;
    for (const program of PROGRAMS) {
      clearRecorder();
      recorder.areHintsWanted = true;
      recorder.record = /** @type {any} */ ({ ...noRecord(), request: { rawHeaders: [] } });
      try {
        const { original, rewritten } = await observeBoth(textOf(program, operand), probesInCall);
        assert.ok(!original.outcome.startsWith('throws'), `${program}: ${original.outcome}`);
        assert.deepEqual(withoutCounts(rewritten), withoutCounts(original), program);
        nEffects += original.effects.length;
      } finally {
        clearRecorder();
        recorder.areHintsWanted = false;
      }
    }
    assert.ok(nEffects > 40 * PROGRAMS.length, `${nEffects} effects: the programs do too little`);
  });
}
