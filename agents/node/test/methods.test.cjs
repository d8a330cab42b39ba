'use strict';
/**
 * Replaced methods, by a table: outcome, h of the missed one, and the hint that it gives; and that hostile values
 * notice nothing.
 */

const { test } = require('node:test');
const assert = require('node:assert');
const { instrument } = require('../src/instrument/instrument.cjs');
const { VALIDATORS } = require('../src/instrument/callees/tracked-names.cjs');
const { noticeExports } = require('../src/runtime/methods/replaced-functions.cjs');
const { FileProbes, settlePending } = require('../src/runtime/probes/file-probes.cjs');
const { noticeLibrary } = require('../src/runtime/packages/library-modules.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

for (const name of ['validator', 'lodash', 'lodash/isEqual', 'uuid', 'moment', 'dayjs', 'date-fns', 'luxon']) {
  require(name);
}
for (const [path, module] of Object.entries(require.cache)) noticeLibrary(path, module);
/** As `jsonwebtoken` answers. */
const TOKENS = { decode: (/** @type {string} */ token) => (/^[^.]+[.][^.]+[.]/.test(token) ? {} : null) };
noticeExports('jsonwebtoken', 'index', { exports: TOKENS });
const requireAny = (/** @type {string} */ name) => (name === 'jsonwebtoken' ? TOKENS : require(name));

const PRELUDE = `
const validator = require('validator'), _ = require('lodash'), { validate, validate: isUuid } = require('uuid'), isEqual = require('lodash/isEqual');
const { isEmail } = validator, crypto = require('crypto'), util = require('util'), assert = require('assert'), validator_1 = require('validator'), tokens = require('jsonwebtoken');
const moment = require('moment'), dayjs = require('dayjs'), { parseISO, parse } = require('date-fns'), { DateTime } = require('luxon'), date_fns_1 = require('date-fns');
const has = Object.prototype.hasOwnProperty, bound = Function.prototype.call.bind(has);
`;

/** Runs an expression with probes: what its first tracked call has learnt. */
const observe = (expression, scope = {}) => prepare(expression)(scope);

/** The same in two steps, because the instrumenter is no part of what is tested with patched prototypes. */
function prepare(expression) {
  const text = `${PRELUDE};return (${expression})`;
  const { code, table } = instrument(text, { path: '/x.js', isModule: false });
  return (scope = {}) => observeRun(code, table, scope);
}

function observeRun(code, table, scope) {
  clearRecorder();
  recorder.areHintsWanted = true;
  const $ = new FileProbes('/x.js', 100, table);
  let result;
  let thrown;
  try {
    result = new Function('require', '__wimble_open__', ...Object.keys(scope), code)(
      requireAny,
      () => $,
      ...Object.values(scope),
    );
  } catch (error) {
    thrown = error;
  }
  settlePending();
  const at = table.targets.findIndex(([kind]) => kind === 'method');
  const [ofTrue, ofFalse] = [$.best[at], $.best[at + 1]];
  const outcome = ofTrue === 1 ? true : ofFalse === 1 ? false : undefined;
  const hints = keptHints(recorder).filter((hint) => hint.target === 100 + at + (outcome ? 1 : 0));
  return {
    name: table.targets[at]?.[3],
    outcome,
    missed: outcome ? ofFalse : ofTrue,
    hints: hints.map(({ operator, left, right, wanted }) => [operator, left, right, wanted]),
    result,
    thrown,
  };
}

const NAN = { $number: 'NaN' };
/** expression, name, outcome, the hints */
const ROWS = [
  ['"abc".startsWith("x")', 'startsWith', false, [['startsWith', 'abc', 'x', true]]],
  ['"abc".startsWith("b", 1)', 'startsWith', true, []],
  ['((...xs) => "abc".startsWith(...xs))("x")', 'startsWith', false, [['startsWith', 'abc', 'x', true]]],
  [
    '((xs) => ["a", "b"].includes("x", ...xs))([1])',
    'includes',
    false,
    [
      ['===', 'x', 'a', true],
      ['===', 'x', 'b', true],
    ],
  ],
  ['((xs) => Array.prototype.includes.call(...xs))([["a"], "x"])', 'includes', false, [['===', 'x', 'a', true]]],
  ['((xs) => "abc".includes(...xs))(new Set(["x"]))', 'includes', undefined, []],
  ['((xs) => isEmail(...xs))(["x@y.org"])', 'isEmail', true, [['format', 'x@y.org', 'email', false]]],
  ['"abc".endsWith("c")', 'endsWith', true, [['endsWith', 'abc', 'c', false]]],
  ['"abc".includes("x")', 'includes', false, [['includes', 'abc', 'x', true]]],
  ['"abc".indexOf("x") === -1', 'indexOf', false, [['includes', 'abc', 'x', true]]],
  ['"abc".lastIndexOf("c")', 'lastIndexOf', true, [['includes', 'abc', 'c', false]]],
  ['"abc".search(/x/i)', 'search', false, [['regex', 'abc', 'x', true]]],
  ['"abc".match(/b/)', 'match', true, [['regex', 'abc', 'b', false]]],
  ['"abc".matchAll(/z/g)', 'matchAll', false, [['regex', 'abc', 'z', true]]],
  ['/z/.test("abc")', 'test', false, [['regex', 'abc', 'z', true]]],
  ['/b/.exec("abc")', 'exec', true, [['regex', 'abc', 'b', false]]],
  ['"a".localeCompare("b")', 'localeCompare', false, [['===', 'a', 'b', true]]],
  ['"abc".at(7)', 'at', false, []],
  ['"a".startsWith?.("b")', 'startsWith', false, [['startsWith', 'a', 'b', true]]],
  ['"a"?.startsWith("b")', 'startsWith', false, [['startsWith', 'a', 'b', true]]],
  ['String.prototype.includes.call("a", "b")', 'includes', false, [['includes', 'a', 'b', true]]],
  ['"".includes.apply("a", ["b"])', 'includes', false, [['includes', 'a', 'b', true]]],
  ['Reflect.apply("".includes, "a", ["b"])', 'Reflect.apply', false, [['includes', 'a', 'b', true]]],
  [
    '(() => { const f = "abc".startsWith.bind("abc"); return f("x") })()',
    'startsWith',
    false,
    [['startsWith', 'abc', 'x', true]],
  ],
  [
    '(() => { const f = "abc".startsWith.bind("abc", "x"); return f() })()',
    'startsWith',
    false,
    [['startsWith', 'abc', 'x', true]],
  ],
  [
    '(() => { const f = /z/.test.bind(/z/), test = f.bind(null, "abc"); return test() })()',
    'test',
    false,
    [['regex', 'abc', 'z', true]],
  ],
  ['bound({ a: 1 }, "b")', 'hasOwnProperty', false, [['===', 'b', 'a', true]]],
  [
    '(() => { const has = Object.hasOwn.call.bind(Object.hasOwn); return has(null, { a: 1 }, "b") })()',
    'hasOwn',
    false,
    [['===', 'b', 'a', true]],
  ],
  [
    '(() => { const at = [].includes.apply.bind([].includes); return at(["a"], ["x"]) })()',
    'includes',
    false,
    [['===', 'x', 'a', true]],
  ],
  [
    '(() => { const f = "abc".startsWith.bind("abc"); return f.call(null, "x") })()',
    'startsWith',
    false,
    [['startsWith', 'abc', 'x', true]],
  ],
  ['(() => { const o = { includes: (x) => x }, f = o.includes.bind(o); return f("a") })()', 'includes', undefined, []],
  [
    'new (class A extends Map { q(k) { return super.has(k) } })([["a", 1]]).q("b")',
    'has',
    false,
    [['===', 'b', 'a', true]],
  ],
  [
    'new (class A extends Array { q(t) { return (() => super.includes(t))() } })("abc", "d").q("x")',
    'includes',
    false,
    [
      ['===', 'x', 'abc', true],
      ['===', 'x', 'd', true],
    ],
  ],
  [
    '(class A extends Number { static q(t) { return super.isInteger(t) } }).q(1.5)',
    'isInteger',
    false,
    [['===', 1.5, 2, true]],
  ],
  [
    '[1, 2].includes(3)',
    'includes',
    false,
    [
      ['===', 3, 1, true],
      ['===', 3, 2, true],
    ],
  ],
  ['[1, 2].indexOf(2)', 'indexOf', true, [['===', 2, 2, false]]],
  ['[1].lastIndexOf(2)', 'lastIndexOf', false, [['===', 2, 1, true]]],
  ['[1].find((x) => x > 1)', 'find', false, []],
  ['[1].findIndex((x) => x > 0)', 'findIndex', true, []],
  ['[1].findLast((x) => x > 0)', 'findLast', true, []],
  ['[].some((x) => x)', 'some', false, []],
  ['[0].every((x) => x)', 'every', false, []],
  ['[0].filter((x) => x)', 'filter', false, []],
  ['[0].at(5)', 'at', false, []],
  ['Array.isArray("a")', 'isArray', false, [['list', 'a', null, true]]],
  ['Array.isArray([])', 'isArray', true, []],
  [
    'new Map([["a", 1], ["b", 2]]).get("c")',
    'get',
    false,
    [
      ['===', 'c', 'a', true],
      ['===', 'c', 'b', true],
    ],
  ],
  ['new Map([["a", 0]]).get("a")', 'get', true, [['===', 'a', 'a', false]]],
  ['new Map([["a", 0]]).delete("b")', 'delete', false, [['===', 'b', 'a', true]]],
  ['new Set(["a"]).has("b")', 'has', false, [['===', 'b', 'a', true]]],
  ['new Set(["a"]).delete("a")', 'delete', true, [['===', 'a', 'a', false]]],
  ['new URLSearchParams("a=1").get("b")', 'get', false, [['===', 'b', 'a', true]]],
  ['new URLSearchParams("a=1").has("a")', 'has', true, [['===', 'a', 'a', false]]],
  ['Object.hasOwn({ a: 1 }, "b")', 'hasOwn', false, [['===', 'b', 'a', true]]],
  ['o.hasOwnProperty("b")', 'hasOwnProperty', false, [['===', 'b', 'a', true]]],
  ['has.call(o, "b")', 'hasOwnProperty', false, [['===', 'b', 'a', true]]],
  ['Object.keys(o).includes("b")', 'includes', false, [['===', 'b', 'a', true]]],
  ['Reflect.has(o, "b")', 'has', false, [['===', 'b', 'a', true]]],
  ['Number("x")', 'Number', false, [['format', 'x', 'number', true]]],
  ['Number("1")', 'Number', true, [['format', '1', 'number', false]]],
  ['parseInt("x", 10)', 'parseInt', false, [['format', 'x', 'integer', true]]],
  ['parseFloat("1.5")', 'parseFloat', true, [['format', '1.5', 'float', false]]],
  ['isNaN("x")', 'isNaN', true, [['format', 'x', 'number', true]]],
  ['isFinite("x")', 'isFinite', false, [['format', 'x', 'number', true]]],
  ['isNaN(NaN)', 'isNaN', true, [['===', NAN, 1, true]]],
  ['Number.isInteger(2.4)', 'isInteger', false, [['===', 2.4, 2, true]]],
  ['Number.isInteger(NaN)', 'isInteger', false, [['===', NAN, 1, true]]],
  ['Number.isInteger(2)', 'isInteger', true, [['===', 2, 2.5, true]]],
  ['Number.isSafeInteger(2)', 'isSafeInteger', true, [['===', 2, 2 ** 53, true]]],
  ['Number.isNaN(NaN)', 'isNaN', true, [['===', NAN, 1, true]]],
  ['Number.isNaN(5)', 'isNaN', false, [['format', 5, 'number', false]]],
  ['Number.isFinite(5)', 'isFinite', true, [['format', 5, 'number', false]]],
  ['new Date("x")', 'new Date', false, [['format', 'x', 'date', true]]],
  ['new Date(true)', 'new Date', false, [['format', true, 'date', true]]],
  ['new Date("2024-01-01")', 'new Date', true, [['format', '2024-01-01', 'date', false]]],
  ['new Date(2024, 1)', 'new Date', undefined, []],
  ['Date.parse("x")', 'parse', false, [['format', 'x', 'date', true]]],
  ['JSON.parse("[")', 'parse', false, [['format', '[', 'json', true]]],
  ['JSON.parse("[]", (k, v) => v)', 'parse', true, [['format', '[]', 'json', false]]],
  ['new URL("x")', 'new URL', false, [['format', 'x', 'url', true]]],
  ['new URL("x", "http://a")', 'new URL', true, [['format', 'x', 'url', false]]],
  ['URL.canParse("x")', 'canParse', false, [['format', 'x', 'url', true]]],
  ['Buffer.from("xyz", "hex")', 'from', false, [['format', 'xyz', 'hex', true]]],
  ['Buffer.from("YWJj", "base64")', 'from', true, [['format', 'YWJj', 'base64', false]]],
  ['Buffer.from("a", "utf8")', 'from', undefined, []],
  ['BigInt("x")', 'BigInt', false, [['format', 'x', 'bigint', true]]],
  ['BigInt(1.5)', 'BigInt', false, [['===', 1.5, 2, true]]],
  ['new RegExp("(")', 'new RegExp', false, [['===', '(', '(', false]]],
  ['new RegExp("a")', 'new RegExp', true, [['===', 'a', '(', true]]],
  ['decodeURIComponent("%")', 'decodeURIComponent', false, [['===', '%', '%', false]]],
  ['crypto.timingSafeEqual(a, b)', 'timingSafeEqual', false, [['===', 'key', 'kez', true]]],
  ['crypto.timingSafeEqual(a, a.subarray(1))', 'timingSafeEqual', false, [['===', 'key', 'ey', true]]],
  [
    'crypto.timingSafeEqual(Buffer.from("ff00", "hex"), Buffer.from("fe01", "hex"))',
    'timingSafeEqual',
    false,
    [
      ['===', 'ff00', 'fe01', true],
      ['===', '/wA=', '/gE=', true],
    ],
  ],
  [
    'util.isDeepStrictEqual({ x: [1, { y: "p" }] }, { x: [2, { y: "q" }] })',
    'isDeepStrictEqual',
    false,
    [
      ['===', 1, 2, true],
      ['===', 'p', 'q', true],
    ],
  ],
  ['a.equals(b)', 'equals', false, [['===', 'key', 'kez', true]]],
  ['a.compare(b)', 'compare', false, [['===', 'key', 'kez', true]]],
  ['Buffer.compare(a, a)', 'compare', true, [['===', 'key', 'key', false]]],
  ['assert(0)', 'ok', false, [['truthy', 0, null, true]]],
  ['assert.ok("x")', 'ok', true, [['truthy', 'x', null, false]]],
  ['assert.equal("1", 2)', 'equal', false, [['==', '1', 2, true]]],
  ['assert.strictEqual(1, 1)', 'strictEqual', true, [['===', 1, 1, false]]],
  ['assert.notStrictEqual(1, 1)', 'notStrictEqual', false, [['===', 1, 1, false]]],
  ['assert.deepStrictEqual({ a: 1 }, { a: 2 }, "no")', 'deepStrictEqual', false, [['===', 1, 2, true]]],
  ['assert.match("a", /b/)', 'match', false, [['regex', 'a', 'b', true]]],
  ['require("net").isIP("1.2")', 'isIP', false, [['format', '1.2', 'ip', true]]],
  ['require("net").isIPv6("::1")', 'isIPv6', true, [['format', '::1', 'ipv6', false]]],
  ['_.isEqual({ a: 1 }, { a: 2 })', 'isEqual', false, [['===', 1, 2, true]]],
  ['isEqual(1, 2)', 'isEqual', false, [['===', 1, 2, true]]],
  ['_.isMatch({ a: 1, b: 2 }, { a: 2 })', 'isMatch', false, [['===', 1, 2, true]]],
  ['_.includes([1], 2)', 'includes', false, [['===', 2, 1, true]]],
  ['_.includes("a", "b")', 'includes', false, [['includes', 'a', 'b', true]]],
  ['_.has(o, "b")', 'has', false, [['===', 'b', 'a', true]]],
  ['_.startsWith("a", "b")', 'startsWith', false, [['startsWith', 'a', 'b', true]]],
  ['_.isEmpty("a")', 'isEmpty', false, [['===', 'a', '', true]]],
  ['_.inRange(12, 5, 9)', 'inRange', false, [['<', 12, 9, true]]],
  ['_.some([], (x) => x)', 'some', false, []],
  ['_.find([{ a: "p", b: 1 }, 5], { a: "x", b: 1 })', 'find', false, [['===', 'p', 'x', true]]],
  ['_.findIndex([{ a: { b: "p" } }], ["a.b", "x"])', 'findIndex', false, [['===', 'p', 'x', true]]],
  ['_.filter([{ a: { b: "p" } }], { a: { b: "p" } })', 'filter', true, [['===', 'p', 'p', false]]],
  ['_.reject([{ a: "p" }], { a: "p" })', 'reject', false, [['===', 'p', 'p', false]]],
  ['_.find([{ a: "x", b: 1 }], { a: "x", b: undefined })', 'find', false, []],
  ['_.some([{ ok: 0 }], "ok")', 'some', false, [['truthy', 0, null, true]]],
  ['_.every([{ ok: 1 }, { ok: 0 }], "ok")', 'every', false, [['truthy', 0, null, true]]],
  ['_.find([{ get a() { throw 1 } }, new Proxy({}, {}), null], (x) => false)', 'find', false, []],
  ['isEmail("x")', 'isEmail', false, [['format', 'x', 'email', true]]],
  ['validator.isURL("http://a.com")', 'isURL', true, [['format', 'http://a.com', 'url', false]]],
  ['(0, validator_1.isUUID)("x")', 'isUUID', false, [['format', 'x', 'uuid', true]]],
  ['validator.isInt("5", { min: 10 })', 'isInt', false, [['>=', '5', 10, true]]],
  [
    'validator.isInt("x", { min: 10 })',
    'isInt',
    false,
    [
      ['format', 'x', 'integer', true],
      ['>=', 'x', 10, true],
    ],
  ],
  ['validator.isFloat("5.5", { max: 2 })', 'isFloat', false, [['<=', '5.5', 2, true]]],
  ['validator.isLength("abc", { min: 5, max: 8 })', 'isLength', false, [['regex', 'abc', '^[a-z]{5,8}$', true]]],
  [
    'validator.isIn("c", ["a", "b"])',
    'isIn',
    false,
    [
      ['===', 'c', 'a', true],
      ['===', 'c', 'b', true],
    ],
  ],
  ['validator.equals("a", "b")', 'equals', false, [['===', 'a', 'b', true]]],
  ['validator.contains("a", "b")', 'contains', false, [['includes', 'a', 'b', true]]],
  ['validator.matches("a", /b/)', 'matches', false, [['regex', 'a', 'b', true]]],
  ['validator.isIBAN("a")', 'isIBAN', false, [['===', 'a', 'GB33BUKB20201555555555', true]]],
  ['validate("x")', 'validate', false, [['format', 'x', 'uuid', true]]],
  ['tokens.decode("x")', 'decode', false, [['format', 'x', 'jwt', true]]],
  ['tokens.decode("e30.e30.c2ln")', 'decode', true, [['format', 'e30.e30.c2ln', 'jwt', false]]],
  ['moment("x")', 'moment', false, [['format', 'x', 'date', true]]],
  ['moment("2024-01-31")', 'moment', true, [['format', '2024-01-31', 'date', false]]],
  ['moment.utc("x")', 'utc', false, [['format', 'x', 'date', true]]],
  ['moment("x", "DD.MM.YYYY [at] HH:mm", true)', 'moment', false, [['===', 'x', '31.01.2024 at 12:30', true]]],
  ['moment("x", ["Do MMM YY", "YYYY"])', 'moment', false, [['===', 'x', '31st Jan 24', true]]],
  ['dayjs("x")', 'dayjs', false, [['format', 'x', 'date', true]]],
  ['parseISO("x")', 'parseISO', false, [['format', 'x', 'iso-date', true]]],
  ['(0, date_fns_1.parseISO)("2024-01-31")', 'parseISO', true, [['format', '2024-01-31', 'iso-date', false]]],
  [`parse("x", "dd/MM/yyyy 'o''clock' h:mm a", 0)`, 'parse', false, [['===', 'x', '31/01/2024 oclock 12:30 PM', true]]],
  ['DateTime.fromISO("x")', 'fromISO', false, [['format', 'x', 'iso-date', true]]],
  ['DateTime.fromFormat("x", "d LLL yyyy")', 'fromFormat', false, [['===', 'x', '31 Jan 2024', true]]],
  [
    'DateTime.fromFormat("31 Jan 2024", "d LLL yyyy")',
    'fromFormat',
    true,
    [['===', '31 Jan 2024', '31 Jan 2024', false]],
  ],
  ['isUuid("x")', 'validate', false, [['format', 'x', 'uuid', true]]],
];

const scope = () => ({ o: { a: 1 }, a: Buffer.from('key'), b: Buffer.from('kez') });

for (const [expression, name, outcome, hints] of ROWS) {
  test(expression, () => {
    const seen = observe(expression, scope());
    assert.deepStrictEqual([seen.name, seen.outcome, seen.hints], [`${name} true`, outcome, hints]);
    if (outcome !== undefined) assert.ok(seen.missed > 0 && seen.missed < 1, `${seen.missed}`);
  });
}

test('what `Intl` refuses is told with some locales, currencies and time zones', () => {
  const hinted = (/** @type {string} */ expression) => {
    const { name, outcome, hints } = observe(expression);
    return [
      name,
      outcome,
      hints.map(([operator, left, right, wanted]) => [operator, left, right, wanted].join(' '))[0],
      hints.length,
    ];
  };
  assert.deepStrictEqual(hinted('new Intl.NumberFormat("en", { style: "currency", currency: "E" })'), [
    'new NumberFormat true',
    false,
    '=== E EUR true',
    8,
  ]);
  assert.deepStrictEqual(hinted('new Intl.DateTimeFormat("en", { timeZone: "Q/Q" })'), [
    'new DateTimeFormat true',
    false,
    '=== Q/Q Europe/Zurich true',
    8,
  ]);
  assert.deepStrictEqual(hinted('new Intl.Locale("_")'), ['new Locale true', false, '=== _ de-CH true', 4]);
  assert.deepStrictEqual(hinted('Intl.getCanonicalLocales("fr")'), [
    'getCanonicalLocales true',
    true,
    '=== fr . true',
    1,
  ]);
});

test('what the first of two structures lacks is told as members of the document that it is read from', () => {
  const members = (/** @type {string} */ expression, /** @type {object} */ scope) => {
    observe(expression, scope);
    return keptHints(recorder)
      .filter(({ kind }) => kind === 'schema')
      .map(({ path, operator, right }) => [path, operator, right]);
  };
  const wanted = '{ filter: { kind: "open", level: 3 }, n: 1 }';
  assert.deepStrictEqual(members(`_.isMatch(req.body, ${wanted})`, { req: { body: { n: 1, filter: { level: 2 } } } }), [
    ['filter.kind', '===', 'open'],
  ]);
  assert.deepStrictEqual(members('_.isEqual(req.body.n ?? {}, { a: 1 })', { req: { body: {} } }), [['n.a', '===', 1]]);
  assert.deepStrictEqual(members(`_.isMatch(body, ${wanted})`, { body: { n: 1 } }), [
    ['filter.kind', '===', 'open'],
    ['filter.level', '===', 3],
  ]);
  assert.deepStrictEqual(members('_.isEqual(body.tags, ["red", "green"])', { body: {} }), [
    ['tags.0', '===', 'red'],
    ['tags.1', '===', 'green'],
  ]);
  assert.deepStrictEqual(members('util.isDeepStrictEqual(tags, ["red"])', { tags: 'x' }), [['tags.0', '===', 'red']]);
  assert.deepStrictEqual(members('_.isEqual(given, { a: 1 })', { given: {} }), [
    ['given.a', '===', 1],
    ['a', '===', 1],
  ]);
  assert.deepStrictEqual(members('_.isEqual(given(), { a: 1 })', { given: () => ({}) }), []);
});

test('every validator has a replacement, and is recognised', () => {
  const validator = require('validator');
  for (const name of VALIDATORS) {
    const given = [
      'isDivisibleBy',
      'isHash',
      'isIdentityCard',
      'isLicensePlate',
      'isPassportNumber',
      'isPostalCode',
      'isTaxID',
      'isVAT',
    ].includes(name);
    const options = given
      ? `, ${JSON.stringify({ isDivisibleBy: 3, isHash: 'md5', isPassportNumber: 'US', isTaxID: 'en-US', isVAT: 'DE' }[name] ?? 'any')}`
      : '';
    const seen = observe(`validator.${name}("\u3042 no such \ud842\udfb7"${options})`);
    assert.strictEqual(typeof validator[name], 'function');
    assert.strictEqual(seen.outcome, seen.result, `${name} ${seen.thrown}`);
  }
});

test('h of the missed outcome grows as the values come nearer', () => {
  const ways = [
    ['"abc".indexOf(x)', ['zzz', 'abz', 'abb']],
    ['new Map([["gold", 1]]).get(x)', ['zzzzzzz', 'gozz', 'golc']],
    ['Object.hasOwn({ gold: 1 }, x)', ['zzzzzzz', 'gozz', 'golc']],
    ['Number(x)', ['abcdef', '12ab', '12a']],
    ['new Date(x)', ['x', '2024-ab-cdT12:00:00Z', '2024-02-99T12:00:00Z']],
    ['validator.isLength(x, { min: 9 })', ['a', 'abcde', 'abcdefgh']],
    ['validator.isInt(x, { min: 100 })', ['1', '50', '99']],
    ['Number.isInteger(x)', [1.5, 1.2, 1.01]],
    ['require("util").isDeepStrictEqual({ a: x, b: 1 }, { a: 40, b: 1 })', [900, 50, 41]],
    ['[].concat([1, 2]).at(x)', [9, 5, 2]],
  ];
  for (const [expression, way] of ways) {
    const hs = way.map((x) => observe(expression, { x }).missed);
    for (let at = 1; at < hs.length; at++) assert.ok(hs[at] > hs[at - 1], `${expression} ${hs}`);
  }
});

test('what is named like a replaced method and is none is called and not measured', () => {
  const names = { has: 1, get: 1, includes: 'a', find: 1, test: 'x', equals: 2 };
  for (const [name, argument] of Object.entries(names)) {
    const own = { [name]: (x) => x === argument };
    const seen = observe(`x.${name}(${JSON.stringify(argument)})`, { x: own });
    assert.deepStrictEqual([seen.outcome, seen.result], [undefined, true]);
  }
  for (const x of [
    class extends Map {},
    class extends Map {
      has() {
        return 7;
      }
    },
  ]) {
    assert.strictEqual(observe('new x().has(1)', { x }).result, x.prototype.has.call(new x(), 1));
  }
  class Shouting extends RegExp {
    exec() {
      return { 0: 'x', index: 0 };
    }
  }
  assert.deepStrictEqual(
    [observe('x.test("q")', { x: new Shouting('a') })].map(({ outcome, result }) => [outcome, result]),
    [[undefined, true]],
  );
});

test('a condition on such a call has targets all the same', () => {
  const { code, table } = instrument('if (x.has(1)) log(1)', { path: '/x.js', isModule: false });
  const $ = new FileProbes('/x.js', 0, table);
  new Function('__wimble_open__', 'x', 'log', code)(
    () => $,
    { has: () => true },
    () => {},
  );
  const at = table.targets.findIndex(([, , , detail]) => detail === 'if true');
  assert.ok($.best[at] === 1 && $.best[at + 1] > 0 && $.best[at + 1] < 1);
});

test('hostile receivers and arguments are asked nothing', () => {
  const touched = [];
  const trap = (target) =>
    new Proxy(
      target,
      new Proxy(
        {},
        {
          get:
            (_t, name) =>
            (...rest) => (touched.push(name), Reflect[name](...rest)),
        },
      ),
    );
  const getters = {
    get a() {
      return touched.push('getter a');
    },
    get includes() {
      touched.push('getter includes');
      return () => true;
    },
  };
  const plain = (expression, values) => {
    touched.length = 0;
    let outcome;
    try {
      outcome = new Function(...Object.keys(values), `return ${expression}`)(...Object.values(values));
    } catch (error) {
      outcome = `${error}`;
    }
    return [touched.slice(), typeof outcome === 'object' ? null : outcome];
  };
  const watched = (expression, values) => {
    touched.length = 0;
    const { result, thrown } = observe(expression, values);
    return [touched.slice(), thrown ? `${thrown}` : typeof result === 'object' ? null : result];
  };
  const values = {
    p: trap([1, 2]),
    q: trap({ a: 1 }),
    g: getters,
    f: trap(() => true),
    m: trap(new Map()),
    s: { toString: () => `${touched.push('toString')}` },
  };
  const expressions = [
    'p.includes(3)',
    'p.indexOf(1)',
    'p.some((x) => x > 5)',
    'q.hasOwnProperty("b")',
    'Object.hasOwn(q, "b")',
    'Reflect.has(q, "b")',
    'g.includes(1)',
    'Object.hasOwn(g, "b")',
    'm.has(1)',
    '"abc".includes(s)',
    '"abc".startsWith(q)',
    'Number(s)',
    'parseInt(s)',
    'isNaN(s)',
    'new Date(s)',
    'JSON.parse(s)',
    'new URL(s)',
    'BigInt(s)',
    'Number.isInteger(q)',
    'Array.isArray(p)',
    'f.call(p, 1)',
    'f.includes?.(1)',
    'q?.includes?.(1)',
    '[p, q, g].includes(s)',
    '[s].indexOf(q)',
    'new Map([[s, q]]).get(q)',
    'new RegExp(s)',
    'decodeURIComponent(s)',
    '[1].at(s)',
    '"a".localeCompare(s)',
    '"a".search(s)',
    '"a".match(s)',
    '"".includes.apply("a", p)',
    'Reflect.apply("".includes, "a", p)',
    'Buffer.from(s, "hex")',
    'new (class extends Map {})([[s, 1]]).has(q)',
  ];
  for (const expression of expressions) {
    assert.deepStrictEqual(watched(expression, values), plain(expression, values), expression);
  }
});

test('patched prototypes are called as they are and not measured', () => {
  const { includes } = String.prototype;
  const { keys } = Map.prototype;
  const runs = [prepare('"a".includes("b")'), prepare('new Map([["a", 1]]).get("b")')];
  let seen;
  try {
    String.prototype.includes = () => 'patched';
    Map.prototype.keys = () => assert.fail('the agent called it');
    seen = runs.map((run) => run());
  } finally {
    String.prototype.includes = includes;
    Map.prototype.keys = keys;
  }
  assert.deepStrictEqual([seen[0].outcome, seen[0].result, seen[1].hints.length], [undefined, 'patched', 1]);
});

test('recursion within a callback keeps the outer call', () => {
  const tree = {
    v: 1,
    c: [
      { v: 2, c: [] },
      { v: 3, c: [] },
    ],
  };
  const seen = observe('(function any(t) { return t.v === 3 || t.c.some(any) })(t)', { t: tree });
  assert.deepStrictEqual([seen.name, seen.result], ['some true', true]);
  const whole = observe(
    '(function any(t) { return t.v === 9 ? true : [t].some((u) => u.c.length > 0 && any(u.c[0])) })(t)',
    { t: { v: 1, c: [{ v: 9, c: [] }] } },
  );
  assert.strictEqual(whole.outcome, true);
});

test('a covered call measures nothing, and still says what is missing', () => {
  const { code, table } = instrument('return x.includes(1)', { path: '/x.js', isModule: false });
  const $ = new FileProbes('/x.js', 0, table);
  const call = (x) => new Function('__wimble_open__', 'x', code)(() => $, x);
  for (const x of [[1], [2], 'a', '1']) call(x);
  for (let target = 0; target < $.count; target++) $.cover(target);
  $.clear();
  for (const x of [[1], [2], '1', 'a', [3]]) {
    assert.strictEqual(
      call(x),
      [].concat(x).some((each) => each == 1),
    );
  }
  assert.strictEqual($.touchedCount, 0);
  for (const x of [{}, 5, new Map(), Object.assign([], { includes: 1 }), Object.setPrototypeOf([], null)]) {
    assert.throws(() => call(x), { name: 'TypeError', message: 'x.includes is not a function' });
  }
  assert.throws(() => call(null), /Cannot read properties of null/);
});

for (const conversion of ['Number', 'parseInt', 'parseFloat']) {
  test(`${conversion} of a number converts no text, so that a default is no parameter`, () => {
    const converted = (/** @type {unknown} */ value) => observe(`${conversion}(value ?? 20)`, { value });
    assert.deepStrictEqual([converted(undefined).outcome, converted(undefined).result], [undefined, 20]);
    assert.strictEqual(converted('7').outcome, true);
    assert.strictEqual(converted('x').outcome, false);
  });
}

test('a call that throws while its arguments are made has no outcome, but was reached', () => {
  const seen = observe('JSON.parse(boom())', {
    boom: () => {
      throw new RangeError('boom');
    },
  });
  assert.deepStrictEqual([seen.outcome, seen.missed, seen.thrown.message], [undefined, 0.005, 'boom']);
  assert.strictEqual(
    observe('new URL("x", boom())', {
      boom: () => {
        throw new RangeError('boom');
      },
    }).outcome,
    undefined,
  );
});

test('a call of something that is only named like a known method has no outcome to work on', () => {
  for (const expression of ['db.get("x")', 'isEqual(1)', 'new Date(1)', 'db.get(boom())']) {
    const scope = {
      db: { get: () => 1 },
      isEqual: () => false,
      Date: class {},
      boom: () => {
        throw new RangeError('boom');
      },
    };
    const seen = observe(
      `((${Object.keys(scope)}) => { const r = ${expression}; return r })(${Object.keys(scope).map((name) => `own.${name}`)})`,
      { own: scope },
    );
    assert.deepStrictEqual([seen.outcome, seen.missed], [undefined, 0], expression);
  }
});

test('many keys and long strings cost a bounded time', () => {
  const map = new Map(Array.from({ length: 100_000 }, (_, n) => [`key ${n}`, n]));
  const long = 'x'.repeat(1_000_000);
  const start = process.hrtime.bigint();
  for (const expression of [
    'm.get("none")',
    's.includes("y")',
    's.indexOf("y".repeat(5000))',
    'Number(s)',
    'new Date(s)',
    'validator.isLength(s, { max: 5 })',
    'Object.hasOwn({ a: 1 }, s)',
  ]) {
    assert.strictEqual(observe(expression, { m: map, s: long }).outcome, false, expression);
  }
  assert.ok(Number(process.hrtime.bigint() - start) / 1e6 < 1500);
});
