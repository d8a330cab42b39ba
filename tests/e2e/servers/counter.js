// The smallest API with something to cover: two branches, one of them behind a number, and a fault.
const http = require('node:http');

const document = {
  openapi: '3.0.3',
  info: { title: 'counter', version: '1' },
  paths: {
    '/count': {
      get: {
        parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};

function count(n) {
  if (n === 4711) throw new Error('the number');
  return n > 10 ? 'many' : 'few';
}

http
  .createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    try {
      response.end(url.pathname === '/openapi.json' ? JSON.stringify(document) : count(Number(url.searchParams.get('n'))));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
