'use strict';
/** What each pass writes, to the letter. `$` stands for the handle, the header is left out. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { readdirSync } = require('node:fs');
const path = require('node:path');
const { instrumentAsText } = require('../src/loader/instrumenter-realm.cjs');
const { instrument } = require('../src/instrument/instrument.cjs');
const { HANDLERS, handlersByType } = require('../src/instrument/passes/all-passes.cjs');

const PASSES = path.join(__dirname, '..', 'src', 'instrument', 'passes');
/** Pass -> its file. File names stand once, whatever the room. */
const FILES = new Map(
  readdirSync(PASSES, { recursive: true }).map((file) => [path.basename(file, '.cjs'), path.join(PASSES, file)]),
);

/** Runs one pass alone, or a few (with `shown` and `writes`, which decide what may be touched). */
function rewriteWith(pass, text) {
  const saved = new Map(HANDLERS);
  HANDLERS.clear();
  const handlers = handlersByType(
    ['shown-expressions', 'writes', ...pass.split(' ')].map((name) => require(FILES.get(name))),
  );
  for (const [type, list] of handlers) HANDLERS.set(type, list);
  try {
    return rewrite(text);
  } finally {
    HANDLERS.clear();
    for (const [type, list] of saved) HANDLERS.set(type, list);
  }
}

function rewrite(text, isModule = false) {
  const { code, table } = instrument(text, { path: '/x.js', isModule });
  const header = /;?(?:const \$wmb=__wimble_open__\("[0-9a-f]{20}"\)|import\{h as \$wmb\}from"data:[^"]*");/;
  return { code: code.replace(header, '').replaceAll('$wmb', '$'), table };
}

