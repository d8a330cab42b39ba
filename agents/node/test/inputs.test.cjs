'use strict';
/** Reads of inputs that a call does not have: what is rewritten, what is reported, and that nothing else changes. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { watchParsing } = require('../src/runtime/answers/parsed-answers.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, noRecord, recorder } = require('../src/runtime/calls/recorder.cjs');

/** Global id of the first target of the next program. */
let nextBase = 1;

/**
 * Runs a program as part of a call, and returns the inputs that it was seen to read.
 * @param {string} text a function body
 * @param {object} given variables of the program
 * @returns {{result: unknown, hints: any[], inputs: [string, string, unknown][]}}
 */
function run(text, given = {}) {
  const { code, table } = instrument(`function program(${Object.keys(given).join()}) {${text}\n}`, {
    path: '/x.js',
    isModule: false,
  });
  const probes = new FileProbes('/x.js', nextBase, JSON.parse(JSON.stringify(table)));
  nextBase += table.targets.length;
  probes.open(true);
  clearRecorder();
  recorder.areHintsWanted = true;
  recorder.record = { ...noRecord(), request: { rawHeaders: ['Host', 'x', 'X-Sent', '1'] } };
  try {
    const open = () => probes;
    const result = new Function('__wimble_open__', `${code}; return program`)(open)(...Object.values(given));
    const hints = recorder.hints.map(({ text: json }) => JSON.parse(json)).filter(({ kind }) => kind === 'input');
    return { result, hints, inputs: hints.map(({ location, path, held }) => [location, path.join('.'), held]) };
  } finally {
    clearRecorder();
    recorder.areHintsWanted = false;
  }
}

watchParsing();

const HEADERS = { host: 'x', accept: '*/*' };

