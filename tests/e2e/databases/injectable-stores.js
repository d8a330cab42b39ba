'use strict';
// An API on MongoDB (by mongodb or mongoose) or Redis (by ioredis or redis), as VIA says. Each operation under /raw hands its input on as it comes; its twin under /safe does not. GET /readers asks once for each reader.
const http = require('node:http');

const { MONGODB_URL, REDIS_URL, VIA: via } = process.env;

const stores = {
  async mongodb() {
    const readers = new (require('mongodb').MongoClient)(MONGODB_URL).db().collection('readers');
    return documents({
      find: (filter) => readers.find(filter).toArray(),
      sorted: (by) => readers.find({}).sort(by).toArray(),
      add: (reader) => readers.insertOne(reader),
    });
  },

  async mongoose() {
    const mongoose = require('mongoose');
    const Reader = mongoose.model('Reader', new mongoose.Schema({ card: String, branch: String }, { strictQuery: false }));
    await mongoose.connect(MONGODB_URL);
    return documents({ find: (filter) => Reader.find(filter).lean(), sorted: (by) => Reader.find({}).sort(by).lean(), add: (reader) => Reader.create(reader) });
  },

  async ioredis() {
    const client = new (require('ioredis'))(REDIS_URL);
    return keys({ set: (key, value) => client.set(key, value), run: (script, ...args) => client.eval(script, 0, ...args) });
  },

  async redis() {
    const client = await require('redis').createClient({ url: REDIS_URL }).connect();
    return keys({ set: (key, value) => client.set(key, value), run: (script, ...args) => client.eval(script, { keys: [], arguments: args }) });
  },
};

function documents({ find, sorted, add }) {
  return {
    '/raw/card': ({ card }) => find({ card }),
    '/raw/program': ({ card }) => find({ $where: `this.card == '${card}'` }),
    '/raw/field': ({ card }) => find({ [card]: 'a' }),
    '/safe/card': ({ card }) => find({ card: String(card) }),
    '/safe/eq': ({ card }) => find({ card: { $eq: card } }),
    '/safe/field': ({ card }) => sorted({ [String(card).replace(/^\$/, '')]: 1 }),
    '/readers': async ({ card }) => {
      if (card !== undefined) return add({ card: String(card), branch: String(card) });
      const found = [];
      for (const reader of await find({})) found.push(await find({ branch: reader.card }));
      return found;
    },
  };
}

function keys({ set, run }) {
  return {
    '/raw/card': ({ card }) => set('card', card),
    '/raw/program': ({ card }) => run(`return '${card}'`),
    '/safe/card': ({ card }) => set('card', String(card)),
    '/safe/program': ({ card }) => run('return ARGV[1]', String(card)),
  };
}

const schema = { type: 'object', required: ['card'], properties: { card: { type: 'string', minLength: 1, maxLength: 40 } } };
const responses = { 200: { description: 'done' }, 400: { description: 'refused' } };

function paths(operations) {
  const post = { requestBody: { required: true, content: { 'application/json': { schema } } }, responses };
  return Object.fromEntries(Object.keys(operations).map((path) => [path, path === '/readers' ? { get: { responses }, post } : { post }]));
}

stores[via]().then((operations) => {
  const document = { openapi: '3.0.3', info: { title: 'Readers', version: '1' }, paths: paths(operations) };
  const server = http.createServer(async (request, response) => {
    let sent = '';
    for await (const part of request) sent += part;
    let status = 200;
    let value = document;
    try {
      if (request.url !== '/openapi.json') value = await operations[request.url](sent ? JSON.parse(sent) : {});
    } catch (error) {
      status = 400;
      value = { error: error.message };
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value ?? null));
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
});
