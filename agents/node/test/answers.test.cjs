'use strict';
/** Answers of services: what the program reads of their parsed bodies and does not find becomes a hint with its place. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { expectAnswers, watchParsing } = require('../src/runtime/answers/parsed-answers.cjs');
const { noticeExports } = require('../src/runtime/methods/replaced-functions.cjs');
const { clearRecorder, noRecord, recorder } = require('../src/runtime/calls/recorder.cjs');
const { serviceWaits } = require('../src/runtime/isolation/service-waits.cjs');

watchParsing();

const library = require('lodash');
noticeExports('lodash', 'lodash', { exports: library });

/**
 * Runs a program as part of a call, and returns the members of answers that it has missed, or the elements.
 * @param {string} text a function body, which may await
 * @param {object[]} answers as in `begin`
 * @param {'answer' | 'element'} wanted
 */
async function missed(text, answers, wanted = 'answer') {
  const { code, table } = instrument(`async function program(text) {${text}\n}`, { path: '/x.js', isModule: false });
  const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
  probes.open(true);
  clearRecorder();
  expectAnswers(answers);
  recorder.areHintsWanted = true;
  recorder.record = { ...noRecord(), request: { rawHeaders: [] } };
  try {
    const open = () => probes;
    const program = new Function('__wimble_open__', 'library', `${code}; return program`)(open, library);
    await program(answers[0]?.text).catch(() => undefined);
    const hints = recorder.hints.map(({ text: json }) => JSON.parse(json)).filter(({ kind }) => kind === 'input');
    return hints
      .filter(({ location }) => location === wanted)
      .map(({ path, answers: ids }) => `${ids} ${path.join('.')}`);
  } finally {
    expectAnswers([]);
    clearRecorder();
    recorder.areHintsWanted = false;
  }
}

const EMPTY = { id: 3, text: '{}\n' };
const NESTED = { id: 0, text: '{"data":{"items":[{"sku":"a"}]},"raw":"{\\"a\\":1}","coded":"eyJiIjoxfQ=="}\n' };

