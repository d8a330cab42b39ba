'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

/** A handle with `count` pairs of branch targets at 1, 3, 5, ... and nothing else, or with the given targets. */
function handle(targets = 10, extra = {}) {
  const list =
    typeof targets === 'number' ? Array.from({ length: 2 * targets + 1 }, () => ['branch', 1, 0, '']) : targets;
  clearRecorder();
  recorder.areHintsWanted = true;
  return new FileProbes('/sut/a.js', 100, { targets: list, ...extra });
}
const METHODS = (name) =>
  handle([
    ['file', 1, 0, ''],
    ['method', 1, 0, `${name} true`],
    ['method', 1, 0, `${name} false`],
  ]);
const hints = () => keptHints(recorder);
/** Runs instrumented text with `$`. */
const run = ($, text, scope = {}) =>
  new Function('$', ...Object.keys(scope), `return ${text}`)($, ...Object.values(scope));

test('a statement has h 0.5 until it completes, its line and file 1 at once', () => {
  const $ = handle(
    [
      ['file', 1, 0, ''],
      ['line', 3, 0, ''],
      ['statement', 3, 0, ''],
    ],
    { lineOf: [[2, 1]] },
  );
  $.s(2);
  assert.deepStrictEqual([...$.best], [1, 1, 0.5]);
  $.c(2);
  assert.deepStrictEqual([...$.best], [1, 1, 1]);
  assert.strictEqual($.resultText(false), ',102,0,1,101,0,1,100,0,1');
  $.clear();
  assert.strictEqual($.resultText(true), '');
  $.x(2);
  assert.strictEqual($.best[2], 1);
});

test('covered targets are silent unless all are wanted', () => {
  const $ = handle(1);
  $.cover(1);
  $.eq3(1, 1, 1);
  assert.strictEqual($.best[1], 0);
  assert.ok($.best[2] > 0);
  $.clear();
  $.open(true);
  $.eq3(1, 1, 1);
  assert.strictEqual($.best[1], 1);
});

test('an evaluation that reports all targets has hints about all that it missed, also if it was met before', () => {
  const $ = handle(1);
  const told = () => {
    const found = hints().map((hint) => hint.right);
    clearRecorder();
    $.clear();
    return found;
  };
  const compare = () => ['member', 'auditor'].forEach((text) => $.eq3(1, 'member', text));
  compare();
  assert.deepStrictEqual(told(), ['member']);
  recorder.areHintsWanted = recorder.isFull = true;
  $.open(true);
  compare();
  recorder.isFull = false;
  assert.deepStrictEqual(told(), ['member', 'auditor']);
});

test('exactly the taken outcome of a comparison has h 1', () => {
  const values = [0, -0, 1, NaN, Infinity, 'a', '', '1', null, undefined, true, 2n, [], {}, new Date(0)];
  const native = {
    eq3: (a, b) => a === b,
    ne3: (a, b) => a !== b,
    eq2: (a, b) => a == b,
    ne2: (a, b) => a != b,
    lt: (a, b) => a < b,
    le: (a, b) => a <= b,
    gt: (a, b) => a > b,
    ge: (a, b) => a >= b,
  };
  for (const [probe, operation] of Object.entries(native)) {
    for (const a of values) {
      for (const b of values) {
        const $ = handle(1);
        const outcome = operation(a, b);
        assert.strictEqual($[probe](1, a, b), outcome);
        const [taken, other] = outcome ? [$.best[1], $.best[2]] : [$.best[2], $.best[1]];
        assert.ok(taken === 1 && other > 0 && other < 1, `${probe} ${String(a)} ${String(b)} ${taken} ${other}`);
      }
    }
  }
});

test('logical operators: value as native, one outcome 1, short circuit kept', () => {
  const text = {
    and: '$.al(1, a) && $.ar(1, b)',
    or: '$.ol(1, a) || $.or(1, b)',
    mixed: '$.olh(3, $.alh(1, $.eq3(5, a, 1)) && $.arh(1, $.nh(7, $.gt(9, b, 2)))) || $.or(3, c)',
  };
  const native = { and: 'a && b', or: 'a || b', mixed: '((a === 1) && !(b > 2)) || c' };
  for (const kind of Object.keys(text)) {
    for (const a of [0, 1, '', 'x', null]) {
      for (const b of [0, 3, '', 'y', undefined]) {
        for (const c of [0, 'z']) {
          const $ = handle(5);
          const expected = run($, native[kind], { a, b, c });
          assert.strictEqual(run($, text[kind], { a, b, c }), expected);
          const site = kind === 'mixed' ? 3 : 1;
          const pair = [$.best[site], $.best[site + 1]];
          assert.strictEqual(pair[expected ? 0 : 1], 1, `${kind} ${a} ${b} ${c} ${pair}`);
          assert.ok(pair[expected ? 1 : 0] > 0 && pair[expected ? 1 : 0] < 1, `${kind} ${a} ${b} ${c} ${pair}`);
        }
      }
    }
  }
});

