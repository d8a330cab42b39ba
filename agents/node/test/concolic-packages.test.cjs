'use strict';
/** Real packages as traced text do what they did, with each value that they read as an unknown. */

const test = require('node:test');
const assert = require('node:assert/strict');
const vm = require('node:vm');
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, isAbsolute } = require('node:path');
const { inspect } = require('node:util');
const { trace } = require('../src/instrument/tracing/trace.cjs');
const { TraceHandle } = require('../src/concolic/trace-handle.cjs');
const { makeLive } = require('./instrument-support/live-symbols.cjs');

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', '__wimble_open__'];

/** Loads a package with all its files traced. */
function loadTraced(name, handle) {
  const modules = new Map();
  const load = (path) => {
    if (modules.has(path)) return modules.get(path).exports;
    const module = { exports: {} };
    modules.set(path, module);
    const code = trace(readFileSync(path, 'utf8'), { path, isModule: false });
    const body = vm.compileFunction(code, PARAMETERS, { filename: path });
    const there = createRequire(path);
    const requireTraced = (wanted) => {
      const file = there.resolve(wanted);
      return isAbsolute(file) && /[^m]js$/.test(file) ? load(file) : there(wanted);
    };
    body.call(module.exports, module.exports, requireTraced, module, path, dirname(path), () => handle);
    return module.exports;
  };
  return load(require.resolve(name));
}

/** Each use answers what the package makes of some values. */
const USES = {
  acorn: (acorn) => {
    const text = readFileSync(require.resolve('../src/concolic/models/array-models.cjs'), 'utf8');
    const options = { ecmaVersion: 'latest', locations: true };
    const broken = [
      'a b',
      '`${',
      'let let',
      '/(/',
      'x = {a: 1',
      '0b12',
      '"\\u{110000}"',
      'await 1',
      'class { #a; #a }',
    ];
    return [acorn.parse(text, options), ...broken.map((one) => attempt(() => acorn.parse(one, options)))];
  },
  qs: (qs) => {
    const texts = [
      'a[b][c]=1&a[b][d]=2',
      'a[]=1&a[]=2,3&b',
      '?x=%F0%9F%98%80&y=%zz',
      'a.b=c&a[__proto__]=1',
      'a[100]=x',
    ];
    const options = { allowDots: true, comma: true, ignoreQueryPrefix: true, parameterLimit: 5, depth: 1 };
    const parsed = texts.flatMap((text) => [qs.parse(text), attempt(() => qs.parse(text, options))]);
    const written = parsed.flatMap((one) => [
      qs.stringify(one),
      qs.stringify(one, { arrayFormat: 'comma', sort: (a, b) => (a < b ? -1 : 1) }),
    ]);
    return [parsed, written];
  },
  semver: (semver) => {
    const versions = ['1.2.3', '1.2.3-beta.4+x', '01.2.3', 'v2.0.0', '1.2', '', '999999999999999999.0.0'];
    const ranges = ['^1.2', '~1.2.3-beta', '>=1 <2 || 3.x', '*', '1.2 - 2', 'x.y'];
    const each = versions.map((one) => [
      semver.parse(one),
      semver.valid(one),
      semver.coerce(one),
      attempt(() => semver.inc(one, 'prerelease', 'rc')),
    ]);
    const pairs = versions.flatMap((one) =>
      ranges.map((range) => [semver.satisfies(one, range), attempt(() => semver.gtr(one, range))]),
    );
    return [each, pairs, ranges.map((range) => [semver.validRange(range), attempt(() => semver.minVersion(range))])];
  },
  luxon: ({ DateTime, Duration, Interval }) => {
    const zone = { zone: 'utc' };
    const texts = ['2024-02-29T12:30:15.5+02:00', '2024-W09-4', '20240229', '2024-060', '12:30', 'P1D', '2024-02-30'];
    const dates = texts.map((text) => DateTime.fromISO(text, zone));
    const said = dates.map((date) => [
      date.toISO(),
      date.toFormat("EEEE, d 'of' MMMM yyyy HH:mm:ss.SSS ZZ"),
      date.plus({ months: 1 }).toISODate(),
      date.weekNumber,
      date.invalidExplanation,
    ]);
    const spans = ['P1Y2M3DT4H5M6S', 'PT36H', '-P1W', 'x'].map((text) =>
      Duration.fromISO(text).shiftTo('days', 'hours').toObject(),
    );
    const parsed = attempt(() => DateTime.fromFormat('29 02 24', 'dd MM yy', zone).toISO());
    return [said, spans, parsed, Interval.fromISO('2024-01-01/P3D').splitBy({ days: 1 }).map(String)];
  },
};

/** @returns {unknown} what a function answers or throws */
function attempt(tried) {
  try {
    return tried();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

for (const [name, use] of Object.entries(USES)) {
  test(name, () => {
    const handle = new TraceHandle();
    const traced = loadTraced(name, handle);
    const count = makeLive(handle);
    const shown = (made) => inspect(made, { depth: 12, maxArrayLength: null, maxStringLength: null });
    assert.equal(shown(use(traced)), shown(use(require(name))));
    assert.ok(count() > 1_000, `${count()} expressions: the program has no live symbols`);
  });
}
