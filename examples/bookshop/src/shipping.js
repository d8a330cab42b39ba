'use strict';

const express = require('express');

const { requireOneOf, integerFromText } = require('./validate');

const COUNTRIES = ['DE', 'FR', 'GB', 'US'];
const EUROPE = ['DE', 'FR'];

/** Prices in cents up to a weight in grams. */
const STANDARD = [
  { upTo: 500, price: 290 },
  { upTo: 2000, price: 490 },
  { upTo: 31_500, price: 1290 },
];
const EXPRESS = [
  { upTo: 500, price: 990 },
  { upTo: 2000, price: 1490 },
  { upTo: 20_000, price: 2990 },
];

function shippingRoutes() {
  const router = express.Router();

  router.get('/quote', (req, res) => {
    const country = requireOneOf(req.query.country, 'country', COUNTRIES);
    const weight = integerFromText(req.query.weight, 'weight', 1, 31_500);
    const isExpress = requireOneOf(req.query.express ?? 'false', 'express', ['true', 'false']) === 'true';
    const band = (isExpress ? EXPRESS : STANDARD).find(({ upTo }) => weight <= upTo);
    const price = EUROPE.includes(country) ? band.price : band.price * 2;
    res.json({ country, weight, express: isExpress, price });
  });

  return router;
}

module.exports = { shippingRoutes };