test('a conjunction has a gradient through its operands, and getting past the left one is better', () => {
  const h = (a, b) => {
    const $ = handle(3);
    run($, '$.alh(1, $.eq3(3, a, 42)) && $.arh(1, $.eq3(5, b, 7))', { a, b });
    return $.best[1];
  };
  const way = [h(900, 0), h(50, 0), h(43, 0), h(42, 900), h(42, 8), h(42, 7)];
  for (let at = 1; at < way.length; at++) assert.ok(way[at] > way[at - 1], way.join());
  assert.strictEqual(way[5], 1);
});

test('the false outcome of a disjunction likewise', () => {
  const h = (a, b) => {
    const $ = handle(3);
    run($, '$.olh(1, $.gt(3, a, 10)) || $.orh(1, $.gt(5, b, 10))', { a, b });
    return $.best[2];
  };
  const way = [h(900, 0), h(11, 0), h(10, 900), h(10, 11), h(10, 10)];
  for (let at = 1; at < way.length; at++) assert.ok(way[at] > way[at - 1], way.join());
  assert.strictEqual(way[4], 1);
});

test('what holds when the right operand throws is known before it runs', () => {
  for (const [text, at] of [
    ['$.al(1, 1) && $.ar(1, boom())', 1],
    ['$.ol(1, 0) || $.or(1, boom())', 1],
  ]) {
    const $ = handle(1);
    const boom = () => {
      throw new Error('boom');
    };
    assert.throws(() => run($, text, { boom }), /boom/);
    assert.ok($.best[at] > 0 && $.best[at] < 1 && $.best[at + 1] > 0 && $.best[at + 1] < 1, text);
  }
});

test('operators whose first operand throws are reached', () => {
  const { code, table } = instrument('if (a.b.c === 1 && d > 2) ;', { path: '/x.js', isModule: false });
  const reached = (a) => {
    const $ = new FileProbes('/x.js', 0, table);
    try {
      new Function('__wimble_open__', 'a', 'd', code)(() => $, a, 1);
    } catch {
      // Of `b`.
    }
    return Object.fromEntries(table.targets.map(([kind, , , detail], index) => [detail || kind, $.best[index]]));
  };
  const thrown = reached({});
  assert.deepStrictEqual(
    [thrown['=== true'], thrown['=== false'], thrown['&& true'], thrown['&& false'], thrown['> true']],
    [0.005, 0.005, 0.005, 0.005, 0],
  );
  const decided = reached({ b: { c: 2 } });
  assert.ok(decided['=== false'] === 1 && decided['&& true'] > 0.005);
});

test('negation swaps, also over a comparison that is covered', () => {
  const $ = handle(2, { readers: [[3, 1]] });
  $.cover(3);
  $.cover(4);
  assert.strictEqual($.nh(1, $.eq3(3, 45, 42)), true);
  assert.strictEqual($.best[1], 1);
  assert.ok($.best[2] > 0.2 && $.best[2] < 1);
  $.clear();
  assert.strictEqual($.n(1, 'text'), false);
  assert.strictEqual($.best[2], 1);
});

test('a switch scores all literals at once; expressions decide in their order', () => {
  const $ = handle([['file', 1, 0, ''], ...Array.from({ length: 4 }, (_, n) => ['case', 1, 0, `case ${n}`])], {
    cases: { 1: ['gold', 'silver', { $bigint: '5' }, { $default: true }] },
  });
  assert.strictEqual($.sw(1, 'gold'), 'gold');
  assert.strictEqual($.best[1], 1);
  assert.ok($.best[2] > 0 && $.best[2] < 1 && $.best[4] > 0 && $.best[4] < 1);
  $.sw(1, 5n);
  assert.strictEqual($.best[3], 1);
  $.sw(1, 'x');
  assert.strictEqual($.best[4], 1);
  assert.deepStrictEqual(
    hints()
      .filter((h) => h.target === 102)
      .map((h) => [h.operator, h.left, h.right, h.wanted]),
    [
      ['===', 'gold', 'silver', true],
      ['===', { $bigint: '5' }, 'silver', true],
    ],
  );

  const mixed = () =>
    handle([['file', 1, 0, ''], ...Array.from({ length: 4 }, (_, n) => ['case', 1, 0, `case ${n}`])], {
      cases: { 1: ['a', { $expr: true }, 'c', { $default: true }] },
    });
  const text =
    "switch ($.sw(1, d)) { case 'a': r = 0; break; case $.cs(1, 1, x): r = 1; break; case 'c': r = 2; break; default: r = 3 }";
  for (const [d, x, taken] of [
    ['a', 'q', 0],
    ['q', 'q', 1],
    ['c', 'q', 2],
    ['c', 'c', 1],
    ['z', 'q', 3],
  ]) {
    const $ = mixed();
    assert.strictEqual(run($, `(() => { let r; ${text}; return r; })()`, { d, x }), taken);
    assert.deepStrictEqual(
      [...$.best].slice(1).map((h) => h === 1),
      [0, 1, 2, 3].map((n) => n === taken),
      `${d} ${x}`,
    );
  }
});

