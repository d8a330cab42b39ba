'use strict';
/**
 * The JSON Schema that the agent makes of a library's schema, against the library itself: values made from the
 * description are valid for the library, and what the library refuses does not meet the description.
 */

const assert = require('node:assert/strict');
const test = require('node:test');
const Ajv = require('ajv/dist/2020').default;
const { z } = require('zod');
const mini = require('zod/mini');
const { z: z3 } = require('zod3/v3');
const Joi = require('joi');
const OldJoi = require('joi15');
const yup = require('yup');
const t = require('io-ts');
const v = require('valibot');
const { Type } = require('@sinclair/typebox');
const { Value } = require('@sinclair/typebox/value');
const { encode } = require('../src/base/json-text.cjs');
const { oldJoiSchema } = require('../src/runtime/validators/joi-before-16.cjs');
const { joiSchema } = require('../src/runtime/validators/joi-schemas.cjs');
const { plainSchema, referencesIn } = require('../src/runtime/validators/plain-schemas.cjs');
const { Translation } = require('../src/runtime/validators/schema-translation.cjs');
const { codecSchema } = require('../src/runtime/validators/io-ts-schemas.cjs');
const { valibotSchema } = require('../src/runtime/validators/valibot-schemas.cjs');
const { yupSchema } = require('../src/runtime/validators/yup-schemas.cjs');
const { zodSchema } = require('../src/runtime/validators/zod-schemas.cjs');
const { zod3Schema } = require('../src/runtime/validators/zod3-schemas.cjs');
const { Values, broken, randomSource } = require('./support/schema-values.cjs');

const PLAIN_FORMATS = { email: /^[^@\s]+@[^@\s]+\.[a-z]+$/, uri: /^https?:\/\/\S+$/, uuid: /^[0-9a-f-]{36}$/, date: /^\d{4}-\d\d-\d\d$/, 'date-time': /^\d{4}-\d\d-\d\dT/ }; // prettier-ignore

/** @returns {any} the description as plain JSON */
function described(translate, schema) {
  return JSON.parse(encode(new Translation(translate).whole(schema)));
}

/**
 * @param {any} description
 * @param {(value: any) => boolean} accepts whether the library accepts a value
 * @param {(value: any) => boolean} [isInexpressible] values that JSON Schema cannot refuse
 */
function compare(description, accepts, isInexpressible = () => false) {
  const ajv = new Ajv({ strict: false, formats: PLAIN_FORMATS });
  const meets = ajv.compile(description);
  const values = new Values(description, randomSource(7));
  let refused = 0;
  for (let count = 0; count < 60; count++) {
    const value = values.of(description);
    assert.ok(meets(value), JSON.stringify([value, meets.errors]));
    assert.ok(accepts(value), 'the library refuses ' + JSON.stringify(value));
    for (const copy of broken(value)) {
      if (accepts(copy) || isInexpressible(copy)) continue;
      refused++;
      assert.ok(!meets(copy), 'the description allows ' + JSON.stringify(copy));
    }
  }
  assert.ok(refused > 500);
}

test('zod 4', () => {
  const schema = z
    .object({
      email: z.email(),
      age: z.number().int().min(18).lt(100),
      step: z.number().multipleOf(0.5).positive(),
      role: z.enum(['admin', 'user']),
      sku: z.string().regex(/^[A-Z]{3}-[0-9]{4}$/),
      tags: z.array(z.string().min(2).max(5)).min(1).max(3),
      shape: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('circle'), r: z.number() }),
        z.object({ kind: z.literal('box'), sides: z.tuple([z.number(), z.string()]) }),
      ]),
      note: z.string().nullable().optional(),
      on: z.iso.date(),
      limits: z.record(z.string(), z.number()),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.boolean() })),
    })
    .strict();
  schema.safeParse({});
  const description = described(zodSchema, schema);
  assert.deepEqual(description.properties.age, { type: 'integer', minimum: 18, exclusiveMaximum: 100 });
  assert.equal(description.additionalProperties, false);
  compare(description, (value) => schema.safeParse(value).success);
});

test('zod/mini', () => {
  const schema = mini.object({ a: mini.string().check(mini.minLength(3)), b: mini.optional(mini.int()) });
  schema.safeParse({});
  assert.deepEqual(described(zodSchema, schema), {
    type: 'object',
    properties: { a: { type: 'string', minLength: 3 }, b: { type: 'integer' } },
    required: ['a'],
  });
});

