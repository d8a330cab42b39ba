import { readFileSync } from 'node:fs';
import express from 'express';

import { calc } from './src/calc.js';
import { cookie } from './src/cookie.js';
import { costfuns } from './src/costfuns.js';
import { dateparse } from './src/dateparse.js';
import { BadInput } from './src/errors.js';
import { filesuffix } from './src/filesuffix.js';
import { notypevar } from './src/notypevar.js';
import { ordered4 } from './src/ordered4.js';
import { pat } from './src/pat.js';
import { regex } from './src/regex.js';
import { text2txt } from './src/text2txt.js';
import { title } from './src/title.js';

const port = Number(process.env.PORT ?? 3102);
const openapi = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));

function number(text, name) {
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new BadInput(`${name} has to be a number`);
  }
  return value;
}

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.get('/openapi.json', (req, res) => res.json(openapi));

app.get('/api/calc/:op/:arg1/:arg2', ({ params }, res) =>
  res.json({ result: calc(params.op, number(params.arg1, 'arg1'), number(params.arg2, 'arg2')) }),
);
app.get('/api/cookie/:name/:val', ({ params, query }, res) =>
  res.json({ result: cookie(params.name, params.val, String(query.site ?? '')) }),
);
app.get('/api/costfuns/:i/:s', ({ params }, res) => res.json({ result: costfuns(number(params.i, 'i'), params.s) }));
app.get('/api/dateparse/:dayname/:monthname', ({ params }, res) =>
  res.json(dateparse(params.dayname, params.monthname)),
);
app.get('/api/filesuffix/:directory/:file', ({ params }, res) =>
  res.json({ result: filesuffix(params.directory, params.file) }),
);
app.post('/api/notypevar', ({ body }, res) => {
  if (typeof body?.s !== 'string') {
    throw new BadInput('s has to be a text');
  }
  res.json(notypevar(body.i, body.s));
});
app.get('/api/ordered4/:w/:x/:y/:z', ({ params }, res) =>
  res.json({ result: ordered4(params.w, params.x, params.y, params.z) }),
);
app.get('/api/pat', ({ query }, res) => res.json(pat(String(query.txt), String(query.pat))));
app.get('/api/regex', ({ query }, res) => res.json({ result: regex(String(query.txt)) }));
app.get('/api/text2txt/:word1/:word2/:word3', ({ params }, res) =>
  res.json({ result: text2txt(params.word1, params.word2, params.word3) }),
);
app.get('/api/title/:sex/:title', ({ params }, res) => res.json({ result: title(params.sex, params.title) }));

// Express recognises an error handler by its four parameters.
app.use((error, req, res, _next) => res.status(error.status ?? 500).json({ error: error.message }));

app.listen(port, '127.0.0.1', () => console.log(`strings on http://127.0.0.1:${port}`));