/** @type {[string, object, [string, string, unknown][]][]} */
const READS = [
  ['return req.body', { req: { _readableState: {}, httpVersion: '1.1', socket: {} } }, []],
  ['return req.query.debug', { req: { query: {} } }, [['query', 'debug', {}]]],
  ['const { data } = req.body; const { title } = data.attributes ?? {}; return title', { req: { body: { data: { attributes: { k3x9q: 'ab7' } } } } }, [['', 'title', { k3x9q: 'ab7' }]]],
  ['const { title = 1 } = req.body?.data || {}; return title', { req: { body: { data: { k3x9q: 'ab7' } } } }, [['', 'title', { k3x9q: 'ab7' }]]],
  ['return Array.isArray(req.body)', { req: { body: { k3x9q: 'ab7' } } }, [['body', '', { k3x9q: 'ab7' }]]],
  ['const all = req.body; return Array.isArray(all)', { req: {} }, [['body', '', {}]]],
  ['return req.body instanceof Array', { req: { body: 'ab7' } }, [['body', '', 'ab7']]],
  ['try { for (const one of req.body) return one; } catch (error) { return 1; }', { req: { body: {} } }, [['body', '0', {}]]],
  ['const all = req.body; try { all.forEach((one) => one); } catch (error) { return 1; }', { req: { body: {} } }, [['body', '0', {}]]],
  ['try { return req.body.map((one) => one.id); } catch (error) { return 1; }', { req: { body: {} } }, [['body', '0', {}]]],
  ['try { const [first] = body; return first; } catch (error) { return 1; }', { body: null }, [['body', '0', {}]]],
  ['try { return req.body.trim() + req.query.map((one) => one); } catch (error) { return 1; }', { req: { body: {}, query: {} } }, []],
  ['return Array.isArray(all)', { all: { k3x9q: 'ab7' } }, [['', '', { k3x9q: 'ab7' }]]],
  ['return [Array.isArray(req.body), Array.isArray(all), Array.isArray(req.query)]', { req: { body: [], query: {} }, all: {} }, []],
  ['return req.query["debug"]', { req: { query: {} } }, [['query', 'debug', {}]]],
  ['return req.query?.debug', { req: { query: {} } }, [['query', 'debug', {}]]],
  ['if (req.query.debug) return 1', { req: { query: { debug: '' } } }, []],
  ['return req.headers["x-tenant"]', { req: { headers: HEADERS } }, [['header', 'x-tenant', {}]]],
  ['return Number(res.headers["x-left"])', { res: { headers: {} } }, [['header', 'x-left', {}]]],
  ['return res.body.id + response.locals.id', { res: { body: {} }, response: { locals: {} } }, []],
  ['return all["x-tenant"]', { all: HEADERS }, [['header', 'x-tenant', {}]]],
  ['return [req.headers.expect, req.headers["content-length"], req.query._method]', { req: { headers: HEADERS, query: {} } }, []],
  ['return req.get("X-Role") + req.get("X-Sent")', { req: { get: () => '' } }, [['header', 'X-Role', {}]]],
  ['return app.get("/a") ?? db.query("select 1", [])', { app: new Map(), db: { query: () => 1 } }, []],
  ['return c.req.header("x-a") + c.req.query("b")', { c: { req: { header: () => '', query: () => '' } } }, [['header', 'x-a', {}], ['query', 'b', {}]]],
  ['return getHeader(event, "x-a")', { getHeader: () => '', event: {} }, [['header', 'x-a', {}]]],
  ['const url = new URL(href); return url.searchParams.get("q")', { URL, href: 'http://x' }, [['query', 'q', {}]]],
  ['const p = new URLSearchParams(t); return p.has("q")', { URLSearchParams, t: '' }, [['query', 'q', {}]]],
  ['return get(req.body, "filter.mode")', { get: () => 1, req: {} }, [['body', 'filter.mode', {}]]],
  ['return _.pick(req.body, ["a", "b"])', { _: { pick: () => 1 }, req: { body: { b: 'xkqzt' } } }, [['body', 'a', { b: 'xkqzt' }]]],
  ['const names = ["a", 1, ""]; return pick(req.body, names, "c")', { pick: () => 1, req: {} }, [['body', 'a', {}], ['body', 'c', {}]]],
  ['return pick(all, ["a"]) + pick(req.body)', { pick: () => '', req: {}, all: {} }, []],
  ['return "debug" in req.query', { req: { query: {} } }, [['query', 'debug', {}]]],
  ['return Object.hasOwn(req.query, "debug")', { req: { query: {} } }, [['query', 'debug', {}]]],
  ['const { a, b = 2, c: d = () => 1 } = req.query; return [a, b, d]', { req: { query: { z: '1' } } }, [['query', 'b', { z: '1' }], ['query', 'a', { z: '1' }]]],
  ['const { id, slot: { at, room = 1 } = {} } = req.body; return [id, at, room]', { req: { body: { id: 'xkqzt' } } }, [['body', 'slot.room', { id: 'xkqzt' }], ['body', 'slot.at', { id: 'xkqzt' }]]],
  ['const { slot: { at, on: { day } } } = body; return [at, day]', { body: { slot: { at: 1, on: {} } } }, [['body', 'slot.on.day', { slot: {} }]]],
  ['const { query: { a }, user: { name } } = req; return [a, name]', { req: { query: {}, user: {} } }, [['query', 'a', {}], ['', 'user.name', { query: {}, user: {} }]]],
  ['const { query: { a } } = req.body; return a', { req: { body: { query: {} } } }, [['body', 'query.a', { query: {} }]]],
  ['const { a } = await_(body()); return a', { await_: (x) => x, body: () => ({}) }, []],
  ['const sent = JSON.parse(text); return sent.owner', { text: '{"name":"abc"}' }, [['', 'owner', { name: 'abc' }]]],
  ['const sent = JSON.parse(text); return sent.owner', { text: '{}' }, []],
  ['const { owner, age = 1 } = JSON.parse(text); return [owner, age]', { text: '{"name":"abc"}' }, [['', 'age', { name: 'abc' }], ['', 'owner', { name: 'abc' }]]],
  ['const { owner } = JSON.parse(text); return owner', { text: '{}' }, []],
  ['JSON.parse(text); const { owner } = parse(); return owner', { text: '{"name":"abc"}', parse: () => ({}) }, []],
  ['try { const sent = JSON.parse(text); const { size: { most } } = sent; return most } catch (error) { return 0 }', { text: '{"name":"abc"}' }, [['', 'size.most', { name: 'abc' }]]],
  ['try { const sent = JSON.parse(text); return other.size.most } catch (error) { return 0 }', { text: '{"size":{}}', other: {} }, []],
  ['return c.request.requestBody.owner', { c: { request: { requestBody: {} } } }, [['body', 'owner', {}]]],
  ['return (({ query: { a }, body }) => { return [a, body.b] })(req)', { req: { query: {}, body: {} } }, [['query', 'a', {}], ['body', 'b', {}]]],
  ['return options.mode', { options: { page: 'abc', n: 1, f: {}, l: [1], g() {} } }, [['', 'mode', { page: 'abc', n: 1, f: {}, l: [] }]]],
  ['return options.mode', { options: {} }, []],
  ['const options = { ...req.query }; return options.mode', { req: { query: {} } }, [['query', 'mode', {}]]],
  ['const options = Object.fromEntries(new URL(h).searchParams); return options.mode', { URL, h: 'http://x' }, [['query', 'mode', {}]]],
  ['return data.kind', { data: 'xkqzt' }, [['', 'kind', 'xkqzt']]],
  ['return items[2].sku', { items: 'xkqzt' }, [['', '2', 'xkqzt']]],
  ['return items[1]', { items: [{ a: 1 }] }, [['', '1', [{}]]]],
  ['return options.mode', { options: new Proxy({ a: 1 }, {}) }, []],
  ['return process.env.NOTHING', { process }, []],
  ['return player?.queue?.[0]', { player: { speed: 'xkqzt' } }, [['', 'queue', { speed: 'xkqzt' }]]],
  ['return player?.queue?.[0]', { player: { queue: 'xkqzt' } }, [['', '0', 'xkqzt']]],
  ['return player?.queue.first?.name', { player: undefined }, []],
  ['return [list?.at?.(0), none?.at?.(0), (none?.at)?.(0)]', { list: ['xkqzt'], none: null }, []],
  ['const { units } = cookiesOf(req); return units', { cookiesOf: () => ({}), req: {} }, [['cookie', 'units', {}]]],
  ['const { low } = readJsonBody(request); return low', { readJsonBody: () => ({}), request: {} }, [['body', 'low', {}]]],
  ['return request.state.locale', { request: { state: {} } }, [['cookie', 'locale', {}]]],
  ['return ctx.state.locale', { ctx: { state: {} } }, []],
  ['const { low } = rows(request); return low', { rows: () => ({}), request: {} }, []],
  ['return ["from", "to"].filter((name) => !req.query[name])', { req: { query: { from: '1' } } }, [['query', 'to', { from: '1' }]]],
  ['for (const { sku } of basket.items || []) return sku; return 0', { basket: { total: 'xkqzt' } }, [['', 'items', { total: 'xkqzt' }]]],
  ['for (const item of req.body.items) return item', { req: { body: { items: [7] } } }, []],
  ['const list = req.body; if (list) for (const item of list.items ?? []) return item; return 1', { req: { body: {} } }, [['body', 'items', {}]]],
  ['try { const [first] = body.items; return first } catch { return 0 }', { body: { total: 'xkqzt' } }, [['body', 'items', { total: 'xkqzt' }]]],
  ['const [first = 1, second] = basket.items ?? []; return first', { basket: { total: 'xkqzt' } }, [['', 'items', { total: 'xkqzt' }]]],
  ['const [first] = body.items; return first', { body: { items: ['xkqzt'] } }, []],
  ['const { inner } = req, [first] = inner.items; return first', { req: { inner: { items: [1] } } }, []],
  ['for (const list of list_.items ?? []) return list', { list_: { a: 'xkqzt' } }, [['', 'items', { a: 'xkqzt' }]]],
  ['return [...(basket.items || []).filter((one) => one)]', { basket: { total: 'xkqzt' } }, [['', 'items', { total: 'xkqzt' }]]],
  ['return Math.max(0, ...(basket.items ?? []).map(Number))', { basket: { items: ['1'] } }, []],
  ['const get = () => [...(late.items || []).map(Number)]; const late = { a: "xkqzt" }; return get()', {}, [['', 'items', { a: 'xkqzt' }]]],
  ['const given = request.formData().catch(() => 0); return given.get("a")', { request: { formData: () => ({ catch: () => new Map() }) } }, [['body', 'a', {}]]],
  ['let given; try { given = request.formData() } catch {} return given.get("a")', { request: { formData: () => new Map() } }, [['body', 'a', {}]]],
  ['const given = request.ok ? request.formData() : request.json(); return given.has("a")', { request: { ok: true, formData: () => new Map() } }, [['body', 'a', {}]]],
  ['const given = rows().catch(() => 0); return given.get("a")', { rows: () => ({ catch: () => new Map() }) }, []],
  ['return c.req.queries("tag") ?? []', { c: { req: { queries: () => undefined } } }, [['query', 'tag.0', {}]]],
]; // prettier-ignore

