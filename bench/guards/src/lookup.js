// Guards on keys of tables, and on values that are compared by means that show nothing of them.
import { createHash } from 'node:crypto';
import express from 'express';

import { field, ok } from './answer.js';

export const lookup = express.Router();

const METRES = { furlong: 201.168, fathom: 1.8288, 'nautical-mile': 1852 };
const PARCELS = new Map([
  ['letter', { grams: 20 }],
  ['crate', { grams: 2000 }],
  ['bag', { grams: 500 }],
]);
const AXES = { pitch: 2, roll: 4, yaw: 8 };
const TURNS = { left: -1, right: 1 };
const DUTIES = new Map([
  ['galley', { ranks: ['cook'], watches: 2 }],
  ['helm', { ranks: ['mate'], watches: 4 }],
  ['anchor', { ranks: ['boatswain'], watches: 8 }],
]);
const DRAWERS = ['bolts', 'nuts', 'washers'];
const RECOVERY = 'correct horse battery';

const digest = (value) => createHash('sha256').update(String(value)).digest('hex');

lookup.get('/lookup/unit', (req, res) => {
  const metres = METRES[req.query.name];
  if (metres !== undefined) {
    throw new Error('key-of-table');
  }
  res.json(ok);
});

lookup.get('/lookup/drawers/:number', (req, res) => {
  const content = DRAWERS[Number(req.params.number) - 4096];
  if (content) {
    throw new Error('index-in-range');
  }
  res.json(ok);
});

lookup.post('/lookup/recovery', (req, res) => {
  if (digest(field(req.body, 'phrase', 'string')) === digest(RECOVERY)) {
    throw new Error('hashed-text');
  }
  res.json(ok);
});

lookup.get('/lookup/serial', (req, res) => {
  const serial = digest(req.query.serial);
  if (serial === digest(90_125_001)) {
    throw new Error('hashed-number');
  }
  res.json(ok);
});

lookup.get('/lookup/parcel', (req, res) => {
  if ((PARCELS.get(req.query.kind)?.grams ?? 1) >= 1500) {
    throw new Error('field-of-map');
  }
  res.json(ok);
});

lookup.get('/lookup/thrust', (req, res) => {
  const axis = AXES[req.query.axis];
  const turn = TURNS[req.query.turn];
  if (axis && turn && axis * turn === -8) {
    throw new Error('two-tables');
  }
  res.json(ok);
});

lookup.post('/lookup/duty', (req, res) => {
  const duty = DUTIES.get(field(req.body, 'duty', 'string'));
  if (duty && duty.ranks.includes(field(req.body, 'rank', 'string')) && duty.watches > 5) {
    throw new Error('two-keys-of-one-row');
  }
  res.json(ok);
});
