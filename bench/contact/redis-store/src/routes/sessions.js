import { Router } from 'express';
import { randomUUID } from 'node:crypto';
import { redis, refuse } from '../redis.js';

export const sessions = Router();

sessions.post('/', async (req, res) => {
  const { user, basket } = req.body ?? {};
  if (typeof user !== 'string' || user === '' || user.length > 40) throw refuse(400, 'user is wrong');
  const id = randomUUID();
  await redis.set(`session:${id}`, JSON.stringify({ user, basket }), 'EX', 3600);
  res.status(201).json({ id, user });
});

sessions.get('/:id/basket', async (req, res) => {
  const text = await redis.get(`session:${req.params.id}`);
  if (!text) throw refuse(404, 'no such session');
  const { basket } = JSON.parse(text);
  const items = await redis.hgetall(`basket:${basket.id}`);
  res.json({ basket: basket.id, articles: Object.keys(items).length });
});

/** Sessions of all users whose name begins so. */
sessions.get('/', async (req, res) => {
  const ttl = Number(req.query.seconds ?? 60);
  const keys = await redis.keys('session:*');
  const left = await Promise.all(keys.map((key) => redis.ttl(key)));
  const ending = left.filter((seconds) => seconds <= ttl).length;
  res.json({ open: keys.length, ending, share: ending / keys.length });
});