/** @type {[string, object, string[]][]} */
const READS = [
  ['return JSON.parse(text).paid', EMPTY, ['3 paid']],
  ['const answer = JSON.parse(text); if (answer.paid) return 1', EMPTY, ['3 paid']],
  ['const answer = JSON.parse(text.trim()); return answer.paid', { id: 3, text: '{"a":1}\n' }, ['3 paid']],
  ['const data = JSON.parse(text); return data.items.map((one) => one.sku)', EMPTY, ['3 items']],
  ['const { items } = JSON.parse(text); return items.map((one) => one.sku)', EMPTY, ['3 items']],
  ['const data = JSON.parse(text); try { for (const one of data.items) return 1; } catch (error) { return 2; }', EMPTY, ['3 items', '3 *.items']],
  ['const all = []; try { all.push(...JSON.parse(text)); } catch (error) { return 2; }', EMPTY, ['3 *']],
  ['for (const one of JSON.parse(text).data.items) if (one.price > 3) return 1', NESTED, ['0 data.items.0.price']],
  ['return JSON.parse(text).data.items.filter((one) => one.isOpen)', NESTED, ['0 data.items.0.isOpen']],
  ['return library.find(JSON.parse(text).data.items, { sku: "b", role: { name: "x" } })', NESTED, ['0 data.items.0.role.name']],
  ['return library.filter(JSON.parse(text).data.items, "isOpen")', NESTED, ['0 data.items.0.isOpen']],
  ['return library.find(JSON.parse(text).data?.items, ["a.b", 1])?.sku', NESTED, ['0 data.items.0.a.b']],
  ['const _ = library; return _.find(JSON.parse(text).data.items, _.matches({ sku: "b", crane: true }))', NESTED, ['0 data.items.0.crane']],
  ['return library.sumBy(JSON.parse(text).data.items, "tons") > 5', NESTED, ['0 data.items.0.tons']],
  ['return library.orderBy(JSON.parse(text).data.items, ["port.name", "sku"])', NESTED, ['0 data.items.0.port.name']],
  ['return library(JSON.parse(text).data.items).filter((one) => true).find({ flag: "PT" })', NESTED, ['0 data.items.0.flag']],
  ['const res = { body: JSON.parse(text) }; return res.body.complete', EMPTY, ['3 complete']],
  ['return JSON.parse(JSON.parse(text).raw).kind', NESTED, ['0 raw.kind']],
  ['return JSON.parse(Buffer.from(JSON.parse(text).coded, "base64").toString()).kind', NESTED, ['0 coded.kind']],
  ['return JSON.parse(Buffer.from(JSON.parse(text).token.split(".")[1], "base64url").toString()).role', { id: 3, text: '{"token":"eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmVk"}\n' }, ['3 token.role']],
  ['const first = JSON.parse(text)[0]; return first', { id: 3, text: '[]\n' }, ['3 0']],
  ['const rates = JSON.parse(text); return rates[text.length]', EMPTY, []],
  ['const rates = JSON.parse(text); const key = text[0]; return rates[key] > 3', EMPTY, ['3 {']],
  ['const rates = JSON.parse(text); const key = text[0]; try { return rates[key].toFixed(2); } catch (error) { return 2; }', EMPTY, ['3 {']],
  ['const data = JSON.parse(text); try { const [a, b] = data.name.replace("v", "").split("."); use(a.b.c.d()); } catch (error) { return 2; }', EMPTY, ['3 *.name']],
  ['const data = JSON.parse(text); try { return String([data].map((one) => one.title.trim())); } catch (error) { return 2; }', EMPTY, ['3 *.title']],
  ['const rows = JSON.parse(text); try { return rows.map((one) => one.title.trim()); } catch (error) { return 2; }', { id: 3, text: '[{"a":1}]\n' }, ['3 0.title']],
  ['const rows = JSON.parse(text); try { return rows.map((one) => one.title.trim()); } catch (error) { return 2; }', { id: 3, text: '[1,{"title":"k"},{}]\n' }, ['3 2.title']],
  ['const parse = (t) => [{ a: t }]; const rows = parse(text); try { return rows.map((row) => ({ at: row.station.trim() })); } catch (error) { return 2; }', EMPTY, ['3 ', '3 0.station']],
  ['const data = JSON.parse(text); try { return [data].map((one) => one.price.value.toFixed(2)); } catch (error) { return 2; }', EMPTY, ['3 *.price.value']],
  ['const data = JSON.parse(text); try { return [data].map((one) => one.made.day.toISOString()); } catch (error) { return 2; }', EMPTY, ['3 *.made.day']],
  ['const data = JSON.parse(text); try { const { rows: [first] } = data; } catch (error) { return 2; }', EMPTY, ['3 *.rows']],
  ['const data = JSON.parse(text); try { const { place: { city } } = data; } catch (error) { return 2; }', EMPTY, ['3 *.place.city']],
  ['const data = JSON.parse(text); return data.page.meta.title', EMPTY, ['3 page.meta.title']],
  ['const data = JSON.parse(text); const rows = data.page.rows[0].cells ?? []; return rows', EMPTY, ['3 page.rows.0.cells']],
  ['const data = JSON.parse(text); try { return [data].map((one) => one.title[0].trim()); } catch (error) { return 2; }', EMPTY, ['3 *.title.0']],
  ['const data = JSON.parse(text); return data.name.length', EMPTY, ['3 name']],
  ['const data = JSON.parse(text); try { return [data].map((one) => one.page.meta.author.trim()); } catch (error) { return 2; }', EMPTY, ['3 *.page.meta.author']],
  ['const data = JSON.parse(text); try { const [first] = data.rows; } catch (error) { return 2; }', EMPTY, ['3 rows', '3 *.rows']],
  ['const get = () => ({ data: JSON.parse(text) }); try { const { lat, lon } = (await get()).data.spot; } catch (error) { return 2; }', EMPTY, ['3 *.spot.lat']],
  ['const get = () => ({ data: JSON.parse(text) }); let lat; try { ({ lat } = (await get()).data.spot); } catch (error) { return 2; }', EMPTY, ['3 *.spot.lat']],
  ['const token = JSON.parse(text); return !token.scope?.split(" ").includes("a")', EMPTY, ['3 scope', '3 *.scope']],
  ['const token = JSON.parse(text); return token.page?.meta.title.trim()', EMPTY, ['3 page', '3 *.page.meta.title']],
  ['const token = JSON.parse(text); return { a: 1 }.b?.c.d() ?? token', { id: 3, text: '{"b":1}' }, []],
  ['const data = JSON.parse(text); const key = "usd"; try { return data?.rates[key]; } catch (error) { return 2; }', EMPTY, ['3 *.rates']],
  ['const data = JSON.parse(text); const key = "usd"; try { return data?.page.rates[key]; } catch (error) { return 2; }', EMPTY, ['3 *.page.rates']],
  ['const data = JSON.parse(text); try { return data?.rates.usd; } catch (error) { return 2; }', EMPTY, ['3 *.rates.usd']],
  ['const data = JSON.parse(text); const key = "usd"; return data?.rates[key]', { id: 3, text: '{"rates":{"usd":1}}\n' }, []],
  ['const more = JSON.parse(text); return Array.isArray(more)', EMPTY, ['3 *.more']],
  ['const { data } = JSON.parse(text); return Array.isArray(data)', NESTED, ['0 data']],
  ['return Array.isArray(this.rows) || Array.isArray({}.rows)', EMPTY, []],
  ['const response = { data: JSON.parse(text) }; if (response.data.paid) return 1; return response.data.page', EMPTY, ['3 paid', '3 page']],
  ['return JSON.parse("{}").paid', EMPTY, []],
  ['const rows = { parse: (t) => [{ sku: t.length }] }; return rows.parse(text).filter((row) => row.price > 3)', EMPTY, ['3 ', '3 0.price']],
  ['const load = async (t) => ({ feed: { items: [] } }); const doc = await load(text.trim()); return doc.feed.title', NESTED, ['0 ', '0 feed.title']],
  ['const parseLines = (t, done) => { try { done(null, { lines: [t] }); } catch {} }; parseLines(text, (error, read) => { if (read.kind) use(read); });', EMPTY, ['3 ', '3 kind']],
  ['const parse = () => { throw new Error("not XML"); }; return parse(text)', EMPTY, ['3 ']],
  ['const parse = (t) => { throw new TypeError(typeof t); }; return parse(JSON.parse(text))', EMPTY, ['3 ']],
  ['const doc = JSON.parse(text); return doc.data.items[0].sku.attributes.code', { id: 0, text: '{"data":{"items":[{"sku":"k3x9q"}]}}' }, []],
  ['const parse = () => new Map([["a", 1]]); return parse(text).size', EMPTY, ['3 ']],
  ['const parse = () => ({ get rows() { throw new Error("a getter ran"); } }); return typeof parse(text)', EMPTY, ['3 ']],
  ['const parse = (t) => ({ t }); return parse("other").kind', EMPTY, []],
  ['const parse = (t) => { if (t.length < 4) throw new Error("short"); return { t }; }; for (const one of [text, "another"]) try { if (parse(one).kind) return 1; } catch { }', EMPTY, ['3 ']],
  ['const bytes = new TextEncoder().encode(text); return JSON.parse(new TextDecoder().decode(bytes)).paid', EMPTY, ['3 ', '3 paid']],
  ['const bytes = new TextEncoder().encode(`__${text}`).subarray(2); const parse = (b) => ({ n: b.length }); return parse(bytes).kind', EMPTY, ['3 ', '3 kind']],
  ['const copy = structuredClone(JSON.parse(text)); return copy.paid', EMPTY, []],
]; // prettier-ignore

