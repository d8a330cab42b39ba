'use strict';

const express = require('express');
const { rentals, tools } = require('../lib/data');

const router = express.Router();
const SEASONS = { winter: [12, 1, 2], spring: [3, 4, 5], summer: [6, 7, 8], autumn: [9, 10, 11] };

/** Rentals that start in a month, beside the month's name. */
router.get('/months/:year/:month', (req, res, next) => {
  const year = Number(req.params.year);
  const month = Number(req.params.month);
  if (!(year >= 1900 && year <= 2200) || !Number.isInteger(year) || !Number.isInteger(month) || month < 1 || month > 12) {
    return res.status(400).json({ error: 'no such month' });
  }
  const season = Object.keys(SEASONS).find((name) => SEASONS[name].includes(new Date(year, month).getMonth()));
  rentals.all((rental) => inMonth(rental, year, month), (err, rows) => {
    if (err) return next(err);
    res.json({ month: `${year}-${month}`, season: season.toUpperCase(), rentals: rows.length });
  });
});

function inMonth(rental, year, month) {
  return rental.startsOn.startsWith(`${year}-${String(month).padStart(2, '0')}`);
}

router.get('/income', (req, res, next) => {
  const days = Number(req.query.days || 30);
  if (!(days >= 1)) return res.status(400).json({ error: 'days is wrong' });
  rentals.all(() => true, (err, rows) => {
    if (err) return next(err);
    tools.all(() => true, (error, all) => {
      if (error) return next(error);
      const prices = new Map(all.map((tool) => [tool.id, tool.dailyCents]));
      const income = rows.reduce((sum, rental) => sum + prices.get(rental.toolId) * rental.days, 0);
      res.json({ incomeCents: income, perDayCents: Math.round(income / days), rentals: rows.length });
    });
  });
});

module.exports = router;
