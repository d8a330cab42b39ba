const fs = require('node:fs/promises');
const path = require('node:path');
const cookieParser = require('cookie-parser');
const express = require('express');
const { errors: celebrateErrors } = require('celebrate');
const { requireRole, requireUser } = require('./auth');
const { trpcMiddleware } = require('./trpc');

function createApp() {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '200kb' }));
  app.use(express.urlencoded({ extended: true }));
  app.use(cookieParser());

  app.get('/health', (req, res) => res.json({ status: 'up' }));
  app.use('/api/pitches', require('./routes/pitches'));
  app.use('/api/bookings', require('./routes/bookings'));
  app.use('/api', require('./routes/accounts'));
  app.use('/api/reports', require('./routes/reports'));
  app.use('/api/admin', requireUser, requireRole('warden'), require('./routes/admin'));
  app.use(require('./routes/site'));
  app.use('/trpc', trpcMiddleware);

  addOffers(app);
  return app;
}

/** Offers are switched on in a file that the office edits, so their routes come a little later. */
async function addOffers(app) {
  const text = await fs.readFile(path.join(__dirname, 'offers.json'), 'utf8');
  const { enabled, offers } = JSON.parse(text);
  if (enabled) {
    app.get('/api/offers', (req, res) => res.json(Object.keys(offers)));
    app.get('/api/offers/:code', (req, res) => {
      const offer = offers[req.params.code];
      if (!offer) return res.status(404).json({ error: 'no such offer' });
      if (!req.query.guests) return res.json(offer);
      const guests = Number(req.query.guests);
      if (!(guests > 0)) return res.status(400).json({ error: 'guests has to be a number' });
      const step = offer.steps.filter((one) => one.from <= guests).at(-1);
      res.json({ code: req.params.code, guests, percent: step.percent });
    });
  }
  app.use((req, res) => res.status(404).json({ error: 'not found' }));
  app.use(celebrateErrors());
  app.use((error, req, res, next) => {
    if (res.headersSent) return next(error);
    const status = error.status || error.statusCode || 500;
    if (status >= 500) console.error(error);
    res.status(status).json({ error: status >= 500 ? 'internal error' : error.message });
  });
}

module.exports = { createApp };
