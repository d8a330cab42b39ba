'use strict';

const express = require('express');

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Trivial', version: '1.0.0' },
  paths: {
    '/hello': {
      get: {
        parameters: [{ name: 'name', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'A greeting' } },
      },
    },
    '/double': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
            },
          },
        },
        responses: { 200: { description: 'Twice as much' }, 400: { description: 'Not a number' } },
      },
    },
  },
};

let requests = 0;

const app = express();
app.disable('x-powered-by');
// For tools that do not say how many requests they sent.
app.get('/requests', (req, res) => res.json(requests));
app.get('/openapi.json', (req, res) => res.json(DOCUMENT));
app.use((req, res, next) => {
  requests += 1;
  next();
});
app.use(express.json());

app.get('/hello', (req, res) => {
  const name = req.query.name ?? 'world';
  if (name === 'nobody') {
    res.json({ greeting: 'Is anybody there?' });
    return;
  }
  res.json({ greeting: `Hello, ${name}!` });
});

app.post('/double', (req, res) => {
  const n = req.body?.n;
  if (typeof n !== 'number') {
    res.status(400).json({ error: 'n must be a number' });
    return;
  }
  res.json({ doubled: n > 1000 ? n + n : n * 2 });
});

const port = Number(process.env.PORT ?? 3110);
app.use((error, req, res, next) => {
  if (res.headersSent) {
    next(error);
    return;
  }
  res.status(error.status ?? 500).json({ error: error.message });
});
app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    throw error; // such as a port that is taken
  }
  console.log(`trivial on http://127.0.0.1:${port}`);
});
