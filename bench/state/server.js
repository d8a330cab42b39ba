import { appendFileSync, readFileSync } from 'node:fs';
import express from 'express';

import { keys } from './src/keys.js';
import { pool, rows } from './src/rows.js';

const port = Number(process.env.PORT ?? 3101);
const openapi = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));

let requests = 0;
const passed = new Set();

/** As in bench/guards: the first time that a guard is passed leaves a line, so that any tool is counted from the server's side. */
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
app.use(rows, keys);
app.use((req, res) => res.status(404).json({ error: 'not found' }));

// Express recognises an error handler by its four parameters.
app.use((error, req, res, next) => {
  const status = error.status ?? 500;
  if (status === 500) {
    log(error.message.replaceAll(' ', '_'));
  }
  if (res.headersSent) {
    next(error);
    return;
  }
  res.status(status).json({ error: error.message });
});

const { rows: tables } = await pool.query("SELECT 1 FROM pg_tables WHERE tablename = 'customers'");
if (tables.length === 0) {
  await pool.query(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
}
app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    throw error; // such as a port that is taken
  }
  console.log(`guards of state on http://127.0.0.1:${port}`);
});
