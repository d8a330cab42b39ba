import { readFileSync } from 'node:fs';
import express from 'express';

import { bessj } from './src/bessj.js';
import { BadInput } from './src/errors.js';
import { expint } from './src/expint.js';
import { fisher } from './src/fisher.js';
import { gammq } from './src/gammq.js';
import { remainder } from './src/remainder.js';
import { triangle } from './src/triangle.js';

const port = Number(process.env.PORT ?? 3101);
const openapi = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));

/** The parameters of the path as numbers. */
function numbers(req, ...names) {
  return names.map((name) => {
    const value = Number(req.params[name]);
    if (!Number.isFinite(value)) {
      throw new BadInput(`${name} has to be a number`);
    }
    return value;
  });
}

const app = express();
app.disable('x-powered-by');
app.get('/openapi.json', (req, res) => res.json(openapi));
app.get('/api/bessj/:n/:x', (req, res) => res.json({ result: bessj(...numbers(req, 'n', 'x')) }));
app.get('/api/expint/:n/:x', (req, res) => res.json({ result: expint(...numbers(req, 'n', 'x')) }));
app.get('/api/fisher/:m/:n/:x', (req, res) => res.json({ result: fisher(...numbers(req, 'm', 'n', 'x')) }));
app.get('/api/gammq/:a/:x', (req, res) => res.json({ result: gammq(...numbers(req, 'a', 'x')) }));
app.get('/api/remainder/:a/:b', (req, res) => res.json({ result: remainder(...numbers(req, 'a', 'b')) }));
app.get('/api/triangle/:a/:b/:c', (req, res) => res.json({ kind: triangle(...numbers(req, 'a', 'b', 'c')) }));

// Express recognises an error handler by its four parameters.
app.use((error, req, res, _next) => res.status(error.status ?? 500).json({ error: error.message }));

app.listen(port, '127.0.0.1', () => console.log(`numbers on http://127.0.0.1:${port}`));
