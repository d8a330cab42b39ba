'use strict';
/** `x.y is not a function` and its kin say what V8 says of the original text, and never speak of our probes. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { observeBoth } = require('./instrument-support/run.cjs');

const SETUP = `
  var x = new Number(1), y = 2, u, n = null, k = 'k', req = { body: { tags: 5, a: {} } };
  x.y = 3; x[0] = { z: 1 }; x.k = 1; x['a b'] = 1; x[1] = 1; x[2] = 1;
  var o = { F: class {}, a: { b: { c: 1 } }, q: 1, if: 1, é: 1, $: 1, _1: 1, list: [1, { z: 2 }], f: () => ({}) }, F = o.F;
  var f = (...a) => Object.assign(() => ({}), { z: 1 }), tag = () => ({});
`;

const RECEIVERS = `
x | x.y | req.body.tags | this.x | this | f() | f(1, 2).z | f(1)(2) | o.f().q | x[0] | x[0].z | x[k] | x["k"] | x["a b"] | o.list[1] | o.list[1].z | o[k || "a"] | o["a"].b
| o.a.b.c | o.if | o.é | o.$ | o._1 | (5) | 1.5 | true | false | 5n | NaN | [] | [1, x] | ({}) | ({ a: 1, b: x }) | ({ ...o }) | (x || y) | (x && y) | (x ?? y) | (u || o)
| (u || 5) | (u || "s" && 5) | (u || n || o) | (x && y && o) | (x ? x : y) | (u ? x : o.a) | (x, y) | (u = o) | (x + y) | (x + y + 1) | (x - 1) | (1 + x) | (x === y) | (x < y) | (x in o)
| (!x) | (!u) | (-x) | (+x) | (~x) | (typeof x && 5) | (x++) | (--x) | new F | new F() | new o.F() | new (o.F)().q | (function () {}) | (() => {}) | (() => ({}))() | (async () => {})()
| (class {}) | f\`a\` | tag\`a\${1}\` | ((x)) | (0, f)() | (o.a).b | globalThis | Math | [...x.y ? [1] : []] | (x instanceof F) | o[u === n ? "a" : "q"] | o[!u ? "a" : "q"] | o["" === "" && "a"]
| o.list[0 || 1] | (u || o).a | (u || o).f() | (u ? u : o).a.b | o.f(u || 1) | o.f(!u).x.y.z | (u === n ? o : o.a).b | (x ** y) | (x | y) | o.list[y - 1] | o?.a | o?.a.b | o.a?.b | (o?.a).b | o.f?.()
| (u ?? (n || o)) | (x || (y && o)) | o[\`a\`] | o["list"][0] | (o.zz = o.a) | new.target | new Map | new Map([[1, u || 2]])
| o?.f() | o?.f().q | o?.list.filter(Boolean) | o.list?.map(Number).find(Boolean) | o?.list.find(Boolean).z | o?.a.b?.c | o?.list.filter(Boolean)?.length | o.a?.f?.() | n?.f().q
| "a,b".split(",") | "abc".match(/b/)[0] | (u || [1])[0] | o.list.includes(1) | [1].includes(1)`
  .split('|\n')
  .join('')
  .replace(/\n/g, '')
  .split(/ \| (?![|y])/)
  .map((text) => text.replace(/^\s*\|?\s*/, '').trim())
  .filter(Boolean);

test('a missing tracked method is named as V8 names it', async () => {
  let n = 0;
  for (const receiver of [...RECEIVERS, '(x | y)', '(x || y)', '(u || n || o)', '(u ?? (n || o))']) {
    for (const call of ['.test(1)', '.zz(u || 1)', '.includes.x.test(y === 2)', '["test"](1)', '.startsWith(...[1])']) {
      const { original, rewritten, code } = await observeBoth(`${SETUP}\n${receiver}${call}`);
      assert.doesNotMatch(original.outcome, /SyntaxError/, receiver);
      assert.deepEqual(rewritten, original, code);
      n += 1;
    }
  }
  assert.ok(n > 350, `${n}`);
});

