// An API on MongoDB that asks for the author of each book by itself.
'use strict';
const http = require('node:http');
const { MongoClient } = require('mongodb');

const client = new MongoClient(process.env.MONGODB_URL);
const db = client.db();

const answers = { 200: { description: 'done' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Shelves', version: '1' },
  paths: { '/books': { get: { responses: answers }, post: { responses: answers } } },
};

async function books() {
  const found = await db.collection('books').find({}).toArray();
  for (const book of found) {
    book.author = await db.collection('authors').findOne({ _id: book.author });
  }
  return found;
}

async function add() {
  const n = await db.collection('books').countDocuments({});
  await db.collection('books').insertOne({ author: n });
  return { n };
}

const server = http.createServer(async (request, response) => {
  const value = request.url.startsWith('/openapi.json') ? document : await (request.method === 'POST' ? add() : books());
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
});
client.connect().then(() => server.listen(Number(process.env.PORT || 0), '127.0.0.1'));
