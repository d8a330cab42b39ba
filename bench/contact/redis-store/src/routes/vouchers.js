import { Router } from 'express';
import { redis, refuse } from '../redis.js';

export const vouchers = Router();

const known = new Map();

vouchers.post('/', async (req, res) => {
  const { code, percent, until, articles } = req.body ?? {};
  if (typeof code !== 'string' || !/^[A-Z]{3,12}$/.test(code)) throw refuse(400, 'code is wrong');
  if (!Number.isInteger(percent) || percent < 1 || percent > 100) throw refuse(400, 'percent is wrong');
  if (articles !== undefined && !Array.isArray(articles)) throw refuse(400, 'articles is wrong');
  if (until !== undefined && typeof until !== 'string') throw refuse(400, 'until is wrong');
  const isNew = await redis.setnx(`voucher:${code}`, JSON.stringify({ percent, until, articles }));
  if (!isNew) throw refuse(409, 'the code is taken');
  res.status(201).json({ code, percent });
});

vouchers.get('/:code', async (req, res) => {
  const { code } = req.params;
  if (!known.has(code)) {
    const text = await redis.get(`voucher:${code}`);
    if (!text) throw refuse(404, 'no such voucher');
    known.set(code, JSON.parse(text));
  }
  res.json({ code, percent: known.get(code).percent });
});

vouchers.delete('/:code', async (req, res) => {
  const removed = await redis.del(`voucher:${req.params.code}`);
  if (removed === 0) throw refuse(404, 'no such voucher');
  res.status(204).end();
});