const CASES = {
  statements: [
    ['a(); b()', '$.s(2);a();$.c(2); $.s(3);b();$.c(3);'],
    ['if (a) b(); else c()', '$.x(2);if (a) {$.s(3);b();$.c(3);} else {$.s(4);c();$.c(4);}'],
    ['if (a) b(); else if (c) d()', '$.x(2);if (a) {$.s(3);b();$.c(3);} else {$.x(4);if (c) {$.s(5);d();$.c(5);}}'],
    ['for (;;) break', '$.x(2);for (;;) {$.x(3);break}'],
    ['l: for (;;) continue l', '$.x(2);l: for (;;) {$.x(3);continue l}'],
    ['"use strict"; return a, b', '"use strict"; $.s(2);return $.r(2,(a, b))'],
    ['return', '$.x(2);return'],
    ['throw a', '$.s(2);throw /*node-do-not-add-exception-line*/$.t(2,a)'],
    ['x = () => ({})', '$.s(2);x = () => $.r(3,($.s(3),({})));$.c(2);'],
    ['if (a) function f() {}', '$.x(2);if (a) function f() {}'],
    ['function f() { return(1) }', 'function f() { $.s(2);return $.r(2,(1)) }'],
    ['do a(); while (b)', '$.x(2);do {$.s(3);a();$.c(3);} while (b)'],
    ['class A {}', '$.s(2);class A {};$.c(2);'],
    ['with (a) b()', '$.x(2);with (a) b()'],
  ],
  comparisons: [
    ['a === b', '$.eq3(1,a , b)'],
    ['a!==b', '$.ne3(1,a,b)'],
    ['a == b != c', '$.ne2(1,$.eq2(3,a , b) , c)'],
    ['a < b; a <= b; a > b; a >= b', '$.lt(1,a , b); $.le(3,a , b); $.gt(5,a , b); $.ge(7,a , b)'],
    ['a /* === */ === b', '$.eq3(1,a /* === */ , b)'],
    ['(a, b) === c', '$.eq3(1,(a, b) , c)'],
    ['a + b < c in d', '$.in(1,$.lt(3,a + b , c) , d)'],
    ['a in b; a instanceof b; "x"in y', '$.in(1,a , b); $.io(3,a , b); $.in(5,"x", y)'],
    ['class A { #x; m(o) { return #x in o } }', 'class A { #x; m(o) { return #x in o } }'],
    [
      'a\n< b; a <\nb; (a\n) in b; a\n=== b',
      '$.cl(1,a)\n.lt( b); $.lt(3,a ,\nb); $.cl(5,(a\n)) .in( b); $.eq3(7,a\n, b)',
    ],
    ['a <!-- b\n=== c', 'a <!-- b\n=== c'],
    ['(a, b) => a /* = */ ===\nb', '(a, b) => $.cm(1,1,a /* = */ ===\nb,a,b)'],
    ['x => x !== undefined', 'x => $.cm(1,2,x !== undefined,x,undefined)'],
    ["x => typeof x == 'string'", "x => $.cm(1,3,typeof x == 'string',typeof x,'string')"],
    [
      'this != null; 1 < -2; 3n <= void 0',
      '$.cm(1,4,this != null,this,null); $.cm(3,5,1 < -2,1,-2); $.cm(5,6,3n <= void 0,3n,void 0)',
    ],
    ['(x, y) => x > y.z', '(x, y) => $.gt(1,x , y.z)'],
    ['x => x >= free', 'x => $.ge(1,x , free)'],
    ['x => x === /r/', 'x => $.eq3(1,x , /r/)'],
    ['x => typeof free === "a"', 'x => $.eq3(1,typeof free , "a")'],
    ['x => x === "a\\\nb"', 'x => $.eq3(1,x , "a\\\nb")'],
  ],
  logical: [
    ['a && b', '$.al(1,a) && $.ar(1,b)'],
    ['a || b && !c', '$.ol(1,a) || $.orh(1,$.al(3,b) && $.arh(3,!c))'],
    ['(a === b) || c', '$.olh(1,(a === b)) || $.or(1,c)'],
    ['a && s.test(b)', '$.al(1,a) && $.arh(1,s.test(b))'],
    ['a ?? b', 'a ?? b'],
    ['(a || b)()', '(a || b)()'],
    ['x = (a, b) || c', 'x = $.ol(1,(a, b)) || $.or(1,c)'],
  ],
  negation: [
    ['!a', '$.n(1, a)'],
    ['!!a', '$.nh(1, $.n(3, a))'],
    ['!(a < b)', '$.nh(1, (a < b))'],
    ['x = typeof!a', 'x = typeof $.n(1, a)'],
  ],
  'tested-promises': [
    ['if (f(a)) ; while (a.b()) ; !f()', 'if ($.tp(0,f(a))) ; while ($.tp(1,a.b())) ; !$.tp(2,f())'],
    ['if (f() && (g() || !h())) ;', 'if ($.tp(0,f()) && ($.tp(1,g()) || !$.tp(2,h()))) ;'],
    [
      'x = f() === true; if (false != (g())) ; x = f() === 1; x = a === true',
      'x = $.tp(0,f()) === true; if (false != ($.tp(1,g()))) ; x = f() === 1; x = a === true',
    ],
    ['x = f() && g() || h()', 'x = $.tp(0,f()) && g() || h()'],
    [
      'if (await_(f)) ; if (a?.()) ; if (s.test(b)) ; if (a) ;',
      'if ($.tp(0,await_(f))) ; if (a?.()) ; if (s.test(b)) ; if (a) ;',
    ],
    [
      '() => { const a = f(); if (!a) return; r.json(a.b) }',
      '() => { const a = f(); if (!$.tp(0,a)) return; r.json(a.b) }',
    ],
    ['() => { const a = f(); if (a) g(a) }', '() => { const a = f(); if (a) g(a) }'],
    [
      '() => { const a = f(); if (a.length > 0 || !a[0]) return 1 < a.n && a.n === null }',
      '() => { const a = f(); if (($.tp(0,a)).length > 0 || !($.tp(1,a))[0]) return 1 < ($.tp(2,a)).n && a.n === null }',
    ],
    ['() => { const a = f(); if (a.n) a.then(g) }', '() => { const a = f(); if (a.n) a.then(g) }'],
    ['() => { const a = f(); if (a?.n > a[b]) return }', '() => { const a = f(); if (a?.n > a[b]) return }'],
    ['async () => { const a = f(); if (a) await a }', 'async () => { const a = f(); if (a) await a }'],
    ['() => { const a = f(); return (a) => !a }', '() => { const a = f(); return (a) => !a }'],
    ['() => { let a = f(); if (a) a.then(g) }', '() => { let a = f(); if (a) a.then(g) }'],
  ],
  conditions: [
    ['if (a) ; while (b) ; do ; while (c)', 'if ($.k(1,a)) ; while ($.k(3,b)) ; do ; while ($.k(5,c))'],
    ['for (;a;) ; for (;;) ;', 'for (;$.k(1,a);) ; for (;;) ;'],
    [
      'if (a === b) ; if (!a) ; if (a || b) ; if ((a < b)) ; if (a in b) ; if (a.includes(b)) ;',
      'if (a === b) ; if (!a) ; if (a || b) ; if ((a < b)) ; if (a in b) ; if ($.kh(1,a.includes(b))) ;',
    ],
    [
      'while (m = f()) ; while ((m = a > b)) ; if ((a = f()) > 3) ; if (a ||= b) ; if (a ??= b) ;',
      'while ($.k(1,m = f())) ; while ((m = a > b)) ; if ((a = f()) > 3) ; if (a ||= b) ; if ($.k(3,a ??= b)) ;',
    ],
    [
      'if (a ? b > c : d) ; if (a ?? b > c) ; if ((a ?? b) ?? !c) ;',
      'if ($.kh(1,$.k(3,a) ? b > c : $.b(d))) ; if ($.kh(5,$.b(a) ?? b > c)) ; if ($.kh(7,$.b((a ?? b)) ?? !c)) ;',
    ],
    ['if (a ?? b) ; if (a, b === c) ;', 'if ($.k(1,a ?? b)) ; if (a, b === c) ;'],
    ['if (a, b) ; if (x.a = b === c) ;', 'if ($.k(1,(a, b))) ; if ($.k(3,x.a = b === c)) ;'],
    ['x = a ? b : c', 'x = $.k(1,a) ? b : c'],
  ],
  keys: [
    ['let a, b; x = a[b]', 'let a, b; x = $.kx(1,a[b],a,b)'],
    ['x = this[module]', 'x = $.kx(1,this[module],this,module)'],
    ['let b; x = a[b] + a.c[b + 1]', 'let b; x = $.kv(1,$.ko(1,a)[$.kk(1,b)]) + $.kv(3,$.ko(3,a.c)[$.kk(3,b + 1)])'],
    ['let a; { let b } x = a[b]', 'let a; { let b } x = $.kv(1,$.ko(1,a)[$.kk(1,b)])'],
    [
      'x = a[1] + a["b"] + a[`c`] + a[-1] + a.d + a[Symbol.iterator]',
      'x = a[1] + a["b"] + a[`c`] + a[-1] + a.d + a[Symbol.iterator]',
    ],
    ['let a, b; x = a?.[b]; y = c?.[b].d', 'let a, b; x = $.kv(1,$.ko(1,a)?.[$.kk(1,b)]); y = c?.[b].d'],
    ['let a, b; x = a[b]?.c', 'let a, b; x = $.kx(1,a[b],a,b)?.c'],
    ['let a, b; x = a?.c?.[b]', 'let a, b; x = $.kv(1,$.ko(1,a?.c)?.[$.kk(1,b)])'],
    [
      'let a, b; x = a?.[b]?.[c]; y = a?.[b].d?.e',
      'let a, b; x = $.kv(1,$.ko(1,$.kv(3,$.ko(3,a)?.[$.kk(3,b)]))?.[$.kk(1,c)]); y = a?.[b].d?.e',
    ],
    [
      'let a, b; a[b] = 1; a[b] += 1; a[b]++; delete a[b]; delete a?.[b]; (a[b]) = 1',
      'let a, b; a[b] = 1; a[b] += 1; a[b]++; delete a[b]; delete a?.[b]; (a[b]) = 1',
    ],
    ['let a, b; [a[b], c = 1, a[b] = 1, ...a[b]] = d', 'let a, b; [a[b], c = 1, a[b] = 1, ...a[b]] = d'],
    ['let a, b; ({ c: a[b], d: a[b] = 1, ...a[b] } = e)', 'let a, b; ({ c: a[b], d: a[b] = 1, ...a[b] } = e)'],
    ['let a, b; for (a[b] of c) ; for (a[b] in c) ;', 'let a, b; for (a[b] of c) ; for (a[b] in c) ;'],
    ['let a, b; a[b].c = 1; a[a[b]] = 1', 'let a, b; $.kx(1,a[b],a,b).c = 1; a[$.kx(3,a[b],a,b)] = 1'],
    [
      'let a, b; a[b](c); a[b].d(c)[e](f); d(a[b](c))',
      'let a, b; $.kq(1,a,b).v(a[b](c)); $.kq(3,a,b).v(a[b].d(c)[e](f)); d($.kq(5,a,b).v(a[b](c)))',
    ],
    [
      'let a, b; c.a[b](d); c[b](d); a[b]?.(d); a[b]`c`; new a[b](c); [...a[b]]',
      'let a, b; c.a[b](d); c[b](d); a[b]?.(d); a[b]`c`; new a[b](c); [...a[b]]',
    ],
    ['function f() { return arguments[0] }', 'function f() { return arguments[0] }'],
    ['function f(i) { return arguments[i] }', 'function f(i) { return arguments[i] }'],
    ['class A extends B { c(d) { return super[d] } }', 'class A extends B { c(d) { return super[d] } }'],
    ['let a, b; with (c) { a[b] }', 'let a, b; with (c) { a[b] }'],
  ],
  splits: [
    [
      'let a; const [b] = a.split(c), [d] = e().split(",", 2), [g] = h.split(...i)',
      'let a; const [b] = a.split($.sp(c,a)), [d] = e().split($.sp(","), 2), [g] = h.split(...i)',
    ],
  ],
  'shown-matches': [
    [
      'let a; const { b } = JSON.parse(a), c = JSON.parse(a), [d] = e.parse(a); f(...JSON.parse(g(a)), ...JSON.parse())',
      'let a; const { b } = JSON.parse($.pm(1,a,$.pw(1))), c = JSON.parse(a), [d] = e.parse(a); f(...JSON.parse($.pm(3,g(a),$.pw(3))), ...JSON.parse())',
    ],
    [
      'let a, b; const [c] = a.match(/x/), { d } = /y/.exec(b), e = a.match(/z/), [g] = h.match(/w/)',
      'let a, b; const [c] = a.match($.pm(1,/x/,$.pw(1)&&a)), { d } = /y/.exec($.pm(3,b,$.pw(3)&&/y/)), e = a.match(/z/), [g] = h.match(/w/)',
    ],
    [
      'let a; for (const b of (a?.c[0]["d"] || "e").trim().matchAll(/x/g)) ; f(...a.f().match(/x/), ...a[g].match(/x/), ...a.match(...h))',
      'let a; for (const b of (a?.c[0]["d"] || "e").trim().matchAll($.pm(1,/x/g,$.pw(1)&&$.px(($.pv($.pv($.pv(a,"c"),"0"),"d")||"e"),"trim")))) ; f(...a.f().match(/x/), ...a[g].match(/x/), ...a.match(...h))',
    ],
  ],
  switch: [
    ['switch (a) { case 1: case b: default: }', 'switch ($.sw(1,a)) { case 1: case $.cs(1,1,b): default: }'],
    [
      'switch (a, b) { case (c, d): case e, f: }',
      'switch ($.sw(1,(a, b))) { case $.cs(1,0,(c, d)): case $.cs(1,1,(e, f)): }',
    ],
    ['switch (a) { }', 'switch (a) { }'],
    ['switch (a) { case-1: case"x": case!1: }', 'switch ($.sw(1,a)) { case-1: case"x": case $.cs(1,2,!1): }'],
  ],
  ternary: [
    ['x = a ? b : c', 'x = a ? ($.qe(1),$.qc(1,b)) : ($.qe(2),$.qc(2,c))'],
    [
      'x = a ? b ? c : d : e',
      'x = a ? ($.qe(1),$.qc(1,b ? ($.qe(3),$.qc(3,c)) : ($.qe(4),$.qc(4,d)))) : ($.qe(2),$.qc(2,e))',
    ],
  ],
  calls: [
    ['r.includes(a, b)', '$.mx(1,$.mr(1,r,"r.includes").includes($.ma(1,a), $.mb(1,b)))'],
    ['r.x[0].match()', '$.mx(1,$.mr(1,r.x[0],"r.x[0].match").match())'],
    ['/a"/g.test(b)', '$.mx(1,$.mr(1,/a"/g,"/a\\"/g.test").test($.ma(1,b)))'],
    ['a.includes(...b); super1.includes', 'a.includes(...b); super1.includes'],
    [
      'let b; a.includes(...b); a.includes(c, ...b); isNaN(...b); new URL(...b)',
      'let b; $.my(1,$.mr(1,a,"a.includes").includes(...b),b,0); $.my(3,$.mr(3,a,"a.includes").includes($.ma(3,c), ...b),b,1); $.my(5,$.mf(5,isNaN,"isNaN")(...b),b,0); $.my(7,new ($.nf(7,URL,"URL"))(...b),b,0)',
    ],
    [
      'let b; a.includes(...b, c); a.includes(...b()); a.at(c, ...b); assert(...b)',
      'let b; a.includes(...b, c); a.includes(...b()); $.mx(1,$.mr(1,a,"a.at").at($.ma(1,c), ...b)); assert(...b)',
    ],
    [
      'a?.b?.includes(c); a?.().b.includes(c)',
      '$.mx(1,$.mr(1,a?.b,"a?.b?.includes")?.includes($.ma(1,c))); a?.().b.includes(c)',
    ],
    ['a?.includes(b)', '$.mx(1,$.mr(1,a,"a?.includes")?.includes($.ma(1,b)))'],
    ['a.includes?.(b)?.c', '$.mx(1,$.mr(1,a,"a.includes",1).includes?.($.ma(1,b)))?.c'],
    ['a?.includes(b)?.c', '$.mx(1,$.mr(1,a,"a?.includes")?.includes($.ma(1,b)))?.c'],
    ['a.includes?.(b)', '$.mx(1,$.mr(1,a,"a.includes",1).includes?.($.ma(1,b)))'],
    [
      '["x", a].includes(b); `x`.startsWith(b)',
      '$.mx(1,$.mr(1,["x", a],"[\\"x\\",a].includes").includes($.ma(1,b))); $.mx(3,$.mr(3,`x`,"").startsWith($.ma(3,b)))',
    ],
    [
      '[-1].includes(b); [-1].test(b); (await0).at(b)',
      '$.mx(1,$.mr(1,[-1],"").includes($.ma(1,b))); [-1].test(b); $.mx(3,$.mr(3,(await0),"await0.at").at($.ma(3,b)))',
    ],
    ['parseInt(a, b); toString(a)', '$.mx(1,$.mf(1,parseInt,"parseInt")($.ma(1,a), b)); toString(a)'],
    [
      'new Date(a); new Date; new Date(); new x.URL(a, (b, c))',
      '$.mx(1,new ($.nf(1,Date,"Date"))($.ma(1,a))); new Date; new Date(); $.mx(3,new ($.nf(3,x.URL,"x.URL"))($.ma(3,a), $.mb(3,(b, c))))',
    ],
    [
      'JSON.parse(a); schema.parse(a); Buffer.from(a); Buffer.from(a, "hex")',
      '$.mx(1,$.mr(1,JSON,"JSON.parse").parse($.ma(1,a))); schema.parse(a); Buffer.from(a); $.mx(3,$.mr(3,Buffer,"Buffer.from").from($.ma(3,a), $.mb(3,"hex")))',
    ],
    [
      'x.includes.call(a, b); f.call(a)',
      '$.mx(1,$.mr(1,x.includes,"x.includes.call").call($.ma(1,a), $.mb(1,b))); f.call(a)',
    ],
    [
      'const { has: h } = o, { isInteger } = Number; h.apply(a, b); isInteger(a)',
      'const { has: h } = o, { isInteger } = Number; $.mx(1,$.mr(1,h,"h.apply").apply($.ma(1,a), $.mb(1,b))); $.mx(3,$.mf(3,isInteger,"isInteger")($.ma(3,a)))',
    ],
    ['Reflect.apply(a, b, c)', '$.mx(1,$.mr(1,Reflect,"Reflect.apply").apply($.ma(1,a), $.mb(1,b), $.md(1,c)))'],
    [
      'const f = require("validator/lib/isEmail"), v = h(require("validator")); f(a); (0, v.isIn)(a, b); v.matches(a); (0, f.default)(a); w.matches(a)',
      'const f = require("validator/lib/isEmail"), v = h(require("validator")); $.mx(1,$.mf(1,f,"f")($.ma(1,a))); $.mx(3,$.mf(3,(0, v.isIn),"(0 , v.isIn)")($.ma(3,a), $.mb(3,b))); $.mx(5,$.mr(5,v,"v.matches").matches($.ma(5,a))); $.mx(7,$.mf(7,(0, f.default),"(0 , f.default)")($.ma(7,a))); w.matches(a)',
    ],
    [
      'const assert = require("assert"); assert(a); assert.equal(a, b, c, d)',
      'const assert = require("assert"); $.mx(1,$.af(1,$.mf(1,assert,"assert"))($.ma(1,a))); $.mx(3,$.mr(3,assert,"assert.equal").equal($.ma(3,a), $.mb(3,b), $.md(3,c), d))',
    ],
    [
      'parseInt(a).zz(); new Date(a).zz()',
      '$.mc($.mx(1,$.mf(1,parseInt,"parseInt")($.ma(1,a))),"zz","parseInt(...).zz").zz(); $.mc($.mx(3,new ($.nf(3,Date,"Date"))($.ma(3,a))),"zz","(intermediate value).zz").zz()',
    ],
    ['a.includes(b)?.c', '$.mx(1,$.mr(1,a,"a.includes").includes($.ma(1,b)))?.c'],
    ['a["includes"](b)', 'a["includes"](b)'],
    [
      'class A extends B { m(c) { return super.has(c, d, ...e) } static n() { return () => super.get?.(1) ?? super.get(1) } }',
      'class A extends B { m(c) { return $.mx($.ms(1,A,this),super.has($.ma(1,c), $.mb(1,d), ...e)) } static n() { return () => super.get?.(1) ?? $.mx($.ms(3,A,this,1),super.get($.ma(3,1))) } }',
    ],
    [
      'class A extends B { [c] = super.at(d); static { super.at(d) } static f = { m() { super.at(d) } }; e(A) { super.at(A) } }',
      'class A extends B { [c] = $.mx($.ms(1,A,this),super.at($.ma(1,d))); static { $.mx($.ms(3,A,this,1),super.at($.ma(3,d))) } static f = { m() { super.at(d) } }; e(A) { super.at(A) } }',
    ],
    [
      'x = class extends B { m() { super.at(c) } }; class A extends B { m() { super.foo(c).at(d); super.at(c)(); super["at"](c) } }',
      'x = class extends B { m() { super.at(c) } }; class A extends B { m() { super.foo(c).at(d); super.at(c)(); super["at"](c) } }',
    ],
    [
      'function f(a) { const s = a.startsWith.bind(a), h = Object.x.call.bind(b.has); return s(c) && h(b, c) }',
      'function f(a) { const s = a.startsWith.bind(a), h = Object.x.call.bind(b.has); return $.mx(1,$.mf(1,s,"s")($.ma(1,c))) && $.mx(3,$.mf(3,h,"h")($.ma(3,b), $.mb(3,c))) }',
    ],
    ['a.match(b).c()', '$.mc($.mx(1,$.mr(1,a,"a.match").match($.ma(1,b))),"c","a.match(...).c").c()'],
  ],
  'calls nullish': [
    ['a?.b.includes(c)', '($.en(3,a)?void 0:$.mx(1,$.mr(1,$.go().b,"a?.b.includes").includes($.ma(1,c))))'],
    [
      'let b; a?.x.includes(...b)',
      'let b; ($.en(3,a)?void 0:$.my(1,$.mr(1,$.go().x,"a?.x.includes").includes(...b),b,0))',
    ],
    [
      'a /* a */ ?.[b].c /* . */ .includes(d)',
      '($.en(3,a)?void 0:$.mx(1,$.mr(1,$.go() /* a */ [b].c,"a?.[b].c.includes") /* . */ .includes($.ma(1,d))))',
    ],
    ['a?.find(b).c', '($.en(3,a)?void 0:$.mx(1,$.mr(1,$.go(),"a?.find").find($.ma(1,b))).c)'],
    ['a?.find(b)?.c', '$.nu(1,$.mx(3,$.mr(3,$.nu(5,a),"a?.find")?.find($.ma(3,b))))?.c'],
    [
      'return a?.split(b).x(c)',
      'return ($.en(3,a)?void 0:$.mc($.mx(1,$.mr(1,$.go(),"a?.split").split($.ma(1,b))),"x","a?.split(...).x").x(c))',
    ],
    [
      'a?.find(b).c?.at(d).e?.f',
      '$.nu(1,($.en(5,($.en(9,a)?void 0:$.mx(7,$.mr(7,$.go(),"a?.find").find($.ma(7,b))).c))?void 0:$.mx(3,$.mr(3,$.go(),"a?.find(...).c?.at").at($.ma(3,d))).e))?.f',
    ],
    [
      'delete a?.find(b).c; (a?.find(b).c)(); a?.find(b).c?.()',
      'delete $.mc($.nu(1,a),"find","a?.find")?.find(b).c; (a?.find(b).c)(); a?.find(b).c?.()',
    ],
    ['a?.b(c).d', '$.mc($.nu(1,a),"b","a?.b")?.b(c).d'],
    ['a?.b[c](d).find(e)', 'a?.b[c](d).find(e)'],
  ],
  binds: [
    [
      'a.test.bind(a); x.call.bind(y.has, b, (c, d)); isNaN.bind(null)',
      '$.bx(0,$.br(0,a.test,"a.test.bind").bind($.ba(0,0,a))); $.bx(1,$.br(1,x.call,"x.call.bind").bind($.ba(1,0,y.has), $.ba(1,1,b), $.ba(1,2,(c, d)))); $.bx(2,$.br(2,isNaN,"isNaN.bind").bind($.ba(2,0,null)))',
    ],
    [
      'f.bind(a); a.test.bind(...b); a.test.bind(); a.test.bind?.(a); super1.bind(a); a.test.bind(a)()',
      'f.bind(a); a.test.bind(...b); a.test.bind(); a.test.bind?.(a); super1.bind(a); a.test.bind(a)()',
    ],
  ],
  catches: [
    ['try {} catch (e) {}', 'try {} catch (e) {$.ce(1);}'],
    ['try {} catch { a() } try {} catch ({ e }) {}', 'try {} catch {$.ce(1); a() } try {} catch ({ e }) {$.ce(2);}'],
  ],
  loops: [
    ['for (x of y) { a() }', '{let $_1=0;for (x of y) {$_1||($_1=$.li(1)); a() }$.lo(1,$_1);}'],
    ['for (const x in y) a()', '{let $_1=0;for (const x in y) {$_1||($_1=$.li(1));a()}$.lo(1,$_1);}'],
    [
      'a: b: for (x of y) { continue a }',
      '{let $_1=0;a: b: for (x of y) {$_1||($_1=$.li(1)); continue a }$.lo(1,$_1);}',
    ],
    [
      'for (x of y) for (z of x) ;',
      '{let $_1=0;for (x of y) {$_1||($_1=$.li(1));{let $_3=0;for (z of x) {$_3||($_3=$.li(3));;}$.lo(3,$_3);}}$.lo(1,$_1);}',
    ],
    [
      'for (x of y) { for (z in x) { return } if (a) { throw b } f(() => { return }) }',
      '{let $_1=0;for (x of y) {$_1++||$.li(1); {let $_4=0;for (z in x) {$_4++||$.li(4); $.lb(3,$_1);$.lb(6,$_4);return }$.lp(4,$_4,6);} if (a) { $.lb(3,$_1);throw b } f(() => { return }) }$.lp(1,$_1,3);}',
    ],
    ['for (;;) ; a: while (b) ; c: d()', 'for (;;) ; a: while (b) ; c: d()'],
  ],
  functions: [
    ['function f() {} x = () => {}', 'function f() {$.fc(1);} x = () => {$.fc(2);}'],
    [
      'function f() { "use strict"; function g() { return } }',
      'function f() { "use strict";;$.fe(1); function g() { return };$.fc(1); }',
    ],
    ['x = function () { if (a) b() }', 'x = function () { if (a) b();$.fc(1); }'],
    [
      'x = () => a; function f() { a() } function g() { throw a }',
      'x = () => a; function f() { a() } function g() { throw a }',
    ],
  ],
  nullish: [
    ['a ?? b; (a, b) ?? c', '$.nu(1,a) ?? b; $.nu(3,(a, b)) ?? c'],
    ['a?.b; a?.[b].c?.d; a?.[b] ?.5:c', '$.nu(1,a)?.b; $.nu(3,$.nu(5,a)?.[b].c)?.d; $.nu(7,a)?.[b] ?.5:c'],
    [
      'a?.b(); a?.b.c(); (a?.b).c',
      '$.mc($.nu(1,a),"b","a?.b")?.b(); $.mk($.nq(3,a)?.b,"c","a?.b.c")?.c(); ($.nu(5,a)?.b).c',
    ],
    ['a?.b.c().d(); a?.b?.c(); a?.b().c()', 'a?.b.c().d(); $.mc($.nu(1,$.nu(3,a)?.b),"c","a?.b?.c")?.c(); a?.b().c()'],
    [
      'const { b, c = 1, ...d } = a ?? {}; const { e: { f } } = a ?? {}; for (x of a ?? []) ; [...a?.b]',
      'const { b, c = 1, ...d } = $.nu(1,a) ?? {}; const { e: { f } } = a ?? {}; for (x of a ?? []) ; [...a?.b]',
    ],
    ['delete a?.b; x = a?.b ?? c', 'delete $.nu(1,a)?.b; x = $.nu(3,$.nu(5,a)?.b) ?? c'],
  ],
  'optional-calls': [
    [
      'f?.(a); f()?.(); a.b?.(c); a?.b?.(c)',
      '$.of(1,f,"f")?.(a); $.of(3,f(),"f(...)")?.(); $.om(5,a,"b","a.b").b?.(c); $.om(7,a,"b","a?.b")?.b?.(c)',
    ],
    [
      '(a.b)?.(); a[b]?.(); a?.b.c?.(); class A extends B { m() { super.m?.(); this.#p?.() } #p }',
      '(a.b)?.(); a[b]?.(); a?.b.c?.(); class A extends B { m() { super.m?.(); this.#p?.() } #p }',
    ],
  ],
  assignments: [
    [
      'a ??= b; a.b ||= c; a[b] &&= c',
      '$.ux(1,$.uw(1),a ??= ($.ue(1),b)); $.ox(3,$.uw(3),a.b ||= $.or(3,($.oe(3),c))); $.ax(5,$.uw(5),a[b] &&= $.ar(5,($.ae(5),c)))',
    ],
    [
      'a ||= b === c; a ??= b ??= c',
      '$.ox(1,$.uw(1),a ||= $.orh(1,($.oe(1),b === c))); $.ux(3,$.uw(3),a ??= ($.ue(3),$.ux(5,$.uw(5),b ??= ($.ue(5),c))))',
    ],
    [
      'a ??= () => {}; a ||= class {}; a &&= (function () {}); (a ??= b)()',
      'a ??= () => {}; a ||= class {}; a &&= (function () {}); (a ??= b)()',
    ],
  ],
  'arriving-errors': [
    ['try {} catch (e) {}', 'try {} catch (e) {$.g(e);}'],
    ['try {} catch {} try {} catch ({ e }) {}', 'try {} catch {} try {} catch ({ e }) {}'],
    ['function f(req, err) { "use strict"; a() }', 'function f(req, err) { "use strict";;$.g(err); a() }'],
    [
      'x = (error) => error; y = function (ex = 1) {}; z = (other) => 1',
      'x = (error) => ($.g(error),error); y = function (ex = 1) {$.g(ex);}; z = (other) => 1',
    ],
  ],
  'result-reads': [
    ['a.error; b.c.errors; d().issues', '$.re(a.error); $.re(b.c.errors); $.re(d().issues)'],
    ['a.error.flatten()', '$.mc($.re(a.error),"flatten","a.error.flatten").flatten()'],
    ['a.success && b', '$.rs(a).success && b'],
    [
      'a.error = 1; delete a.error; a.error(); a["error"]; a?.error; [a.error] = b',
      'a.error = 1; delete a.error; a.error(); a["error"]; a?.error; [a.error] = b',
    ],
    [
      'for (const e of a.errors) b; class A extends B { m() { return super.error } }',
      'for (const e of a.errors) b; class A extends B { m() { return super.error } }',
    ],
  ],
};

