'use strict';
/** Inputs of a call are recognised where the program reads them, and keep their expressions through built-ins. */

const test = require('node:test');
const assert = require('node:assert/strict');
const vm = require('node:vm');
const { trace } = require('../src/instrument/tracing/trace.cjs');
const { FollowedCondition } = require('../src/concolic/followed-condition.cjs');
const { TraceHandle } = require('../src/concolic/trace-handle.cjs');
const { pathOf } = require('../src/concolic/path-message.cjs');

function traced(source, inputs, ...args) {
  return tracedFor(null, source, inputs, ...args);
}

function tracedFor(followed, source, inputs, ...args) {
  const handle = new TraceHandle();
  const code = trace(`module.exports = ${source}`, { path: '/app.js', isModule: false });
  const module = { exports: null };
  vm.compileFunction(code, ['module', '__wimble_open__'])(module, () => handle);
  handle.begin(inputs, followed);
  const result = module.exports(...args);
  const { nodes, entries } = pathOf(handle);
  const shown = (id) => {
    const [op, of, value] = nodes[id];
    if (op === 'k') return JSON.stringify(value);
    return of.length === 0 ? op.slice(3) : `${op}(${of.map(shown).join(', ')})`;
  };
  return {
    result,
    path: entries.map(([site, isTaken, node]) => `${isTaken} ${shown(node)} @${site.replace(/^.*:/, '')}`),
    needed: entries.filter(([, , , isMerged]) => !isMerged).map(([site]) => site.replace(/^.*:/, '')),
  };
}

const X = { place: '/query/x', name: 'x', value: '12' };
const N = { place: '/body/count', name: 'count', value: 3 };

test('members, patterns and calls with a name of an input give the input', () => {
  const member = traced('(q) => q.x === "13"', [X], { x: '12' });
  assert.deepEqual(member.path, ['false ===(/query/x, "13") @===']);
  const pattern = traced('({ count }) => { if (count * 2 > 5) return 1; return 0 }', [N], { count: 3 });
  assert.deepEqual(pattern.path, ['true <(5, *(/body/count, 2)) @>', 'true <(5, *(/body/count, 2)) @if']);
  const call = traced('(q) => q.get("x").startsWith("4")', [X], new Map([['x', '12']]));
  assert.deepEqual(call.path, ['false startsWith(/query/x, "4", 0) @()']);
});

test('a value of another name, or another value of the name, is no input', () => {
  assert.deepEqual(traced('(q) => q.y === "13"', [X], { y: '12' }).path, []);
  assert.deepEqual(traced('(q) => q.x === "13"', [X], { x: '14' }).path, []);
});

