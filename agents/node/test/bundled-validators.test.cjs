'use strict';
/** Validation libraries within a bundle: what is rewritten, what is noted, and that the result stays the same. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { encode } = require('../src/base/json-text.cjs');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, noRecord, recorder } = require('../src/runtime/calls/recorder.cjs');
const { takeApplications, takeDescriptions } = require('../src/runtime/validators/applied-schemas.cjs');

const rewritten = (text) => instrument(text, { path: '/x.js', isModule: false }).code;

/** @param {string} text a function body @param {object} given */
function run(text, given) {
  const { code, table } = instrument(`function program(${Object.keys(given).join()}) {${text}\n}`, {
    path: '/x.js',
    isModule: false,
  });
  const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
  probes.open(true);
  clearRecorder();
  recorder.record = noRecord();
  takeDescriptions();
  takeApplications();
  try {
    const result = new Function('__wimble_open__', `${code}; return program`)(() => probes)(...Object.values(given));
    const applications = JSON.parse(encode(takeApplications().validations ?? []));
    return { result, schemas: JSON.parse(encode(takeDescriptions())), applications };
  } finally {
    clearRecorder();
  }
}

const ZOD_4 = 'let c={async:!1},r=s._zod.run({value:v,issues:[]},c);return r.issues.length';
const VALIBOT = 'const d=s["~run"]({value:v},g(c));return d.issues';

test('the call that applies a schema is wrapped', () => {
  assert.match(rewritten(ZOD_4.replace('return', 'x=')), /va\('zod',.*,s,v\)/);
  assert.match(rewritten(VALIBOT.replace('return', 'x=')), /va\('valibot',.*,s,v\)/);
  assert.match(rewritten('x=this._parseSync({data:d,path:c.path,parent:c})'), /va\('zod3',.*,this,d\)/);
});

test('it is wrapped in the code of a package in a bundle, where nothing else is', () => {
  const map = { version: 3, sources: ['/app/node_modules/zod/v4/core/parse.js'], names: [], mappings: 'AAAA' };
  const comment = Buffer.from(JSON.stringify(map)).toString('base64');
  const text = (line) => `${line}\n//# sourceMappingURL=data:application/json;base64,${comment}\n`;
  const code = rewritten(text('function p(s,v,c){if(v){let r=s._zod.run({value:v,issues:[]},c);return r.issues}}'));
  assert.match(code, /let r=\S+\.va\('zod',s\._zod\.run\(\{value:v,issues:\[\]\},c\),s,v\);return r\.issues/);
  assert.match(code, /function p\(s,v,c\)\{if\(v\)\{let/);
});

test('other calls stay as they are', () => {
  const others = [
    's._zod.run(payload,c)',
    's._zod.run({value:v[0],issues:[]},c)',
    's.run({value:v,issues:[]},c)',
    'a.b._zod.run({value:v,issues:[]},c)',
    'this._def.type._parse({data:d,path:c.path,parent:c})',
    's["~run"]({value:v},c)',
    'this._parse(input)',
  ];
  for (const text of others) assert.doesNotMatch(rewritten(`x=${text}`), /\.va\(/, text);
});

test('zod in a bundle tells its schema, value and outcome', () => {
  const { z } = require('zod');
  const schema = z.object({ name: z.string().min(3) });
  const found = run(ZOD_4, { s: schema, v: { name: 'ab' } });
  assert.equal(found.result, 1);
  assert.deepEqual(found.schemas[0].library, 'zod');
  assert.deepEqual(found.schemas[0].schema.properties.name, { type: 'string', minLength: 3 });
  assert.deepEqual(
    found.applications.map(({ valid, value }) => [valid, value]),
    [[false, { name: 'ab' }]],
  );
});

test('what is no schema is passed on', () => {
  const result = { issues: [] };
  const found = run(ZOD_4, { s: { _zod: { run: () => result } }, v: 1 });
  assert.deepEqual([found.result, found.applications], [0, []]);
});

test('the texts of the libraries have such calls', () => {
  const counts = [
    ['zod', 'zod/v4/core/parse.cjs'],
    ['zod3', 'zod/v3/types.cjs'],
    ['valibot', 'valibot/dist/index.cjs'],
  ].map(([library, file]) => {
    const text = readFileSync(
      path.join(path.dirname(require.resolve(file.split('/')[0])), file.replace(/^[^/]+\/(dist\/)?/, '')),
      'utf8',
    );
    return rewritten(text).split(`.va('${library}',`).length - 1;
  });
  assert.deepEqual(
    counts.map((count) => count > 1),
    [true, true, true],
    String(counts),
  );
});
