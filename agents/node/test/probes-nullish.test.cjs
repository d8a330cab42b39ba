'use strict';
/**
 * `??`, `?.`, optional calls, logical assignments, `in` and `instanceof` of real texts: which outcomes were taken, and
 * that no other one was.
 */
const { test } = require('node:test');
const assert = require('node:assert');
const { targetsAfter } = require('./instrument-support/targets.cjs');
const { NULLISH_ELEMENT } = require('../src/runtime/heuristics/distance.cjs');

/**
 * `detail h` of the branch targets of an expression of `a` and `b`, where the two outcomes of a site stand side by
 * side.
 */
async function branches(text, scope = {}) {
  const targets = (await targetsAfter(`'use strict'; module.exports = { result: ${text} }`, scope)).filter(
    ({ kind }) => kind === 'branch',
  );
  return targets.map(({ detail, h }) => `${detail} ${h}`);
}
const covered = async (text, scope) =>
  (await branches(text, scope)).filter((each) => each.endsWith(' 1')).map((each) => each.slice(0, -2));

test('?? and ?. have the outcomes nullish and not nullish', async () => {
  assert.deepStrictEqual(await branches('a ?? b', { a: null, b: 1 }), ['?? true 1', '?? false 0.01']);
  assert.deepStrictEqual(await branches('a ?? b', { a: 0, b: 1 }), ['?? true 0.01', '?? false 1']);
  assert.deepStrictEqual(await branches('a?.b', { a: undefined }), ['?. true 1', '?. false 0.01']);
  assert.deepStrictEqual(await covered('a?.b?.c ?? b', { a: { b: null }, b: 1 }), ['?. false', '?. true', '?? true']);
  assert.deepStrictEqual(await covered('a?.b()', { a: { b: () => 1 } }), ['?. false']);
  assert.deepStrictEqual(await covered('a?.b()', { a: null }), ['?. true']);
});

test('optional calls: what is called is there or not, and a getter is never asked', async () => {
  const value = {
    f: () => 1,
    n: null,
    get g() {
      return () => 1;
    },
  };
  assert.deepStrictEqual(await covered('a.f?.()', { a: value }), ['?. false']);
  assert.deepStrictEqual(await covered('a.n?.()', { a: value }), ['?. true']);
  assert.deepStrictEqual(await covered('a.zz?.()', { a: value }), ['?. true']);
  assert.deepStrictEqual(await branches('a.g?.()', { a: value }), ['?. true 0.01', '?. false 0.01']);
  assert.deepStrictEqual(await covered('a?.()', { a: null }), ['?. true']);
  assert.deepStrictEqual(await covered('a?.()', { a: () => 1 }), ['?. false']);
  // The second link is not met where the first one ends the chain.
  assert.deepStrictEqual(await branches('a?.f?.()', { a: null }), [
    '?. true 1',
    '?. false 0.01',
    '?. true 0',
    '?. false 0',
  ]);
});

test('calls after a ?. further to the left are left out where the chain ends, and throw where it goes on', async () => {
  assert.deepStrictEqual(await covered('a?.b.c()', { a: { b: { c: () => 1 } } }), ['?. false']);
  assert.deepStrictEqual(await covered('a?.b.c()', { a: null }), ['?. true']);
  const methods = async (a) =>
    (
      await targetsAfter(`'use strict'; let r; try { r = a?.b.includes('x') } catch { r = 0 } module.exports = { r }`, {
        a,
      })
    )
      .filter(({ kind }) => kind === 'method')
      .map(({ h }) => h);
  assert.deepStrictEqual(
    (await methods({ b: 'ax' })).map((h) => h === 1),
    [true, false],
  );
  assert.deepStrictEqual(
    (await methods({ b: 'ay' })).map((h) => h === 1),
    [false, true],
  );
  assert.deepStrictEqual(await methods(null), [0, 0]);
  assert.deepStrictEqual(await methods({}), [0, 0]);
  // Calls between a ?. and the end of the chain have outcomes, too.
  const within = async (a) =>
    (await targetsAfter(`'use strict'; module.exports = { r: a?.s.split(' ').includes('x') ? 1 : 2 }`, { a }))
      .filter(({ kind, detail }) => kind === 'method' && detail.startsWith('includes'))
      .map(({ h }) => h === 1);
  assert.deepStrictEqual(await within({ s: 'a x' }), [true, false]);
  assert.deepStrictEqual(await within({ s: 'a y' }), [false, true]);
  assert.deepStrictEqual(await within(null), [false, false]);
  // The receiver's getter ends a chain of the same site before it answers undefined itself.
  const { exports } = await targetsAfter(
    `const log = [], read = (v) => { try { return String(v?.b.includes('x')) } catch (e) { return e.message } };
     log.push(read({ get b() { log.push(read(null)); return undefined } }), read({ get b() { return { get includes() { return () => 7 } } } }));
     module.exports = log;`,
  );
  assert.deepStrictEqual(exports, ['undefined', "Cannot read properties of undefined (reading 'includes')", '7']);
});

