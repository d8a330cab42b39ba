// Changes what it finds in MongoDB, in every way that the driver has.
'use strict';
const http = require('node:http');
const { Decimal128, Long, MongoClient } = require('mongodb');

const client = new MongoClient(process.env.MONGODB_URL);
const db = client.db();
const things = db.collection('things');
const names = ['added', 'changed', 'removed', 'several', 'taken', 'copied', 'emptied', 'made'];

const answers = { 200: { description: 'done' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Archive', version: '1' },
  paths: Object.fromEntries(names.map((name) => [`/${name}`, { post: { responses: answers } }])),
};

async function answer(path) {
  switch (path) {
    case '/added':
      return things.insertMany([{ name: 'x', at: new Date() }, { name: 'y' }]);
    case '/changed':
      return things.updateMany({ kind: 'number' }, { $inc: { value: 1 }, $set: { seen: Long.fromNumber(1) } });
    case '/removed':
      return things.deleteOne({ _id: 'second' });
    case '/several':
      return things.bulkWrite([
        { updateOne: { filter: { _id: 'second' }, update: { $set: { value: Decimal128.fromString('1.50') } } } },
        { deleteOne: { filter: { kind: 'list' } } },
        { insertOne: { document: { name: 'z' } } },
      ]);
    case '/taken':
      return things.findOneAndDelete({ kind: 'number' }, { sort: { _id: 1 } });
    case '/copied':
      return things.aggregate([{ $match: { kind: 'number' } }, { $out: 'copies' }]).toArray();
    case '/emptied':
      return things.deleteMany({});
    case '/made':
      return db.collection('log').insertOne({ at: new Date() });
    default:
      return null;
  }
}

const server = http.createServer(async (request, response) => {
  let status = 200;
  let value = document;
  if (request.url !== '/openapi.json') {
    try {
      value = await answer(request.url);
    } catch (error) {
      console.error(error);
      [status, value] = [500, String(error)];
    }
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
});
client.connect().then(() => server.listen(Number(process.env.PORT || 0), '127.0.0.1'));
