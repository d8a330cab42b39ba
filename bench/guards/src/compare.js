// Guards on numbers.
import express from 'express';

import { badRequest, field, integer, ok } from './answer.js';

export const compare = express.Router();

compare.get('/compare/literal', (req, res) => {
  if (integer(req.query.value) === 73421) {
    throw new Error('literal-number');
  }
  res.json(ok);
});

compare.post('/compare/float', (req, res) => {
  if (field(req.body, 'temperature', 'number') === -12.75) {
    throw new Error('literal-float');
  }
  res.json(ok);
});

compare.post('/compare/conjunction', (req, res) => {
  const quantity = field(req.body, 'quantity', 'number');
  const kind = field(req.body, 'kind', 'string');
  if (quantity === 737 && kind === 'crate') {
    throw new Error('conjunction');
  }
  res.json(ok);
});

compare.get('/compare/relation', (req, res) => {
  const a = integer(req.query.a);
  const b = integer(req.query.b);
  if (a > 1000 && b === 2 * a + 7) {
    throw new Error('relation');
  }
  res.json(ok);
});

compare.get('/compare/range', (req, res) => {
  const x = integer(req.query.x);
  if (x > 1000 && x < 1010) {
    throw new Error('narrow-range');
  }
  res.json(ok);
});

compare.get('/compare/modulo', (req, res) => {
  const n = integer(req.query.n);
  if (n > 10_000 && n % 9973 === 17) {
    throw new Error('modulo');
  }
  res.json(ok);
});

compare.post('/compare/parsed', (req, res) => {
  const amount = Number.parseInt(field(req.body, 'amount', 'string'), 10);
  if (amount === 4711) {
    throw new Error('numeric-string');
  }
  res.json(ok);
});

compare.get('/compare/levels/:level', (req, res) => {
  switch (integer(req.params.level)) {
    case 1:
    case 2:
      res.json(ok);
      break;
    case 9090:
      throw new Error('switch-number');
    default:
      throw badRequest('no such level');
  }
});

compare.post('/compare/parcel', (req, res) => {
  const weight = field(req.body, 'weight', 'number');
  if (req.body.urgent === true && weight > 99.5 && weight < 100.5) {
    throw new Error('flag-and-range');
  }
  res.json(ok);
});

compare.post('/compare/nested', (req, res) => {
  const count = field(req.body, 'count', 'number');
  const active = field(req.body, 'active', 'boolean');
  const locked = field(req.body, 'locked', 'boolean');
  if (!(count < 2500 || !active) && !(count > 2510 || (locked && active))) {
    throw new Error('nested-logic');
  }
  res.json(ok);
});

compare.get('/compare/ternary', (req, res) => {
  const points = integer(req.query.points);
  const tier = points === 65536 ? 'platinum' : points > 100 ? 'gold' : 'basic';
  if (tier === 'platinum') {
    throw new Error('ternary');
  }
  res.json(ok);
});

compare.post('/compare/transfer', (req, res) => {
  const expected = integer(req.query.expected);
  const actual = field(req.body, 'actual', 'number');
  if (expected > 50 && actual === expected + 100) {
    throw new Error('query-and-body');
  }
  res.json(ok);
});
