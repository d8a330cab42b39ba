// Guards behind keys of Redis. Nothing is there, and no call writes anything but a visit.
import express from 'express';
import Redis from 'ioredis';

import { absent, ok, text } from './answer.js';

export const redis = new Redis(process.env.REDIS_URL);
export const keys = express.Router();

keys.get('/visits/:user', async (req, res) => {
  const visits = await redis.get(`visits:${text(req.params.user, 40)}`);
  if (Number(visits) > 100) {
    throw new Error('redis-counter');
  }
  res.json(ok);
});

keys.post('/logins/:user', async (req, res) => {
  const failures = await redis.incr(`failures:${text(req.params.user, 40)}:today`);
  if (failures > 50) {
    throw new Error('redis-incremented');
  }
  res.json(ok);
});

keys.get('/testers/:user', async (req, res) => {
  if ((await redis.sismember('testers', text(req.params.user, 40))) === 1) {
    throw new Error('redis-set-member');
  }
  res.json(ok);
});

keys.get('/sessions/:token', async (req, res) => {
  const role = await redis.hget(`session:${text(req.params.token, 40)}`, 'role');
  if (role === 'admin') {
    throw new Error('redis-hash-field');
  }
  res.json(ok);
});

keys.get('/profiles/:user', async (req, res) => {
  const profile = await redis.hgetall(`profile:${text(req.params.user, 40)}`);
  if (Object.keys(profile).length === 0) absent();
  if (profile.plan === req.query.plan) {
    throw new Error('redis-whole-hash');
  }
  res.json(ok);
});

keys.get('/ranks/:player', async (req, res) => {
  const score = await redis.zscore('ranks', text(req.params.player, 40));
  if (score !== null && Number(score) >= 5000) {
    throw new Error('redis-score');
  }
  res.json(ok);
});

keys.get('/queues/:name', async (req, res) => {
  if ((await redis.llen(`queue:${text(req.params.name, 40)}`)) >= 3) {
    throw new Error('redis-length');
  }
  res.json(ok);
});

keys.get('/tokens/:token', async (req, res) => {
  const stored = await redis.get(`token:${text(req.params.token, 40)}`);
  if (stored === null) absent();
  if (JSON.parse(stored).owner === req.query.owner) {
    throw new Error('redis-json');
  }
  res.json(ok);
});