test('a nullish value is hinted as null, so that it can be left out or given', async () => {
  const { hints } = await targetsAfter('x = a ?? 1; y = b ?? 2', { a: 'text', b: undefined, x: 0, y: 0 });
  assert.deepStrictEqual(
    hints.map(({ operator, left, right, wanted }) => [operator, left, right, wanted]),
    [
      ['==', 'text', null, true],
      ['==', { $undefined: true }, null, false],
    ],
  );
});

test('logical assignments cover exactly the outcome they had', async () => {
  for (const [operator, cases] of Object.entries({
    '??=': [
      [null, 1, '?? true'],
      [undefined, 0, '?? true'],
      [0, 1, '?? false'],
      ['', 1, '?? false'],
    ],
    '||=': [
      [0, 1, '|| true'],
      [0, '', '|| false'],
      [1, 0, '|| true'],
    ],
    '&&=': [
      [0, 1, '&& false'],
      [1, 0, '&& false'],
      [1, 2, '&& true'],
    ],
  })) {
    for (const [a, b, expected] of cases) {
      assert.deepStrictEqual(
        await covered(`((x) => x ${operator} b)(a)`, { a, b }),
        [expected],
        `${a} ${operator} ${b}`,
      );
      assert.deepStrictEqual(
        await covered(`((x) => x.y ${operator} b)({ y: a })`, { a, b }),
        [expected],
        `${a} ${operator} ${b}`,
      );
      const pair = (await branches(`((x) => x ${operator} b)(a)`, { a, b })).map((each) =>
        Number(each.split(' ').pop()),
      );
      assert.ok(pair.every((h) => h > 0) && pair.filter((h) => h === 1).length === 1, `${a} ${operator} ${b}: ${pair}`);
    }
  }
});

test('an assignment whose site runs again while it runs claims nothing that is not so', async () => {
  const text = `
    const log = [];
    const make = (d) => ({ set v(x) { this._v = x; if (d) make(d - 1).link() }, get v() { return this._v }, link() { return this.v ??= d } });
    make(2).link();
    const later = async (n) => { let x; x ??= await (n ? later(n - 1) : 1); return x };
    later(3);`;
  const targets = (await targetsAfter(text)).filter(({ detail }) => detail.startsWith('??'));
  assert.deepStrictEqual(
    targets.map(({ detail, h }) => `${detail} ${h}`),
    ['?? true 1', '?? false 0.01', '?? true 1', '?? false 0.01'],
  );
});

test('when the right operand throws, the left one counts', async () => {
  const boom = () => {
    throw new Error('boom');
  };
  for (const [operator, value] of [
    ['??=', null],
    ['||=', 0],
    ['&&=', 1],
  ]) {
    const targets = await targetsAfter(`try { (() => { let x = a; x ${operator} boom() })() } catch {}`, {
      a: value,
      boom,
    });
    const pair = targets.filter(({ kind }) => kind === 'branch').map(({ h }) => h);
    assert.ok(pair.length === 2 && pair.every((h) => h > 0), `${operator} ${pair}`);
    assert.strictEqual(pair.includes(1), operator === '??=', `${operator} ${pair}`);
  }
});

test('in: existing keys lead to the one asked for, and are hinted', async () => {
  const h = async (a, b) => (await targetsAfter('a in b', { a, b })).find(({ detail }) => detail === 'in true').h;
  const way = [
    await h('x', {}),
    await h(Symbol.iterator, { total: 1 }),
    await h('q', { total: 1 }),
    await h('tot', { total: 1 }),
    await h('totak', { total: 1 }),
    await h('total', { total: 1 }),
  ];
  for (let at = 1; at < way.length; at++) assert.ok(way[at] >= way[at - 1], way.join());
  assert.ok(way[4] > NULLISH_ELEMENT && way[4] < 1 && way[5] === 1, way.join());
  assert.ok((await h(12, [1, 2])) > (await h(500, [1, 2])));
  const { hints } = await targetsAfter('if (a in b) ;', { a: 'sort', b: { name: 1, price: 2 } });
  assert.deepStrictEqual(
    hints.map(({ operator, left, right }) => [operator, left, right]),
    [
      ['===', 'sort', 'name'],
      ['===', 'sort', 'price'],
    ],
  );
});

