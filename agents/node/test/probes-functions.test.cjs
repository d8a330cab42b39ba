'use strict';
/** Functions, `catch` clauses and loops of a real text: what is entered, completed and passed by. */
const { test } = require('node:test');
const assert = require('node:assert');
const { targetsAfter } = require('./instrument-support/targets.cjs');

/** h of all targets of a kind after running a text, as `detail line: h`. */
async function after(kind, text, options) {
  return (await targetsAfter(text, options))
    .filter((target) => target.kind === kind)
    .map(({ detail, line, h }) => `${detail} ${line}: ${h}`);
}

test('a function is entered with 0.5 and completed with 1', async () => {
  const text = `
    function never() { return 1 }
    function falls() { if (0) return 1 }
    function throws() { null.x }
    function nested() { return throws() }
    const arrow = () => throws()
    const value = () => 1
    function empty() {}
    class A { constructor() { this.x = 1 } get p() { return 1 } set p(v) { throw v } static s() { function inner() {} } }
    falls(); empty(); value(); for (const f of [throws, nested, arrow, () => { new A().p = 1 }, () => A.s() + new A().p]) try { f() } catch {}`;
  assert.deepStrictEqual(await after('function', text), [
    'never 2: 0',
    'falls 3: 1',
    'throws 4: 0.5',
    'nested 5: 0.5',
    'arrow 6: 0.5',
    'value 7: 1',
    'empty 8: 1',
    'constructor 9: 1',
    'get p 9: 1',
    'set p 9: 0.5',
    's 9: 1',
    'inner 9: 0',
    ' 10: 0.5',
    ' 10: 1',
  ]);
});

test('an async function and the statement that waits complete when the wait is over, a generator when it has run to its end', async () => {
  const text = `
    const gate = new Promise((resolve) => { globalThis.openGate = resolve });
    async function waits() { await gate }
    async function fails() { await Promise.reject(1) }
    function* steps() { yield 1; yield 2 }
    async function* asyncSteps() { yield 1 }
    const arrow = async () => await gate
    waits(); fails().catch(() => {}); arrow(); const i = steps(); i.next(); i.next(); const j = asyncSteps(); j.next();
    module.exports = { i, j }`;
  const names = /^(waits|fails|steps|asyncSteps|arrow) /;
  const before = await targetsAfter(text);
  const pick = (targets) =>
    targets
      .filter(({ kind, detail }) => kind === 'function' && names.test(`${detail} `))
      .map(({ detail, h }) => `${detail} ${h}`);
  assert.deepStrictEqual(pick(before), ['waits 0.5', 'fails 0.5', 'steps 0.5', 'asyncSteps 0.5', 'arrow 0.5']);
  const awaiting = (targets) => targets.find(({ kind, line }) => kind === 'statement' && line === 3).h;
  assert.strictEqual(awaiting(before), 0.5);
  globalThis.openGate();
  before.exports.i.next();
  await before.exports.j.next();
  await new Promise(setImmediate);
  const later = before.again();
  assert.deepStrictEqual(pick(later), ['waits 1', 'fails 0.5', 'steps 1', 'asyncSteps 1', 'arrow 1']);
  assert.strictEqual(awaiting(later), 1);
  delete globalThis.openGate;
});

test('a function that never completes goes on telling that it was entered, though its statements are covered', async () => {
  const text = 'function f(x) { x += 1; throw x }\nmodule.exports = () => { try { f(1) } catch {} }';
  const run = await targetsAfter(text);
  for (const { index, h } of run) if (h === 1) run.probes.cover(index);
  run.probes.clear();
  run.exports();
  assert.strictEqual(run.again().find(({ kind, detail }) => kind === 'function' && detail === 'f').h, 0.5);
});

test('catch is reached, with and without a parameter', async () => {
  const text =
    'try { null.x } catch {}\ntry { } catch (e) { }\ntry { throw 1 } catch ({ length }) { }\ntry { throw null } catch ({ length }) { }'
      .replace(/\n(?!.*\n)try/, '\ntry { try')
      .concat(' } catch (e) {}');
  assert.deepStrictEqual(await after('catch', text), [' 1: 1', ' 2: 0', ' 3: 1', ' 4: 0', ' 4: 1']);
});

test('a loop over a collection is entered, passed by, or neither', async () => {
  const text = `
    for (const x of [1, 2]) ;
    for (const x in {}) ;
    try { for (const x of 5) ; } catch {}
    function f(list) { for (const x of list) return x }
    f([]); f([1]);
    a: for (const x of [1]) { for (const y of [1]) break a }
    const recursive = (n) => { for (const x of n ? [n - 1] : []) recursive(x) }
    recursive(1)
    try { for (const x of [1]) throw x } catch {}`;
  const { BASE } = require('../src/runtime/heuristics/distance.cjs');
  const pairs = (await after('loop', text)).map((each) => each.replace('entered ', ''));
  assert.deepStrictEqual(pairs, [
    'true 2: 1',
    `false 2: ${BASE}`,
    `true 3: ${BASE}`,
    'false 3: 1',
    'true 4: 0',
    'false 4: 0',
    'true 5: 1',
    'false 5: 1',
    'true 7: 1',
    `false 7: ${BASE}`,
    'true 7: 1',
    'false 7: 0',
    'true 8: 1',
    'false 8: 1',
    'true 10: 1',
    'false 10: 0',
  ]);
});

test('a loop that may be left is passed, or comes the closer the more rounds it has begun', async () => {
  const text = `
    function f(list) { for (const x of list) if (x < 0) return; }
    function g(list) { for (const x of list) if (x < 0) throw x; }
    function h(list) { for (const x of list) { if (x < 0) return; } }
    f([1, 1, -1]); f([-1]);
    try { g([1, -1]) } catch {}
    h([1, -1]); h([1]);`;
  const passed = (await after('branch', text)).filter((each) => each.startsWith('loop passed'));
  const closeness = passed.map((each) => Number(each.replace(/.*: /, '')));
  assert.ok(closeness[0] > closeness[1] && closeness[1] > 0 && closeness[0] < 1, passed.join());
  assert.equal(closeness[2], 1);
});