for (const [pass, cases] of Object.entries(CASES)) {
  test(`pass ${pass}`, () => {
    for (const [text, expected] of cases) assert.equal(rewriteWith(pass, text).code, expected);
  });
}

test('all passes together', () => {
  assert.equal(
    rewrite('if (a && !b) return c ? "x" : s.includes(d)').code,
    '$.x(2);if ($.al(4,a) && $.arh(4,$.n(6, b))) {$.s(3);return $.r(3,$.k(8,c) ? ($.qe(10),$.qc(10,"x")) : ($.qe(11),$.qc(11,$.mx(12,$.mr(12,s,"s.includes").includes($.ma(12,d))))))}',
  );
});

test('functions begin and end with their statements, as far as these say so', () => {
  const { code, table } = rewrite(
    'const a = (x) => x; class B { get c() { if (d) return 1; e() } static async #f() { throw 1 } "g h"() { for (;;) ; } } exports.i = function () {}; async function* j(k = () => {}) { return }',
  );
  assert.equal(
    code,
    '$.s(2);const a = (x) => $.r(6,($.s(6),x));$.c(2); $.s(3);class B { get c() { $.x(8);if ($.k(11,d)) {$.s(10);return $.r(10,1);} $.s(9);e();$.c(9); } static async #f() { $.s(14);throw /*node-do-not-add-exception-line*/$.t(14,1) } "g h"() { $.x(16);for (;;) ;;$.fc(15); } };$.c(3); $.s(4);exports.i = function () {$.fc(17);};$.c(4); async function* j(k = () => {$.fc(19);}) { $.x(20);return }',
  );
  const functions = table.targets.map((target, index) => [index, ...target]).filter(([, kind]) => kind === 'function');
  assert.deepEqual(
    functions.map(([index, , , , detail]) => [index, detail]),
    [
      [5, 'a'],
      [7, 'get c'],
      [13, '#f'],
      [15, 'g h'],
      [17, 'i'],
      [18, 'j'],
      [19, 'k'],
    ],
  );
  assert.deepEqual(table.entryOf, [
    [6, 5],
    [8, 7],
    [14, 13],
    [16, 15],
    [20, 18],
  ]);
  assert.deepEqual(table.endOf, [
    [6, 5],
    [9, 7],
    [10, 7],
    [20, 18],
  ]);
});

