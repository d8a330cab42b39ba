'use strict';
// Whoever sends `{ "password": { "$ne": null } }` is in; a name with a quote ends the text of a program; `?name[$ne]=` finds all, as Express reads it.
const http = require('node:http');
const { MongoClient } = require('mongodb');

const users = new MongoClient(process.env.MONGODB_URL).db().collection('users');

const text = { type: 'string', maxLength: 40 };
const path = (properties) => ({
  post: {
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } } },
    responses: { 200: { description: 'done' }, 401: { description: 'unknown' }, 502: { description: 'the database refuses' } },
  },
});
const document = {
  openapi: '3.0.3',
  info: { title: 'Logins', version: '1' },
  paths: {
    '/logins': path({ name: text, password: text }),
    '/searches': path({ word: text }),
    '/users': { get: { parameters: [{ name: 'name', in: 'query', required: true, schema: text }], responses: { 200: { description: 'done' } } } },
  },
};

/** As the package `qs` does for objects. */
function inQuery(search) {
  const query = {};
  for (const [key, value] of new URLSearchParams(search)) {
    const [, name, member] = /^([^[]*)(?:\[(.+)\])?$/.exec(key) ?? [];
    query[name] = member === undefined ? value : { [member]: value };
  }
  return query;
}

const answers = {
  '/openapi.json': async () => [200, document],
  '/logins': async ({ name, password }) => ((await users.findOne({ name, password })) ? [200, { name }] : [401, {}]),
  '/searches': async ({ word }) => [200, await users.find({ $where: `this.name == '${word}'` }).toArray()],
  '/users': async ({ name }) => [200, await users.find({ name }).toArray()],
};

http
  .createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    let status = 404;
    let value = {};
    const [path, search] = request.url.split('?');
    try {
      [status, value] = await answers[path](body ? JSON.parse(body) : inQuery(search));
    } catch (error) {
      value = { error: error.message };
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
