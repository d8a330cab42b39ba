'use strict';

const Router = require('@koa/router');
const { pool } = require('../database');
const { reorder } = require('../reorder');

const items = new Router({ prefix: '/items' });

async function find(sku) {
  const [[item]] = await pool.query('SELECT * FROM items WHERE sku = ?', [sku]);
  return item;
}

async function recount(sku) {
  const [[{ moved }]] = await pool.query('SELECT COALESCE(SUM(quantity), 0) AS moved FROM movements WHERE sku = ?', [sku]);
  return { sku, moved: Number(moved) };
}

items.get('/', async (ctx) => {
  const { name = '' } = ctx.query;
  const [rows] = await pool.query(`SELECT * FROM items WHERE name LIKE '%${name}%' ORDER BY sku LIMIT 50`);
  ctx.body = rows.map(toJson);
});

/** A scanner sends what it reads. */
items.post('/scan', async (ctx) => {
  const { sku } = ctx.request.body;
  if (!sku) ctx.throw(400, 'sku is missing');
  const [rows] = await pool.query('SELECT * FROM items WHERE sku = ?', [sku]);
  if (rows.length === 0) ctx.throw(404, 'no such item');
  ctx.body = toJson(rows[0]);
});

items.post('/', async (ctx) => {
  const { sku, name, minimum = 0 } = ctx.request.body;
  if (typeof sku !== 'string' || !/^[A-Z0-9-]{2,20}$/.test(sku)) ctx.throw(400, 'sku is wrong');
  if (typeof name !== 'string' || name === '' || name.length > 80) ctx.throw(400, 'name is wrong');
  if (!Number.isInteger(minimum) || minimum < 0 || minimum > 1e6) ctx.throw(400, 'minimum is wrong');
  if (await find(sku)) ctx.throw(409, 'the item exists');
  await pool.query('INSERT INTO items (sku, name, minimum) VALUES (?, ?, ?)', [sku, name, minimum]);
  ctx.status = 201;
  ctx.body = toJson(await find(sku));
});

items.get('/:sku', async (ctx) => {
  const item = await find(ctx.params.sku);
  if (!item) ctx.throw(404, 'no such item');
  const [aisle, shelf] = item.bin_code.split('-');
  ctx.body = { ...toJson(item), aisle, shelf };
});

items.get('/:sku/count', async (ctx) => {
  if (!(await find(ctx.params.sku))) ctx.throw(404, 'no such item');
  ctx.body = recount(ctx.params.sku);
});

items.delete('/:sku', async (ctx) => {
  const item = await find(ctx.params.sku);
  if (!item) ctx.throw(404, 'no such item');
  if (item.is_locked) ctx.throw(409, 'the item is locked');
  await pool.query('DELETE FROM items WHERE sku = ?', [item.sku]);
});

items.post('/:sku/adjust', async (ctx) => {
  const { by } = ctx.query;
  if (!/^-?[0-9]{1,4}$/.test(by ?? '')) ctx.throw(400, 'by is no number');
  const item = await find(ctx.params.sku);
  if (item.is_locked) ctx.throw(409, 'the item is locked');
  if (!item) ctx.throw(404, 'no such item');
  const quantity = item.quantity + by;
  await pool.query('UPDATE items SET quantity = ? WHERE sku = ?', [quantity, item.sku]);
  ctx.body = { sku: item.sku, quantity };
});

items.post('/:sku/take', async (ctx) => {
  const { quantity } = ctx.request.body;
  if (!Number.isInteger(quantity) || quantity < 1) ctx.throw(400, 'quantity is wrong');
  const item = await find(ctx.params.sku);
  if (!item) ctx.throw(404, 'no such item');
  if (item.quantity < quantity) ctx.throw(409, 'there are not so many');
  const left = item.quantity - quantity;
  await pool.query('UPDATE items SET quantity = ? WHERE sku = ?', [left, item.sku]);
  if (left < item.minimum) reorder(item);
  ctx.body = { sku: item.sku, quantity: left };
});

function toJson(item) {
  return { sku: item.sku, name: item.name, quantity: item.quantity, minimum: item.minimum, bin: item.bin_code };
}

module.exports = { items };
