/** Guards on statuses, headers and bodies that are no JSON. */
import http from 'node:http';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';
import axios from 'axios';
import express from 'express';

import { Passed, handled } from './handled.js';

export const forms = express.Router();

forms.post('/charges', handled(async (req, res) => {
  const answer = await fetch('https://payments.example/v1/charges', { method: 'POST', body: JSON.stringify(req.body) });
  if (answer.status === 402) throw new Passed('status');
  if (answer.status === 429 && Number(answer.headers.get('retry-after')) > 30) throw new Passed('header');
}));

forms.get('/avatars', handled(async (req, res) => {
  const answer = await fetch('https://images.example/avatar');
  if ((answer.headers.get('content-type') ?? '').startsWith('image/png')) throw new Passed('content-type');
}));

forms.get('/prices.csv', handled(async () => {
  const { data } = await axios.get('https://prices.example/export.csv', { responseType: 'text' });
  const [head, ...rows] = data.split('\n');
  if (head.split(';')[1] === 'price' && rows.length > 1) throw new Passed('csv');
}));

forms.get('/health', handled(async () => {
  const text = await (await fetch('https://status.example/ping')).text();
  if (text.trim() === 'PONG') throw new Passed('plain-text');
}));

forms.get('/sitemaps', handled(async () => {
  const text = await (await fetch('https://site.example/sitemap.xml')).text();
  if (/<loc>[^<]*archive[^<]*<\/loc>/.test(text)) throw new Passed('xml');
}));

forms.get('/logs', handled(async () => {
  const text = await (await fetch('https://logs.example/stream')).text();
  const lines = text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  if (lines.some((line) => line.level === 'fatal')) throw new Passed('lines');
}));

forms.get('/chats', handled(async () => {
  const text = await (await fetch('https://chat.example/completions')).text();
  const events = text.split('\n\n').filter(Boolean).map((event) => event.replace(/^data: /, ''));
  for (const event of events) if (event !== '[DONE]' && JSON.parse(event).finish === 'length') throw new Passed('events');
}));

forms.get('/archives', handled(async () => {
  const bytes = await new Promise((resolve, reject) => {
    https
      .get('https://archive.example/latest', { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => resolve({ coding: answer.headers['content-encoding'], body: Buffer.concat(parts) }));
        answer.on('error', reject);
      })
      .on('error', reject);
  });
  if (bytes.coding === 'gzip' && JSON.parse(gunzipSync(bytes.body)).sealed) throw new Passed('gzip');
}));

forms.get('/tokens', handled(async () => {
  const fields = new URLSearchParams(await (await fetch('https://oauth.example/token', { method: 'POST' })).text());
  if (fields.get('scope') === 'admin') throw new Passed('form');
}));

forms.get('/by-address', handled(async () => {
  const answer = await new Promise((resolve, reject) => {
    http.get('http://192.0.2.44:8080/metrics', (response) => resolve(response.resume())).on('error', reject);
  });
  if (answer.statusCode === 206) throw new Passed('ip-address');
}));

const GEOCODER = process.env.GEOCODER_URL ?? 'https://geocoder.example';
forms.get('/places', handled(async (req) => {
  const { data } = await axios.get(`${GEOCODER}/search`, { params: { q: req.query.q } });
  if (data.results[0].confidence < 0.25) throw new Passed('environment-variable');
}));

forms.get('/moved', handled(async () => {
  const answer = await fetch('https://old.example/item', { redirect: 'manual' });
  if (answer.status >= 300 && answer.status < 400 && answer.headers.get('location')?.startsWith('https://new.example/')) {
    throw new Passed('redirect');
  }
}));
