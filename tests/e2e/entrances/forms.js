'use strict';
// Pages with forms: each has a hidden token of the session, which whatever changes something asks for. A login starts
// another session, so the token of the page before it is worth nothing after it.
const express = require('express');
const session = require('express-session');
const passport = require('passport');
const { Strategy } = require('passport-local');
const crypto = require('crypto');

const app = express();
const users = [];
const tickets = [];
app.use(express.urlencoded({ extended: false }));
app.use(session({ secret: 'any', resave: false, saveUninitialized: true }));
passport.use(
  new Strategy((username, password, done) => {
    done(null, users.find((user) => user.username === username && user.password === password) || false);
  }),
);
passport.serializeUser((user, done) => done(null, user.username));
passport.deserializeUser((name, done) => done(null, users.find((user) => user.username === name) || false));
app.use(passport.session());
app.use((req, res, next) => {
  req.session.token ??= crypto.randomBytes(18).toString('base64');
  const isSafe = req.method === 'GET' || req.method === 'HEAD';
  if (isSafe || req.body?._csrf === req.session.token || req.get('x-csrf-token') === req.session.token) return next();
  return res.status(403).send('<!DOCTYPE html><pre>ForbiddenError: invalid csrf token</pre>');
});

const escaped = (text) => text.replace(/[+/=]/g, (char) => `&#${char.charCodeAt(0)};`);
const form = (req, fields) =>
  `<!DOCTYPE html><form method="post"><input type="hidden" name="_csrf" value="${escaped(req.session.token)}">${fields}</form>`;
const need = (req, res, next) => (req.isAuthenticated() ? next() : res.redirect('/log-in'));

app.get('/sign-up', (req, res) => res.send(form(req, '<input name="username"><input type="password" name="password">')));
app.post('/sign-up', (req, res) => {
  const { username, password, confirmPassword } = req.body;
  if (!username || !password || password !== confirmPassword || users.some((user) => user.username === username)) {
    return res.status(422).send(form(req, '<input name="username"><input type="password" name="password">'));
  }
  users.push({ username, password });
  return res.redirect('/log-in');
});
app.get('/log-in', (req, res) => res.send(form(req, '<input name="username"><input type="password" name="password">')));
app.post('/log-in', passport.authenticate('local', { successRedirect: '/tickets', failureRedirect: '/log-in' }));
app.get('/tickets', need, (req, res) => res.send(`<!DOCTYPE html><ul>${tickets.map((one) => `<li>${one}</li>`).join('')}</ul>`));
app.get('/tickets/new', need, (req, res) => res.send(form(req, '<input name="subject">')));
app.post('/tickets', need, (req, res) => {
  tickets.push(req.body.subject.trim());
  res.redirect('/tickets');
});
app.listen(process.env.PORT);