test('most tracked calls on a missing method are probed, not just left alone', () => {
  const probed = RECEIVERS.filter((receiver) =>
    instrument(`${receiver}.test(1)`, { path: '/x.js', isModule: false }).code.includes('.mx('),
  );
  assert.ok(probed.length > RECEIVERS.length * 0.5, `${probed.length} of ${RECEIVERS.length}`);
});

test('receivers are probed where the message stays exact', async () => {
  for (const receiver of [
    '"abc".match(/b/)',
    '(u || o)',
    '(u || o).a',
    'o[u === n ? "a" : "q"]',
    '"ab".includes("a")',
    'o.f().zz.match(1)',
  ]) {
    const { original, rewritten, code } = await observeBoth(`${SETUP}\n${receiver}.toString().zz(); ${receiver}.zz()`);
    assert.deepEqual(rewritten, original, code);
    assert.match(
      instrument(`${receiver}.zz()`, { path: '/x.js', isModule: false }).code,
      /\.(mx|or|orh|eq3)\(/,
      receiver,
    );
  }
});

const STATEMENTS = `
for (const a of u || n);
for (const a of !u);
for (const a of u ? u : n);
for (const a of (u || o));
[...(u || o)]
[1, ...(u || 5), 2]
f(...(u || 5))
f(1, ...(u || 5))
new Map(...(u || 5))
f(...(o || []))
f(...(o.a ?? o ?? []), 1)
new Map(...(o ?? []))
[...(o ?? [])]
const { a } = u || n
const { a } = (u || n)
const { a } = !u && n
const { a } = u ?? n
const { a } = u ? u : n
const { a } = "a".match(/b/)
const { a: { b } } = { a: u || n }
const { ...r } = u || n
const { [1]: k1 } = u || n
const [a] = u || n
const [a] = u || o
const [a] = !u
const [a] = u === n
const [a] = "a".match(/b/)
const [, a] = "a".match(/b/) || u
let a; ({ a } = u || n)
let a; [a] = u || 5
let a; ({ a } = (u || n))
(function ({ a } = u || n) {})()
(({ a } = u || n) => {})()
(function ([a] = u || n) {})()
new (u || n)
new (u || o)()
new (u ? u : n)
new o[u || "q"]
(u || n)\`x\`
(u || n)()
(u || n)(1).x()
(u || n)?.x.y.z()
(u || o)?.a.zz()
o[u || n]()
o[u === n]()
o[!u]()
o[u ? 1 : 2]()
o?.[u || n]()
o.a["" || "zz"]()
o.f(u || n).zz()
o.f(u === n)(1)
(o, u || o)()
(u = n || o)()
(u === n ? o : o)()
(() => u || n)()()
\`\${(u || n)()}\`
!(u || n)()
(u || n)().x === 1
if ((u || n)()) ;
f((u || o)())
throw (u || o)()
(u || n).x
(u || n).x = 1
(u || n).x()
(u || o).x()
(u || o).x.y
"a".match(/b/).x()
"a".match(/a/).x()
"abc".includes("a").x()
o.a.b.c.match("x").zz()
class A extends (u || n) {} new A
class A extends (u || 5) {}
1 in (u || 5)
1 instanceof (u || 5)
(function* () { yield* u || 5 })().next()
(function* () { yield* !u })().next()
(u || o).call(1)
x.y.call(u || 1)
await1(u || 1)
(!u)()
(u === n)()
(x < y).zz()
([u || 1])()
([u || o][0]).zz()
({ a: u || 1 }).zz()
({ a: u || 1 }.a)()
(-(u || 1))()
(u || 1, o)()
(o.q = u || 1)()
(typeof (u || 1))()
(() => {})()()
module.exports = (async () => { (await (u || o))() })()
super1.x(u || 1)
delete (u || o)()
Promise.resolve(u || 1).zz()
new Promise(u || 1)
Reflect.apply(u || 1)
[1].map(u || 1)
[3, 1].sort(u || 1)
Object.defineProperty(u || 1, "x", {})
new Array(u || -1)
JSON.parse(u || "{")
null[u || "a"]
u[u || "a"]()
o.a[u === n]()()
x.includes(u || 1)
(u || x).includes(!u)
(u || x).includes(!u).y()
((u || o))()
(u ? n : (u || o))()
const { a: { b } } = u ?? {}
const { a: [b] } = u || {}
const { a: {} } = u || {}
const { [k]: { b } } = u || {}
const [{ b }] = u || [null]
const { b } = u ?? null
({ a: { b } } = u || {})
o?.zz()
o?.a.zz()
o.a?.zz()
o?.a?.zz()
o?.a?.b.zz()
o?.a?.b.zz?.()
o.q?.()
o.q?.(1).x
o.a.b?.()
o?.q?.()
y?.()
y?.(1, 2).z
f()?.z()
f(1)()?.q?.()
o.f().x?.y()
o.f().zz?.y()
o.f()?.zz()
(y)?.()
(o.q)?.()
o["q"]?.()
o[k]?.()
o?.["q"]()
o?.[k]()
n.q?.()
u.q?.zz()
(o?.a).b.zz()
(o?.a).zz()
(u ?? o).q()
(u ?? o).q?.()
(u ??= o).zz()
(o.q ||= 1).zz()
new (o?.q)
const { x: z } = o?.zz
const [w] = o?.q
for (const w of o?.q);
[...o?.q]
f(...o?.q)
1 in y
y in o.q
y instanceof o
(y in o).zz()
(y instanceof F).zz()
o[y in o].zz()
o?.list.includes.call()
u?.[n.x].y()
n?.x.y()
const [w] = "a".match(/b/)
const [w] = (x.y + "").match(/b/)
const { groups: { w } } = /(?<w>b)/.exec(k)
const { w } = (u || k).trim().match(/b/)
const [w] = o.list[0].match(/b/)
const [w] = o?.a.b.match(/b/)
const [w] = n.match(/b/)
const [w] = n?.match(/b/)
f(...k.match(/b/))
for (const [w] of k.match(/b/));
for (const w of k.matchAll(/b/));
[...k.matchAll(/b/g)].zz()
const [w] = k.match(/b/) ?? u
`
  .trim()
  .split('\n');

test('other errors that show source text show the text of the user', async () => {
  for (const statement of STATEMENTS) {
    const { original, rewritten, code } = await observeBoth(`${SETUP}\n;${statement}`);
    assert.doesNotMatch(original.outcome, /SyntaxError: (?!Expected|Unexpected end of JSON)/, statement);
    assert.deepEqual(rewritten, original, code);
  }
});

const CALLS = `
o?.includes(1)
o?.includes?.(1)
o.includes?.(1)
o.q.includes?.(1)
o.q?.includes(1)
u?.includes(1)
o.u?.includes(1)
o.b.includes(1)
o.q.startsWith(1)
["a", 1, x].test(1)
[].test(y)
[[1]].test(1)
\`a\`.has(1)
new o.Date(1)
new o.URL(1, 2)
new q(1)
o.q.call(1)
o.has.call(1)
o.has.apply(1, [2])
n.has.call(1)
String.prototype.zz.call("a", "b")
has(1)
has.call(1)
isInteger(1)
(0, mod.isEmail)(1)
(0, mod.isEmail)(u || 1).zz()
(0, u.isEmail)(1)
parseInt(1).zz()
new Date(1).zz()
new Date(1).getTime().zz()
new URL("http://a/").zz(1)
new URL("http://a/").pathname.zz.includes(1)
new URL("http://a/").pathname.test(1)
Number(1).includes(2)
JSON.parse("{}").has(1)
JSON.parse("{}").has.includes(1)
JSON.parse("[")
new URL("nope")
BigInt("x")
BigInt(1.5)
new RegExp("(")
"a".repeat(-1).includes("b")
"a".includes(/b/)
"a".startsWith(Symbol("x"))
"a".matchAll(/b/)
Array.prototype.includes.call(null, 1)
Array.prototype.find.call([1], 5)
[1].find(5)
[1].some(u)
Map.prototype.has.call({}, 1)
new Map().has.call(1, 2)
Reflect.has(1, 2)
Reflect.apply(1, 2, [])
Reflect.apply(o.zz, 2, [])
Reflect.apply("a".includes, null, ["x"])
Object.hasOwn(null, "a")
Buffer.from(null, "hex")
Buffer.from("a", "zz")
require("crypto").timingSafeEqual(Buffer.from("a"), Buffer.from("ab"))
require("assert").equal(1, 2)
asserts(0)
asserts.equal(x.y === 3, false)
asserts.ok()
asserts.zz(1)
(() => { const [a] = parseInt(1) })()
(() => { const { a } = u?.has(1) })()
(() => { for (const a of Number(1)) ; })()
(() => { f(...parseInt(1)) })()
new (class extends URL { constructor() { super("x") } })()
new (class extends Date { constructor() { super(1); this.zz() } })()
o?.a.b.includes(1)
o?.a.zz.includes(1)
o?.a.zz.zz.includes(1)
u?.a.zz.includes(1)
n?.a.zz()
o.zz?.a.includes(f(1))
o?.q.includes(f.zz())
o?.q.zz(f.zz())
o?.a.b.zz(1).y
o?.a?.b.zz(1)?.y
o?.a?.b?.zz(1)
o?.a?.zz.zz(1)
o?.a.b['c'].zz(1)
o?.["a"].zz.match(1)
o?.[k].zz(1)
o?.a.f()?.zz()
o.f()?.a.zz()
o.f?.()?.zz.includes(1)
o?.list.at(0).zz()
o⏎  ?.a.b /* b */⏎  .zz(1)
o?.a⏎  .zz // b⏎  .includes(1)
(o?.a.zz.includes)(1)
o?.a.b.includes.call(1)
delete o?.a.b.zz().x
new (o?.a.zz.includes())()
o.includes(...u)
o.includes(...o)
o.zz.includes(1, ...n)
"a".includes(...u)
"a".includes(1, ...n)
[1].includes(...o)
isNaN(...u)
isNaN(...o)
(() => { let isNaN = 1; isNaN(...[1]); isNaN(...o) })()
(() => { const l = [1], isNaN = 1; isNaN(...l) })()
(() => { const l = [1]; o.includes(...l) })()
(() => { const l = [Symbol()]; "a".includes(...l) })()
(() => { const l = [1]; new URL(...l) })()
new URL(...u)
o.includes.call(...u)
String.prototype.includes.call(...u)
o?.zz.includes(...u)
u?.zz.includes(...u)
(() => { "a".includes(...l); let l = 1 })()
[...o?.a.zz.includes()]
(() => { const { x } = o?.a.zz() })()
module.exports = async () => (await f()).zz.includes(1)
module.exports = async () => (await f()).includes(1)
module.exports = async () => (await f)().zz.has(1)
module.exports = async () => (await new F()).includes(1)
module.exports = async () => (await o.a.b).includes(1)
module.exports = async () => { (await o.f(1)).q.includes(1) }
`
  .trim()
  .split('\n')
  .map((call) => call.replaceAll('⏎', '\n'));

test('calls of every form say what they said', async () => {
  const more =
    `const asserts = require('assert'), mod = require('./package.json'), { has = 5, isInteger = 6 } = o, q = () => 1;`.replace(
      './package.json',
      require.resolve('../package.json'),
    );
  for (const call of CALLS) {
    for (const make of [undefined, (table) => new FileProbes('/x.js', 0, table)]) {
      const { original, rewritten, code } = await observeBoth(`${SETUP}\n${more}\n;${call}`, make);
      assert.doesNotMatch(
        original.outcome,
        /SyntaxError: (?!Expected|Unexpected end|Unexpected token|Invalid regular|Cannot convert)/,
        call,
      );
      assert.deepEqual(rewritten, original, code);
    }
  }
});

test('the runtime throws the same for a missing method', async () => {
  for (const receiver of RECEIVERS) {
    for (const call of ['.test(1)', '.zz(1)']) {
      const { original, rewritten } = await observeBoth(
        `${SETUP}\n${receiver}${call}`,
        (table) => new FileProbes('/x.js', 0, table),
      );
      assert.deepEqual(rewritten, original, receiver + call);
    }
  }
});