for (const [text, given, expected] of READS) {
  test(`${text} (${expected.length} inputs)`, () => {
    const { result, inputs } = run(text, given);
    assert.deepEqual(inputs, expected);
    const plain = new Function(...Object.keys(given), text)(...Object.values(given));
    assert.equal(JSON.stringify(result), JSON.stringify(plain));
  });
}

const LINES = { req: { body: { lines: [{ sku: 'xkqzt' }, { qty: 1 }] } } };

/** @type {[string, object, [string, string, unknown][]][]} */
const GIVEN = [
  [
    'for (const { sku, qty = 1 } of req.body.lines) if (sku) n += qty',
    LINES,
    [
      ['', 'qty', { sku: 'xkqzt' }],
      ['', 'sku', { qty: 1 }],
    ],
  ],
  [
    'const { lines } = req.body; return lines.map(({ sku, qty }) => sku + qty)',
    LINES,
    [
      ['', 'qty', { sku: 'xkqzt' }],
      ['', 'sku', { qty: 1 }],
    ],
  ],
  [
    'return req.body.lines.reduce((sum, { to: { city } }) => sum + city, 0)',
    { req: { body: { lines: [{ to: { zip: 'xkqzt' } }] } } },
    [['', 'to.city', { to: {} }]],
  ],
  [
    'const { lines } = req.body; for (const { sku } of lines) n += 1',
    { req: { body: { lines: 'xkqzt' } } },
    [['', '0.sku', 'xkqzt']],
  ],
  [
    'const f = ({ a, b = 1 }) => a + b; return f(req.body)',
    { req: { body: { c: 'xkqzt' } } },
    [
      ['', 'b', { c: 'xkqzt' }],
      ['', 'a', { c: 'xkqzt' }],
    ],
  ],
  [
    'function f({ a, b }) { return g(b); } function g({ d }) { return d; } return f(req.body)',
    { req: { body: { b: { c: 'xkqzt' } } } },
    [['', 'a', { b: {} }]],
  ],
  [
    'class F { constructor({ a }) { this.a = a; } } return new F({ ...req.body, b: 1 }).a',
    { req: { body: { c: 'xkqzt' } } },
    [['', 'a', { c: 'xkqzt', b: 1 }]],
  ],
  ['const f = ({ a }) => a; return f({ b: 1 })', {}, []],
  ['const lines = [{ a: 1 }]; for (const { a } of lines) { const lines = a; n += lines; } return n', {}, []],
];

