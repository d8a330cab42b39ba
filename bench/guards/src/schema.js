// Guards behind libraries that check documents by a schema, as programs use them: one function checks the documents of several operations.
import { Ajv } from 'ajv';
import express from 'express';
import { z } from 'zod';

import { badRequest, ok } from './answer.js';

export const schema = express.Router();

const order = z.strictObject({
  sku: z.string().regex(/^[A-Z]{3}-\d{4}$/),
  quantity: z.number().int().gt(20).multipleOf(8),
  contact: z.object({ mail: z.email(), zip: z.string().length(5) }),
  tags: z.array(z.string()).min(2),
});
const payment = z.union([z.object({ card: z.string().length(16), pin: z.number() }), z.object({ iban: z.string().startsWith('DE') })]);

function checked(shape, body) {
  const parsed = shape.safeParse(body);
  if (!parsed.success) {
    throw badRequest('not as it has to be');
  }
  return parsed.data;
}

schema.post('/schema/order', (req, res) => {
  if (checked(order, req.body).tags.length > 0) {
    throw new Error('schema-parsed');
  }
  res.json(ok);
});

schema.post('/schema/payment', (req, res) => {
  if (checked(payment, req.body).iban !== undefined) {
    throw new Error('schema-union');
  }
  res.json(ok);
});

const isShipment = new Ajv().compile({
  type: 'object',
  required: ['kind', 'to'],
  additionalProperties: false,
  properties: {
    kind: { enum: ['parcel', 'letter'] },
    to: { type: 'object', required: ['code'], properties: { code: { type: 'string', pattern: '^[a-z]{2}\\d{5}$' } } },
    insured: { type: 'integer', minimum: 500 },
  },
  if: { properties: { kind: { const: 'parcel' } } },
  then: { required: ['insured'] },
});

schema.post('/schema/shipment', (req, res) => {
  if (!isShipment(req.body)) {
    throw badRequest('no shipment');
  }
  if (req.body.kind === 'parcel') {
    throw new Error('schema-compiled');
  }
  res.json(ok);
});