test('tracked methods: outcome, gradient, hints', () => {
  const call = ($, receiver, name, argument) =>
    run($, `$.mx(1, $.mr(1, R, 'R.${name}').${name}($.ma(1, A)))`, { R: receiver, A: argument });
  for (const [name, near, far, hit, argument] of [
    ['startsWith', 'order', 'zzzzz', 'ORDER-1', 'ORD'],
    ['endsWith', 'a.pdg', 'a.tzt', 'a.pdf', '.pdf'],
    ['includes', 'xxabd', 'xxyyy', 'xabcx', 'abc'],
  ]) {
    const hs = [far, near, hit].map((receiver) => {
      const $ = METHODS(name);
      call($, receiver, name, argument);
      return $.best[1];
    });
    assert.ok(hs[0] < hs[1] && hs[1] < 1 && hs[2] === 1, `${name} ${hs}`);
  }
  let $ = METHODS('test');
  assert.strictEqual(call($, /^\d+$/i, 'test', 'x'), false);
  assert.deepStrictEqual([$.best[1], $.best[2]], [0.1, 1]);
  assert.deepStrictEqual(
    [hints()[0].operator, hints()[0].left, hints()[0].right, hints()[0].flags],
    ['regex', 'x', '^\\d+$', 'i'],
  );
  $ = METHODS('match');
  assert.strictEqual(call($, 'a1', 'match', /\d/)[0], '1');
  assert.deepStrictEqual([$.best[1], $.best[2]], [1, 0.1]);
});

test('includes on arrays follows Equation 3', () => {
  const h = (receiver, argument) => {
    const $ = METHODS('includes');
    $.mx(1, $.mr(1, receiver, '').includes($.ma(1, argument)));
    return $.best[1];
  };
  assert.strictEqual(h([], 'a'), 0.05);
  assert.strictEqual(h(['a'], null), 0.1);
  assert.ok(h(['a', 'e'], 'f') > h(['a', 'e'], 'z'));
  assert.ok(h([{}], 'z') > 0.1);
  assert.strictEqual(h(['a', 'f'], 'f'), 1);
  h(['red', 'blue', {}], 'green');
  assert.deepStrictEqual(
    hints().map((hint) => [hint.operator, hint.left, hint.right]),
    [
      ['===', 'green', 'red'],
      ['===', 'green', 'blue'],
    ],
  );
});

test('receivers of other kinds are called and not measured', () => {
  const $ = METHODS('includes');
  const custom = { includes: (x) => x === 1 };
  assert.strictEqual($.mx(1, $.mr(1, custom, '').includes($.ma(1, 1))), true);
  assert.strictEqual($.mx(1, $.mr(1, Buffer.from('abc'), '').includes($.ma(1, 'b'))), true);
  assert.deepStrictEqual([...$.best], [0, 0, 0]);
});

test('a method that is not there throws what V8 throws, after its arguments ran', () => {
  const $ = METHODS('includes');
  const order = [];
  const text = "$.mr(1, R, 'R.x.includes').includes($.ma(1, f()))";
  for (const R of [{}, 5, { includes: 3 }, Object.create(null)]) {
    assert.throws(
      () => run($, text, { R, f: () => order.push(1) }),
      (error) => error.message === 'R.x.includes is not a function' && !/runtime\/methods/.test(error.stack),
    );
  }
  assert.strictEqual(order.length, 4);
  assert.throws(() => run($, text, { R: null, f: () => 0 }), /Cannot read properties of null \(reading 'includes'\)/);
  const traps = [];
  const proxy = new Proxy(
    {},
    {
      get: (t, key) => (traps.push(key), () => true),
      getOwnPropertyDescriptor: () => traps.push('!'),
      has: () => traps.push('!'),
      getPrototypeOf: () => traps.push('!'),
    },
  );
  $.mx(1, $.mr(1, proxy, '').includes(1));
  assert.deepStrictEqual(traps, ['includes']);
});

