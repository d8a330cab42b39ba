'use strict';
/** What a program takes values for, judged by its text: for each name, in the statements of the function that uses it. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { registerUses, usesOf } = require('../src/runtime/inputs/uses-of-members.cjs');

/** @param {string} text @returns {[number, number, Record<string, string[]>][]} inner functions first */
function usesOfFile(text) {
  return instrument(text, { path: '/x.js', isModule: false }).table.uses ?? [];
}

/** @param {string} text of the body of a function with `a` */
function usesIn(text) {
  const [, , names] = usesOfFile(`async function f(a) { ${text} }`).at(-1) ?? [0, 0, {}];
  return names;
}

/** @type {[string, string, string[] | undefined][]} text, name, uses */
const USES = [
  ['for (const row of a.rows) g(row);', 'rows', ['iterable']],
  ['for (const { id } of a.rows) g(id);', 'rows', ['list']],
  ['for (const [key, id] of a.rows) g(key, id);', 'rows', ['list']],
  ['for (const row of a.rows ?? []) g(row);', 'rows', ['iterable']],
  ['const { rows } = await g(); return rows.map(String);', 'rows', ['list']],
  ['const { rows: all } = await g(); return all.reduce(h, 0);', 'rows', ['list']],
  ['const all = a.rows; return all[0];', 'rows', ['iterable']],
  ['const [first] = a.rows; return first;', 'rows', ['iterable']],
  ['return [...a.rows];', 'rows', ['iterable']],
  ['g(...a.rows);', 'rows', ['iterable']],
  ['return Array.isArray(a.rows);', 'rows', ['list']],
  ['return _.find(a.rows, { id: 1 });', 'rows', ['list']],
  ['return groupBy(a.rows, "kind");', 'rows', ['list']],
  ['return new Map(a.rows);', 'rows', ['list']],
  ['return Object.entries(a.rates);', 'rates', ['record']],
  ['return g(`${config.rates}/latest`).rates[a];', 'rates', ['object', 'iterable', 'text']],
  ['for (const key in a.rates) g(key);', 'rates', ['record']],
  ['return a.owner.name;', 'owner', ['object']],
  ['const { name } = a.owner; return name;', 'owner', ['object']],
  ['const { owner: { name } } = a; return name;', 'owner', ['object']],
  ['return { ...a.owner };', 'owner', ['object']],
  ['return a.name.startsWith("x");', 'name', ['text']],
  ['return a.state === "open";', 'state', ['text']],
  ['return "open" !== a.state;', 'state', ['text']],
  ['switch (a.state) { case "open": return 1; }', 'state', ['text']],
  ['return `${a.name}!`;', 'name', ['text']],
  ['return a.total > 3;', 'total', ['number']],
  ['return g(a.total) - a.total;', 'total', ['number']],
  ['return a.at > "2020";', 'at', ['text']],
  ['return (a.mode & 0o111) !== 0;', 'mode', ['number']],
  ['let all = 0; all += a.total;', 'total', ['number']],
  ['let all = ""; all += `${a.name}, `;', 'name', ['text']],
  ['return get(a, "rows[0].meta.locked") === true;', 'locked', ['boolean']],
  ['return Number(a.total);', 'total', ['number']],
  ['return Math.round(a.total);', 'total', ['number']],
  ['return a.total === -1;', 'total', ['number']],
  ['return a.done === true;', 'done', ['boolean']],
  ['return typeof a.done == "boolean";', 'done', ['boolean']],
  ['return new Date(a.at);', 'at', ['date']],
  ['return Date.parse(a.at);', 'at', ['date']],
  ['return JSON.parse(a.packed);', 'packed', ['json']],
  ['return Buffer.from(a.packed, "base64");', 'packed', ['base64']],
  ['return a.token.split(".");', 'token', ['text', 'token']],
  ['return fetch(a.next);', 'next', ['address']],
  ['return new URL(a.next);', 'next', ['address']],
  ['if (a.ready) return 1;', 'ready', ['condition']],
  ['return !a.ready;', 'ready', ['condition']],
  ['return g.filter((one) => one.ready);', 'ready', ['condition']],
  ['if (a.rows) for (const row of a.rows) g(row);', 'rows', ['iterable']],
  ['return a.total > 3 && a.total === "none";', 'total', ['number', 'text']],
  ['return { name: a.name };', 'name', undefined],
  ['return a.includes.length;', 'includes', undefined],
  ['return map.keys(a.rows) + cache.values();', 'rows', undefined],
  ['return a.reduce((sum, row) => sum + row.amount, 0);', 'amount', ['number']],
  ['return a.reduce((text, row) => text + row.amount, "");', 'amount', undefined],
  ['return a.amount + b.other === 12;', 'amount', ['number']],
  ['return a.amount + b.other === "ab";', 'amount', undefined],
  ['return a.start + a.hours > 24;', 'hours', ['number']],
  ['return a["the name"].trim();', 'the name', ['text']],
  ['return a[name].trim();', 'name', undefined],
]; // prettier-ignore

for (const [text, name, uses] of USES) {
  test(`${text} takes ${name} for ${uses ?? 'anything'}`, () => {
    assert.deepEqual(usesIn(text)[name], uses);
  });
}

test('the innermost function that uses a name tells, and the whole file where none does', () => {
  const text = `function one(a) { const read = a.rows; return a.rows.map((row) => row.id.trim()); }
    function two(a) { return a.rows.trim(); }
    function three(a) { return a.rows; }
    function four(a) { return a.id; }`;
  const uses = usesOfFile(text);
  registerUses(100, 1000, uses);
  const { targets } = instrument(text, { path: '/x.js', isModule: false }).table;
  const statements = targets.flatMap(([kind], at) => (kind === 'statement' ? [at] : []));
  const ofLine = (/** @type {number} */ line) =>
    /** @type {number} */ (statements.find((at) => targets[at][1] === line && targets[at][2] > 20)) + 100;
  assert.deepEqual(usesOf(ofLine(1), 'rows'), ['list']);
  assert.deepEqual(usesOf(ofLine(2), 'rows'), ['text']);
  assert.deepEqual(usesOf(ofLine(3), 'rows'), ['list', 'text']);
  assert.deepEqual(usesOf(ofLine(4), 'id'), ['text']);
  assert.deepEqual(usesOf(ofLine(1), 'other'), []);
  assert.deepEqual(usesOf(5000, 'rows'), []);
});
