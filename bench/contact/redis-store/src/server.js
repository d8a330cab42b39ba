import express from 'express';
import { readFileSync } from 'node:fs';
import { baskets } from './routes/baskets.js';
import { sessions } from './routes/sessions.js';
import { stock } from './routes/stock.js';
import { vouchers } from './routes/vouchers.js';
import { seed } from './seed.js';

const app = express();
const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

app.use(express.json());
app.get('/openapi.json', (req, res) => res.json(document));
app.use('/baskets', baskets);
app.use('/stock', stock);
app.use('/vouchers', vouchers);
app.use('/sessions', sessions);
app.use((error, req, res, next) => {
  if (res.headersSent) return next(error);
  if (error.status) return res.status(error.status).json({ error: error.message });
  console.error(error);
  return res.status(500).json({ error: 'something broke' });
});

await seed();
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