test('what is looked for in a list, set or map has the name that it was read from', async () => {
  const b = { role: 'guest' };
  for (const [call, a] of [
    ['a.includes(b.role)', ['admin']],
    ['a.indexOf(b.role) >= 0', ['admin']],
    ['a.has(b.role)', new Set(['admin'])],
    ['a.has(b.role)', new Map([['admin', 1]])],
  ]) {
    const { hints } = await targetsAfter(`if (${call}) ;`, { a, b });
    const asked = hints.filter(({ right }) => right === 'admin');
    assert.deepStrictEqual([asked[0].left, asked[0].name], ['guest', 'b.role'], call);
  }
});

test('the class of an error that did not occur is hinted, of errors only', async () => {
  const named = async (a, b) =>
    (await targetsAfter('if (a instanceof b) ;', { a, b })).hints.map(({ left, right }) => [left, right]);
  class Late extends Error {}
  assert.deepStrictEqual(await named(new TypeError('fetch failed'), SyntaxError), [['TypeError', 'SyntaxError']]);
  assert.deepStrictEqual(await named(new Error('x'), Late), [['Error', 'Late']]);
  assert.deepStrictEqual(await named(new Late('x'), Error), []);
  assert.deepStrictEqual(await named({ name: 'TypeError' }, SyntaxError), []);
});

test('in and instanceof ask traps once, and pass on their truthness', async () => {
  let asked = 0;
  const trap = new Proxy(
    {},
    {
      has: () => (asked++, true),
      ownKeys: () => assert.fail('asked for keys'),
      getPrototypeOf: () => assert.fail('asked for a prototype'),
    },
  );
  assert.deepStrictEqual(await covered('("k" in a) && !(b instanceof Object)', { a: trap, b: 1 }), [
    'in true',
    '&& true',
    '! true',
    'instanceof false',
  ]);
  assert.strictEqual(asked, 1);
  const near = async (a) => (await branches('!(a in b)', { a, b: { total: 1 } }))[1];
  assert.ok((await near('totak')) > (await near('zz')));
});

test('each condition has both outcomes as targets, once', async () => {
  const conditions = [
    'a',
    'a.b',
    'a ?? b',
    'a?.b',
    '(a)',
    'a = b',
    '(m = f()) > 3',
    'm = a > b',
    'a, b',
    'a, !b',
    'a ? b : a',
    'a ? a > b : b',
    '(a ?? b) > 1',
    'a ||= b',
    'a &&= b',
    'a ??= b',
    'a in c',
    'a instanceof Object',
    'f()',
    'a && b || !a',
    '!(a, b)',
    'await1',
    '(a = b, a ?? b > 1)',
    'm = m = a < b',
    'a ?? (b ? a : !b)',
  ];
  for (const condition of conditions) {
    for (const a of [0, 2, null]) {
      for (const b of [0, 2]) {
        const scope = { a, b, c: {}, f: () => b, m: 0, await1: a };
        const text = condition === 'a.b' ? '(a ?? c).b' : condition;
        const targets = await targetsAfter(`module.exports = (${text}) ? 1 : 0; if (${text}) ;`, scope);
        const name = `${text} ${a} ${b}`;
        const outcome = targets.exports === 1;
        const own = targets.filter(({ kind, detail }) => kind === 'branch' && /^(if|\?:) /.test(detail));
        if (own.length > 0) {
          const taken = own.filter(({ detail }) => detail.startsWith('?:')).map(({ detail, h }) => [detail, h === 1]);
          assert.ok(
            (taken.some(([detail, is]) => detail === `?: ${outcome}` && is) &&
              taken.some(([detail, is]) => detail === `?: ${!outcome}` && !is)) ||
              taken.length > 2,
            `${name} ${JSON.stringify(taken)}`,
          );
        } else {
          const outer = targets.filter(({ kind, detail }) => kind === 'branch' && !/^\?[?.]/.test(detail));
          assert.ok(
            outer.some(({ detail, h }) => detail.endsWith(String(outcome)) && h === 1),
            name,
          );
        }
        for (const { detail, kind, h } of targets) {
          assert.ok(kind !== 'branch' || (h >= 0 && h <= 1), `${name} ${detail} ${h}`);
        }
      }
    }
  }
});

test('a condition passes on the distance of what decided it', async () => {
  const h = async (text, a) =>
    (await targetsAfter(`if (${text}) ;`, { a, b: null, m: 0 })).find(
      ({ detail }) => detail === 'if true' || detail === '> true',
    ).h;
  for (const text of ['b ?? a > 42', 'b ? b : a > 42', '(m, b ?? a > 42)', 'm = b ?? a > 42', '!b ? a > 42 : b']) {
    assert.ok((await h(text, 41)) > (await h(text, 0)) && (await h(text, 0)) > (await h(text, -900)), text);
  }
});
