// Guards behind rows of PostgreSQL. None of them can be passed with the rows that are there at first, which are none for all but accounts.
import express from 'express';
import pg from 'pg';

import { absent, field, integer, ok, text } from './answer.js';

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
export const rows = express.Router();

const all = async (sql, params) => (await pool.query(sql, params)).rows;
const one = async (sql, params) => (await all(sql, params))[0] ?? absent();

rows.get('/customers/:email', async (req, res) => {
  await one('SELECT * FROM customers WHERE email = $1', [text(req.params.email, 80)]);
  throw new Error('row-with-input');
});

rows.get('/customers/:email/tier', async (req, res) => {
  const customer = await one('SELECT * FROM customers WHERE email = $1', [text(req.params.email, 80)]);
  if (customer.tier === 'gold' && customer.id === integer(req.query.id)) {
    throw new Error('row-with-two-inputs');
  }
  res.json(ok);
});

rows.get('/orders/:number/owner', async (req, res) => {
  await one('SELECT o.number FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.number = $1 AND c.email = $2', [
    text(req.params.number, 16),
    text(req.query.email, 80),
  ]);
  throw new Error('two-tables-joined');
});

rows.get('/orders/:number', async (req, res) => {
  const order = await one('SELECT * FROM orders WHERE number = $1', [text(req.params.number, 16)]);
  if (order.state === 'refunded') {
    throw new Error('state-of-data');
  }
  res.json(ok);
});

rows.get('/orders/:number/theme', async (req, res) => {
  await one("SELECT 1 FROM orders WHERE number = $1 AND settings->>'theme' = $2 AND (settings->'limits'->>'seats')::int > 10", [
    text(req.params.number, 16),
    text(req.query.theme, 40),
  ]);
  throw new Error('json-column');
});

rows.get('/orders/:number/payments', async (req, res) => {
  const [{ n }] = await all('SELECT count(*) AS n FROM payments WHERE order_number = $1', [text(req.params.number, 16)]);
  if (Number(n) >= 4) {
    throw new Error('count-above');
  }
  res.json(ok);
});

rows.get('/orders/:number/paid', async (req, res) => {
  const [{ total }] = await all('SELECT sum(cents) AS total FROM payments WHERE order_number = $1', [text(req.params.number, 16)]);
  if (Number(total) > 250000 && Number(total) < 260000) {
    throw new Error('sum-between');
  }
  res.json(ok);
});

rows.get('/reports/busy', async (req, res) => {
  await one('SELECT order_number FROM payments WHERE cents >= $1 GROUP BY order_number HAVING count(*) > 2', [integer(req.query.cents)]);
  throw new Error('group-having');
});

rows.get('/contracts/:id/overdue', async (req, res) => {
  await one('SELECT * FROM contracts WHERE id = $1 AND ends_on < $2::date', [integer(req.params.id), day(req.query.day)]);
  throw new Error('date-before-input');
});

rows.get('/customers/:email/settled', async (req, res) => {
  await one(
    `SELECT c.id FROM customers c JOIN orders o ON o.customer_id = c.id
      WHERE c.email = $1 AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_number = o.number AND p.paid_on IS NULL)`,
    [text(req.params.email, 80)],
  );
  throw new Error('not-exists');
});

rows.get('/parts', async (req, res) => {
  const found = await all("SELECT * FROM parts WHERE code LIKE $1 || '-%-X'", [text(req.query.family, 10)]);
  if (found.some((part) => part.weight_grams > 900)) {
    throw new Error('like-pattern');
  }
  res.json(ok);
});

rows.get('/shipments', async (req, res) => {
  await one('SELECT * FROM shipments WHERE mode = $1 AND weight_kg > $2 AND label = $3', [
    text(req.query.mode, 10),
    integer(req.query.above),
    'express',
  ]);
  if (req.query.mode === 'air') {
    throw new Error('enum-and-check');
  }
  res.json(ok);
});

rows.get('/invoices/:number', async (req, res) => {
  const invoice = await one('SELECT * FROM invoices WHERE number = $1 AND gross_cents > 5000', [integer(req.params.number)]);
  if (invoice.tax_cents % 7 === 0) {
    throw new Error('arithmetic-check');
  }
  res.json(ok);
});

rows.get('/transfers/:id/returned', async (req, res) => {
  await one(
    `SELECT b.id FROM transfers a JOIN transfers b ON b.from_account = a.to_account AND b.to_account = a.from_account
      WHERE a.id = $1 AND b.cents = a.cents AND b.id > a.id`,
    [integer(req.params.id)],
  );
  throw new Error('two-rows-related');
});

rows.post('/flights/:number/bookings', async (req, res) => {
  const seats = field(req.body, 'seats', 'number');
  if (!Number.isInteger(seats) || seats < 1 || seats > 9) return res.status(400).json({ error: 'seats' });
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const found = await client.query('SELECT number FROM flights WHERE number = $1 FOR UPDATE', [text(req.params.number, 8)]);
    if (found.rowCount === 0) absent();
    const taken = await client.query('UPDATE flights SET seats = seats - $2 WHERE number = $1 AND seats >= $2', [req.params.number, seats]);
    if (taken.rowCount === 0) throw new Error('full-in-transaction');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
  return res.status(201).json(ok);
});

rows.get('/accounts/:id', async (req, res) => {
  const account = await one('SELECT * FROM accounts WHERE id = $1', [integer(req.params.id)]);
  if (account.state === 'frozen' && account.balance_cents > 100000) {
    throw new Error('beside-rows-that-are-there');
  }
  res.json(ok);
});

function day(value) {
  if (typeof value !== 'string' || !/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/.test(value)) {
    throw Object.assign(new Error('a day is needed'), { status: 400 });
  }
  return value;
}
