'use strict';
/** Schemas are described where libraries apply them, from CommonJS and ES modules, and the program cannot tell. */

const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { originalFunctionText, withoutHidden } = require('../src/base/function-text.cjs');
const { generatedText, watchedText } = require('../src/runtime/validators/watched-texts.cjs');
const { join } = require('node:path');
const { FakeCore } = require('./support/fake-core.cjs');
const { TOOLS } = require('./support/toolchain.cjs');

const MODULES = path.join(__dirname, '..', 'node_modules');

async function using(files, args, work) {
  const core = await FakeCore.start(files);
  try {
    core.run(args);
    await core.listening();
    await work(core);
  } finally {
    await core.stop();
  }
}

/** The validations of one call, with the schemas that they name. */
async function validations(core, seq, call, areChecks = false) {
  const { result } = await core.evaluate(seq, [call]);
  const found = (result.validations ?? []).map(({ schema, place, valid, value }) => ({
    ...core.peer.ofType('schema').find(({ id }) => id === schema),
    place,
    valid,
    value,
  }));
  return found.filter((one) => (one.library === 'validator') === areChecks);
}

const APP = `
const express = require('express');
const { z } = require('zod');
const Ajv = require('ajv');
const s = require('superstruct');
const cv = require('class-validator');
const { plainToInstance, Type } = require('class-transformer');
Reflect.getMetadata = () => undefined; // of reflect-metadata, which tells nothing that is needed here
const { body, query } = require('express-validator');
const app = express();
app.use(express.json());
const User = z.strictObject({ age: z.number().min(18) });
app.post('/zod', (req, res) => res.json(User.safeParse(req.body).success));
app.post('/copy', async (req, res) => res.json((await User.safeParseAsync({ ...req.body })).success));
const ajv = new Ajv({ useDefaults: true, coerceTypes: true });
ajv.addSchema({ $id: 'http://x/item.json', type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
const check = ajv.compile({ type: 'object', properties: { item: { $ref: 'http://x/item.json' }, size: { default: 3 } } });
app.post('/ajv', (req, res) => res.json(check(req.body)));
const Post = s.object({ title: s.size(s.string(), 3, 9), rank: s.optional(s.min(s.integer(), 5)), at: s.tuple([s.number()]) });
app.post('/struct', (req, res) => res.json(s.is(req.body, Post)));
class Address {}
const decorate = (target, name, ...decorators) => { for (const one of decorators) one(target.prototype, name); };
decorate(Address, 'zip', cv.Matches(/^[0-9]{4}$/));
class Person {}
decorate(Person, 'email', cv.IsEmail());
decorate(Person, 'tags', cv.IsOptional(), cv.IsUUID('4', { each: true }));
decorate(Person, 'home', cv.ValidateNested(), Type(() => Address));
app.post('/class', async (req, res) => {
  res.json((await cv.validate(plainToInstance(Person, req.body), { whitelist: true, forbidNonWhitelisted: true })).length);
});
app.post('/chain', body('email').trim().isEmail(), body('pin').isString().isLength({ min: 4 }).optional(), query('page').isInt({ min: 1 }), query('rows').optional().isArray({ min: 2, max: 4 }), (req, res) => res.end());
app.listen(0);
`;

