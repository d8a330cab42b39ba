'use strict';
/** Older versions of the libraries, a recursive schema, and one schema for all parts of a request. */

const Joi = require('@hapi/joi');
const Ajv = require('ajv');
const express = require('express');
const { body, validationResult } = require('express-validator');
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

const Tree = z.object({ name: z.string().min(1), children: z.lazy(() => z.array(Tree)) });
app.post('/tree', (req, res) => {
  const { success, data } = Tree.safeParse(req.body);
  if (isFaulty(res, success, success && data.children.length === 2)) throw new Error('tree fault');
});

const Whole = z.object({
  body: z.object({ kind: z.discriminatedUnion('t', [z.object({ t: z.literal('a'), n: z.number().min(3) }), z.object({ t: z.literal('b'), s: z.string().uuid() })]) }),
  query: z.object({ dry: z.enum(['0', '1']) }),
  params: z.object({ id: z.string().regex(/^[0-9]+$/) }),
});
app.put('/whole/:id', (req, res) => {
  const { success } = Whole.safeParse({ body: req.body, query: req.query, params: req.params });
  if (isFaulty(res, success, success && req.body.kind.t === 'b' && req.query.dry === '1')) throw new Error('whole fault');
});

const Money = Joi.object({ iso: Joi.string().regex(/^[A-Z]{2}$/).required(), amount: Joi.number().min(10).required(), when: Joi.date().iso() });
app.post('/joi', (req, res) => {
  const { error, value } = Joi.validate(req.body, Money);
  if (isFaulty(res, !error, value.when)) throw new Error('joi fault');
});

const List = yup.object({ a: yup.string().email().required(), c: yup.array().of(yup.string().oneOf(['p', 'q'])).min(1).required() });
app.post('/yup', (req, res) => {
  if (isFaulty(res, List.isValidSync(req.body), req.body?.c?.[0] === 'q')) throw new Error('yup fault');
});

const check = new Ajv().compile({ type: 'object', properties: { a: { type: 'string', pattern: '^[a-f]{8}$' }, b: { enum: [1, 2] } }, required: ['a', 'b'] });
app.post('/ajv', (req, res) => {
  if (isFaulty(res, check(req.body), req.body?.b === 2)) throw new Error('ajv fault');
});

const Level = v.object({ id: v.pipe(v.string(), v.uuid()), level: v.picklist(['low', 'high']) });
app.post('/valibot', (req, res) => {
  if (isFaulty(res, v.safeParse(Level, req.body).success, req.body?.level === 'high')) throw new Error('valibot fault');
});

app.post('/chains', body('lang').isIn(['en', 'no']), body('mail').isEmail(), (req, res) => {
  if (isFaulty(res, validationResult(req).isEmpty(), req.body?.lang === 'no')) throw new Error('chains fault');
});

const Tenant = z.object({ 'x-tenant': z.string().length(8), 'x-mode': z.enum(['live', 'test']) });
app.get('/headers', (req, res) => {
  const { success, data } = Tenant.safeParse(req.headers);
  if (isFaulty(res, success, success && data['x-mode'] === 'live')) throw new Error('headers fault');
});

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});
app.listen(process.env.PORT, '127.0.0.1');
