'use strict';
/** One operation per library, each with a fault behind an input that its schema accepts. */

require('reflect-metadata');
const { ParseEnumPipe, ParseIntPipe, ParseUUIDPipe } = require('@nestjs/common');
const { Type } = require('@sinclair/typebox');
const { TypeCompiler } = require('@sinclair/typebox/compiler');
const Ajv = require('ajv');
const { celebrate, Joi: CelebrateJoi, Segments, errors } = require('celebrate');
const { Type: Nested, plainToInstance } = require('class-transformer');
const cv = require('class-validator');
const express = require('express');
const { body, query, validationResult } = require('express-validator');
const Joi = require('joi');
const mongoose = require('mongoose');
const s = require('superstruct');
const v = require('valibot');
const yup = require('yup');
const { z } = require('zod');

const app = express();
app.use(express.json());

/** Answers, unless a fault has to be thrown. */
function isFaulty(res, isValid, isFault) {
  if (isValid && isFault) return true;
  if (isValid) res.json({ ok: true });
  else res.status(400).end();
  return false;
}

const User = z.strictObject({
  email: z.email(),
  age: z.number().int().min(18).max(99),
  address: z.object({ zip: z.string().regex(/^[0-9]{5}$/) }),
});
app.post('/zod', (req, res) => {
  const { success, data } = User.safeParse(req.body);
  if (isFaulty(res, success, success && data.age > 60)) throw new Error('zod fault');
});

const Filter = z.object({ limit: z.coerce.number().int().min(1).max(100), sort: z.enum(['asc', 'desc']) });
app.get('/zod-query', (req, res) => {
  const { success, data } = Filter.safeParse({ ...req.query });
  if (isFaulty(res, success, success && data.sort === 'desc')) throw new Error('query fault');
});

const Order = Joi.object({ sku: Joi.string().pattern(/^[A-Z]{3}-[0-9]{4}$/).required(), ship: Joi.date().iso().required(), gift: Joi.boolean() });
app.post('/joi', (req, res) => {
  const { error, value } = Order.validate(req.body);
  if (isFaulty(res, !error, value?.gift)) throw new Error('joi fault');
});

const Site = yup.object({ name: yup.string().required().min(3), url: yup.string().url().required(), n: yup.number().integer().moreThan(10).required() });
app.post('/yup', async (req, res) => {
  if (isFaulty(res, await Site.isValid(req.body, { strict: true }), req.body?.n > 5000)) throw new Error('yup fault');
});

const check = new Ajv().compile({ type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number', exclusiveMinimum: 3 } }, required: ['kind', 'r'], additionalProperties: false });
app.post('/ajv', (req, res) => {
  if (isFaulty(res, check(req.body), req.body?.r > 1000)) throw new Error('ajv fault');
});

const Alarm = v.strictObject({ id: v.pipe(v.string(), v.uuid()), level: v.picklist(['low', 'high']), when: v.pipe(v.string(), v.isoTimestamp()) });
app.post('/valibot', (req, res) => {
  if (isFaulty(res, v.is(Alarm, req.body), req.body?.level === 'high')) throw new Error('valibot fault');
});

const Post = s.object({ title: s.size(s.string(), 3, 12), rank: s.min(s.integer(), 5), slug: s.optional(s.pattern(s.string(), /^[a-z]{2}-[a-z]{2}$/)) });
app.post('/superstruct', (req, res) => {
  if (isFaulty(res, s.is(req.body, Post), req.body?.slug)) throw new Error('superstruct fault');
});

const Host = TypeCompiler.Compile(Type.Object({ host: Type.String({ pattern: '^h-[0-9]{3}$' }), tls: Type.Union([Type.Literal('on'), Type.Literal('off')]) }));
app.post('/typebox', (req, res) => {
  if (isFaulty(res, Host.Check(req.body), req.body?.tls === 'off')) throw new Error('typebox fault');
});

class Address {}
class Person {}
const decorate = (target, name, ...decorators) => decorators.forEach((one) => one(target.prototype, name));
decorate(Address, 'zip', cv.Matches(/^[0-9]{4}$/));
decorate(Person, 'email', cv.IsEmail());
decorate(Person, 'level', cv.IsIn(['gold', 'silver']));
decorate(Person, 'address', cv.IsDefined(), cv.ValidateNested(), Nested(() => Address));
app.post('/class', async (req, res) => {
  const person = plainToInstance(Person, req.body ?? {});
  const found = await cv.validate(person, { whitelist: true, forbidNonWhitelisted: true });
  if (isFaulty(res, found.length === 0, person.level === 'gold')) throw new Error('class fault');
});

const chains = [body('email').isEmail(), body('pin').isString().isLength({ min: 4, max: 4 }).isNumeric(), query('page').isInt({ min: 1, max: 50 })];
app.post('/chains', chains, (req, res) => {
  if (isFaulty(res, validationResult(req).isEmpty(), req.query.page > 40)) throw new Error('chains fault');
});

const Rules = { [Segments.BODY]: CelebrateJoi.object({ code: CelebrateJoi.string().length(6).hex().required() }), [Segments.QUERY]: CelebrateJoi.object({ mode: CelebrateJoi.string().valid('fast', 'slow').required() }) };
app.post('/celebrate', celebrate(Rules), (req, res) => {
  if (isFaulty(res, true, req.query.mode === 'slow')) throw new Error('celebrate fault');
});

const Cat = mongoose.model('Cat', new mongoose.Schema({ name: { type: String, required: true, minlength: 3 }, breed: { type: String, enum: ['manx', 'persian'], required: true }, owner: { email: { type: String, required: true, match: /^\S+@\S+\.\S+$/ } } }));
app.post('/mongoose', (req, res) => {
  if (isFaulty(res, !new Cat(req.body).validateSync(), req.body?.breed === 'manx')) throw new Error('mongoose fault');
});

const pipes = [new ParseUUIDPipe(), new ParseEnumPipe({ UP: 'up', DOWN: 'down' }), new ParseIntPipe()];
app.get('/pipes', async (req, res) => {
  let direction;
  try {
    await pipes[0].transform(req.query.key, { type: 'query', data: 'key' });
    direction = await pipes[1].transform(req.query.dir, { type: 'query', data: 'dir' });
    await pipes[2].transform(req.query.n, { type: 'query', data: 'n' });
  } catch {
    return res.status(400).end();
  }
  if (isFaulty(res, true, direction === 'down')) throw new Error('pipes fault');
  return undefined;
});

// The refinement counts its runs, and the schema has a member whose getter throws: neither is to be touched.
let runs = 0;
const Odd = z.object({ ok: z.string().length(4).refine(() => ++runs > 0) });
Object.defineProperty(Odd, 'trap', { get: () => { throw new Error('a getter of the schema was called'); } });
app.post('/odd', (req, res) => {
  const before = runs;
  const { success, data } = Odd.safeParse(req.body);
  if (runs - before > 1) throw new Error('the refinement ran more than once');
  if (isFaulty(res, success, success && data.ok === 'aaaa')) throw new Error('odd fault');
});

app.use(errors());
app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});
app.listen(process.env.PORT, '127.0.0.1');
