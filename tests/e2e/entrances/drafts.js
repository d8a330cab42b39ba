'use strict';
// Drafts are read, renamed and removed by their authors only; publishing and printing forget to look whose they are.
const crypto = require('node:crypto');
const express = require('express');
const jwt = require('jsonwebtoken');

const app = express();
app.use(express.json());
const users = new Map();
const drafts = [];
const SECRET = crypto.randomBytes(16).toString('hex');

app.post('/signup', (req, res) => {
  const { email, password } = req.body;
  if (typeof email !== 'string' || typeof password !== 'string') return res.status(400).json({ error: 'email, password' });
  if (users.has(email)) return res.status(409).json({ error: 'taken' });
  users.set(email, password);
  return res.status(201).json({ email });
});
app.post('/login', (req, res) => {
  const { email, password } = req.body;
  if (!users.has(email) || users.get(email) !== password) return res.status(401).json({ error: 'wrong' });
  return res.json({ token: jwt.sign({ sub: email }, SECRET) });
});
app.use((req, res, next) => {
  try {
    req.user = jwt.verify((req.headers.authorization || '').replace('Bearer ', ''), SECRET).sub;
  } catch {
    return res.status(401).json({ error: 'no token' });
  }
  return next();
});

const found = (req, res, mine) => {
  const draft = drafts.find((one) => String(one.id) === req.params.id && (!mine || one.author === req.user));
  if (!draft) res.status(404).json({ error: 'no such draft' });
  return draft;
};
app.post('/drafts', (req, res) => {
  if (typeof req.body.title !== 'string') return res.status(400).json({ error: 'title' });
  const draft = { id: drafts.length + 1, author: req.user, title: req.body.title, state: 'draft', likes: 0 };
  drafts.push(draft);
  return res.status(201).json(draft);
});
app.get('/drafts/:id', (req, res) => {
  const draft = found(req, res, true);
  if (draft) res.json(draft);
});
app.post('/drafts/:id/rename', (req, res) => {
  const draft = found(req, res, true);
  if (draft) res.json(draft);
});
app.post('/drafts/:id/publish', (req, res) => {
  const draft = found(req, res, false);
  if (!draft) return;
  draft.state = 'published';
  res.status(204).end();
});
app.get('/drafts/:id/print', (req, res) => {
  const draft = found(req, res, false);
  if (draft) res.json({ page: draft.title });
});
app.get('/drafts/:id/likes', (req, res) => {
  const draft = found(req, res, false);
  if (draft) res.json({ likes: draft.likes });
});
app.listen(process.env.PORT || 3000);