test('zod 3', () => {
  const schema = z3
    .object({
      email: z3.string().email(),
      age: z3.number().int().gte(18).lt(100),
      code: z3.string().startsWith('ab').length(2),
      role: z3.enum(['admin', 'user']).default('user'),
      tags: z3.array(z3.string().min(2)).min(1).max(3),
      kind: z3.union([z3.literal('x'), z3.literal(3)]),
      inner: z3.object({ a: z3.boolean().nullable(), t: z3.tuple([z3.string()]) }),
    })
    .strict();
  schema.safeParse({});
  compare(described(zod3Schema, schema), (value) => schema.safeParse(value).success);
});

test('joi', () => {
  const schema = Joi.object({
    email: Joi.string().email().required(),
    qty: Joi.number().integer().min(1).less(50).required(),
    port: Joi.number().port(),
    sku: Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .required(),
    mode: Joi.string().valid('fast', 'slow'),
    list: Joi.array().items(Joi.string().min(2)).min(1).max(4),
    inner: Joi.object({ a: Joi.boolean().required(), b: Joi.string().allow(null, '') }).required(),
  });
  const strict = schema.prefs({ convert: false });
  compare(described(joiSchema, schema), (value) => strict.validate(value).error === undefined);
});

test('joi: members that depend on others', () => {
  const schema = Joi.object({ a: Joi.number(), b: Joi.number(), c: Joi.number() }).xor('a', 'b').with('c', 'a');
  const meets = new Ajv({ strict: false }).compile(described(joiSchema, schema));
  for (const value of [{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: 1, c: 1 }, { b: 1, c: 1 }]) {
    assert.equal(meets(value), schema.validate(value).error === undefined, JSON.stringify(value));
  }
});

test('joi and yup: a member that repeats another one', () => {
  const twin = { const: { $data: '1/password' } };
  const password = Joi.string().min(8).required();
  const joi = Joi.object({ password, repeat: Joi.valid(Joi.ref('password')).required(), other: Joi.ref('a') });
  const { properties, required } = described(joiSchema, joi);
  assert.deepEqual([properties.repeat, required], [twin, ['password', 'repeat']]);
  const outer = Joi.object({ inner: Joi.object({ repeat: Joi.valid(Joi.ref('...password'), Joi.ref('b.c')) }) });
  assert.deepEqual(described(joiSchema, outer).properties.inner.properties.repeat, {});
  const repeated = yup
    .string()
    .oneOf([yup.ref('password'), null])
    .required();
  const { repeat } = described(
    yupSchema,
    yup.object({ password: yup.string().required(), repeat: repeated }),
  ).properties;
  assert.deepEqual([repeat.const, repeat.enum], [twin.const, undefined]);
});

test('joi: links lead to schemas around them', () => {
  const word = Joi.string().min(2).id('word');
  const inner = { v: Joi.number().required(), next: Joi.link('#list'), top: Joi.link('/'), up: Joi.link('..') };
  const schema = Joi.object({ ...inner, name: Joi.link('#word'), other: Joi.link('#none') })
    .id('list')
    .shared(word);
  const strict = schema.prefs({ convert: false });
  const meets = new Ajv({ strict: false }).compile(described(joiSchema, schema));
  const chain = { v: 1, next: { v: 2, top: { v: 3, up: { v: 4 } } } };
  for (const value of [{}, chain, { v: 1, next: { v: 2, next: {} } }, { v: 1, up: {} }, { v: 1, name: 'a' }]) {
    assert.equal(meets(value), strict.validate(value).error === undefined, JSON.stringify(value));
  }
});

test('joi 15', () => {
  const schema = OldJoi.object({
    email: OldJoi.string().email().required(),
    qty: OldJoi.number().integer().min(1).less(50).required(),
    sku: OldJoi.string()
      .regex(/^[A-Z]{3}$/)
      .required(),
    mode: OldJoi.string().valid('fast', 'slow'),
    list: OldJoi.array().items(OldJoi.string().min(2)).min(1).max(4),
  });
  compare(
    described(oldJoiSchema, schema),
    (value) => OldJoi.validate(value, schema, { convert: false }).error === null,
  );
});

