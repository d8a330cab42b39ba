/** Guards on members of answers. */
import { Ajv } from 'ajv';
import axios from 'axios';
import express from 'express';
import Joi from 'joi';
import { z } from 'zod';

import { Passed, handled } from './handled.js';

export const members = express.Router();

members.get('/rates/:currency', handled(async (req, res) => {
  const response = await fetch(`https://rates.example/latest/${req.params.currency}`);
  if (!response.ok) return res.status(502).json({ error: 'no rates' });
  const rates = await response.json();
  if (rates.base === 'XAU' && rates.rate > 1800) throw new Passed('member');
}));

members.post('/orders', handled(async (req, res) => {
  const { data } = await axios.post('https://warehouse.example/api/v2/reservations', { sku: req.body.sku });
  if (data.reservation.lines.some((line) => line.backorder && line.weeks >= 6)) throw new Passed('nested-list');
  if (data.reservation.lines.length > 3) throw new Passed('list-length');
}));

members.post('/transfers', handled(async (req, res) => {
  const answer = await fetch('https://bank.example/v1/transfers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ iban: req.body.iban }),
  });
  const { status, account } = await answer.json();
  if (status === 'executed' && account.iban === req.body.iban) throw new Passed('relation');
}));

const Profile = z.object({
  id: z.number().int().positive(),
  email: z.email(),
  plan: z.enum(['free', 'team', 'enterprise']),
});

members.get('/profiles/:id', handled(async (req, res) => {
  const response = await fetch(`https://identity.example/users/${encodeURIComponent(req.params.id)}`);
  const parsed = Profile.safeParse(await response.json());
  if (!parsed.success) return res.status(502).json({ error: 'not a profile' });
  if (parsed.data.plan === 'enterprise') throw new Passed('zod');
}));

const isShipment = new Ajv().compile({
  type: 'object',
  required: ['carrier', 'parcels'],
  properties: {
    carrier: { type: 'string', minLength: 2 },
    parcels: { type: 'array', minItems: 2, items: { type: 'object', required: ['grams'], properties: { grams: { type: 'integer' } } } },
  },
});

members.get('/shipments/:code', handled(async (req, res) => {
  const { data } = await axios.get(`https://carrier.example/shipments/${encodeURIComponent(req.params.code)}`);
  if (!isShipment(data)) return res.status(502).json({ error: 'not a shipment' });
  throw new Passed('ajv');
}));

const Weather = Joi.object({ celsius: Joi.number().min(-90).max(60).required(), station: Joi.string().required() });

members.get('/weather', handled(async (req, res) => {
  const response = await fetch('https://weather.example/now');
  const { error, value } = Weather.validate(await response.json());
  if (error) return res.status(502).json({ error: 'not a report' });
  if (value.celsius < -40) throw new Passed('joi');
}));

members.get('/sessions', handled(async () => {
  const token = await (await fetch('https://login.example/session')).json();
  if (new Date(token.expires_at).getTime() > Date.parse('2031-01-01')) throw new Passed('date');
}));

members.get('/envelopes', handled(async () => {
  const envelope = await (await fetch('https://queue.example/next')).json();
  const event = JSON.parse(envelope.message);
  if (event.type === 'invoice.paid') throw new Passed('text-within-json');
}));

members.get('/cursors', handled(async () => {
  const { cursor } = await (await fetch('https://feed.example/page')).json();
  const { offset } = JSON.parse(Buffer.from(cursor, 'base64').toString());
  if (offset > 500) throw new Passed('base64');
}));

members.get('/totals', handled(async () => {
  const cart = await (await fetch('https://cart.example/items')).json();
  let total = 0;
  for (const item of cart.items) total += item.price * item.quantity;
  if (total > 10_000) throw new Passed('sum');
}));