test('each library: the schema, the place, the value and the outcome', async () => {
  await using({ 'app.cjs': APP }, ['app.cjs'], async (core) => {
    const [zod] = await validations(core, 1, ['POST /zod', { age: 3 }]);
    assert.deepEqual([zod.library, zod.place, zod.valid, zod.value], ['zod', ['body'], false, { age: 3 }]);
    assert.deepEqual(zod.schema, {
      type: 'object',
      properties: { age: { type: 'number', minimum: 18 } },
      required: ['age'],
      additionalProperties: false,
    });
    const [copy] = await validations(core, 2, ['POST /copy', { age: 30 }]);
    assert.deepEqual([copy.id, copy.place, copy.valid, copy.value], [zod.id, [], true, { age: 30 }]);

    const [ajv] = await validations(core, 3, ['POST /ajv', { item: { n: '7' } }]);
    assert.deepEqual([ajv.valid, ajv.value], [true, { item: { n: '7' } }], 'as it was before ajv changed it');
    assert.deepEqual(ajv.schema.properties.item.required, ['n']);

    const [struct] = await validations(core, 4, ['POST /struct', { title: 'abcd' }]);
    assert.equal(struct.valid, false);
    assert.deepEqual(struct.schema.properties, {
      title: { type: 'string', minLength: 3, maxLength: 9 },
      rank: { type: 'integer', minimum: 5 },
      at: { type: 'array', prefixItems: [{ type: 'number' }], items: false, minItems: 1, maxItems: 1 },
    });
    assert.deepEqual(struct.schema.required, ['title', 'at']);

    const [person] = await validations(core, 5, ['POST /class', { email: 'a@b.org', home: { zip: '1234' } }]);
    assert.deepEqual([person.library, person.place, person.valid], ['class-validator', ['body'], true]);
    assert.deepEqual(person.schema, {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        tags: { type: 'array', items: { type: 'string', format: 'uuid' } },
        home: {
          type: 'object',
          properties: { zip: { type: 'string', pattern: '^[0-9]{4}$' } },
          required: ['zip'],
          additionalProperties: false,
        },
      },
      required: ['email', 'home'],
      additionalProperties: false,
    });
    const chains = await validations(core, 6, ['POST /chain?page=0', { email: ' a@b.org ' }]);
    assert.deepEqual(
      chains.map(({ place, valid, schema }) => [place, valid, schema]),
      [
        [['body', 'email'], true, { type: 'string', format: 'email' }],
        [['body', 'pin'], true, { type: 'string', minLength: 4, '~optional': true }],
        [['query', 'page'], false, { minimum: 1, type: 'integer' }],
        [['query', 'rows'], true, { type: 'array', minItems: 2, maxItems: 4, '~optional': true }],
      ],
    );
    // The copy of validator that class-validator brings along.
    const checks = await validations(core, 7, ['POST /class', { email: 'a@b.org', home: { zip: '1234' } }], true);
    const seen = checks.map(({ schema, value }) => `${schema.format ?? schema.pattern} ${value}`);
    assert.ok(seen.includes('email a@b.org') && seen.includes('^[0-9]{4}$ 1234'), seen.join());
    await validations(core, 8, ['POST /zod', { age: 3 }]);
    assert.equal(core.peer.ofType('schema').filter(({ library }) => library === 'zod').length, 1, 'described once');
  });
});

test("the part of the call whose value Nest's ValidationPipe has got, though nothing in it was sent", async () => {
  const app = `
const cv = require('class-validator');
const ct = require('class-transformer');
const { ValidationPipe } = require(${JSON.stringify(join(TOOLS, 'node_modules/@nestjs/common'))});
class Page { page = 1; }
for (const one of [cv.IsOptional(), cv.IsInt()]) one(Page.prototype, 'page');
const pipe = new ValidationPipe({ transform: true, validatorPackage: cv, transformerPackage: ct });
require('http').createServer(async (req, res) => {
  res.end(JSON.stringify(await pipe.transform({}, { type: 'query', metatype: Page })));
}).listen(0);
`;
  await using({ 'app.cjs': app }, ['app.cjs'], async (core) => {
    const [page] = await validations(core, 1, ['GET /']);
    assert.deepEqual([page.library, page.place, page.valid], ['class-validator', ['query'], true]);
    assert.deepEqual(page.schema, { type: 'object', properties: { page: { type: 'integer' } } });
  });
});

test('ES modules', async () => {
  const app = `
import http from 'node:http';
import { z } from 'zod';
import * as v from 'valibot';
const A = z.object({ a: z.string() });
const B = v.object({ b: v.number() });
http.createServer((req, res) => {
  const query = Object.fromEntries(new URL(req.url, 'http://x').searchParams);
  res.end(String(A.safeParse(query).success || v.safeParse(B, query).success));
}).listen(0);
`;
  await using({ 'app.mjs': app }, ['app.mjs'], async (core) => {
    const found = await validations(core, 1, 'GET /?b=1');
    assert.deepEqual(
      found.map(({ library, valid, value }) => [library, valid, value]),
      [
        ['zod', false, { b: '1' }],
        ['valibot', false, { b: '1' }],
      ],
    );
  });
});

