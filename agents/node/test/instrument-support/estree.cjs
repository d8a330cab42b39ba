'use strict';
/**
 * Programs by the kind of node of the ESTree specification (up to ES2024) that they are about. CommonJS texts: `log`
 * tells an effect and answers its last argument, `attempt` logs what a function answers or throws. `MODULES` are ES
 * modules: what they export counts.
 */

/** Operands that leave no kind of value out, for the operators below. */
const OPERANDS =
  '[0, -0, 1, 2.5, NaN, "", "a", "10", null, undefined, true, false, [], [1, 2], {}, { valueOf() { log("valueOf"); return 3 } }, { toString() { log("toString"); return "s" } }, { [Symbol.toPrimitive](hint) { log(hint); return 4 } }]';

const BINARY = [
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '<<',
  '>>',
  '>>>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '|',
  '^',
  '&',
  '**',
  'in',
  'instanceof',
];
const ASSIGNMENTS = [
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '<<=',
  '>>=',
  '>>>=',
  '|=',
  '^=',
  '&=',
  '**=',
  '||=',
  '&&=',
  '??=',
];
const UNARY = ['-', '+', '!', '~', 'typeof', 'void', 'delete'];

const anyOperands = (/** @type {string} */ expression) =>
  `const all = () => ${OPERANDS}; for (const a of all()) for (const b of all()) attempt(() => ${expression})`;