test('yup', () => {
  const schema = yup
    .object({
      email: yup.string().email().required(),
      qty: yup.number().integer().min(1).lessThan(50).required(),
      sku: yup
        .string()
        .matches(/^[A-Z]{3}$/)
        .required(),
      mode: yup.string().oneOf(['fast', 'slow']).required(),
      list: yup.array(yup.string().required().min(2)).min(1).max(4).required(),
      inner: yup.object({ a: yup.boolean().required(), b: yup.string().nullable() }).required(),
    })
    .noUnknown();
  compare(described(yupSchema, schema), (value) => schema.isValidSync(value, { strict: true }));
});

test('valibot', () => {
  const schema = v.strictObject({
    email: v.pipe(v.string(), v.email()),
    qty: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
    sku: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    mode: v.picklist(['fast', 'slow']),
    list: v.pipe(v.array(v.pipe(v.string(), v.minLength(2))), v.minLength(1), v.maxLength(4)),
    shape: v.variant('kind', [v.object({ kind: v.literal('a'), n: v.number() }), v.object({ kind: v.literal('b') })]),
    note: v.optional(v.nullable(v.string())),
    pair: v.strictTuple([v.string(), v.number()]),
  });
  compare(described(valibotSchema, schema), (value) => v.safeParse(schema, value).success);
});

test('io-ts', () => {
  const schema = t.intersection([
    t.strict({
      id: t.string,
      status: t.union([t.literal('open'), t.literal('closed'), t.literal(7)]),
      mode: t.keyof({ fast: null, slow: null }),
      position: t.tuple([t.number, t.number]),
      lines: t.array(t.type({ sku: t.string, qty: t.Int })),
      rates: t.record(t.string, t.number),
      note: t.union([t.string, t.null, t.undefined]),
    }),
    t.partial({ tags: t.readonlyArray(t.string), open: t.boolean }),
  ]);
  compare(described(codecSchema, schema), (value) => schema.decode(value)._tag === 'Right');
});

test('TypeBox', () => {
  const schema = Type.Object(
    {
      host: Type.String({ pattern: '^h-[0-9]{3}$' }),
      port: Type.Integer({ minimum: 1, maximum: 9000 }),
      tls: Type.Union([Type.Literal('on'), Type.Literal('off')]),
      list: Type.Optional(Type.Array(Type.Number(), { minItems: 2 })),
    },
    { additionalProperties: false },
  );
  compare(described(plainSchema(referencesIn(schema)), schema), (value) => Value.Check(schema, value));
});

test('recursive schemas refer to themselves', () => {
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  node.safeParse({ name: 'a', children: [] });
  const description = described(zodSchema, node);
  compare(description, (value) => node.safeParse(value).success);
  const later = z3.object({ next: z3.lazy(() => later).optional() });
  later.safeParse({});
  const translation = new Translation(zod3Schema);
  assert.deepEqual(JSON.parse(encode(translation.whole(later))).properties, { next: {} });
  assert.ok(translation.isPartial, 'a function of the program is not called');
});

test('nothing of the program runs, and nothing is thrown', () => {
  let calls = 0;
  const count = () => {
    calls++;
    throw new Error('called');
  };
  const hostile = z.object({
    a: z.string().refine(count).transform(count),
    b: z.lazy(count),
    c: z.string().default(count),
  });
  described(zodSchema, hostile);
  const proxy = new Proxy({}, { get: count, getOwnPropertyDescriptor: count, ownKeys: count });
  const getters = { get type() { return count(); }, get _zod() { return count(); }, get _def() { return count(); }, get _flags() { return count(); } }; // prettier-ignore
  for (const translate of [
    zodSchema,
    zod3Schema,
    joiSchema,
    oldJoiSchema,
    yupSchema,
    valibotSchema,
    plainSchema(() => proxy),
  ]) {
    for (const schema of [proxy, getters, null, 1, { type: 'object', properties: proxy }]) described(translate, schema);
  }
  assert.equal(calls, 0);
});

test('a description is bounded', () => {
  let schema = z3.string();
  for (let depth = 0; depth < 500; depth++) schema = z3.array(schema);
  assert.ok(encode(new Translation(zod3Schema).whole(schema)).length < 5000);
  const wide = v.object(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => ['m' + n, v.string()])));
  assert.equal(Object.keys(described(valibotSchema, wide).properties).length, 200);
});
