'use strict';

const Router = require('@koa/router');
const { pool } = require('../database');

const movements = new Router({ prefix: '/movements' });

/** Movements of a month. */
movements.get('/:year/:month', async (ctx) => {
  const year = Number(ctx.params.year);
  const month = Number(ctx.params.month);
  if (!Number.isInteger(year) || year < 2000 || year > 2100) ctx.throw(400, 'year is wrong');
  if (!Number.isInteger(month) || month < 1 || month > 12) ctx.throw(400, 'month is wrong');
  const first = new Date(`${year}-${String(month).padStart(2, '0')}-01`);
  const next = new Date(`${year}-${String(month + 1).padStart(2, '0')}-01`);
  const [rows] = await pool.query('SELECT * FROM movements WHERE moved_on >= ? AND moved_on < ? ORDER BY id', [
    first.toISOString().slice(0, 10),
    next.toISOString().slice(0, 10),
  ]);
  ctx.body = rows.map(toJson);
});

/** Puts an item into a bin. */
movements.post('/', async (ctx) => {
  const { sku, bin, quantity } = ctx.request.body;
  if (typeof sku !== 'string' || typeof bin !== 'string') ctx.throw(400, 'sku and bin are needed');
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 1000) ctx.throw(400, 'quantity is wrong');
  const [done] = await pool.query('UPDATE items SET quantity = quantity + ? WHERE sku = ?', [quantity, sku]);
  if (done.affectedRows === 0) ctx.throw(404, 'no such item');
  const movedOn = new Date().toISOString().slice(0, 10);
  const [saved] = await pool.query('INSERT INTO movements (sku, bin_code, quantity, moved_on) VALUES (?, ?, ?, ?)', [sku, bin, quantity, movedOn]);
  ctx.status = 201;
  ctx.body = { id: saved.insertId, sku, bin, quantity, movedOn };
});

function toJson(row) {
  return { id: row.id, sku: row.sku, bin: row.bin_code, quantity: row.quantity, movedOn: row.moved_on };
}

module.exports = { movements };