test('hostile operands are converted once, by the operation itself', () => {
  const $ = handle(1);
  let conversions = 0;
  const counted = { valueOf: () => ++conversions };
  assert.strictEqual($.lt(1, counted, 5), true);
  assert.strictEqual($.eq2(1, counted, 2), true);
  $.nh(1, $.gt(1, counted, 5));
  assert.strictEqual(conversions, 3);
  const bomb = {
    valueOf() {
      throw new RangeError('bomb');
    },
  };
  assert.throws(
    () => $.lt(1, bomb, 1),
    (error) => error instanceof RangeError && !/probes\.cjs/.test(error.stack),
  );
  assert.throws(() => $.ge(1, Symbol('s'), 1), TypeError);
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error('touched');
      },
      getPrototypeOf() {
        throw new Error('touched');
      },
    },
  );
  assert.strictEqual($.eq3(1, trap, trap), true);
  $.n(1, trap);
  $.k(1, trap);
  $.g(trap);
});

test('hints: bounded, without doubles, uncovered outcomes and scalars only', () => {
  let $ = handle(1);
  for (let n = 0; n < 20; n++) $.eq3(1, n % 4, 99);
  assert.strictEqual(hints().length, 2);
  $ = handle(1);
  for (let n = 0; n < 3; n++) $.eq3(1, 1, 99);
  assert.strictEqual(hints().length, 1);
  $ = handle(1);
  $.ne3(1, 'a', 'b');
  assert.deepStrictEqual([hints()[0].target, hints()[0].operator, hints()[0].wanted], [102, '===', true]);
  $ = handle(1);
  $.eq3(1, {}, []);
  $.eq3(1, {}, 'a');
  assert.strictEqual(hints().length, 0);
  $.eq3(1, 'x'.repeat(5000), NaN);
  assert.deepStrictEqual([hints()[0].left.length, hints()[0].right], [1024, { $number: 'NaN' }]);
  $ = handle(300);
  for (let n = 0; n < 300; n++) $.eq3(1 + 2 * n, n, -1);
  assert.strictEqual(hints().length, 200);
  $ = handle(1);
  recorder.areHintsWanted = false;
  $.eq3(1, 1, 2);
  assert.strictEqual(hints().length, 0);
  $ = handle(1);
  $.n(1, undefined);
  assert.deepStrictEqual(
    [hints()[0].target, hints()[0].operator, hints()[0].left, hints()[0].wanted],
    [102, 'truthy', { $undefined: true }, true],
  );
});

test('a ternary arm has h 0.5 until its value is there', () => {
  const $ = handle(2);
  $.qe(1);
  assert.strictEqual($.best[1], 0.5);
  assert.strictEqual($.qc(1, 'v'), 'v');
  assert.strictEqual($.best[1], 1);
});

test('an operator that is covered still tells the one around it how close it was', () => {
  const h = (a, b) => {
    const $ = handle(4, {
      readers: [
        [3, 1],
        [5, 3],
        [7, 3],
      ],
    });
    $.cover(3);
    $.cover(4);
    const text = '$.alh(1, $.alh(3, $.eq3(5, a, 42)) && $.arh(3, $.eq3(7, b, 7))) && $.ar(1, 1)';
    run($, text, { a: 0, b: 0 });
    run($, text, { a: 42, b: 0 });
    $.clear();
    run($, text, { a, b });
    return $.best[1];
  };
  const way = [h(900, 0), h(43, 0), h(42, 900), h(42, 8), h(42, 7)];
  for (let at = 1; at < way.length; at++) assert.ok(way[at] > way[at - 1], way.join());
  assert.strictEqual(way[4], 1);
});

test('a site takes the shortest way out once it and all around it is covered, in whatever order that comes', () => {
  const readers = [
    [3, 1],
    [5, 3],
    [7, 3],
  ];
  const $ = handle(4, { readers });
  const skipped = () => [1, 3, 5, 7].filter((site) => $.skip[site] === 1);
  for (const target of [5, 6, 3, 4, 7]) $.cover(target);
  assert.deepStrictEqual(skipped(), []);
  $.cover(2);
  $.cover(1);
  assert.deepStrictEqual(skipped(), [1, 3, 5]);
  $.cover(8);
  assert.deepStrictEqual(skipped(), [1, 3, 5, 7]);
  $.open(true);
  assert.deepStrictEqual(skipped(), []);
  $.open(false);
  assert.deepStrictEqual(skipped(), [1, 3, 5, 7]);
});

