'use strict';
// A small API with faults of several kinds, without any package, for end-to-end tests.
const http = require('node:http');

const document = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/items': {
      get: { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }], responses: { 200: { description: 'ok' } } },
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name', 'price'],
                properties: { name: { type: 'string' }, price: { type: 'integer' }, code: { type: 'string' } },
              },
            },
          },
        },
        responses: {
          201: {
            description: 'made',
            content: {
              'application/json': { schema: { type: 'object', properties: { price: { type: 'integer', minimum: 0 } } } },
            },
          },
          400: { description: 'bad' },
        },
      },
    },
    '/items/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok' }, 404: { description: 'none' } },
      },
    },
  },
};

const items = new Map();

function price(item) {
  if (item.price === 73421) {
    return item.discount.amount;
  }
  if (item.code && item.code.startsWith('VIP-')) {
    throw new Error('no such level');
  }
  return item.price;
}

function answer(request, body) {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/openapi.json') return [200, document];
  if (url.pathname === '/items' && request.method === 'POST') {
    const item = JSON.parse(body);
    if (typeof item.name !== 'string' || typeof item.price !== 'number') return [400, { error: 'name and price' }];
    const made = { id: items.size + 1, ...item, price: price(item) };
    items.set(made.id, made);
    return [201, made];
  }
  if (url.pathname === '/items') return [200, [...items.values()].slice(0, Number(url.searchParams.get('limit') ?? 10))];
  const item = items.get(Number(url.pathname.slice('/items/'.length)));
  return item ? [200, item] : [404, { error: 'no such item' }];
}

http
  .createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      let status;
      let value;
      try {
        [status, value] = answer(request, Buffer.concat(chunks).toString());
      } catch (error) {
        [status, value] = error instanceof SyntaxError ? [400, { error: 'not JSON' }] : [500, { error: error.message }];
      }
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    });
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
