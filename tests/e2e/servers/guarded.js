'use strict';
// An Express API behind a login: signed tokens, two roles, and a fault that only an admin meets.
const crypto = require('node:crypto');
const express = require('express');

const KEY = process.env.SIGNING_KEY || 'only-for-this-test-server';
const ACCOUNTS = {
  ann: { password: process.env.ADMIN_PASSWORD, role: 'admin' },
  bob: { password: process.env.USER_PASSWORD, role: 'user' },
};
const LIFETIME_S = Number(process.env.LIFETIME_S || 3600);
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const sign = (text) => crypto.createHmac('sha256', KEY).update(text).digest('base64url');

function tokenOf(claims) {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign(text)}`;
}

function claimsOf(header) {
  const [head, body, signature] = String(header || '').replace(/^Bearer /, '').split('.');
  if (!body || sign(`${head}.${body}`) !== signature) return null;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  return claims.exp > Date.now() / 1000 ? claims : null;
}

const app = express();
app.use(express.json());
app.get('/openapi.json', (_, response) => response.json(DOCUMENT));

app.post('/login', (request, response) => {
  if (process.env.LOGIN_STATUS) return response.status(Number(process.env.LOGIN_STATUS)).json({ message: 'out of order' });
  const account = ACCOUNTS[request.body.username];
  if (!account || account.password !== request.body.password) return response.status(401).json({ message: 'wrong' });
  console.log('login of', request.body.username, 'with', request.body.password);
  const claims = { sub: request.body.username, role: account.role, exp: Math.floor(Date.now() / 1000) + LIFETIME_S, id: crypto.randomUUID() };
  response.json({ data: { access_token: tokenOf(claims) } });
});

app.use((request, response, next) => {
  request.user = claimsOf(request.headers.authorization);
  if (!request.user) return response.status(401).json({ message: 'log in' });
  next();
});

app.get('/me', (request, response) => {
  response.json({ name: request.user.sub, role: request.user.role, token: request.headers.authorization });
});

app.get('/notes', (_, response) => response.json([]));

app.post('/admin/reports', (request, response) => {
  if (request.user.role !== 'admin') return response.status(403).json({ message: 'admins only' });
  if (request.body?.kind === 'yearly') {
    const rows = request.body.rows;
    return response.json({ first: rows.missing.title });
  }
  response.status(201).json({ kind: request.body?.kind });
});

const ok = { 200: { description: 'ok' }, 401: { description: 'who?' } };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Guarded', version: '1' },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/me': { get: { responses: ok } },
    '/notes': { get: { responses: ok } },
    '/admin/reports': {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } } } },
        },
        responses: { 201: { description: 'made' }, 401: { description: 'who?' }, 403: { description: 'no' } },
      },
    },
  },
};

app.listen(process.env.PORT, '127.0.0.1');