/** How often a function of the probes runs while `body` does. */
function countCalls($, name, body) {
  let n = 0;
  const plain = $[name];
  $[name] = function (...given) {
    n++;
    return plain.apply(this, given);
  };
  body();
  delete $[name];
  return n;
}

test('a site in a long loop backs off after 250 looks, and every 17th visit is looked at', () => {
  const $ = handle(1);
  const looks = countCalls($, 'learnComparison', () => {
    for (let n = 0; n < 250 + 170; n++) assert.strictEqual($.eq3(1, n, -1), false);
  });
  assert.ok(looks >= 250 + 9 && looks <= 250 + 11, `${looks}`);
  $.clear();
  assert.strictEqual(
    countCalls($, 'learnComparison', () => $.eq3(1, 5, -1)),
    1,
    'the next evaluation begins awake',
  );
});

test('a site that backed off misses no outcome, and is looked at again after a new one', () => {
  const $ = handle(1);
  for (let n = 0; n < 1000; n++) $.lt(1, n, 1000);
  assert.strictEqual($.best[1], 1);
  assert.ok($.best[2] < 1);
  $.lt(1, 1000, 1000);
  assert.strictEqual($.best[2], 1);
  assert.strictEqual($.skip[1], 1, 'nothing is left to work out in this evaluation');
  $.clear();
  assert.strictEqual($.skip[1], 0);
});

test('what is read backs off and wakes with what reads it', () => {
  const [reader, left, right] = [1, 3, 5];
  const $ = handle(3, {
    readers: [
      [left, reader],
      [right, reader],
    ],
  });
  const and = (a, b) => $.alh(reader, $.eq3(left, a, 'x')) && $.arh(reader, $.eq3(right, b, 10));
  for (let n = 0; n < 500; n++) assert.strictEqual(and('y', 0), false);
  const learnt = countCalls($, 'learnComparison', () => {
    for (let n = 0; n < 170; n++) and('y', 0);
  });
  assert.ok(learnt >= 9 && learnt <= 11, `${learnt}`);
  assert.strictEqual($.best[right], 0);
  // The right operand comes for the first time: it is looked at, and so is what reads it.
  assert.strictEqual(and('x', 0), false);
  assert.ok($.best[right] > 0);
  assert.ok($.best[reader] > 0.5);
  const first = $.best[reader];
  and('x', 8);
  assert.ok($.best[reader] > first, 'a new outcome gives all the patience again');
  assert.strictEqual(and('x', 10), true);
  assert.deepStrictEqual([$.best[reader], $.best[reader + 1]], [1, 1]);
});

test('random visits of resting sites say what the program says, and cover what it covered', () => {
  let state = 7;
  const random = (limit) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % limit;
  const $ = handle(6, {
    readers: [
      [3, 1],
      [5, 1],
      [9, 7],
      [11, 9],
    ],
  });
  for (let evaluation = 0; evaluation < 20; evaluation++) {
    const seen = new Set();
    const note = (site, value) => (seen.add(value ? site : site + 1), value);
    const rare = 200 + random(600);
    for (let n = 0; n < 3000; n++) {
      const [a, b, c] = [random(rare), random(rare), random(rare)];
      const expected = note(1, note(3, a === 0) || note(5, b < c));
      assert.strictEqual($.olh(1, $.eq3(3, a, 0)) || $.orh(1, $.lt(5, b, c)), expected);
      const other = note(7, !note(9, !note(11, c >= 3)));
      assert.strictEqual($.nh(7, $.nh(9, $.ge(11, c, 3))), other);
    }
    for (let target = 1; target < 13; target++) {
      assert.strictEqual($.best[target] === 1, seen.has(target), `${evaluation}: ${target}`);
    }
    $.clear();
  }
});

test('an outcome that late work reached is looked at again', () => {
  const $ = handle(2, { readers: [[3, 1]] });
  $.nh(1, $.eq3(3, 1, 1));
  $.nh(1, $.eq3(3, 2, 1));
  assert.deepStrictEqual([$.skip[1], $.skip[3]], [1, 1]);
  $.best[1] = 0.2;
  $.takeBack(1);
  assert.deepStrictEqual([$.skip[1], $.skip[3]], [0, 0]);
});
