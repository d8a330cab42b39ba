import { Router } from 'express';
import { article, redis, refuse } from '../redis.js';

export const stock = Router();

stock.get('/', async (req, res) => {
  const keys = (await redis.keys('article:*')).sort();
  const articles = [];
  for (const key of keys) {
    const { name, cents, stock: left } = await redis.hgetall(key);
    articles.push({ article: key.slice('article:'.length), name, cents: Number(cents), stock: Number(left) });
  }
  res.json(articles);
});

stock.put('/:article', async (req, res) => {
  const number = article(req.params.article);
  const { name, cents, origin } = req.body ?? {};
  if (typeof name !== 'string' || name === '' || !Number.isInteger(cents) || cents < 0) throw refuse(400, 'name or cents is wrong');
  if (origin !== undefined && typeof origin !== 'string') throw refuse(400, 'origin is wrong');
  await redis.hset(`article:${number}`, { name, cents, ...(origin && { origin }) });
  res.status(200).json({ article: number, name, cents, stock: Number(await redis.hget(`article:${number}`, 'stock')) });
});

stock.post('/:article/delivery', async (req, res) => {
  const number = article(req.params.article);
  const pieces = req.query.pieces ?? '1';
  if (!(await redis.exists(`article:${number}`))) throw refuse(404, 'no such article');
  const left = await redis.hincrby(`article:${number}`, 'stock', pieces);
  res.json({ article: number, stock: left });
});

/** The days of this week on which deliveries arrive, by the article's last digit. */
stock.get('/:article/delivery-day', async (req, res) => {
  const number = article(req.params.article);
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const { on } = req.query;
  if (typeof on !== 'string' || !/^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$/.test(on)) throw refuse(400, 'on is no day');
  const day = days[new Date(on).getUTCDay() - 1];
  res.json({ article: number, label: day[0].toUpperCase() + day.slice(1) });
});