test('elements and arguments that a pattern takes apart, where no variable holds them', () => {
  for (const [text, given, inputs] of GIVEN) assert.deepEqual(run(text, { n: 0, ...given }).inputs, inputs, text);
});

/**
 * Programs, a body, and the paths in it that are told when a read fails.
 * @type {[string, object, [string, string, unknown][]][]}
 */
const FAILED = [
  ['return req.body.flags[0].name.trim()', {}, [['body', 'flags.0.name', {}]]],
  ['const first = req.body.flags[0]; return first.name.trim()', { flags: [{}] }, [['body', 'flags.0.name', {}]]],
  ['for (const one of req.body.items) one.kind.trim()', { items: 'x' }, [['body', 'items.0.kind', {}]]],
  ['for (const [key, one] of Object.entries(req.body.map)) f(one.limit.max)', { map: { a: {} } }, [['body', 'map.*.limit.max', {}]]],
  ['return Object.values(req.body.map).map((one) => one.limit.max)', { map: { a: {} } }, [['body', 'map.*.limit.max', {}]]],
  ['const field = "a"; return req.body[field].label.trim()', {}, [['body', '*field.label', {}]]],
  ['const { rows } = req.body; for (let i = 0; i < 1; i++) rows[i].cell.trim()', { rows: [] }, [['body', 'rows.0.cell', {}]]],
  ['const { rows } = req.body; rows[rows.length - 1].cell.trim()', { rows: [] }, [['body', 'rows.0.cell', {}]]],
  ['const { options: { filters: [{ op }] } } = req.body; return op', { options: {} }, [['body', 'options.filters', {}]]],
  ['const f = ({ user: { tags: [first] } }) => first; return f(req.body)', { user: { name: 'xkqzt' } }, [['', 'user.tags', { user: {} }]]],
  ['const f = (order) => { return order.lines[0].sku.trim() }; return f(req.body)', { lines: [], n: 'xkqzt' }, [['', 'lines.0.sku', { lines: [], n: 'xkqzt' }]]],
  ['const f = (order) => { return order.lines[0].sku.trim() }; return f({ lines: [] })', {}, []],
  ['const { body } = res; return res.body.lines[0].sku.trim()', {}, []],
  // A call within the statement that fails runs statements of its own.
  ['const g = (n) => { const m = n; return m }; const b = req.body; return { n: g(1), to: b.a.b.trim() }', { a: {} }, [['body', 'a.b', {}]]],
  ['const g = (n) => { const m = n; return m }; const f = (o) => ({ n: g(1), to: o.to.trim() }); return f(req.body)', { n: 'xkqzt' }, [['', 'to', { n: 'xkqzt' }]]],
  ['const g = (n) => { const m = n; return m }; const f = (o) => { return `${g(1)} ${o.to.trim()}` }; return f(req.body)', { n: 'xkqzt' }, [['', 'to', { n: 'xkqzt' }]]],
  ['const g = (n) => { const m = n; return m }; const f = (o) => g(g(1), o.to.trim()); return f(req.body)', { n: 'xkqzt' }, [['', 'to', { n: 'xkqzt' }]]],
  ['const g = (n) => { const m = n; return m }; const f = (o) => { if (g(1) && o.to.trim()) return 1 }; return f(req.body)', { n: 'xkqzt' }, [['', 'to', { n: 'xkqzt' }]]],
  ['const g = (n) => { const m = n; return m }; const f = (o) => o.to.trim(); f({ to: "" }); const h = (o) => { g(1); return [g(1), o.id.trim()] }; return h(req.body)', { n: 'xkqzt' }, [['', 'id', { n: 'xkqzt' }]]],
]; // prettier-ignore

