// Guards on strings.
import express from 'express';

import { badRequest, field, ok } from './answer.js';

export const text = express.Router();

text.post('/text/literal', (req, res) => {
  if (field(req.body, 'code', 'string') === 'SUMMER-2024') {
    throw new Error('literal-string');
  }
  res.json(ok);
});

text.get('/text/pages/:slug', (req, res) => {
  if (req.params.slug === 'hidden-page') {
    throw new Error('path-literal');
  }
  res.json(ok);
});

text.get('/text/prefix', (req, res) => {
  const code = String(req.query.code);
  if (code.startsWith('VIP') && code.length === 8) {
    throw new Error('prefix-and-length');
  }
  res.json(ok);
});

text.get('/text/suffix', (req, res) => {
  if (String(req.query.file).endsWith('.tar.gz')) {
    throw new Error('suffix');
  }
  res.json(ok);
});

text.get('/text/includes', (req, res) => {
  if (String(req.query.options).includes('--force')) {
    throw new Error('includes');
  }
  res.json(ok);
});

text.post('/text/regex', (req, res) => {
  if (/^[A-Z]{3}-\d{4}$/.test(field(req.body, 'plate', 'string'))) {
    throw new Error('regex');
  }
  res.json(ok);
});

text.post('/text/switch', (req, res) => {
  switch (field(req.body, 'command', 'string')) {
    case 'start':
    case 'stop':
      res.json(ok);
      break;
    case 'self-destruct':
      throw new Error('switch-string');
    default:
      throw badRequest('no such command');
  }
});

text.post('/text/caseless', (req, res) => {
  if (field(req.body, 'role', 'string').toLowerCase() === 'administrator') {
    throw new Error('case-insensitive');
  }
  res.json(ok);
});

text.post('/text/trimmed', (req, res) => {
  if (field(req.body, 'name', 'string').trim() === 'Robert Tables') {
    throw new Error('trimmed');
  }
  res.json(ok);
});

text.post('/text/character', (req, res) => {
  const value = field(req.body, 'value', 'string');
  if (value.length === 6 && value.charAt(2) === '#') {
    throw new Error('character');
  }
  res.json(ok);
});

text.post('/text/split', (req, res) => {
  const [user, domain] = field(req.body, 'address', 'string').split('@');
  if (user.length > 0 && domain === 'corp.internal') {
    throw new Error('split');
  }
  res.json(ok);
});

text.post('/text/joined', (req, res) => {
  const colour = field(req.body, 'colour', 'string');
  const size = field(req.body, 'size', 'number');
  if (`${colour}-${size}` === 'teal-42') {
    throw new Error('concatenation');
  }
  res.json(ok);
});

text.post('/text/repeated', (req, res) => {
  const password = field(req.body, 'password', 'string');
  if (password.length > 5 && password === field(req.body, 'repeated', 'string')) {
    throw new Error('equal-strings');
  }
  res.json(ok);
});

const COMMANDS = { list: 1, show: 1, 'drop-all': 0 };

text.get('/text/key', (req, res) => {
  if (COMMANDS[String(req.query.key)] === 0) {
    throw new Error('known-key');
  }
  res.json(ok);
});

text.get('/text/release', (req, res) => {
  const [major, minor, patch] = String(req.query.tag).split('-').map(Number);
  if (major > 2 && minor === 31 && patch < 7) {
    throw new Error('numbers-between');
  }
  res.json(ok);
});

text.get('/text/login', (req, res) => {
  const [user, secret] = Buffer.from(String(req.query.credentials), 'base64').toString().split('/');
  if (user === 'keeper' && secret.length > 4) {
    throw new Error('part-that-is-missing');
  }
  res.json(ok);
});

text.get('/text/opening', (req, res) => {
  const time = /^(\d\d):(\d\d)$/.exec(String(req.query.at));
  const minutes = time ? Number(time[1]) * 60 + Number(time[2]) : -1;
  if (minutes >= 1023 && minutes < 1031) {
    throw new Error('minutes-of-day');
  }
  res.json(ok);
});

text.get('/text/term', (req, res) => {
  const term = /^(?:(\d+)w)?(?:(\d+)d)?$/.exec(String(req.query.length));
  if (term && term[1] && term[2] && Number(term[2]) === 4 && Number(term[1]) > 11) {
    throw new Error('all-groups');
  }
  res.json(ok);
});

text.get('/text/listing', (req, res) => {
  let cursor;
  try {
    cursor = JSON.parse(Buffer.from(String(req.query.cursor), 'base64url').toString());
  } catch {
    res.json(ok);
    return;
  }
  if (cursor?.after > 4000 && cursor.order === 'newest') {
    throw new Error('cursor');
  }
  res.json(ok);
});