/** @type {Record<string, string[]>} */
const PROGRAMS_BY_KIND = {
  Program: ['', ';', '// nothing', '"use strict"', 'log(1)', '/* a */ log(this === module.exports); return 5'],
  ExpressionStatement: [
    'log(1), log(2)',
    '({ a: log(1) })',
    '(function () { log(2) })()',
    '`x`; [log(1)][0]; /x/.test("x"); !log(0)',
  ],
  EmptyStatement: [';;; if (log(1)); else; for (; log(0);); while (log(0)); l: ;'],
  DebuggerStatement: ['debugger; log(1); if (1) debugger; else debugger'],
  BlockStatement: [
    '{ let a = 1; { let a = 2; log(a) } log(a) } { function f() { return 1 } } log(f()); {}',
    '{ const f = () => x; attempt(f); let x = 1; attempt(f) }',
  ],
  StaticBlock: [
    'class A { static #p = 1; static { this.q = A.#p + 1; var v = 3; { let v = 4; log(v) } log(v, this === A, A.q) } static r = log("r"); static { log("second"); if (A.r) log(super.toString === Function.prototype.toString) } static {} }',
    'attempt(() => class { static { throw new Error("in\\nblock") } })',
  ],
  WithStatement: [
    'const o = { a: 1, get b() { log("get b"); return 2 } }; with (o) { a = b; log(a === 2 && b, typeof c) } log(o.a); with (log(o)) log(a)',
    'with ({ [Symbol.unscopables]: { x: true }, x: 1 }) { var x = 5 } log(x); with ({ k: "v" }) (() => { if (k === "v") log(this[k], { v: 1 }[k]) })()',
    'attempt(() => { with (null) log(1) })',
  ],
  ReturnStatement: [
    'const f = () => { return }, g = () => { return log(1), log(2) }, h = function () { return\nlog(3) }; log(f(), g(), h()); return log("end")',
    'log((() => { try { return log(1) } finally { log("finally") } })(), (() => { try { return 1 } finally { return 2 } })())',
  ],
  LabeledStatement: [
    'a: b: for (let i = 0; i < 3; i++) { if (i === 1) continue a; c: { if (i) break c; log("in c", i) } log(i) } d: { e: { break d } log("no") } f: function g() {} log(typeof g)',
    'out: while (true) { do { switch (1) { case 1: break out } } while (true) }',
  ],
  BreakStatement: [
    'for (const x of [1, 2, 3]) { if (x === 2) break; log(x) } a: { log(1); break a } switch (1) { case 1: log(1); break; case 2: log(2) }',
    'const i = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return: () => (log("closed"), {}) }) }; for (const x of i) break; a: for (const x of i) for (const y of i) break a',
  ],
  ContinueStatement: [
    'for (let i = 0; i < 3; i++) { if (i === 1) continue; log(i) } let n = 3; while (n--) { if (n) continue; log(n) } do { if (n++ < 0) continue } while (n < 2); a: for (const k in { x: 1, y: 2 }) for (;;) { log(k); continue a }',
  ],
  IfStatement: [
    'for (const x of [0, 1, "", "a", null, {}]) if (x) log("yes"); else if (x === null) log("null"); else log("no")',
    'if (log(0)) log(1)\nif (log(1)) { log(2) } else { log(3) }',
    'if (true) function f() { return 1 } log(f())',
  ],
  SwitchStatement: [
    'for (const x of [1, "1", NaN, 3, undefined, "z"]) switch (log("d"), x) { case log(1): log("one"); case "1": log("text"); break; default: log("default"); case 3: log("three"); break; case undefined: { log("undefined") } }',
    'switch (log(1)) {}',
    'switch (1) { case 1: let a = 1; log(a); break; default: attempt(() => a) } switch (5) { case attempt(() => 5): case (log("x"), 5): log("hit") }',
  ],
  SwitchCase: [
    'const f = (x) => { switch (x) { default: return "d"; case -1: return "minus"; case `t`: return "t"; case null: return "null"; case 1n: return "big"; case f: return "f" } }; log(f(-1), f("t"), f(null), f(1n), f(f), f(0))',
  ],
  ThrowStatement: [
    'for (const x of [new TypeError("x"), 1, "a", null, undefined, { m: 1 }, Symbol.iterator]) attempt(() => {\n throw x })',
    'attempt(() => { throw log(1), log(2) }); throw new RangeError("top\\nlevel")',
    'try { try { throw 1 } catch { throw 2 } finally { throw 3 } } catch (e) { log(e) }',
  ],
  TryStatement: [
    'const f = (n) => { try { log("try"); if (n) throw n; return "r" } catch (e) { log("catch", e); return "c" } finally { log("finally"); if (n === 2) return "f" } }; log(f(0), f(1), f(2)); try { log(1) } finally { log(2) } l: try { break l } finally { log("left") }',
  ],
  CatchClause: [
    'try { throw 1 } catch { log("none") } try { throw { a: 1, b: [2] } } catch ({ a, b: [c = log("never")], d = log(5) }) { log(a, c, d) } try { null.x } catch (e) { var e = 7; log(e) } log(e)',
    'try { attempt(() => { try { throw undefined } catch ({ a }) {} }) } catch (err) { log(err) }',
  ],
  WhileStatement: [
    'let n = 3; while (n) log(n--); while (n++ < 2) if (n === 1) continue; else break; while ((log("c"), n-- > 0)) { log(n) }',
  ],
  DoWhileStatement: [
    'let n = 0; do log(n); while (++n < 3) do { if (n-- < 2) break } while (n); do ; while (0) log(n)',
  ],
  ForStatement: [
    'for (let i = 0, j = 9; i < j; i += 4, j--) log(i, j); for (var k = 0; ; ) if (k++ > 2) break; for (;;) break; const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i++); log(fs.map((f) => f() + f())); for (const c = 1; log(c) > 1;); let x; for (x = log(1), log(2); !x; x = 1);',
    'attempt(() => { for (let i = i; ;) ; }); for (let let_ = 0, f = () => let_; let_ < 1; let_++) log(f())',
  ],
  ForInStatement: [
    'for (const k in { b: 1, a: 2, 1: 3 }) log(k); for (var v in "ab") log(v); let o = {}; for (o.x in { p: 1 }) log(o); for (o["y" + 1] in [7]) log(o); for (const k in null) log(k); for ([o.a] in { xy: 1 }) log(o); attempt(() => { for (const x in log(x)) ; })',
    'class A { a = 1 } A.prototype.b = 2; for (const k in new A()) { if (k === "a") continue; log(k) }',
  ],
  ForOfStatement: [
    'for (const [k, v = log("d")] of new Map([["a", 1], ["b"]])) log(k, v); let o = {}; for (o.x of "ab") log(o); for ({ length: o.l } of ["abc"]) log(o); attempt(() => {\nfor (const x of 5) log(x) }); attempt(() => { for (const x of undefined) ; }); attempt(() => { for (const x of o.nothing) ; }); attempt(() => { const k = "q"; for (const x of o[k]) ; })',
    'module.exports = async () => { for await (const x of [1, Promise.resolve(2)]) log(x); async function* g() { try { yield 1; yield 2 } finally { log("closed") } } for await (const x of g()) { log(x); break } for await (const x of (log(1), [await 3])) log(x) }',
  ],
  FunctionDeclaration: [
    'log(typeof f, f.name, f.length, f(1, 2, 3)); function f(a, b = a, ...c) { return [a, b, c, arguments.length] } function* g() { yield 1 } async function h() { await 0; return 1 } async function* i() { yield 2 } log([...g()], f.toString().length > 0); module.exports = async () => [await h(), await i().next()]',
    'function f(a) { arguments[0] = 9; return a } function g(a) { "use strict"; arguments[0] = 9; return a } function h(a, b = 1) { arguments[0] = 9; return a } log(f(1), g(1), h(1)); function err(error) { error = 1; return arguments[0] } log(err(2))',
    'log(f()); function f() { return 1 } function f() { return 2 } { log(f()); function f() { return 3 } } log(f())',
  ],
  VariableDeclaration: [
    'var a = 1, b; let c = log(2), d; const e = 3; log(a, b, c, d, e); var a; attempt(() => z); let z = 1; attempt(() => { e = 4 }); var { f, g: [h] = [8] } = { f: 7 }; log(f, h)',
  ],
  VariableDeclarator: [
    'const a = () => {}, b = class {}, c = function () {}, d = async () => {}, e = (() => {}), g = (0, () => {}); log(a.name, b.name, c.name, d.name, e.name, g.name); attempt(() => { const { x } = null }); attempt(() => { const { x } = a.b }); attempt(() => { const [x] = {} }); attempt(() => { const [x] = a.b })',
  ],
  ClassDeclaration: [
    'class A { constructor(x) { this.x = x } static s() { return this === A } get g() { return this.x } set g(v) { this.x = v } *[Symbol.iterator]() { yield this.x } async m() { return 1 } } const a = new A(1); a.g = 5; log(a.g, A.s(), [...a], A.name, A.length); attempt(() => A()); attempt(() => B); class B extends A {} log(new B(2).x); attempt(() => { class C extends undefined {} }); attempt(() => { class C extends (log(5)) {} })',
  ],
  ClassExpression: [
    'const A = class B { static n = B.name; static f() { return B } }; log(A.n, A.f() === A, (class {}).name, new (class { x = 1 })().x); attempt(() => B); const C = class extends (log(A), A) {}; log(C.f() === A)',
  ],
  ClassBody: [
    'class A { ; a = log("a"); static b = log("b"); [log("c")] = log("d"); static [log("e")]() {} "quoted"() { return 1 } 5() { return 2 } async *g() {} get; set; static; async; static static = 1 }; new A(); log(Object.getOwnPropertyNames(A.prototype), Object.keys(new A()), new A()[5]())',
  ],
  MethodDefinition: [
    'class A { constructor() { log("c") } m(a, b) {} static m() {} get p() { return log("get") } set p(v) { log("set", v) } *g() {} async a() {} async *ag() {} [`x${1}`](err) { return err } #q() { return log("q") } r() { return this.#q() } static async *[Symbol.asyncIterator]() { yield 1 } } const a = new A(); log(a.m.name, a.m.length, a.p, a.p = 2, a.x1.name, a.x1(3), a.r(), Object.getOwnPropertyDescriptor(A.prototype, "p").get.name); attempt(() => new a.m())',
  ],
  PropertyDefinition: [
    'class A { x = this; y = () => this; #z = log("z"); static w = this.name; ["v" + 1] = arguments_(); u; f = function () {}; g = class {}; h = (() => {}) } function arguments_() { return 1 } const a = new A(); log(a.x === a, a.y() === a, A.w, a.v1, "u" in a, a.f.name, a.g.name, a.h.name); class B { x = log(1); constructor() { log(2) } } new B(); class C extends B { y = super.toString === Object.prototype.toString; x = this.x + 1 } log(new C())',
  ],
  PrivateIdentifier: [
    'class A { #a = 1; static #b = 2; #m() { return this.#a } get #g() { return log("get") } set #g(v) { log("set", v) } run(o) { this.#a++; this.#a += 2; this.#g = this.#a; return [#a in o, this.#m(), this.#g, A.#b, this?.#a, delete this.x, o?.#a === this.#a, this.#m?.(), ({ a: this.#a } = { a: 7 })] } static no(o) { return o.#a } } const a = new A(); log(a.run(a), a.run(new A())); attempt(() => a.run({})); attempt(() => A.no({})); attempt(() => A.no(null)); attempt(() => a.run(1))',
  ],
  ThisExpression: [
    'log(this === module.exports); function f() { return this === globalThis } function g() { "use strict"; return this } const o = { m() { return this === o && (() => this === o)() } }; log(f(), g(), g.call(5), o.m(), (0, o.m)()); class A { a = this; static s = this === A } log(A.s); class B extends A { constructor() { attempt(() => this); super(); log(this instanceof B) } } new B(); attempt(() => new (class extends A { constructor() {} })())',
  ],
  ArrayExpression: [
    'log([1, , 2, ...[3, , 4], ...new Set("ab"), ...(log(1), [])].length, [log(1), [log(2)]], [,].length); attempt(() => [...5]); attempt(() => [...undefined]); attempt(() => [...{}.x]); attempt(() => { const k = "q"; return [...{}[k]] })',
  ],
  ObjectExpression: [
    'const k = "key", v = 1; const o = { v, k: log(1), [log("c")]: log(2), "q-q": 3, 5: 6, ...{ s: log(7) }, ...null, ..."ab", m() { return super.toString === Object.prototype.toString }, get g() { return this.v }, set g(x) { log(x) }, *i() { yield 1 }, async a() {}, __proto__: { inherited: 1 }, ["__proto__"]: 2, [`${k}2`]() {}, f: () => {}, [k]: class {}, async: 1, get: 2 }; log(o, o.m(), o.g, o.inherited, o.f.name, o.key.name, o.key2.name, Object.keys(o))',
  ],
  Property: [
    'const o = { s: "a" }; for (const f of [() => ({ [o.at(0)]: 1 }), () => ({ [o.s.at(0)]() {} }), () => ({ [(o.x).nope()]: 1 }), () => class { [o.at(0)]() {} }, () => class { static [o.s.nope(o.at(1))] = 1 }, () => { const { [o.includes(1)]: x } = {} }, () => ({ [[1].map(() => o.at(0))]: 1 }), () => ({ [Number(o.s)]: o.at(0) }), () => ({ [o.s.includes("a") && o.n()]: 1 }), () => ({ get [o.q()]() { return 1 } })]) attempt(f)',
    'const { a, b: c = log("d"), ["x" + 1]: d, ...rest } = { a: 1, x1: 2, y: 3, z: 4 }; log(a, c, d, rest); const o = { a, get b() { return 1 }, set b(v) {}, c() {}, "d e": 1, [1 + 1]: 2 }; log(Object.getOwnPropertyNames(o), o.c.name)',
  ],
  FunctionExpression: [
    'const f = function fact(n) { return n < 2 ? 1 : n * fact(n - 1) }; log(f(5), f.name, (function () {}).name, f.length, typeof fact); const g = function* () { const x = yield 1; log(x) }; const i = g(); log(i.next(), i.next("sent")); (function (err) { log(err) })(1); log((function () { return typeof this }).call(1), (function () { "use strict"; return typeof this }).call(1)); log(function () { fact_ = 1; return arguments.callee.name }())',
  ],
  ArrowFunctionExpression: [
    'const a = (x) => x, b = () => ({}), c = async (x) => { await x }, d = ({ x } = { x: log(1) }, ...r) => [x, r], e = (err) => err === 1, f = () => (log(1), log(2)); log(a(1), b(), d(), d({ x: 2 }, 3), e(1), f(), a.name, d.length, a.hasOwnProperty("prototype")); attempt(() => new a()); log((() => () => this === module.exports)()(), (function () { return (() => arguments[0])() })(7))',
  ],
  UnaryExpression: [
    ...UNARY.filter((operator) => operator !== 'delete').map(
      (operator) =>
        `for (const a of ${OPERANDS}) attempt(() => ${operator} a); attempt(() => ${operator} nowhere); attempt(() => ${operator} Symbol()); attempt(() => ${operator} 5n); log(${operator} (log(1), log(2)))`,
    ),
    'const o = { a: 1, n: { b: 1 } }, k = "b"; log(delete o.a, delete o.n[k], delete o?.n?.zz, delete o.zz?.[k], delete log(1), delete (o.n), o); attempt(() => { "use strict"; delete Object.freeze({ a: 1 }).a }); attempt(() => delete null.x); attempt(() => delete null[log("k")]); x = 1; log(delete x)',
    'class A { m() { return delete super.x } static n() { return delete super[log("key")] } } attempt(() => new A().m()); attempt(() => A.n())',
  ],
  UpdateExpression: [
    'let n = 1, o = { a: 1, b: "5", get c() { log("get"); return 1 }, set c(v) { log("set", v) } }, k = "a"; log(n++, ++n, n--, --n, o.a++, ++o[k], o.b--, o.c++, --o["c"], o[log("zz")]++); const c = 1; attempt(() => c++); attempt(() => null.x++); attempt(() => ++undefined[k]); let b = 5n; log(b++, b); log(o[k]++ + ++o[k])',
  ],
  BinaryExpression: [
    ...BINARY.map((operator) => anyOperands(`a ${operator} b`)),
    ...BINARY.map(
      (operator) =>
        `const f = (x) => x;\nconst values = () => ${OPERANDS};\nfor (const b of [...values(), Symbol(), 1n])\nattempt(() => f(\nb\n)\n ${operator} f(\n5))\nattempt(() => (f(1) ||\n2) ${operator}\n(Symbol()))\nlet n = 3; const again = () => n-- && ((n\n) ${operator}\n again()); attempt(again)`,
    ),
    'class A { #p; static h(o) { return #p in o } } log(A.h(new A()), A.h({})); attempt(() => A.h(1)); attempt(() => "a" in "b"); attempt(() => 1 instanceof {}); attempt(() => 1n + 1); attempt(() => Symbol() + ""); log(1 < 2 < 3, 3 > 2 > 1, "b" + 1 + 2, 2 ** 3 ** 2, (-2) ** 2, 1 - - 1, 1 + +"2")',
  ],
  AssignmentExpression: [
    ...ASSIGNMENTS.map(
      (operator) =>
        `delete globalThis.undeclared; let a; const o = { p: 1, get q() { log("get"); return 0 }, set q(v) { log("set", v) } }, k = "p"; for (const v of [0, 1, "a", null, undefined, {}]) { a = v; attempt(() => a ${operator} 2); log(a); o.p = v; attempt(() => o.p ${operator} log(3)); attempt(() => o[k] ${operator} log(4)); attempt(() => o.q ${operator} log(5)); attempt(() => (log("object"), o)[(log("key"), k)] ${operator} (log("value"), 6)) } log(o.p); const c = 1; attempt(() => c ${operator} 2); attempt(() => null.x ${operator} log("late")); attempt(() => undeclared ${operator} 1); let f; attempt(() => (f ${operator} () => {}).name)`,
    ),
    'let a, b, c; [a, b = log("d"), ...c] = [1, , 3, 4]; log(a, b, c); ({ a, b: { c = 5 } = {}, ...b } = { a: 2, z: 3 }); log(a, b, c); [a, b] = [b, a]; log(a, b); log([a] = [9], { a } = { a: 1 }); attempt(() => { [a] = null }); attempt(() => { ({ a } = undefined) }); attempt(() => { [a] = {} }); attempt(() => { ({ a } = log.nothing) }); (a) = 3; log(a = b = 4)',
  ],
  LogicalExpression: ['&&', '||', '??']
    .map(
      (operator) =>
        `${anyOperands(`a ${operator} b`)}; log(0 ${operator} log(1), 1 ${operator} log(2), null ${operator} log(3)); attempt(() => (nowhere ${operator} 1)); attempt(() => (0 ${operator} nowhere)); log((${operator === '??' ? 'null' : '0'} ${operator} (() => {})).name)`,
    )
    .concat(
      'log(0 || 1 && 2, (null ?? 0) || 3, !(1 && 0) && (2 || log("no")), (1 && "m") === "m", ((log(1), 0)) || (log(2), 5)); const o = { f() { return this === o } }; log((o.f || 0)(), (0 || o.f).call(o)); attempt(() => (o.g || o.h)()); attempt(() => (o.g && o.h).x)',
    ),
  MemberExpression: [
    'const o = { a: { b: [1, 2, "x"] }, get g() { log("get"); return { h: 1 } } }, k = "a", n = 2; log(o.a.b[1], o[k], o[k].b[n], o["a"]["b"].length, o.g.h, o["g"]["h"], "abc"[1], "abc".length, (5).constructor.name, [][0], o[log("zz")], o[Symbol.iterator], o[[k]], o[{ toString: () => (log("ts"), "a") }].b[0]); attempt(() => o.x.y); attempt(() => o[k].x[k]); attempt(() => null[k]); attempt(() => undefined[log("key")]); attempt(() => o.x.y.z); attempt(() => nowhere.x); class A { static x = 1 } class B extends A { static m(k) { return [super.x, super[k]] } } log(B.m("x"))',
  ],
  ConditionalExpression: [
    'const x = 1; for (const f of [() => { for (const v of x ? 1 : []) ; }, () => { for (const v of (x === 1 ? 5 : [])) ; }, () => { for (const v of (true ? x : 1)) ; }, () => [...(function* () { yield* x ? 1 : 2 })()], () => [...(x ? 1 : 2)], () => { const [a] = x ? 1 : 2 }, () => { let a; [a] = (!x ? 1 : 2) }, () => Math.max(...x > 0 ? 1 : 2)]) attempt(f)',
    'log(1 ? log("a") : log("b"), 0 ? log("a") : log("b"), log("") ? 1 : log(null) ? 2 : 3, (1 ? (x) => x : 0)(5), (1 ? () => {} : 0).name); const f = 1 ? () => {} : 0; log(f.name); attempt(() => 1 ? nowhere : 2); attempt(() => (0 ? log : 5)()); const o = { m() { return this === o } }; log((1 ? o.m : 0)()); log(1 ? (log(2), 3) : 4)',
  ],
  CallExpression: [
    'const o = { f(...a) { return [this === o, a] }, g: { h() { return this === o.g } }, s: "text" }, k = "f", n = "nope"; log(o.f(1, ...[2, 3]), o[k](log("a")), o["f"](), (o.f)(), (0, o.f)(), o.g.h(), o?.f(), o.f?.(), o.no?.(log("never")), (() => 5)(), (function () { return this })() === globalThis, o.f(...new Set([1]), ...[])); for (const x of [() => o.no(log("args")), () => o[n](log("args")), () => o.s(), () => o.no.x(), () => nowhere(), () => (5)(), () => o.f()(), () => o.g.h.x.y(), () => "a".no(), () => [].no(), () => o.g[n](), () => o[n].h(), () => this.no(), () => this[n](), () => o.f(...5), () => o.f(...undefined), () => (o.no)(), () => (1, o.no)(), () => o.f`a`(), () => (o.no || o.nope)(), () => new o.no(), () => o.no?.x(), () => o.s?.(1), () => (async () => {})()(), () => super_()]) attempt(x)',
    'var x = "outer"; function f() { var x = "inner"; return [eval("x"), (0, eval)("typeof x"), eval("var y = 2; y"), typeof y, eval("log(this === module.exports)"), new Function("a", "return a + 1")(1), eval("1; if (0) 2"), eval?.("typeof f")] } log(f()); function g(a) { eval("a = 5"); return [a, arguments[0]] } log(g(1)); "use strict"; log(eval("(() => { throw_ = 1; return typeof throw_ })()")); attempt(() => eval("}")); attempt(() => eval("nowhere === 1"))',
  ],
  NewExpression: [
    'function F(a) { this.a = a; log(new.target === F) } log(new F(1).a, new F, new (class { x = 1 })().x, new F(...[1, 2]), new (log(Array))(3).length, new Date(0).getTime()); const o = { F }, k = "F", n = "no"; log(new o.F(1), new o[k](2), new (o.F)(3)); attempt(() => new o.no()); attempt(() => new o[n]()); attempt(() => new (() => {})()); attempt(() => new nowhere()); attempt(() => new (log(5))()); attempt(() => new o.F.x.y()); log(new Proxy({}, {}) instanceof Object, new new F(1).constructor(2).a)',
  ],
  SequenceExpression: [
    'log((1, 2), (log(3), log(4)), [(5, 6)]); let a = (log(1), 2), b; for (a = 1, b = 2; a < 3; a++, b--) log(a, b); if (log(0), 1) log("yes"); const f = () => (log("x"), "y"); log(f()); log(((1, 2), 3) === 3, !(0, 1), (0, 1) ? (2, 3) : (4, 5), `${(1, 2)}`, { a: (1, 2) }, [][(0, "length")])',
  ],
  YieldExpression: [
    'function* g() { const a = yield; log("a", a); const b = yield log(1) + (yield 2); log("b", b); try { yield 3 } catch (e) { log(e) } finally { log("f") } const r = yield* inner(); log("r", r); yield* [7, 8]; return yield } function* inner() { log(yield 5); return 6 } const i = g(); for (const v of ["x", "A", "B", "C"]) log(i.next(v)); log(i.throw("T")); for (const v of [1, 2, 3, 4, 5, 6]) log(i.next(v)); attempt(() => [...(function* () { yield* 5 })()]); attempt(() => [...(function* () { yield* undefined })()]); const early = g(); early.next(); log(early.return("R"))',
    'module.exports = async () => { async function* g() { const x = yield Promise.resolve(1); log(x); yield* (async function* () { yield 2 })(); yield* [Promise.resolve(3)]; try { yield 4 } finally { await 0; log("closed") } } const i = g(); const r = []; r.push(await i.next("a")); r.push(await i.next("b")); for await (const v of i) { r.push(v); if (v === 4) break } return r }',
  ],
  AwaitExpression: [
    'module.exports = async () => { const r = []; r.push(await 1, await Promise.resolve(2), await { then(f) { f(3) } }); try { await Promise.reject(new Error("no\\nline")) } catch (e) { r.push(e.message) } r.push((await [1, 2])[0], [...await [3]], `${await "x"}`, await (async () => await 5)(), typeof await 1, !await 0, -await 1, await log(1) === await 1, await 0 || await "or", await null ?? await "nn"); for (let i = await 0; i < await 2; i += await 1) r.push(i); if (await 1) r.push("if"); switch (await 2) { case await 1: r.push("no"); case await 2: r.push("case") } return r }',
    'const order = []; const p = (n) => (async () => { for (let i = 0; i < 3; i++) { order.push(n + i); await null; if (n === 1) await 0 } })(); module.exports = async () => { await Promise.all([p(0), p(1), p(2), (async () => { order.push("s"); return Promise.resolve() })()]); return order }',
  ],
  TemplateLiteral: [
    'log(`a`, `a${1}b${log(2)}c`, `${`${1}`}`, `\\n\\u0041`, `line\nbreak`, `${{ toString: () => "ts" }}`, `${[1, 2]}`, `${1 === 1}${!0}`); attempt(() => `${Symbol()}`); attempt(() => `${nowhere}`)',
  ],
  TaggedTemplateExpression: [
    'const seen = new Set(); const tag = (s, ...v) => (seen.add(s), log(s, s.raw, Object.isFrozen(s), v)); const f = (x) => tag`a${x}\\n${x === 1}`; f(1); f(2); log(seen.size); tag`a${1}b`; log(seen.size); const o = { tag(s) { return this === o && s.raw[0] } }, k = "tag", n = "no"; log(o.tag`x\\u`, o[k]`y`, o?.tag, tag``[0], (() => tag)()`z`, new (class { constructor(s) { log(s) } })`w`); attempt(() => o.no`x`); attempt(() => o[n]`x`); attempt(() => (5)`x`); attempt(() => nowhere`x`)',
  ],
  TemplateElement: ['log(String.raw`\\u{41}\\x41${1}\\\\`, (`\\u{41}`).length, ((s) => s[0])`\\unicode`)'],
  Super: [
    'class A { constructor(...a) { log("A", a, new.target.name) } m() { return ["m", this.v] } get p() { return this.v } set p(x) { log("set", x); this.w = x } static s() { return this.name } } class B extends A { v = 1; constructor(x) { const f = () => super(log(x), x === 1); f(); attempt(() => super.m()); log(super.p, super.p = 5, super["m"](), super[log("m")](), (() => super.m())(), super.nope, super.m?.(), super.m.name, `${super.p}`, super.p === 1 && super.m()) } m() { return [super.m(), super.p ? 1 : 2, !super.q] } static s() { return super.s() + super["s"]() } n() { return super.no(log("arg")) } o() { super.p++; super.w = 3; super["w"] += 1; return this.w } } const b = new B(1); log(b.m(), B.s(), b.o()); attempt(() => b.n()); const o = { __proto__: { m() { return "proto" } }, m() { return super.m() } }; log(o.m()); attempt(() => new (class extends A { constructor() { super(); super() } })()); attempt(() => new (class extends null { })()); attempt(() => new (class extends A { constructor() { return 1 } })())',
  ],
  SpreadElement: [
    'const f = (...a) => a; log(f(...[1, 2], 3, ..."ab", ...new Map([[1, 2]])), [...f(), ...[,]], { ...{ a: 1 }, ...[5], ...undefined, get b() { return 1 } }, new Array(...[1, 2]), Math.max(...(log(1), [3]))); attempt(() => f(...5)); attempt(() => f(...{}.x)); attempt(() => [...{}]); attempt(() => new Array(...null)); attempt(() => f(...(0 || {}.y))); attempt(() => f(...(1 ? {}.z : 2)))',
  ],
  RestElement: [
    'const [a, ...[b, ...c]] = [1, 2, 3, 4]; const { x, ...y } = { x: 1, z: 2, [Symbol.iterator]: 3 }; const f = (p, ...{ length }) => length; let o = {}, k = "k"; [...o[k]] = [1, 2]; ({ ...o.rest } = { q: 1 }); log(a, b, c, x, y, f(1, 2, 3), o, f.length, ((...r) => r)(1))',
  ],
  ObjectPattern: [
    'const { a, b: { c } = { c: log("d") }, [log("k")]: e = log("e"), "q-q": q, 5: five, ...r } = { a: 1, "q-q": 2, 5: 3, s: 4 }; log(a, c, e, q, five, r); (({ x = log("x"), y: [z] = [log("z")] } = {}) => log(x, z))(); for (const { length } of ["a", "bc"]) log(length); attempt(() => { const { a } = null }); attempt(() => { const { a: { b } } = {} }); attempt(() => (({ a }) => a)()); attempt(() => (({ a: { b } }) => b)({ a: null })); let o = {}; ({ a: o.x, b: o["y"] = 5 } = { a: 1 }); log(o)',
  ],
  ArrayPattern: [
    'const [a, , b = log("b"), [c] = [log("c")], ...d] = [1, 2]; log(a, b, c, d); let x = 1, y = 2, o = []; [x, y] = [y, x]; [o[0], o["k"] = log("k"), ...o.r] = new Set([1]); log(x, y, o); attempt(() => { const [a] = undefined }); attempt(() => { const [a] = 5 }); attempt(() => { const [[a]] = [] }); attempt(() => (([a]) => a)()); const it = { [Symbol.iterator]: () => ({ next: () => (log("next"), { done: false, value: 1 }), return: () => (log("return"), {}) }) }; const [p] = it; log(p); const [] = it',
  ],
  AssignmentPattern: [
    'const f = (a = log("a"), b = a + 1, c = () => a, { d = b } = {}, [e = (log("e"), 5)] = []) => [a, b, c(), d, e]; log(f(), f(1, undefined, () => 2, { d: 3 }, [4]), f.length); const { x = () => {}, y = class {} } = {}; log(x.name, y.name); attempt(() => ((a = b, b) => a)()); let z; [z = z === undefined ? "u" : "d"] = []; log(z); function g(err = log("err"), e = err || 1) { return e } log(g(), g(0))',
  ],
  MetaProperty: [
    'function F() { return new.target } log(F(), typeof new F(), new (class { constructor() { this.n = new.target.name; const f = () => new.target; this.same = f() === new.target } })()); class A { constructor() { log(new.target === B, new.target?.name, !new.target) } } class B extends A {} new B(); Reflect.construct(A, [], B); class C { f = new.target; static g = new.target } log(new C().f, C.g)',
  ],
  ImportExpression: [
    'module.exports = async () => { const p = await import("node:path"); const k = "join"; const bad = await import("node:" + (log("x"), "nope")).catch((e) => e.code); return [typeof p.join, typeof p[k], typeof p.default, bad, await import("node:path").then((m) => m === p)] }',
  ],
  ChainExpression: [
    'const o = { a: { b: { c: 1, f() { return this === o.a.b } } }, n: null, arr: [1] }, k = "a", z = null; log(o?.a, o?.[k], o?.a?.b?.c, o.n?.x.y.z, o.n?.[log("never")], o.n?.f(log("never")), o.a?.b.f(), o?.["a"].b.f?.(), o.q?.(), o.arr?.[0], z?.[k], z?.[k][k], (o?.a).b.c, (o.n?.x)?.y, o?.a.b["c"], delete o?.arr, delete o.n?.x, o?.a?.b.f.name, !o?.n, o?.n ?? "d", o?.a && 1, o?.a === o.a, [...o?.a?.b?.zz ?? [1]]); attempt(() => (o.n?.x).y); attempt(() => o?.n.x); attempt(() => o?.a.nope()); attempt(() => o?.[k].nope()); attempt(() => o.a?.b.c()); attempt(() => o?.a.b.nope.x); attempt(() => nowhere?.x); attempt(() => o.a.nope?.().x.y); log(typeof o?.a, void o?.a, `${o?.n}`, o?.a ? 1 : 2)',
  ],
  ParenthesizedExpression: [
    'const o = { f() { return this === o }, a: [1] }, k = "f"; log((1), ((2)), (o.f)(), (o)["f"](), (o[k])(), ((o))[(k)].name, (o.a)[(0)], !((0)), ((1)) === (1), (((log))(3))); let x; (x) = 1; (o.z) = 2; ((o)[k + 1]) = 3; (x)++; log(x, o.z, o.f1, delete (o.z), typeof (x)); log((() => {}).name, ((() => {})).name); const f = (() => {}); log(f.name); async () => (await (1)); (async function () {})',
  ],
  Identifier: [
    'var \\u0061bc = 1, $ = 2, _ = 3, $wmb = 4, ünï = 5, of = 6, let = 7, async = 8, get = 9, yield = 10, await = 11, undefined_ = undefined; log(abc, $, _, $wmb, ünï, of === 6 && let, async || get, yield === await, typeof __wimble_open__ === "string")',
    'log(typeof nowhere); attempt(() => nowhere); attempt(() => later); let later = 1; later_ = 5; log(later_); undefined = 1; log(undefined, NaN, Infinity)',
  ],
  Literal: [
    'log(0, -0, 1e3, 0x1F, 0b11, 0o17, 017, 1_000, .5, 5., "a\\\nb", \'q\', "\\u{1F600}", null, true, false, /a/gi.flags, /[/]\\//u.source, 10n, 0xFn, "\u2028", 1e999); log(/x/ === /x/, /a/.test("a"), [/b/][0].test("b"), 5..toFixed(1), "use" + "strict")',
  ],
};

