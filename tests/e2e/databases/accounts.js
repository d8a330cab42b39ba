// An API on a MongoDB that asks for a password: transactions, cursors of every kind, and a change stream that runs beside the calls.
'use strict';
const http = require('node:http');
const { MongoClient } = require('mongodb');

const client = new MongoClient(process.env.ACCOUNTS_URL);
const accounts = client.db().collection('accounts');
let seen = 0; // by the change stream

const id = { name: 'owner', in: 'path', required: true, schema: { type: 'string', enum: ['anna', 'boris'] } };
const amount = { name: 'amount', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 100 } };
const answers = Object.fromEntries([200, 400, 404].map((status) => [status, { description: 'as it says' }]));
const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Accounts', version: '1' },
  paths: {
    '/accounts/{owner}': { post: { parameters: [id, amount], responses: answers }, get: { parameters: [id], responses: answers } },
    '/accounts/{owner}/fees': { get: { parameters: [id], responses: answers } },
    '/transfers/{owner}': { post: { parameters: [id, amount], responses: answers } },
  },
};

/** Takes from an account and gives it to the bank, both or none of them. */
async function transfer(owner, value) {
  return client.withSession((session) =>
    session.withTransaction(async () => {
      await accounts.updateOne({ owner: 'the bank' }, { $inc: { balance: value } }, { upsert: true, session });
      const { matchedCount } = await accounts.updateOne({ owner, balance: { $gte: value } }, { $inc: { balance: -value } }, { session });
      if (matchedCount > 0) return [200, { done: true }];
      await session.abortTransaction();
      return [404, { error: 'not enough' }];
    }),
  );
}

async function total(owner) {
  let sum = 0;
  for await (const account of accounts.find({ owner }).batchSize(2)) sum += account.balance;
  return [200, { sum }];
}

/** Which account, frozen since when: what has no such day is a fault. */
async function fees(owner) {
  const found = accounts.aggregate([{ $match: { owner, frozen: true } }, { $sort: { balance: 1 } }], { batchSize: 1 });
  const days = [];
  while (await found.hasNext()) days.push((await found.next()).since.getDay());
  return days.length === 0 ? [404, { error: 'none' }] : [200, { days }];
}

async function answer(method, path, query) {
  const [, kind, owner, rest] = path.split('/').map(decodeURIComponent);
  const value = Number(query.get('amount'));
  if (method === 'POST' && !(value > 0)) return [400, { error: 'amount' }];
  if (kind === 'transfers' && method === 'POST') return transfer(owner, value);
  if (kind !== 'accounts') return [404, { error: 'not found' }];
  if (rest === 'fees') return fees(owner);
  if (method === 'GET') return total(owner);
  await accounts.insertOne({ owner, balance: value });
  return [200, { owner }];
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  let [status, body] = [200, OPENAPI];
  if (url.pathname !== '/openapi.json') {
    [status, body] = await answer(request.method, url.pathname, url.searchParams).catch((error) => {
      console.error(error);
      return [500, { error: 'internal' }];
    });
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

client.connect().then(() => {
  accounts.watch([{ $match: { operationType: 'insert' } }]).on('change', () => seen++);
  server.listen(Number(process.env.PORT || 3000), '127.0.0.1');
});