for (const [text, answer, expected] of READS) {
  test(text, async () => assert.deepEqual(await missed(text, [answer]), expected));
}

/** @type {[string, string[]][]} */
const LOOKED_FOR = [
  ['const $ = load(text); return $("h1.title").attr("title")', ['3 h1.title', '3 @title']],
  ['const { document } = new FakeDOM(text).window; return document.querySelectorAll("ul > li")', ['3 ul > li']],
  [
    'const root = parse(text); for (const one of root.querySelectorAll("tr")) one.querySelector("td")',
    ['3 tr', '3 .td'],
  ],
  ['const $ = load(text); return $(load(text)).find("a[href]")', ['3 .a[href]']],
  ['const $ = load(text); return $("li", $("ul"))', ['3 .li', '3 ul']],
  ['const doc = parse(text); return doc.getElementsByTagName("cbc:Amount")', ['3 cbc\\:Amount']],
  ['const doc = parse(text); return doc.getElementById("price") ?? doc.getElementsByClassName("a b")', ['3 #price']],
  ['const $ = (selector) => selector; return $("h1")', []],
  ['load(text); return String("no <selector>")', []],
];

const FAKES = `
  class FakeDOM { constructor(text) { this.window = { document: node }; } }
  const node = { querySelectorAll: () => [node], querySelector: () => null, getElementsByTagName: () => [],
    getElementById: () => 1, find: () => [], attr: () => '' };
  const load = (text) => () => node, parse = (text) => node;`;