/** @type {Record<string, string[]>} */
const MODULES_BY_KIND = {
  ImportDeclaration: [
    'import "node:path"; import path, { join, sep as separator } from "node:path"; import * as all from "node:path"; export const r = [join === path.join && separator === path.sep, all.default === path, typeof all["jo" + "in"]]; try { join = 1 } catch (e) { log(e.message) }',
  ],
  ImportSpecifier: [
    'import { join, "sep" as s, default as d } from "node:path"; export const r = [join("a", "b") === d.join("a", "b") && !!s]',
  ],
  ImportDefaultSpecifier: ['import path from "node:path"; const k = "join"; export default path[k]("a", "b")'],
  ImportNamespaceSpecifier: [
    'import * as path from "node:path"; const k = "join", n = "nope"; export const r = [path[k]("a"), path[n], typeof path.default, Object.isFrozen(path)]; try { path[n]() } catch (e) { log(e.message) } try { path.join = 1 } catch (e) { log(e.message) }',
  ],
  ImportAttribute: [
    'import data from "data:application/json,%7B%22a%22:1%7D" with { type: "json" }; const k = "a"; export const r = data[k] === 1',
  ],
  ExportNamedDeclaration: [
    'export const a = 1, b = log(2); export let c; export var d = () => {}; export function f(err) { return !err } export class G { x = 1 } export async function* h() { yield 1 } c = a === 1 ? "set" : "no"; log(d.name, f(0), new G().x)',
    'export {}; export { join as j } from "node:path"; const z = 5; export { z, z as "quoted name" }; export const { p, q: [r = 3] } = { p: 1, q: [] }',
  ],
  ExportSpecifier: ['let a = 1; export { a, a as b, a as default }; a = 2; if (a === 2) a = 3'],
  ExportDefaultDeclaration: [
    'export default function () { return 1 }',
    'export default class {}',
    'export default () => {}',
    'export default (class {})',
    'export default log(1) === 1 && { a: [2] }',
    'export default async function named() { await 1 } log(named.name)',
    'export default 1 ? (log(1), 2) : 3',
  ],
  ExportAllDeclaration: ['export * from "node:path"; export * as ns from "node:path"; log(1)'],
  MetaProperty: [
    'export const r = [typeof import.meta.url, typeof import.meta, import.meta === import.meta, import.meta["u" + "rl"] === import.meta.url, !import.meta.nope]',
  ],
  AwaitExpression: [
    'export const r = [await 1, await Promise.resolve(2) === await 2]; if (await log(1)) log("if"); for await (const x of [Promise.resolve(3)]) log(x); await null; let v = await 0 || await "or"; log(v); try { await Promise.reject(new Error("no")) } catch (e) { log(e.message) } export default await 5',
  ],
  ThisExpression: [
    'export const r = [this, (() => this)(), (function () { return this })(), typeof arguments_]; var arguments_; log(typeof require, typeof module)',
  ],
  Program: [
    '#!/usr/bin/env node\nexport const line = new Error().stack.split("\\n")[1].match(/:(\\d+):/)[1] === "2"',
    '"use strict"; "other"\nexport default 1',
    '',
  ],
};

module.exports = { ASSIGNMENTS, BINARY, MODULES_BY_KIND, PROGRAMS_BY_KIND, UNARY };