test('the table says how a call is made, after which argument it begins, and from which package it comes', () => {
  const { table } = rewrite(
    "import { validate as v } from 'uuid'; import _ from 'lodash-es'; import w from 'other';\nv(a); _.isEqual(a, b); w.isEqual(a, b); x.has.call(a, b); assert.equal(a, b, c, d); x.has(a)",
    true,
  );
  assert.deepEqual(Object.values(table.calls), [[0, '', 'uuid'], [1, '', 'lodash-es'], [1], [1, 'call']]);
});

test('the table says which sites are reached as soon as their statement is entered', () => {
  const sites = (text) => {
    const { targets, firsts } = rewrite(text).table;
    return firsts.map(([outer, inner]) => `${targets[outer].at(-1) || 'statement'} > ${targets[inner].at(-1)}`);
  };
  assert.deepEqual(sites('if (a.b.c === 1 && d > 2) ;'), ['statement > && true', '&& true > === true']);
  assert.deepEqual(sites('const a = !b.includes(c) || d < 1, e = f < 1;'), ['statement > || true', '|| true > ! true']);
  assert.deepEqual(sites('x = (a ?? b) ? 1 : 2; return f(a < b)'.replace('return ', '')), [
    'statement > ?: true',
    '?: true > ?? true',
  ]);
  assert.deepEqual(sites('a.b?.c?.includes(d); (e) => e.f > 1; a[b < 1] = c; do a(); while (b < 1)'), [
    'statement > ?. true',
    'statement > > true',
  ]);
});

