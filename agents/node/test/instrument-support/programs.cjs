'use strict';
/**
 * Programs by what they try: CommonJS texts that `log` their effects and export a value, or a function that makes one.
 */

const PROGRAMS = {
  'short circuit':
    'log(0) && log(1); log(1) && log(2); log(0) || log("b"); log("a") || log("b"); module.exports = [null ?? log(3)]',
  'operands are evaluated in order':
    'const f = (x) => (log(x), x); module.exports = [f(1) === f(2), f("1") == f(1), f(1) < f(2), f(3) >= f(2), f(1) !== f(1), f(1) != f(2)]',
  'valueOf runs once per comparison':
    'const o = { valueOf() { log("valueOf"); return 1 } }; module.exports = [o < 2, o == 1, 1 <= o]',
  'sequence in parentheses as operand':
    'var x = 1, z = 2; module.exports = [(log(x), 0) || z, (x, 0) === (z, 0), !(x, 0), (1, 2) && (3, 4)]',
  'sequences as conditions':
    'let n = 0; if (log(1), n) log("no"); else log("yes"); while (n++, n < 3) log(n); for (; n--, n > 0;) log(n); do log("once"); while (log(0), false)',
  'await in operands':
    'module.exports = async () => { const p = (x) => Promise.resolve(x); const a = await p(1) === await p(1) && !await p(0); if (await p(0)) log("no"); return await p(a) ? await p("y") : await p("n") }',
  'yield in operands':
    'function* g() { const a = (yield 1) === (yield 2); const b = (yield 3) && !(yield 4); if (yield 5) return yield 6; return [a, b] } const i = g(); for (const v of [0, 1, 1, 1, 0, 0, 0]) log(i.next(v))',
  'order of microtasks':
    'async function a() { log(1); await (1 === 1 && null); log(2); return 3 < 4 } async function b() { log("b1"); await null; log("b2"); } module.exports = Promise.all([a(), b()])',
  'returning a promise from async':
    'async function f() { return Promise.resolve(1) } async function g() { try { return await Promise.reject(new Error("x")) } catch (e) { return e.message } } f().then(log); Promise.resolve().then(() => log("t1")).then(() => log("t2")).then(() => log("t3")); module.exports = g()',
  'names of functions':
    'const a = () => {}, b = function () {}, c = class {}; const o = { d: () => {}, e() {}, get f() { return 1 }, ["g" + 1]: () => {}, h: (() => {}) }; let i; i = async () => {}; let j = null; j ??= () => {}; let k; k ||= () => {}; const { l = () => {} } = {}; const [m = function () {}] = []; module.exports = () => [a, b, c, o.d, o.e, o.g1, o.h, i, j, k, l, m, false || (() => {}), true ? () => {} : 0].map((f) => f.name)',
  'names of class members':
    'class A { static x = () => {}; y = function () {}; static #z = () => {}; static get z() { return A.#z } } module.exports = () => [A.name, A.x.name, new A().y.name, A.z.name]',
  'lengths of functions':
    'module.exports = () => [((a, err) => 1).length, (function (err, b = 1 === 1) {}).length, ((...e) => e).length]',
  'default parameters':
    'function f(a = log("default") === 1, { b = !a, ["c" + (a ? 1 : 2)]: c = 5 } = {}) { return [a, b, c] } module.exports = () => [f(), f(1), f(0, { b: 2, c2: 3 })]',
  'default parameter sees the outer name':
    'const x = 1; function f(err, g = () => x === 1 && err) { var x = 2; return g() } module.exports = () => f("e")',
  'this and arguments':
    'function f() { return [this === o, arguments.length === 2 && arguments[1], (() => arguments[0] || this)()] } const o = { f }; module.exports = () => o.f(0, 2)',
  'sloppy arguments alias':
    'function f(err) { arguments[0] = 2; return err === 2 } function g(err) { "use strict"; arguments[0] = 2; return err === 2 } module.exports = () => [f(1), g(1)]',
  'new.target':
    'function F() { return new.target === F ? { yes: 1 } : undefined } module.exports = () => [F(), new F()]',
  'directives stay first': '"use strict"; function f() { return this === undefined } module.exports = () => [f()]',
  'directives without semicolons':
    '"use strict"\n"other"\nfunction f(err) { "use strict"\nreturn !this } module.exports = () => f()',
  'a text without directive stays sloppy':
    'function f() { "not" + "directive"; return this === globalThis } module.exports = () => f()',
  'super and derived constructors':
    'class A { constructor(x) { this.x = x } m() { return 1 } get p() { return "p" } } class B extends A { constructor(err) { log("before"); if (err === 1) super(err || 2); else super(!err); this.y = super.p === "p" && super.m() } m() { return super.m() ? "b" + super.m() : 0 } static s = super.name === "A"; } module.exports = () => [new B(1), new B(0), new B(1).m(), B.s]',
  'a missing super call':
    'class A {} class B extends A { constructor(x) { if (x) super() } } module.exports = () => new B(0)',
  'methods of super':
    'class A extends Map { has(k) { return super.has(k) ? "yes" : super.get?.(k) ?? super.nowhere } get(k) { return [super.get(k), (() => super.get(k))()] } m() { return super.at(log("arg")) } x = super.has(1); static from = super.groupBy; static has(k) { return super.has(k) } } class S extends String { startsWith(t) { if (super.startsWith(t)) return 1; return super.includes(...[t]) } test() { return super.match(/b/).index } } const fails = (f) => { try { return f() } catch (e) { return e.message } }; module.exports = () => [new A([[1, 2]]).has(1), new A().has(2), new A([[1, 2]]).get(1), new A().x, fails(() => new A().m()), fails(() => A.has(1)), new S("abc").startsWith("a"), new S("abc").startsWith("c"), new S("abc").test()]',
  'methods of super through getters, proxies and shadowed names':
    'class P { get has() { log("get", this.n); return function (k) { log(this.n); return k } } } class A extends P { n = 1; has(k) { return super.has(k) } get(A) { return super.get(A) } } class D extends P { constructor() { try { super.has(log("never")) } catch (e) { log(e.message) } super(); log(super.has(3)) } } class Q extends P { at(k) { return super.at(k) } } Object.setPrototypeOf(Q.prototype, new Proxy({ at: (k) => k }, { get(t, k) { log("trap", String(k)); return t[k] }, getPrototypeOf() { log("proto") }, getOwnPropertyDescriptor() { log("gopd") } })); let r; try { new A().get(1) } catch (e) { r = e.message } new D(); const o = { __proto__: { at: () => 5 }, at(k) { return super.at(k) } }; module.exports = () => [new A().has(7), r, new Q().at(4), o.at(0)]',
  'bound functions':
    'const has = Function.prototype.call.bind(Object.prototype.hasOwnProperty), own = Object.prototype.hasOwnProperty.call.bind({}.hasOwnProperty); module.exports = () => { const starts = "abc".startsWith.bind("abc"), test = /b/.test.bind(/b/, "abc"), at = Array.prototype.at.apply.bind([].at), again = starts.bind(null, "b"); return [has({ a: 1 }, "a"), own({}, "a"), starts("a"), starts("c") || starts.name, test(), at([1, 2], [1]), again(), again.length, isNaN.bind(null, "x")(), starts.call(null, "ab"), [1, 2].map(Number.isInteger.bind(null))] }',
  'bind that is missing, or is not what it seems':
    'const say = (f) => { try { log(f()) } catch (e) { log(e.message) } }; const o = { test: 1, has: { bind: (a, b) => [a, b, o.has === this] }, get match() { log("get"); return { get bind() { log("get bind"); return () => 3 } } }, call: null }; say(() => o.test.bind(log("arg"))); say(() => o.at.bind(o)); say(() => o.has.bind(1, log("second"))); say(() => o.match.bind(o)); say(() => o.call.bind(o)); say(() => Number.bind.bind(o)); say(() => "a".at.bind((() => { throw new Error("in the argument") })()))',
  'super() as an operand':
    'class A {} class B extends A { constructor() { super() || log("never"); log(this instanceof B) } } new B()',
  'temporal dead zone':
    'function f() { return x === 1 } let r; try { f() } catch (e) { r = e.message } let x = 1; module.exports = () => [r, f()]',
  'temporal dead zone in switch':
    'switch (1) { case 0: let a = 1; break; case 1: try { a } catch (e) { log(e.message) } }',
  'temporal dead zone in for heads': 'try { for (let i = (() => i === 1)(); ;) ; } catch (e) { log(e.message) }',
  'closures of for let':
    'const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); module.exports = () => fs.map((f) => f())',
  'labels, break and continue':
    'a: for (let i = 0; i < 3; i++) { b: for (;;) { if (i === 1) continue a; if (i === 2) break a; log(i); break b } log("after", i) } c: { log("in"); if (1) break c; log("never") } d: if (true) { break d } e: f: while (true) break e',
  'labelled expression': 'x: log(1); y: { break y } z: log(2), log(3)',
  'labelled function': 'foo: function f() { return 1 } log(f())',
  'dangling else':
    'for (const [a, b] of [[1, 1], [1, 0], [0, 1]]) if (a) if (b) log("ab"); else log("a"); else log("-")',
  'bodies without blocks':
    'let i = 0; while (i < 2) i++; do i--; while (i > 0) for (i = 0; i < 3; i++) log(i); for (const k in { a: 1 }) log(k); for (const v of [1]) log(v); if (i) ; else log("no"); for (;;) break; log(i)',
  'automatic semicolons':
    'let a = 1\nlet b = a\n;[1, 2].forEach((x) => log(x))\nlog(a)\nfunction f() {\n  return\n  1\n}\nvar c = f()\nlog(c)\nlet i = 0\ni\n++\ni\nlog(i)\ndo log(1); while (false) log(2)\nif (a) log(3)\nelse log(4)\nlet d = function () { return 5 }\n;(function () { log(6) })()\nthrow new Error("x")',
  'return glued to its argument':
    'function a() { return"x" } function b(x) { return!x } function c() { return(1, 2) } function d(x) { return[x] } function e(x) { return/re/.test(x) } function f(x) { return-x } function g(x) { return`${x}` } function h(x) { return{ x } } module.exports = () => [a(), b(0), c(), d(1), e("re"), f(1), g(1), h(1)]',
  'keywords glued to operands':
    'var x = 1, r = []; if (x) r.push(typeof!x, void!x); else!x; switch (x) { case!0: r.push("t"); break; case(1): r.push("one") } for (var k in!x) ; r.push(1 in[1, 2], x instanceof(Object)); module.exports = async () => [...r, await!x, delete!x]; function* g() { yield!x; yield(x || 2) } r.push(...g()); throw!x',
  'else glued to a block': 'var x = 0; if (x) { log(1) }else{ log(2) }if (!x)log(3);else log(4)',
  'sloppy functions in ifs':
    'if (true) function f() { return 1 } else function g() { return 2 } log(typeof f, typeof g); if (false) ; else function h() {} log(typeof h)',
  'functions in blocks':
    '{ function f() { return 1 } } log(f()); switch (1) { case 1: function g() { return 2 } } log(g()); log(typeof late); { late(); function late() { log("late") } }',
  'hoisted functions before the first statement':
    'module.exports = f(); function f() { return g() === 1 } function g() { return 1 }',
  'let as a name':
    'var let = 1; let\n= 2; log(let === 2); let; var yield = 3, await = 4, async = 5, of = 6, get = 7, static = 8; log(yield && await && async && of && get && static); async = (x) => x; log(async(1) || 0)',
  'html comments':
    'var a = 1; <!-- log("never")\nlog(a) <!-- x\n--> log("never")\nvar b = a <!-- c\n=== 1\nlog(b)\nlog(a\n/* */ --> 0\n)',
  'comments between operator and operands':
    'var a = 1, b = 1; log(a /* === */ === /* ! */ b, a // ===\n=== // x\nb, ! /* x */ a, !// y\na, a /* && */ && /* || */ b)',
  'newlines around operators': 'var a = 1; log(a\n===\n1, a\n&&\n2, !\na, a\n?\n1\n:\n2, "x"\n.includes\n(\n"x"\n))',
  'private names':
    'class A { #x = 1; static has(o) { return #x in o && !(#x in {}) } eq(o) { return this.#x === o.#x || false } #m(err) { return !err } m() { return this.#m(0) ? "m" : 0 } static #s = [1]; static t() { return A.#s.includes(1) } } module.exports = () => [A.has(new A()), new A().eq(new A()), new A().m(), A.t()]',
  delete:
    'const o = { a: 1, b: { c: 1 } }; module.exports = () => [delete o.a, delete o.b?.c, delete (o.zz || o.b), !delete o.b, delete o["x" === "x" ? "b" : "c"], o]',
  'delete of a frozen property': '"use strict"; const o = Object.freeze({ a: 1 }); if (o.a === 1) delete o.a',
  'typeof of an undeclared name':
    'module.exports = () => [typeof nowhere === "undefined" && 1, typeof nowhere !== "undefined" ? nowhere : 0, !(typeof nowhere)]',
  'an undeclared name': 'log(1); if (nowhere === 1) log(2)',
  'optional chaining':
    'const o = { a: { s: "abc", f: (x) => x }, n: null }; module.exports = () => [o?.a?.s?.includes("b"), o.n?.s.includes("b"), o.n?.s.test("b").x, o.a?.s.includes("b"), o?.a.f?.(1) === 1, o.zz?.[log("never")], (o?.a).s.startsWith("a"), o.a.s.match(/b/)?.[0], !o.n?.x, o.n?.x || "d"]',
  'calls in optional chains': `const l = (x) => (log(x), x); const o = { a: ["x", "yz"], t: "a b", n: null, u: undefined, get g() { log("get"); return ["q"] }, find(f) { return [this === o, f] }, m() { return { v: this === o, t: "k", find: (x) => (log("own"), x) } } };
    const read = (v) => [v?.find((x) => x)?.length, v?.filter((x) => x > "x").map((x) => x + 1), v?.find?.((x) => x), v?.at(0)?.split("").includes("x"), v?.[l("length")].toString().includes("2"), v?.filter((x) => x).concat(l(1)).indexOf(1), typeof v?.find((x) => x)?.zz];
    module.exports = async () => [...[o.a, o.n, o.u, [], [null], o.g].map(read), o.t?.split(l(" ")).includes(l("b")), o.m?.().find(1), o?.m().find(l(2)), o.n?.m(l("never")).find(l("never")).x.y, o?.m().t.split("").includes("k") ? 1 : 2, !o.n?.m().t.split("").includes("k") && 3, (o?.find(1))[0], (o?.find(1).at)?.(0), delete o?.m().find(o).zz, o?.a.find((x) => o.a?.filter((y) => y === x).includes("yz")).length, await o?.a.filter(async (x) => x).at(0), (await o?.a.find(await l((x) => x)).length), [...(o?.a.filter((x) => x).slice(1) ?? [])], o?.t.split(" ").at(1) + "", o?.a
      .filter((x) => x) // all
      ?. // of them
      [0].split("").includes("x")]`,
  'calls in optional chains that throw': `const l = (x) => (log(x), x); const o = { a: ["x", "yz"], t: "a b", n: null, m() { return { t: "k", find: (x) => x } } };
    for (const f of [(v) => v?.find((x) => x).length, (v) => v?.split(l(" ")).includes(l("b")), (v) => v?.filter((x) => x > 1).map(l), (v) => v.a?.filter(l).zz(l("argument")), (v) => v?.m().find(null).x, (v) => v.t?.split(" ").find((x) => x === "z").length, (v) => v?.m().zz.includes(1), (v) => v?.m().t.zz(l("argument")).includes(1), (v) => v.a?.filter(l)?.length.zz(1), (v) => v.a?.filter(l)?.length["zz"](1), (v) => (v.n?.find(1).at)(0), (v) => v?.a.find(l)["zz"]()])
      for (const v of [o, o.a, o.t, o.n, [], 5, [null], {}]) try { log(f(v)) } catch (e) { log(e.name, e.message) }`,
  'optional chaining throws like before': 'const o = { n: null }; o.n?.x; log(1); o.n.s.includes("x")',
  'calls on null and undefined':
    'let r = []; for (const x of [null, undefined]) try { x.includes(log("arg")) } catch (e) { r.push(e.message) } module.exports = r',
  'arguments are evaluated before a missing method throws':
    'const o = {}; try { o.includes(log("arg"), log("two")) } catch (e) { log(e.message) }',
  'own methods with tracked names':
    'const o = { includes(x) { return [this === o, x] }, test: function () { return arguments.length }, match: () => 7, startsWith: async () => 1 }; module.exports = async () => [o.includes(1), o.test(), o.test(1, 2, 3), o.match(), await o.startsWith("x"), o.includes(...[1]), o.test(1, ...[2, 3])]',
  'getters and proxies are read once':
    'const o = { get includes() { log("get"); return () => 1 } }; log(o.includes(2)); const p = new Proxy({}, { get(t, k) { log("trap", String(k)); return () => 3 }, getPrototypeOf() { log("proto"); return null }, getOwnPropertyDescriptor() { log("gopd") } }); module.exports = () => 1',
  'tracked methods on strings, arrays and regexes':
    'const re = /b/g; module.exports = () => ["abc".startsWith("a"), "abc".endsWith("c", 3), "abc".includes("b", 1), [1, NaN].includes(NaN), re.test("abc"), re.lastIndex, "abcb".match(/b/g), "abc".match("z"), "abc".match(), new Uint8Array([1]).includes(1)]',
  'regex literals': 'var x = 4, g = 2; log(x /2/ g, /=== &&/.test("=== &&"), !/a/.test("b"), /[/]/.test("/") && 1)',
  'template literals':
    'const t = (s, ...v) => s.raw.join("|") + v.join(); module.exports = () => [`a${1 === 1 ? `b${!0}` : "c"}`, t`x${1 && 2}\\n${0 || 3}`, String.raw`\\u${!1}`]',
  'tagged template callee keeps this':
    'const o = { n: 1, t() { return this?.n } }; module.exports = () => [o.t`x`, (o.t)`x`, (0, o.t)`x`, (o || 1).t`x`]',
  'a call in parentheses keeps or loses this':
    'const o = { n: 1, t() { return this === o } }; module.exports = () => [(o.t)(), (0, o.t)(), (o.t || 1)(), (true ? o.t : 0)(), (o || {}).t(), o["" === "" ? "t" : ""]()]',
  'direct and indirect eval':
    'var x = "outer"; function f() { var x = "inner"; return [eval("x"), (0, eval)("typeof x"), (eval || 1)("typeof x"), eval("var y = 1; typeof y") === "number" && y] } module.exports = () => f()',
  'direct eval declares what it likes':
    'function f() { eval("var $wmb0 = 1, h = 2"); return $wmb0 === 1 && h } module.exports = () => f()',
  'a text that uses the name of the handle': 'var $wmb = 1, $wmb1_ = 2; module.exports = () => $wmb === 1 && $wmb1_',
  'with is not probed inside':
    'var o = { a: 1, $wmb: null }; with (o) { if (a === 1) log(a); (() => { log(!a && a || 2) })() } with (new Proxy({}, { has: () => true, get: (t, k) => (typeof k === "symbol" ? undefined : log)})) { anything(1 === 1) } log(o.a === 1)',
  'getters, setters, static blocks':
    'class A { static #c = 0; static { try { this.#c = 1 === 1 ? 5 : 6; if (this.#c) log("static") } finally { log("f") } } static get c() { return A.#c || 0 } set v(err) { this._v = err && 1 } f = this.constructor === A; ["k" + (1 > 0)] = !1 } const a = new A(); a.v = 3; module.exports = () => [A.c, a]',
  'generators and delegation':
    'function* a() { try { const x = yield 1; log(x === 2); yield* b(); return 3 } finally { log("fin") } } function* b() { yield "b" } const i = a(); log(i.next()); log(i.next(2)); log(i.return(9)); log([...a()]); const j = a(); j.next(); try { j.throw(new Error("t")) } catch (e) { log(e.message) }',
  'async generators and for await':
    'async function* g() { yield 1; yield await 2; if (1 === 1) yield Promise.resolve(3) } module.exports = async () => { const r = []; for await (const x of g()) if (x > 1) r.push(x); return r }',
  'arrow bodies':
    'const o = (a) => ({ a }), s = (a) => (log(a), a), n = () => () => 1, c = (x) => x ? 1 : 2, v = () => void 0, f = async (err) => await err, p = ({ length }) => length === 3; module.exports = async () => [o(1), s(2), n()(), c(0), v(), await f(5), p("abc"), ((e) => !e)(1), [1, 2, 3].filter((x) => x > 1 && x < 3)]',
  'arrow with in inside a for head': 'for (var f = (x) => ("a" in x), i = 0; i < 1; i++) log(f({ a: 1 }) === true)',
  'for heads':
    'for (var i = 0, n = 2; i !== n && n; i += 1) log(i); for (const x of [1].includes(1) ? [1, 2] : []) log(x); for (var k in { a: 1 } || {}) log(k); for (let [a, b = !a] of [[0], [1, 2]]) log(a, b); var o = {}; for (o["x" === "x" ? "y" : "z"] of [1, 2]) ; log(o); for (; ;) { break } for (let x of (log("r"), [1])) log(x)',
  'assignment targets':
    'const o = { a: { b: 1 } }; o[1 === 1 ? "x" : "y"] = 5; o[!0 && "k"] ||= 6; [o.p, o[!1 || "q"] = 3 > 2] = [1]; ({ a: o.r, [!1 ? "m" : "a"]: o.s = 1 } = { a: 9 }); o.n = o.n === undefined ? 1 : 2; o.n++; log(o[1 === 1 ? "n" : "z"]++, --o[!0 && "n"]); module.exports = () => o',
  'order in assignments':
    'const l = (x) => (log(x), x); const o = {}; o[l("key") && "k"] = l("value") === "value"; module.exports = () => o',
  'destructuring defaults':
    'const { a = log("a") && 1, b: { c = !a } = {}, ...rest } = { z: 1 }; const [d = a === 1, , e = d ? 2 : 3, ...f] = [undefined, 1, undefined, 4]; module.exports = () => [a, c, rest, d, e, f]',
  'switch semantics':
    'function f(x) { switch (x) { case 1: log("one"); case 2: log("two"); break; default: log("d"); case "3": log("three"); case x > 5 && x: log("expr"); break; case -1: case null: case undefined: case NaN: log("n") } } for (const x of [1, 2, "3", 7, -1, null, undefined, NaN, 4]) { log(x); f(x) } switch (log(1), 2) { case (log(2), 2): log("seq") } switch (1) { } switch (1) { default: }',
  'case tests run in order and only as far as needed':
    'switch (2) { case log(1): case log(2): case log(3): } switch (true) { case log(1) === 2: break; case log(2) === 2: log("hit"); break; case log(3): }',
  'try, catch, finally':
    'function f(x) { try { if (x === 1) throw new Error("a"); return log("r") } catch (e) { return log(e.message) } finally { log("f"); if (x === 3) return "over" } } module.exports = () => [f(1), f(2), f(3)]; try { throw null } catch { log("c") } try { throw 1 } catch ({ length = 5 }) { log(length) } try { try { throw { a: 1 } } finally { log("x") } } catch (err) { log(err) }',
  'catch parameter and var of the same name':
    'try { throw 1 } catch (e) { var e = 2; log(e) } log(e); try { throw new Error("q") } catch (err) { "use strict"; { let err = 1; log(err) } log(err.message) }',
  'error parameters':
    'const m = (err, req, res, next) => next(err); module.exports = () => { const r = []; m(new Error("x"), 0, 0, (e) => r.push(e.message)); [1].forEach((e) => r.push(e)); new Promise((_, j) => j(new Error("p"))).catch((error) => log(error.message)); return [m.length, r] }',
  'throwing in operands':
    'const t = (x) => { throw new RangeError(x) }; for (const f of [() => t(1) === 1, () => 1 === t(2), () => !t(3), () => t(4) || 1, () => 0 || t(5), () => (t(6) ? 1 : 2), () => "a".includes(t(7)), () => { switch (t(8)) { case 1: } }]) try { f() } catch (e) { log(e.name, e.message) }',
  'throwing comparisons':
    'const s = Symbol("x"); for (const f of [() => s < 1, () => 1n < s, () => ({ valueOf() { throw new Error("v") } }) == 1, () => Object.create(null) == "x", () => "a" in "b", () => 1 instanceof 2]) try { log(f()) } catch (e) { log(e.name, e.message) }',
  'the return value of the file': 'if (1 === 1) { log("x"); return 5 } log("never")',
  'a throw at the top': 'log(1); throw new TypeError("top " + (1 === 1))',
  'bigints and exotic numbers':
    'module.exports = () => [1n < 2, 0 === -0, NaN !== NaN, !0n, 0n || "z", 0x10 === 16, 1_000 >= 1e3, .5 < 1., 5..toString() === "5"]',
  'exponent and unary':
    'module.exports = () => [(!1) ** 2, -(1 < 2), +(1 === 1), ~!1, !!1, !!!0, !-1, - !1, typeof !1, void !1, !(1 ? 0 : 1), !new Date(0), !function () {}(), !async function () {}, !class {}]',
  'object literals':
    'const a = 1; module.exports = () => ({ a, "b": a === 1, [`c${a > 0}`]: !a, ...(a && { d: 1 }), ...(a ? null : {}), get e() { return a || 1 }, async f() {}, __proto__: a ? null : {}, g: (0, 1) })',
  'spread of what may be empty':
    'const f = (...x) => x; module.exports = () => [[...(0 || [1])], f(...([1, 2].filter((x) => x > 1) || [])), [...(1 ? [3] : [])], Math.max(...[1, 2].map((x) => (x === 1 ? 5 : x)))]',
  'new with computed callees':
    'const o = { A: class { constructor(err) { this.e = !err } } }; module.exports = () => [new (o.A || Object)(1), new o["A" || ""](), new (true ? o.A : 0), new (class { x = 1 === 1 })]',
  'class expressions and computed heritage':
    'const B = class {}; class A extends (B || Object) {} class C extends (1 > 2 ? A : B) { static n = C.name } module.exports = () => [new A() instanceof B, Object.getPrototypeOf(C) === B, C.n, (class {}).name, (class N {}).name]',
  'classes are in their dead zone': 'try { new K() } catch (e) { log(e.message) } class K {} log(new K())',
  'comma everywhere':
    'var a = (1, 2), b = [(1, 2)], c = ((x, y) => (x, y))(1, 2); for (var i = (0, 0), j = 1; i < j, i < 2; i++, j++) log(i, j); module.exports = () => [a, b, c]',
  'using names of Object.prototype':
    'const o = { hasOwnProperty: 1, constructor: 2, __proto__: { toString: 3 } }; module.exports = () => [o.hasOwnProperty === 1, o.constructor && 2, !o.toString]',
  'document.all-like falsy values':
    'module.exports = () => [0, -0, 0n, "", null, undefined, NaN, false].map((x) => [x && 1, x || 1, !x, x ? 1 : 2])',
  'unicode escapes in names':
    'var \\u0061b = 1; log(ab === 1); var ünï = 2; if (ünï)log(ünï); log(typeof\u00a0ab === "number")',
  'line separators in strings': 'log("a\u2028b" === `a\u2028b`, "\u2029x".includes("\u2029")); /* \u2028 */ log(1)',
  'getter on function prototype chain':
    'function F() { if (!(this instanceof F)) return new F(); this.ok = true } module.exports = () => F()',
  'empty text': '',
  'only directives': '"use strict"; "x"',
  'only comments': '// nothing\n/* here */',
  hashbang: '#!/usr/bin/env node\nlog(1 === 1)',
  'hashbang and directive': '#!/usr/bin/env node\n"use strict"\nlog(this === module.exports)',
  'debugger and empty statements': ';;; debugger; ; log(1);; if (1) ; else ; for (var i = 0; i < 1; i++) ;',
  'deep else-if chain': `function f(x) { ${Array.from({ length: 200 }, (_, i) => `if (x === ${i}) return ${i * 2};`).join(' else ')} else return -1 } module.exports = () => [f(0), f(150), f(999)]`,
  'long logical chain': `module.exports = () => [${Array.from({ length: 500 }, () => '0').join(' || ')} || 7]`,
  'async arrow in class field with arguments elsewhere':
    'class A { f = async (err) => { await null; return this instanceof A && !err } } module.exports = async () => await new A().f(0)',
  'import expression':
    'module.exports = async () => { const m = await import("node:path" || ""); return typeof m.join === "function" }',
  'loops over collections in every position':
    'function* g() { for (const x of yield* (function* () { for (const k in { a: 1 }) yield k; return [1] })()) yield x } log([...g()]); switch (1) { case 0: for (const x of []) log(x); case 1: for (const x of [1]) log(x); break } if (1) for (const k in {}) log(k); else for (const k in { a: 1 }) log(k); class A { static { for (const k of "ab") log(k) } f = (() => { for (const x of [this]) return x })() } log(new A().f instanceof A); const a = (x = (() => { for (const y of [2]) return y })()) => x; log(a()); l: m: for (const i of [1, 2]) { for (const j of [1, 2]) { if (j === 2) continue l; if (i === 2) break m; log(i, j) } } do for (var v of []) ; while (0); log(v); for (const f of [1]) { function later() { return 1 } } log(typeof later)',
  'loops that throw, return and wait':
    'const it = (n) => ({ [Symbol.iterator]() { return { next: () => (log("next"), n-- ? { value: n } : { done: true }), return: () => (log("closed"), {}) } } }); function f(n) { for (const x of it(n)) { if (x === 1) return x; if (x === 5) throw new Error("five") } return "none" } log(f(0), f(2)); try { f(6) } catch (e) { log(e.message) } try { for (const x of 5) log(x) } catch (e) { log(e.message) } module.exports = async () => { const r = []; for await (const x of [Promise.resolve(1), 2]) r.push(x); for await (const x of []) r.push(x); try { for await (const x of [Promise.reject(new Error("p"))]) r.push(x) } catch (e) { r.push(e.message) } return r }',
  'functions that end in every way':
    'const r = []; const t = (f) => { try { r.push(f()) } catch (e) { r.push(e.message) } }; t(function () {}); t(() => {}); t(function () { "use strict"; return this }); t(function () { function g() { return 2 } return g() }); t(() => { throw new Error("x") }); t(() => { try { return 1 } finally { r.push("f") } }); t(function () { if (r) ; else return 3 }); t(() => { do r.push(1); while (0) }); t(() => { for (;;) { break } }); t(() => { l: { break l } }); t(() => { {} }); t(() => { switch (1) { default: return 4 } }); t(function () { var x = function () {} ; return x.name }); t(() => { class Q {} }); t(() => { let z = 1 // end\n }); t(() => { ; }); t(() => [...(function* () { yield 1; return 2 })()]); t(() => new (class extends Object { constructor() { super(); } get p() { return 1 } set p(v) { } })().p); module.exports = async () => [r, await (async () => { await null })(), await (async (x) => await x)(1)]',
  'keys: read once, in order, with getters and traps run once':
    'const o = { get a() { log("get"); return 1 }, u: undefined }; const p = new Proxy({}, { get(t, k) { log("trap", String(k)) }, has() { log("has") }, getOwnPropertyDescriptor() { log("gopd") }, getPrototypeOf() { log("proto"); return null }, ownKeys() { log("ownKeys"); return [] } }); const key = { toString() { log("toString"); return "a" } }; const k = "a", u = "u", n = "none"; const f = (x) => (log("object"), x), g = (x) => (log("key"), x); module.exports = () => [o[k], o[u], o[n], o[key], p[k], f(o)[g("a")], f(p)[g("b")], f([1, 2])[g(1)], f({})[g("x")], "abc"[k.length], (5)[n], f(o)?.[g("a")], f(null)?.[g("never")]]',
  'keys: null and undefined throw as before':
    'const r = [], none = null, undef = undefined, k = "name", sym = Symbol("s"), key = { toString() { log("toString"); return "x" } }; for (const f of [() => none[k], () => undef[k], () => none[sym], () => none[key], () => undef.x[k], () => none[log("key")], () => ({})[k].x, () => ({})[k][k], () => ({})[k].x = 1, () => ({})[Object.create(null)]]) try { f() } catch (e) { r.push(e.name + e.message) } module.exports = r',
  'keys: callees keep this and their messages':
    'const t = { a() { return this === t }, n: { f() { return this === t.n } }, text: "t" }, k = "a", n = "n", no = "no", text = "text"; const r = []; for (const f of [() => t[k](), () => t[n].f(), () => t[no](log("argument")), () => t[text](), () => t[no].f(log("never")), () => t[n].g(), () => t[n][k](), () => t[k]()(), () => (t[no])(), () => new t[no](), () => t[no]`x`, () => t[no]?.(1), () => [...t[no]], () => { const [x] = t[no] }, () => { const { x } = t[no] }, () => { for (const x of t[no]); }]) try { r.push(f()) } catch (e) { r.push(e.name + e.message) } class A { constructor() { this.k = "m" } m() { return "m" } go(k) { return [this[k](), this[this.k]()] } no(k) { return this[k]() } } r.push(new A().go("m")); try { new A().no("x") } catch (e) { r.push(e.message) } module.exports = r',
  'keys: temporal dead zones and this before super':
    'const r = []; for (const f of [() => t[k], () => s[t], () => s?.[t], () => n?.[t], () => t[k](), () => s[t](), () => n[t]()]) try { r.push(f()) } catch (e) { r.push(e.message) } const s0 = 1; var s = {}, n = null; class A {} class B extends A { constructor(k) { log(this[k]); super() } } class C extends A { constructor(k) { this[k](log("never")); super() } } for (const f of [() => new B("x"), () => new C("x")]) try { f() } catch (e) { r.push(e.message) } let t = {}, k = "k"; module.exports = r',
  'keys: await and yield in object and key':
    'const o = { a: 1, f: (x) => x }, k = "f"; const p = (x) => Promise.resolve(x); module.exports = async () => { function* g() { return [(yield 1)[yield 2], o[yield 3]] } const i = g(); i.next(); i.next(o); i.next("a"); return [(await p(o))[await p("a")], o[await p("b")], await o[k](await p(2)), i.next("a"), await Promise.all([0, 1].map(async (x) => [[10, 20], [30, 40]][await p(x)][await p(1 - x)]))] }',
  'keys: written, deleted, destructured, iterated into':
    'const o = {}, a = []; let i = 0; const k = "k"; o[k] = 1; o[k] += 1; o[k]++; ++o[k]; o[i] ??= "n"; [a[0], ...a[k + 1]] = [[1], 2, 3]; ({ x: o[k + 2], y: o[k + 3] = 4, ...o[k + 4] } = { x: 1, z: 2 }); for (o[k + 5] of [1, 2]); for (o[k + 6] in { q: 1 }); log(delete o[k], delete o[i], k in o); o[i] ||= 5; o[i] &&= 6; module.exports = () => [o, a, typeof o[k], void o[k], !o[i]]',
  'keys: super, arguments, private, new.target':
    'class A { m(x) { return ["A", x] } get g() { return "g" } } class B extends A { #p = { q: 2 }; t(k, q) { return [super[k](1), super["g"], this.#p[q], new.target?.[k], (() => arguments[1])()] } static s(k) { return super[k] } } function f(i) { arguments[i] = 5; return [arguments[i], i] } module.exports = () => [new B().t("m", "q"), typeof B.s("call"), f(0), f(1)]',
  'keys: names that are getters of the global object':
    'Object.defineProperty(globalThis, "wimbleGlobal", { get() { log("global"); return { x: 1 } }, configurable: true }); { let wimbleGlobal = { x: 2 }; log(wimbleGlobal["x" + ""]) } function inner() { var wimbleGlobal = { x: 3 }, k = "x"; return wimbleGlobal[k] } const k = "x"; const r = [wimbleGlobal[k], inner(), wimbleGlobal?.[k]]; delete globalThis.wimbleGlobal; module.exports = r',
  'keys: long strings and names without semicolons':
    'const t = { go() { log("go") } }, k = "go"\nt[k]()\nt[k]()\nconst r = [1, 2]\nlog(r[0 + 0])\nif (t[k]) t[k]()\nelse t[k]()\nmodule.exports = () => t[k]()',
  'nullish operators':
    'const l = (x) => (log(x), x); const o = { n: null, z: 0, a: { b: { c: 1 } }, get g() { log("get"); return null } }; module.exports = () => [l(null) ?? l(1), l(0) ?? l(1), l(undefined) ?? l(null) ?? l(2), (l(null) ?? l(0)) || l(3), !(l(null) ?? l(1)), (l(1) ?? l(2)) && l(4), o?.a?.b?.c, o.n?.x.y.z, o.g?.[l("never")], o?.["a"]?.[l("b")], o.a?.b.c, delete o?.a.b, delete o.n?.x, typeof o.q?.x, `${o.n?.x ?? "t"}`, [o.z ?? 1, ...(o.n ?? [7])], ((x = o.n ?? 5) => x)(), { [o.n ?? "k"]: o?.z }, class { static [o.n ?? "s"] = o.n?.x; static { log(o.n ?? "static") } }.s]',
  'nullish in conditions':
    'const o = { n: null, z: 0, l: [1] }; for (const x of [null, 0, 5, undefined, "", "a"]) { if (x ?? 1) log("yes"); else log("no"); if (x?.length) log("long"); while (x ?? false) break; log(x ? x > 3 : x ?? 2, (x ? x > 3 : x) && 1, !(x ?? x > 1), (log(1), x === 5) || 2); let m; if (m = x === 5) log(m); if ((m = x, m)) log(m); if (o.q = x > 1) log(o.q); for (; m = m ?? 0;) m = 0 }',
  'optional calls':
    'const l = (x) => (log(x), x); const o = { f(x) { return [this === o, x] }, n: null, get g() { log("get"); return function () { return this === o } }, k: { f: () => 1 } }, u = undefined, f = (...a) => a.length; module.exports = () => [o.f?.(l(1)), o.n?.(l("never")), o.zz?.(l("never")).x.y, o?.f?.(2), u?.f?.(l("never")), o.g?.(), o["f"]?.(3), (o.f)?.(4), f?.(1, ...[2, 3]), u?.(l("never")), f?.()?.x, (() => f)()?.(1), o.k?.f?.(), o?.k.f(), o.k?.f(), o.k?.zz?.(), new Proxy({}, { get: (t, k) => (log("trap", String(k)), undefined) }).zz?.(), (1).toFixed?.(1), "s".at?.(0), eval?.("typeof o"), Symbol("x").toString?.()]',
  'optional calls that throw':
    'const o = { q: 5, n: null, k: { q: 5 } }; let u, q = 5; for (const f of [() => o.q?.(log("argument")), () => o.k.q?.(), () => q?.(1), () => o?.q?.(), () => o?.q(), () => o.k?.zz(), () => u.q?.(), () => o.n.x?.y, () => o.n.x?.(), () => (o?.k).zz(), () => (o?.zz).x, () => (u ?? o).q(), () => (o.n ?? u)()]) try { log(f()) } catch (e) { log(e.name, e.message) }',
  'logical assignments':
    'const l = (x) => (log(x), x); const o = { n: null, z: 0, t: "t", get g() { log("get"); return null }, set g(v) { log("set", v) }, get r() { log("get r"); return 1 } }; let a, b = 0, c = 1; const k = 5; class P { #p = null; static #s; m() { this.#p ??= l("p"); this.#p &&= this.#p + 1; return (P.#s ||= 4) + this.#p } } module.exports = async () => { const r = [a ??= l(1), a ??= l(2), b ||= l(3), b ||= l(4), c &&= l(5), c &&= l(0), c &&= l(6), o.n ??= l(7), o.z ||= l(8), o[l("t")] &&= l(9), o.g ??= l(10), o.r ??= l(11), new P().m()]; try { k ??= l("never"); k ||= l("never"); k &&= l("assigned") } catch (e) { r.push(e.message) } let d; d ??= await Promise.resolve(12); d &&= (await null, d === 12) && l(13); let e = null; e ??= e ||= e &&= 1; let f; f ??= () => {}; let g; g ||= class {}; let h = 1; h &&= function () {}; for (const x of [null, 0, 1]) { let y = x; if (y ||= x === null) log("or"); if (!(y &&= x ?? 1)) log("and"); if (y ??= 0) log("nullish") } return [r, d, e, f.name, g.name, h.name, o] }',
  'a site of a logical assignment that is entered again while it runs':
    'const make = (d) => ({ set v(x) { this._v = x; if (d) log("in", make(d - 1).link()) }, get v() { return this._v }, link() { return this.v ??= d } }); log(make(2).link()); const g = async (n) => { let x; x ??= await (n ? g(n - 1) : 0); return x }; module.exports = () => Promise.all([g(2), g(1)])',
  'in and instanceof':
    'class A { static [Symbol.hasInstance](x) { log("hasInstance"); return x === 1 } } const p = new Proxy({}, { has: (t, k) => (log("has", String(k)), true) }), key = { toString() { log("key"); return "a" } }; module.exports = () => [1 instanceof A, 2 instanceof A, [] instanceof Array, null instanceof Object, key in { a: 1 }, "x" in p, !("x" in {}), "length" in [], Symbol.iterator in [], 0 in [1], 1 in [1], (1 in [1]) || "b", ("a" in { a: 1 }) && ("b" in { b: 1 }) && "both"]',
  'defaults that are taken apart':
    'function f({ a, b = a ?? 1, ...c } = log("d") || {}) { const { x, y = 2 } = a || {}; let z; ({ z } = b ?? {}); return [a, b, c, x, y, z] } module.exports = () => [f(), f({ a: { x: 1 }, q: 1 }), f({ a: null, b: { z: 3 } })]',
  'keys of lists that are no index':
    'const key = { [Symbol.toPrimitive](hint) { log(hint); return "7" } }, l = ["a", "b"]; const { [Symbol("x")]: x, [key]: y, 5: z } = l; module.exports = () => [l[Symbol("y")], l[key], l[9], l["9"], l[key]?.z, x, y, z, l[Symbol.iterator] === [][Symbol.iterator]]',
};

module.exports = { PROGRAMS };
