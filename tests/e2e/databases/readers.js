// An API on MongoDB with Mongoose: what is wrong with it shows only for documents that no call can make.
'use strict';
const http = require('node:http');
const mongoose = require('mongoose');

const Reader = mongoose.model(
  'Reader',
  new mongoose.Schema({
    card: { type: String, required: true, unique: true },
    joined: Date,
    kind: { type: String, enum: ['adult', 'child'], required: true },
    guardian: String,
    loans: [{ title: String, days: Number }],
  }),
);

const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Readers', version: '1' },
  paths: {
    '/readers/{card}/late': {
      get: {
        parameters: [
          { name: 'card', in: 'path', required: true, schema: { type: 'string', minLength: 3, maxLength: 20 } },
          { name: 'days', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 400 } },
        ],
        responses: { 200: { description: 'ok' }, 400: { description: 'bad' }, 404: { description: 'no' } },
      },
    },
  },
};

async function late(card, days) {
  const reader = await Reader.findOne({ card, kind: 'child', 'loans.days': { $gt: days } });
  if (reader === null) return [404, { error: 'no such reader' }];
  return [200, { id: reader.id, warn: reader.guardian.toLowerCase() }];
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (url.pathname === '/openapi.json') return answer(200, OPENAPI);
  const match = /^\/readers\/([^/]+)\/late$/.exec(url.pathname);
  if (match === null) return answer(404, { error: 'not found' });
  const days = Number(url.searchParams.get('days'));
  if (!Number.isInteger(days) || days < 1) return answer(400, { error: 'days' });
  try {
    answer(...(await late(decodeURIComponent(match[1]), days)));
  } catch (error) {
    console.error(error);
    answer(500, { error: 'internal' });
  }
});

mongoose.connect(process.env.MONGODB_URL).then(async () => {
  await Reader.init();
  server.listen(Number(process.env.PORT || 3000));
});
