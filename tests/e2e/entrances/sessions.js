'use strict';
// A login starts a session in a cookie; what changes something needs the session's CSRF token in a header, too.
const express = require('express'); const session = require('express-session'); const passport = require('passport');
const { Strategy } = require('passport-local'); const crypto = require('crypto');
const app = express(); app.use(express.json()); app.use(express.urlencoded({ extended: false }));
app.use(session({ secret: 'any', resave: false, saveUninitialized: false }));
const users = [];
passport.use(new Strategy((username, password, done) => {
  const u = users.find((x) => x.username === username && x.password === password);
  return done(null, u || false);
}));
passport.serializeUser((u, done) => done(null, u.id)); passport.deserializeUser((id, done) => done(null, users.find((u) => u.id === id) || false));
app.use(passport.initialize()); app.use(passport.session());
app.post('/users', (req, res) => {
  const { username, password } = req.body;
  if (!username || !password) return res.status(400).send('username and password');
  if (users.find((u) => u.username === username)) return res.status(409).send('taken');
  const u = { id: users.length + 1, username, password, cart: [] }; users.push(u); res.status(201).json({ id: u.id });
});
app.post('/session', passport.authenticate('local'), (req, res) => { req.session.csrf = crypto.randomBytes(12).toString('hex'); res.json({ ok: true, csrfToken: req.session.csrf }); });
const need = (req, res, next) => req.isAuthenticated() ? next() : res.status(403).json({ message: 'Please log in' });
const csrf = (req, res, next) => req.headers['x-csrf-token'] === req.session.csrf ? next() : res.status(403).json({ message: 'csrf' });
app.get('/cart', need, (req, res) => res.json(req.user.cart));
app.post('/cart', need, csrf, (req, res) => { req.user.cart.push(req.body.item); res.status(201).json({ n: req.user.cart.length, size: req.body.item.length }); });
app.get('/profile', need, (req, res) => res.json({ id: req.user.id }));
app.get('/openapi.json', (req, res) => res.sendFile(`${__dirname}/sessions.json`));
app.listen(process.env.PORT);