test('where a read fails, the path to what is missing is told as far as the text tells it', () => {
  for (const [text, body, expected] of FAILED) {
    const whole = `try { ${text} } catch (error) { return error.message }`;
    const { inputs } = run(whole, { req: { body }, res: { body: {} }, f: () => 0 });
    const told = inputs.filter(([location, path]) =>
      expected.length === 0 ? location === 'body' : path === expected[0][1],
    );
    assert.deepEqual(told.slice(0, 1), expected, text);
  }
});

test('of what a function was given, nothing is told that is no input', () => {
  const text = 'const f = (list) => { const first = list[0]; return first.trim(); };';
  assert.deepEqual(run(`${text} try { return f([{}]) } catch (error) { return error.message }`).inputs, []);
});

test('a chain that ends early tells what is missing where nothing fails, and elements of a pattern do', () => {
  const chain = 'return req.body?.slots?.[1].from.split(":")';
  assert.deepEqual(run(chain, { req: { body: {} } }).inputs.at(-1), ['body', 'slots.1.from', {}]);
  assert.deepEqual(run(chain, { req: { body: { slots: [0, { from: 'a' }] } } }).inputs, []);
  const list = 'const { filters: [{ op }, last] } = req.body; return [op, last]';
  const { inputs } = run(list, { req: { body: { filters: ['x'] } } });
  assert.deepEqual(inputs.map(([, path]) => path).sort(), ['filters.0.op', 'filters.1']);
});

test('a content that was not parsed is reported before the read fails as ever', () => {
  assert.throws(() => run('return req.body.data', { req: {} }), {
    message: "Cannot read properties of undefined (reading 'data')",
  });
  const { inputs } = run('try { return req.body.data } catch { return 1 }', { req: {} });
  assert.deepEqual(inputs, [['body', 'data', {}]]);
});

test('a getter of the program runs once, as it would alone', () => {
  let runs = 0;
  const req = {
    get query() {
      runs += 1;
      return {};
    },
  };
  const { inputs } = run('const { a } = req.query; return [a, req.query.b]', { req });
  assert.equal(runs, 2);
  assert.deepEqual(inputs, [
    ['query', 'a', {}],
    ['query', 'b', {}],
  ]);
});

test('what the program takes a member for is told', () => {
  const { hints } = run('const { items, total } = basket; return [items?.map(Number), total > 3]', {
    basket: { name: 'xkqzt' },
  });
  const uses = Object.fromEntries(hints.map((one) => [one.path[0], one.uses]));
  assert.deepEqual(uses, { items: ['list'], total: ['number'] });
});