test('the program sees the same functions, stacks and outcomes', async () => {
  const program = `
const { z } = require('zod');
const Ajv = require('ajv');
const v = require('valibot');
const Joi = require('joi');
const stack = () => new Error('here').stack.replace(/app\\.cjs:(\\d+):\\d+/g, 'app.cjs:$1');
const shown = [];
const at = () => { shown.push(stack()); return true; };
setImmediate(() => {
z.object({ a: z.string().refine(at) }).safeParse({ a: '' });
v.safeParse(v.pipe(v.string(), v.check(at)), '');
Joi.string().custom((value) => { at(); return value; }).validate('a');
const check = new Ajv().compile({ type: 'object', properties: { a: { type: 'integer' } } });
shown.push(check.toString(), check({ a: 'x' }), check.errors, String(v.safeParse), String(z.core.safeParse), String(Joi.isSchema));
try { z.string().parse(3); } catch (error) { shown.push(error.stack.replace(/app\\.cjs:(\\d+):\\d+/g, 'app.cjs:$1')); }
shown.push(Object.keys(globalThis).filter((name) => name.includes('wimble')));
console.log(JSON.stringify(shown));
});
`;
  const printed = [];
  for (const agent of [false, true]) {
    const core = await FakeCore.start({ 'app.cjs': program });
    try {
      core.run(['app.cjs'], { agent });
      await core.closed;
      printed.push(core.output.stdout.replaceAll(core.folder, '/sut'));
      assert.equal(core.output.stderr, '');
    } finally {
      await core.stop();
    }
  }
  assert.equal(printed[1], printed[0]);
});

test('insertions keep lines, and are removed from texts', () => {
  const files = [
    'zod/v4/core/parse.cjs',
    'zod/v4/core/parse.js',
    'zod/v3/types.cjs',
    'joi/lib/validator.js',
    'yup/index.js',
    'ajv/dist/compile/index.js',
    'valibot/dist/index.cjs',
    'superstruct/dist/index.cjs',
    'io-ts/lib/index.js',
    'io-ts/es6/index.js',
    'class-validator/cjs/validation/Validator.js',
    'express-validator/lib/chain/context-runner-impl.js',
    'express-validator/lib/chain/validators-impl.js',
    '@sinclair/typebox/build/cjs/compiler/compiler.js',
    '@sinclair/typebox/build/cjs/value/check/check.js',
    'validator/lib/isEmail.js',
    'validator/es/lib/isIn.js',
  ];
  for (const file of files) {
    const text = readFileSync(path.join(MODULES, file), 'utf8');
    const watched = watchedText(text, path.join(MODULES, file));
    assert.notEqual(watched, text, file);
    assert.equal(watched.split('\n').length, text.split('\n').length, file);
    assert.equal(withoutHidden(watched), text, file);
    assert.equal(watchedText(text, '/project/src/parse.js'), text);
  }
  assert.equal(generatedText('return 3'), 'return 3');
  assert.equal(typeof originalFunctionText(test), 'string');
});

test('the package typebox, which goes on from version 1 of TypeBox, is watched where it checks', () => {
  const texts = {
    'compile/validator.mjs': '\n    Check(value) {\n        return this.evaluateResult.Check(value);\n    }',
    'value/check/check.mjs': '\nexport function Check(...args) {\n    return SchemaCheck(args);\n}',
  };
  for (const [file, text] of Object.entries(texts)) {
    const watched = watchedText(text, `/project/node_modules/typebox/build/${file}`);
    assert.notEqual(watched, text, file);
    assert.equal(withoutHidden(watched), text, file);
    assert.equal(watchedText(text, `/project/node_modules/other/build/${file}`), text);
  }
});
