'use strict';
// Users sign up with a hashed password, and get a JWT by logging in. Nobody is an administrator.
const express = require('express');
const jwt = require('jsonwebtoken');
const bcrypt = require('bcryptjs');

const app = express();
const secret = process.env.NOTES_SECRET;
const users = [];
app.use(express.json());

app.post('/auth/register', async (req, res) => {
  const { email, password } = req.body;
  if (typeof email !== 'string' || !/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(email)) return res.status(400).json({ error: 'email' });
  if (typeof password !== 'string' || password.length < 8) return res.status(400).json({ error: 'password' });
  if (users.some((user) => user.email === email)) return res.status(409).json({ error: 'taken' });
  users.push({ id: users.length + 1, email, hash: await bcrypt.hash(password, 4), role: 'user' });
  res.status(201).json({ id: users.length });
});

app.post('/auth/login', async (req, res) => {
  const user = users.find((each) => each.email === req.body.email);
  if (!user || !(await bcrypt.compare(String(req.body.password), user.hash))) return res.status(401).json({});
  res.json({ token: jwt.sign({ sub: user.id, role: user.role }, secret) });
});

app.get('/openapi.json', (req, res) => res.sendFile(`${__dirname}/tokens.json`));

app.use((req, res, next) => {
  const [scheme, token] = (req.headers.authorization || '').split(' ');
  if (scheme !== 'Bearer') return res.status(401).json({ error: 'no token' });
  try {
    req.user = jwt.verify(token, secret);
  } catch {
    return res.status(401).json({ error: 'bad token' });
  }
  next();
});

app.get('/me', (req, res) => res.json({ id: req.user.sub }));
app.post('/share', (req, res) => res.json({ shared: req.body.with.length }));
app.get('/admin', (req, res) => {
  if (req.user.role !== 'admin') return res.status(403).json({ error: 'administrators only' });
  res.json({ users: users.length, latest: users[users.length - 1].email });
});

app.listen(process.env.PORT);