test('expressions go through variables, objects, loops, callbacks and built-ins', () => {
  const source = `(q) => {
    const kept = { text: q.x.trim() };
    let sum = 0;
    for (const digit of [...kept.text].map(Number)) sum += digit;
    return sum % 10 === 0;
  }`;
  const { result, path } = traced(source, [X], { x: '12' });
  assert.equal(result, false);
  assert.match(path.at(-1), /^false ===\(%\(\+\(\+\(0, toNumber\(charAt\(trim\(\/query\/x\), 0\)\)\), toNumber/);
});

test('a shadow of a value that has changed since is not used', () => {
  const source = `(q) => { let x = q.x; const set = (v) => { x = v }; [1].forEach(() => set('zz')); return x === 'aa' }`;
  assert.deepEqual(traced(source, [X], { x: '12' }).path, []);
});

test('regular expressions, splits, keys and conversions are conditions', () => {
  assert.deepEqual(traced('(q) => /^a+$/i.test(q.x)', [X], { x: '12' }).path, [
    'false test(/query/x, "^a+$", "i") @()',
  ]);
  assert.deepEqual(traced('(q) => q.x.split("-").length === 3', [X], { x: '12' }).path, [
    'false ===(parts(/query/x, "-"), 3) @===',
  ]);
  assert.deepEqual(traced('(q) => ({ a: 1, b: 2 })[q.x]', [X], { x: '12' }).path, [
    'false isKey(/query/x, "[[\\"a\\",1],[\\"b\\",2]]") @key',
  ]);
  assert.deepEqual(traced('(q) => Number(q.x) > 4', [{ ...X, value: 'no' }], { x: 'no' }).path, [
    'true isNaN(/query/x) @number',
  ]);
});

test('what patterns take out of lists, objects and arguments keeps its expression', () => {
  const list = traced('(q) => { const [a, [b]] = [q.x + "1", [q.x]]; return a + b === "12" }', [X], { x: '12' });
  assert.match(list.path.at(-1), /^false ===\(concat\(concat\(\/query\/x, "1"\), \/query\/x\), "12"\)/);
  const argument = traced('(q) => { const f = ({ a: [one] }) => one; return f({ a: [q.x] }) < "2" }', [X], { x: '12' });
  assert.match(argument.path.at(-1), /^true <\(\/query\/x, "2"\)/);
  const loop = traced('(q) => { for (const [k, v] of [["a", q.x]]) if (v === k) return 1; return 0 }', [X], {
    x: '12',
  });
  assert.match(loop.path.at(-1), /^false ===\(\/query\/x, "a"\)/);
});

test('elements of a list of the call are inputs, if the list holds what the call has there', () => {
  const inputs = [1, 2].map((value, index) => ({ place: `/body/sides/${index}`, name: 'sides', value }));
  const source = '({ body }) => { const [a, b] = body.sides; return a < b }';
  const path = traced(source, inputs, { body: { sides: [1, 2] } }).path;
  assert.deepEqual(path, ['true <(/body/sides/0, /body/sides/1) @<']);
  assert.deepEqual(traced(source, inputs, { body: { sides: [2, 1] } }).path, []);
});

test('looking for the elements of a list runs no getter and no trap', () => {
  const seen = [];
  const proxy = new Proxy([1], {
    get: (list, key) => (seen.push(key), list[key]),
    getOwnPropertyDescriptor: () => seen.push('descriptor'),
  });
  const inputs = [{ place: '/body/sides/0', name: 'sides', value: 1 }];
  const body = {
    sides: proxy,
    get other() {
      return seen.push('getter');
    },
  };
  traced('(q) => q.body.sides === 2', inputs, { body });
  assert.deepEqual(seen, []);
});

test('a logical operator is a condition of its left operand, and of the whole', () => {
  const { path } = traced('(q) => q.x > "1" && q.x > "4"', [X], { x: '12' });
  assert.deepEqual(path, [
    'true <("1", /query/x) @>',
    'true <("1", /query/x) @&& left',
    'false <("4", /query/x) @>',
    'false ite(<("1", /query/x), <("4", /query/x), <("1", /query/x)) @&&',
  ]);
});

test('an element beyond the end of a split text says how many parts there are', () => {
  const { path } = traced('(q) => { const [, b] = q.x.split("-"); return b }', [X], { x: '12' });
  assert.deepEqual(path, ['false <(1, parts(/query/x, "-")) @key']);
});

test('where no expression has the condition that is followed, it is told how close its operands came', () => {
  const source = `(q) => {
    const open = [], close = () => open.push(0);
    for (const one of q.x) if (one === '(') close();
    const n = open.length;
    return !n || n >= 4;
  }`;
  const missed = (text, place, isWanted) => {
    const followed = new FollowedCondition(`/app.js:5:${place}`, isWanted);
    tracedFor(followed, source, [{ ...X, value: text }], { x: text });
    return followed.h;
  };
  const [none, two, three, four] = ['a', 'a(b(', '(((', '(((('].map((text) => missed(text, '19:>=', true));
  assert.deepEqual([none, four], [0, 1]); // not evaluated, and evaluated as wanted
  assert.ok(two > 0 && two < three && three < 1, `${two} ${three}`);
  const [far, near, met] = ['(((', '(', 'x'].map((text) => missed(text, '11:!', true));
  assert.ok(far > 0 && far < near && near < met, `${far} ${near} ${met}`);
  assert.equal(missed('(', '11:!', false), 1);
  const own = new FollowedCondition('/app.js:1:33:===', true);
  tracedFor(own, '(q) => q.x === "13"', [X], { x: '12' });
  assert.equal(own.h, 0); // its expression is on the path
});

test('of a loop that is to be passed, it is told how many rounds were left', () => {
  const source = `(q) => {
    for (const one of q.x) if (one === "(") return;
  }`;
  const missed = (text) => {
    const followed = new FollowedCondition('/app.js:2:4:loop', true);
    tracedFor(followed, source, [{ ...X, value: text }], { x: text });
    return followed.h;
  };
  const [far, near, passed] = ['(aa', 'aa(', 'aa'].map(missed);
  assert.ok(far > 0 && far < near && near < 1, `${far} ${near}`);
  assert.equal(passed, 1);
});

test('that a text was read as a number is a condition where the program asks for it', () => {
  const source = (read) => `(q) => { const n = ${read}; if (Number.isNaN(n)) return 1; return isFinite(n) }`;
  const shown = (read) => traced(source(read), [X], { x: '12' }).path;
  assert.ok(shown('Number(q.x)').includes('false isNaN(/query/x) @if'));
  assert.ok(shown('parseInt(q.x, 8)').includes('false !(test(/query/x, "^\\\\s*[+-]?[01234567]", "i")) @if'));
  assert.ok(shown('parseFloat(q.x)').includes('true test(/query/x, "^\\\\s*[+-]?\\\\.?[0-9]", "i") @()'));
});

test('an element that was written under an index of the inputs is read as what the last write left there', () => {
  const at = (name, value) => ({ place: `/${name}`, name, value });
  const source = `(q) => { const seen = [false, false, false]; seen[q.a] = true; seen[1] = false; return seen[q.b] }`;
  const inputs = [at('a', 2), at('b', 0)];
  const { path } = traced(`(q) => (${source})(q) === true`, inputs, { a: 2, b: 0 });
  const table = JSON.stringify('[[0,false],[1,false],[2,false]]');
  const written = `ite(===(/b, /a), true, chosen(/b, ${table}))`;
  assert.equal(path.at(-1), `false ===(ite(===(/b, 1), false, ${written}), true) @===`);
  const counted = traced(
    '(q) => { const n = new Uint8Array(2); n[q.b]++; return n.every((one) => one === 0) }',
    [at('b', 0)],
    { b: 0 },
  );
  const before = JSON.stringify('[[0,0],[1,0]]');
  assert.equal(counted.path.at(-1), `false ===(ite(===(0, /b), +(chosen(/b, ${before}), 1), 0), 0) @element`);
  const changed = `(q) => { const n = [0, 0]; n[q.b] = 1; n.reverse(); return n[q.b] === 1 }`;
  assert.ok(!traced(changed, [at('b', 0)], { b: 0 }).path.some((each) => each.includes('ite')));
});

test('a number is the same key of an object as its text', () => {
  const source = '(q) => { const seen = {}; seen[q.count] = 1; return seen["3"] === 1 }';
  assert.ok(traced(source, [N], { count: 3 }).path.includes('true ===("3", toText(/body/count)) @key'));
});

test('a branch with a value that no expression over both outcomes has stays a condition of the path', () => {
  for (const body of ['{ n++; first = 1; }', '{ first = 1; n++; }']) {
    const source = `(q) => { let n = 0; let first; if (q.x === "13") ${body} return n === 1 }`;
    assert.ok(traced(source, [X], { x: '12' }).needed.includes('if'), body);
  }
});