test('names of functions and receivers of methods stay', () => {
  const text =
    'const { cb = () => 1 } = req.query; const list = { n: 1, at() { return this.n } }; return [cb.name, list.at()]';
  assert.deepEqual(run(text, { req: { query: {} } }).result, ['cb', 1]);
});

test('fields that the program looks for in the text of an answer are told, whatever the answer holds', () => {
  const text = 'const parsed = parse(text); const form = new URLSearchParams(parsed); return form.get("oauth_token")';
  const { hints } = run(text, { text: 'a=1', parse: (/** @type {string} */ one) => one, URLSearchParams });
  const told = hints.filter(({ path }) => path[0] === 'oauth_token');
  assert.deepEqual(
    told.map(({ location, answers }) => [location, answers]),
    [['answer', []]],
  );
});

test('fields of uploads are told where files are read', () => {
  const { inputs } = run('upload.single("avatar"); return req.file.path', {
    upload: { single() {} },
    req: { file: {} },
  });
  assert.deepEqual(inputs, [['file', 'avatar', {}]]);
});

test('names of uploads in lists, and of interceptors, are told where files are read', () => {
  const text = `upload.fields([{ name: "front", maxCount: 1 }, { name: "back" }]); FileInterceptor("photo");
    return req.files`;
  const given = { upload: { fields() {} }, FileInterceptor() {}, req: {} };
  const names = run(text, given).inputs.map(([location, path]) => `${location} ${path}`);
  for (const name of ['front', 'back', 'photo']) assert.ok(names.includes(`file ${name}`), names.join());
});

test('outside of calls nothing is reported', () => {
  const { table, code } = instrument('function program(req) { return req.query.a }', {
    path: '/x.js',
    isModule: false,
  });
  const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
  recorder.areHintsWanted = true;
  new Function('__wimble_open__', `${code}; return program`)(() => probes)({ query: {} });
  assert.deepEqual(recorder.hints, []);
  recorder.areHintsWanted = false;
});

/** @param {string} text of a program with a `box` @param {string} box @returns {object[]} */
function splits(text, box) {
  const { code, table } = instrument(`function program(box) {${text}\n}`, { path: '/x.js', isModule: false });
  const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
  probes.open(true);
  clearRecorder();
  forgetLast();
  recorder.areHintsWanted = true;
  recorder.record = noRecord();
  try {
    new Function('__wimble_open__', `${code}; return program`)(() => probes)(box);
    return recorder.hints.map(({ text: json }) => JSON.parse(json)).filter(({ kind }) => kind === 'split');
  } catch {
    return recorder.hints.map(({ text: json }) => JSON.parse(json)).filter(({ kind }) => kind === 'split');
  } finally {
    clearRecorder();
    recorder.areHintsWanted = false;
  }
}

test('a text is told that has another number of parts than the program gives names to', () => {
  const text = 'const [west, south, east, north] = box.split(",").map(Number); return [west, south, east, north]';
  const [{ separator, parts, are_numbers: areNumbers }] = /** @type {any[]} */ (splits(text, '1,2'));
  assert.deepEqual([separator, parts, areNumbers], [',', 4, true]);
  assert.deepEqual(splits(text, '1,2,3,4'), []);
  assert.equal(splits('const [scheme, token] = box.split(" "); return token', 'Bearer').length, 1);
  assert.deepEqual(splits('const [first, ...others] = box.split(" "); return others', 'Bearer'), []);
});

test('texts that were split before are told first: what has too few parts may be a part of theirs', () => {
  /** @param {string} text @param {string} box */
  const told = (text, box) => [
    ...new Set(
      splits(text, box).map((/** @type {any} */ one) => `${one.text} ${one.separator} ${one.parts} ${one.are_numbers}`),
    ),
  ];
  const corners = 'const [[a, b], [c, d]] = box.split(";").map((x) => x.split(",").map(Number)); return a < c && b < d';
  assert.deepEqual(told(corners, 'k3x9q').slice(0, 3), [
    'k3x9q ; 2 false',
    'k3x9q ; undefined undefined',
    'k3x9q , 2 true',
  ]);
  const slots = 'return box.split(",").map((x) => x.split("-")).every(([from, to]) => from < to)';
  assert.deepEqual(told(slots, 'k3x9q').slice(0, 2), ['k3x9q , undefined undefined', 'k3x9q - 2 false']);
});
