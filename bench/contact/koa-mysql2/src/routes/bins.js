'use strict';

const Router = require('@koa/router');
const { pool } = require('../database');

const bins = new Router({ prefix: '/bins' });

bins.get('/', async (ctx) => {
  const [rows] = await pool.query('SELECT * FROM bins ORDER BY code');
  ctx.body = await Promise.all(
    rows.map(async (bin) => {
      const [[{ used }]] = await pool.query('SELECT COUNT(*) AS used FROM items WHERE bin_code = ?', [bin.code]);
      return { code: bin.code, aisle: bin.aisle, capacity: bin.capacity, items: used };
    }),
  );
});

bins.put('/:code', async (ctx) => {
  const { code } = ctx.params;
  const { aisle, capacity } = ctx.request.body;
  if (!/^[A-Z]-[0-9]{2}$/.test(code)) ctx.throw(400, 'codes look like A-01');
  if (!Number.isInteger(aisle) || aisle < 1 || aisle > 99) ctx.throw(400, 'aisle is wrong');
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > 10000) ctx.throw(400, 'capacity is wrong');
  await pool.query('REPLACE INTO bins (code, aisle, capacity) VALUES (?, ?, ?)', [code, aisle, capacity]);
  ctx.body = { code, aisle, capacity, items: 0 };
});

module.exports = { bins };
