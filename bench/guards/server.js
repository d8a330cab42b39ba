import { appendFileSync, readFileSync } from 'node:fs';
import express from 'express';

import { compare } from './src/compare.js';
import { lookup } from './src/lookup.js';
import { methods } from './src/methods.js';
import { shape } from './src/shape.js';
import { state } from './src/state.js';
import { text } from './src/text.js';

const port = Number(process.env.PORT ?? 3100);
const openapi = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));

let requests = 0;
const passed = new Set();

/** The first time that a guard is passed leaves a line, so that any tool can be counted from the server's side. */
function log(name) {
  if (process.env.GUARD_LOG && !passed.has(name)) {
    passed.add(name);
    appendFileSync(process.env.GUARD_LOG, `${process.pid} ${Date.now()} ${requests} ${name}\n`);
  }
}

const app = express();
app.disable('x-powered-by');
app.get('/openapi.json', (req, res) => res.json(openapi));
app.use((req, res, next) => {
  requests += 1;
  log('first-request');
  next();
});
app.use(express.json());
app.use(compare, text, shape, state, lookup, methods);
app.use((req, res) => res.status(404).json({ error: 'not found' }));

// Express recognises an error handler by its four parameters.
app.use((error, req, res, next) => {
  const status = error.status ?? 500;
  if (status === 500) {
    log(error.message);
  }
  if (res.headersSent) {
    next(error);
    return;
  }
  res.status(status).json({ error: error.message });
});

app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    throw error; // such as a port that is taken
  }
  console.log(`guards on http://127.0.0.1:${port}`);
});
