import { Router } from 'express';
import { randomUUID } from 'node:crypto';
import { article, redis, refuse } from '../redis.js';
import { confirm } from '../mail.js';

export const baskets = Router();

async function itemsOf(id) {
  const items = await redis.hgetall(`basket:${id}`);
  if (Object.keys(items).length === 0) throw refuse(404, 'no such basket');
  return items;
}

async function totalOf(items) {
  let cents = 0;
  for (const [number, quantity] of Object.entries(items)) {
    const price = await redis.hget(`article:${number}`, 'cents');
    cents += Number(price) * Number(quantity);
  }
  return cents;
}

baskets.post('/', async (req, res) => {
  const number = article(req.body?.article);
  if (!(await redis.exists(`article:${number}`))) throw refuse(404, 'no such article');
  const id = randomUUID();
  await redis.hset(`basket:${id}`, number, 1);
  res.json({ id, items: { [number]: 1 } });
});

baskets.get('/:id', async (req, res) => {
  const items = await itemsOf(req.params.id);
  res.json({ id: req.params.id, items });
});

baskets.put('/:id/items/:article', async (req, res) => {
  const number = article(req.params.article);
  const { quantity } = req.body ?? {};
  if (!Number.isInteger(quantity) || quantity < 0 || quantity > 99) throw refuse(400, 'quantity is wrong');
  await itemsOf(req.params.id);
  if (quantity === 0) await redis.hdel(`basket:${req.params.id}`, number);
  else await redis.hset(`basket:${req.params.id}`, number, quantity);
  res.json({ article: number, quantity });
});

baskets.get('/:id/total', async (req, res) => {
  const items = await itemsOf(req.params.id);
  res.json({ cents: totalOf(items) });
});

/** Where the goods come from, for the customs. */
baskets.get('/:id/origins', async (req, res) => {
  const items = await itemsOf(req.params.id);
  const origins = [];
  for (const number of Object.keys(items)) {
    const { origin } = await redis.hgetall(`article:${number}`);
    origins.push(origin.toUpperCase());
  }
  res.json({ origins });
});

baskets.post('/:id/voucher', async (req, res) => {
  const { code } = req.body ?? {};
  if (typeof code !== 'string') throw refuse(400, 'code is missing');
  const items = await itemsOf(req.params.id);
  const voucher = JSON.parse(await redis.get(`voucher:${code}`));
  if (voucher.until && voucher.until < new Date().toISOString().slice(0, 10)) throw refuse(409, 'the voucher has ended');
  if (!voucher) throw refuse(404, 'no such voucher');
  const fitting = Object.keys(items).filter((number) => voucher.articles.includes(number));
  res.json({ code, percent: voucher.percent, articles: fitting });
});

baskets.post('/:id/checkout', async (req, res) => {
  const items = await itemsOf(req.params.id);
  const { email } = req.body ?? {};
  if (typeof email !== 'string' || email === '') throw refuse(400, 'email is missing');
  for (const [number, quantity] of Object.entries(items)) {
    const stock = Number(await redis.hget(`article:${number}`, 'stock'));
    if (stock < Number(quantity)) throw refuse(409, `${number} is sold out`);
    await redis.hset(`article:${number}`, 'stock', stock - Number(quantity));
  }
  await redis.del(`basket:${req.params.id}`);
  confirm(email, items);
  res.status(201).json({ ordered: Object.keys(items).length });
});
