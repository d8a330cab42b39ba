'use strict';
// Leaves to a unique index of MongoDB what it has not thought of: that a guest may be there already.
const http = require('node:http');
const { MongoClient } = require('mongodb');

const client = new MongoClient(process.env.MONGODB_URL);
const guests = client.db().collection('guests');

const email = { type: 'string', minLength: 6, maxLength: 30 };
const room = { type: 'integer', minimum: 1, maximum: 2000000000 };
const body = (properties) => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
});
const answers = { 200: { description: 'done' }, 400: { description: 'what?' }, 404: { description: 'none' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Guests', version: '1' },
  paths: {
    '/guests': { post: { requestBody: body({ email, room }), responses: answers } },
    '/guests/{room}': {
      parameters: [{ name: 'room', in: 'path', required: true, schema: room }],
      patch: { requestBody: body({ email }), responses: answers },
    },
  },
};

const isEmail = (value) => typeof value === 'string' && value.length >= 6 && value.length <= 30;
const isRoom = (value) => Number.isInteger(value) && value >= 1 && value <= 2000000000;

async function answer({ method, url }, given) {
  if (url === '/openapi.json') return [200, document];
  if (!isEmail(given.email)) return [400];
  if (method === 'POST') {
    if (!isRoom(given.room)) return [400];
    await guests.insertOne({ email: given.email, room: given.room });
    return [200];
  }
  const { matchedCount } = await guests.updateOne({ room: Number(url.split('/')[2]) }, { $set: { email: given.email } });
  return [matchedCount > 0 ? 200 : 404];
}

const server = http.createServer(async (request, response) => {
  let status = 500;
  let value = {};
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    let given = {};
    try {
      given = Object(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
    } catch {
      // As if nothing had been sent.
    }
    [status, value = {}] = await answer(request, given);
  } catch (error) {
    console.error(error);
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
});

async function main() {
  await client.connect();
  await guests.createIndex({ email: 1 }, { unique: true });
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
}

main();