for (const [text, expected] of LOOKED_FOR) {
  test(`looked for: ${text}`, async () => {
    assert.deepEqual(await missed(`${FAKES}\n${text}`, [EMPTY], 'element'), expected);
  });
}

/** @type {[string, string[]][]} */
const HANDED_OUT = [
  ['return JSONStream.parse("rows.*.doc")', [' rows.0.doc']],
  ['return JSONStream.parse("items")', [' items']],
  ['return pick({ filter: "data.items" })', [' data.items']],
  ['return jsonpath.query({}, "$.store.book[*].title")', [' store.book.0.title']],
  ['return oboe.node("!.items[*]", () => 1)', [' items.0']],
  ['return JSONStream.parse("*")', []],
  ['return JSON.stringify({ filter: "data.items" })', []],
  ['return pick({ [text]: "data.items" })', []],
  ['return client.query("select 1", "$.a")', [' a']],
  ['return client.query({}, "no path")', []],
];
const HANDING = `const [JSONStream, jsonpath, oboe, client] = [{ parse: String }, { query: String }, { node: String },
  { query: String }], pick = String;`;

for (const [text, expected] of HANDED_OUT) {
  test(`handed out by a parser: ${text}`, async () => {
    assert.deepEqual(await missed(`${HANDING}\n${text}`, [EMPTY]), expected);
  });
}

test('bytes of all kinds are parsed as ever while answers are expected', async () => {
  const { code, table } = instrument('function program(bytes, parse) { return parse(bytes); }', {
    path: '/x.js',
    isModule: false,
  });
  const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
  probes.open(true);
  expectAnswers([EMPTY]);
  try {
    const program = new Function('__wimble_open__', `${code}; return program`)(() => probes);
    const detached = new Uint8Array(3);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    for (const bytes of [
      new Uint8Array([49]),
      Buffer.from('{}'),
      detached,
      shared,
      new (class extends Uint8Array {})(2),
    ]) {
      assert.equal(
        program(bytes, (given) => given.length),
        bytes.length,
      );
    }
    assert.equal(program(new Uint8Array([49]), JSON.parse), 49);
  } finally {
    expectAnswers([]);
  }
});

test('answers of one text have one place', async () => {
  const answers = [EMPTY, { id: 5, text: '{}\n' }];
  assert.deepEqual(await missed('return JSON.parse(text).paid', answers), ['3,5 paid']);
});

test('a part of a stream has the place of its element', async () => {
  const line = { id: 2, text: '{"a":1}', path: ['1'] };
  assert.deepEqual(await missed('return JSON.parse(text).b', [line]), ['2 1.b']);
});

test('JSON.parse looks and fails as ever', async () => {
  await missed('return JSON.parse(text)', [EMPTY]);
  assert.equal(JSON.parse.name, 'parse');
  assert.equal(JSON.parse.length, 2);
  assert.equal(Object.hasOwn(JSON.parse, 'prototype'), false);
  assert.throws(
    () => JSON.parse('{'),
    (error) => error instanceof SyntaxError && !String(error.stack).includes('patching.cjs'),
  );
  assert.deepEqual(
    JSON.parse('{"a":1}', (_key, value) => (value === 1 ? 2 : value)),
    { a: 2 },
  );
});

test('an error tells the form that an answer should have had, if services are called', async () => {
  const uses = async (/** @type {string} */ text) => {
    const forms = [];
    const { code, table } = instrument(`async function program() {try {${text}} catch (error) { return 1 }\n}`, {
      path: '/x.js',
      isModule: false,
    });
    const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
    probes.open(true);
    clearRecorder();
    recorder.areHintsWanted = true;
    recorder.record = { ...noRecord(), request: { rawHeaders: [] } };
    await new Function('__wimble_open__', 'require', `${code}; return program`)(() => probes, require)();
    for (const { text: json } of recorder.hints) {
      const { kind, path, uses: told } = JSON.parse(json);
      if (kind === 'input' && path.length === 0) forms.push(...told);
    }
    clearRecorder();
    recorder.areHintsWanted = false;
    return forms;
  };
  const form = "await new Response('{}').formData()";
  assert.deepEqual(await uses(form), []);
  serviceWaits.isUsed = true;
  try {
    assert.deepEqual(await uses(form), ['form']);
    assert.deepEqual(await uses("require('node:zlib').gunzipSync(Buffer.from('{}'))"), ['gzip']);
    assert.deepEqual(await uses("JSON.parse('{')"), []);
  } finally {
    serviceWaits.isUsed = false;
  }
});
