'use strict';

const express = require('express');
const { evaluate } = require('./expressions.js');
const { find, quote } = require('./items.js');
const { statistics } = require('./sorting.js');
const { countKinds } = require('./texts.js');

const PROGRAM = 'a = 12; b = (a + 3) * 4 - 18 / 2; c = max(a, b, 7); total = a * b + c - min(c, 100) ;\n'.repeat(12);

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.get('/parse', (req, res) => res.json({ result: evaluate(PROGRAM) }));
app.get('/sort', (req, res) => res.json(statistics(7)));
app.get('/texts', (req, res) => res.json(countKinds(40)));
app.get('/items/:id', (req, res) => {
  const { status, body } = find(req.params.id);
  res.status(status).json(body);
});
app.post('/quotes', (req, res) => {
  const { status, body } = quote(req.body);
  res.status(status).json(body);
});

app.listen(Number(process.env.PORT ?? 3111), '127.0.0.1', (error) => {
  if (error) throw error;
});
