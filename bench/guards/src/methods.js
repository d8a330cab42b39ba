// Guards on what methods and libraries answer.
import assert from 'node:assert';
import { timingSafeEqual } from 'node:crypto';

import express from 'express';
import isEqual from 'lodash/isEqual.js';
import isMatch from 'lodash/isMatch.js';
import validator from 'validator';

import { field, ok } from './answer.js';

export const methods = express.Router();

const PRICES = new Map([
  ['plan-basic', 5],
  ['plan-enterprise-7', 700],
]);
const EMBARGOED = new Set(['Ruritania', 'Syldavia']);
const HANDLERS = { 'purge-cache': 1, 'rotate-logs': 2 };
const SECRET = Buffer.from('k3y-of-9-doors');

/** Does an action succeed, such as an assertion? */
function holds(action) {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** A JSON document; undefined where the text is none. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

methods.post('/methods/index-of', (req, res) => {
  const path = field(req.body, 'path', 'string');
  if (path.indexOf('/../') !== -1) {
    throw new Error('index-of');
  }
  res.json(ok);
});

methods.post('/methods/map-key', (req, res) => {
  const price = PRICES.get(field(req.body, 'plan', 'string'));
  if (price !== undefined) {
    throw new Error('map-key');
  }
  res.json(ok);
});

methods.post('/methods/set-member', (req, res) => {
  if (EMBARGOED.has(field(req.body, 'country', 'string'))) {
    throw new Error('set-member');
  }
  res.json(ok);
});

methods.post('/methods/own-key', (req, res) => {
  if (Object.hasOwn(HANDLERS, field(req.body, 'handler', 'string'))) {
    throw new Error('own-key');
  }
  res.json(ok);
});

methods.post('/methods/valid-date', (req, res) => {
  const born = new Date(field(req.body, 'born', 'string'));
  if (!Number.isNaN(born.getTime())) {
    throw new Error('valid-date');
  }
  res.json(ok);
});

methods.post('/methods/json-text', (req, res) => {
  const settings = parsed(field(req.body, 'settings', 'string'));
  if (typeof settings === 'object') {
    throw new Error('json-text');
  }
  res.json(ok);
});

methods.post('/methods/url-host', (req, res) => {
  const { callback } = req.body;
  if (URL.canParse(field(req.body, 'callback', 'string')) && new URL(callback).hostname === 'intranet.example') {
    throw new Error('url-host');
  }
  res.json(ok);
});

methods.post('/methods/hex-bytes', (req, res) => {
  const key = field(req.body, 'key', 'string');
  if (key.length > 0 && Buffer.from(key, 'hex').length * 2 === key.length) {
    throw new Error('hex-bytes');
  }
  res.json(ok);
});

methods.post('/methods/constant-time', (req, res) => {
  const token = Buffer.from(field(req.body, 'token', 'string'));
  if (token.length === SECRET.length && timingSafeEqual(token, SECRET)) {
    throw new Error('constant-time');
  }
  res.json(ok);
});

methods.post('/methods/email', (req, res) => {
  if (validator.isEmail(field(req.body, 'contact', 'string'))) {
    throw new Error('email');
  }
  res.json(ok);
});

methods.post('/methods/uuid', (req, res) => {
  if (validator.isUUID(field(req.body, 'id', 'string'))) {
    throw new Error('uuid');
  }
  res.json(ok);
});

methods.post('/methods/length-limits', (req, res) => {
  if (validator.isLength(field(req.body, 'nickname', 'string'), { min: 31, max: 33 })) {
    throw new Error('length-limits');
  }
  res.json(ok);
});

methods.post('/methods/number-limits', (req, res) => {
  if (validator.isInt(field(req.body, 'port', 'string'), { min: 49152, max: 49160 })) {
    throw new Error('number-limits');
  }
  res.json(ok);
});

methods.post('/methods/bank-account', (req, res) => {
  if (validator.isIBAN(field(req.body, 'account', 'string'))) {
    throw new Error('bank-account');
  }
  res.json(ok);
});

methods.post('/methods/deep-equal', (req, res) => {
  if (isEqual(req.body?.size, { width: 37, unit: 'inch' })) {
    throw new Error('deep-equal');
  }
  res.json(ok);
});

methods.post('/methods/lacking-members', (req, res) => {
  if (isMatch(req.body ?? {}, { filter: { kind: 'overdue', level: 3 } })) {
    throw new Error('lacking-members');
  }
  res.json(ok);
});

methods.post('/methods/some-element', (req, res) => {
  if (Array.isArray(req.body?.parts) && req.body.parts.some((part) => part === 'flux-capacitor')) {
    throw new Error('some-element');
  }
  res.json(ok);
});

methods.post('/methods/asserted', (req, res) => {
  const state = field(req.body, 'state', 'string');
  if (holds(() => assert.strictEqual(state, 'armed'))) {
    throw new Error('asserted');
  }
  res.json(ok);
});

methods.post('/methods/big-integer', (req, res) => {
  const serial = field(req.body, 'serial', 'string');
  if (holds(() => BigInt(serial)) && BigInt(serial) === 90071992547409931n) {
    throw new Error('big-integer');
  }
  res.json(ok);
});

methods.post('/methods/currency', (req, res) => {
  const currency = field(req.body, 'currency', 'string');
  if (holds(() => new Intl.NumberFormat('en', { style: 'currency', currency }))) {
    throw new Error('currency');
  }
  res.json(ok);
});