test('modules keep names and imports', () => {
  assert.equal(
    rewrite('import a from "b" with { type: "json" };\nexport default () => {}', true).code,
    'import a from "b" with { type: "json" };\n$.s(2);export default () => {$.fc(3);};$.c(2);',
  );
  assert.equal(
    rewrite('export default function () {}\nexport const x = 1\nexport { x as y }; export * from "z"', true).code,
    'export default function () {$.fc(3);}\n$.s(2);export const x = 1;$.c(2);\nexport { x as y }; export * from "z"',
  );
  assert.equal(
    rewrite('export default class {}\nawait x', true).code,
    '$.s(2);export default class {};$.c(2);\n$.s(4);await x;$.c(4);',
  );
});

test('the table says where everything is', () => {
  const { table } = rewrite(
    '"use strict";\n  a === 1;\n  switch (b) { case 1: c(); break; case d: case -2: default: }\r\n\u2028if (e) f(); else { x = g ? 1 : h.test(i) }',
  );
  assert.deepEqual(
    table.targets,
    [
      ['file', 0, 0, ''],
      ['line', 2, 0, ''],
      ['statement', 2, 2, ''],
      ['line', 3, 0, ''],
      ['statement', 3, 2, ''],
      ['line', 5, 0, ''],
      ['statement', 5, 0, ''],
      ['branch', 2, 4, '=== true'],
      ['branch', 2, 4, '=== false'],
      ['case', 3, 15, 'case 0'],
      ['case', 3, 35, 'case 1'],
      ['case', 3, 43, 'case 2'],
      ['case', 3, 52, 'case 3'],
      ['statement', 3, 23, ''],
      ['statement', 3, 28, ''],
      ['statement', 5, 7, ''],
      ['branch', 5, 4, 'if true'],
      ['branch', 5, 4, 'if false'],
      ['statement', 5, 19, ''],
      ['ternary', 5, 27, 'then'],
      ['ternary', 5, 31, 'else'],
      ['branch', 5, 23, '?: true'],
      ['branch', 5, 23, '?: false'],
      ['method', 5, 33, 'test true'],
      ['method', 5, 33, 'test false'],
    ].sort(
      (a, b) =>
        table.targets.findIndex((t) => String(t) === String(a)) -
        table.targets.findIndex((t) => String(t) === String(b)),
    ),
  );
  assert.deepEqual(table.cases, { 9: [1, { $expr: true }, -2, { $default: true }] });
  assert.deepEqual(table.lineOf, [
    [2, 1],
    [4, 3],
    [6, 5],
    [13, 3],
    [14, 3],
    [15, 5],
    [18, 5],
  ]);
  assert.equal(new Set(table.targets.map(String)).size, table.targets.length, 'two targets with one name');
});

test('the same text gives the same result', () => {
  const text = require('node:fs').readFileSync(require.resolve('acorn'), 'utf8');
  assert.deepEqual(
    instrument(text, { path: '/a', isModule: false }),
    instrument(text, { path: '/a', isModule: false }),
  );
});

test('a text that cannot be parsed throws', () => {
  assert.throws(() => instrument('let let = 1 +', { path: '/a', isModule: true }), SyntaxError);
});

test('a program that has patched what strings, arrays and expressions do loads files as before', () => {
  const text = '// a\nconst a = require("@scope/b/c"); if (a /* b */ > 1 && a < 2) throw new TypeError(`${a}`);';
  const { code, table } = instrument(text, { path: '/x.js', isModule: false });
  const evil = () => {
    throw new Error('patched');
  };
  for (const [owner, names] of [
    [String.prototype, 'includes startsWith indexOf slice trim split'],
    [RegExp.prototype, 'test exec'],
    [Array.prototype, 'push map join'],
    [Map.prototype, 'get set has'],
    [JSON, 'stringify'],
  ]) {
    for (const name of names.split(' ')) {
      const plain = owner[name];
      let result;
      try {
        owner[name] = evil;
        result = instrumentAsText(text, '/x.js', false);
      } finally {
        owner[name] = plain;
      }
      assert.deepEqual([result.code, result.tableText], [code, JSON.stringify(table)], name);
    }
  }
  assert.throws(() => instrumentAsText('let let = 1 +', '/x.js', false), /^Error: /);
});
