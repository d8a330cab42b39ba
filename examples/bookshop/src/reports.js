'use strict';

const express = require('express');

const { badRequest } = require('./http');
const { requireDate } = require('./validate');

const DAY_MS = 24 * 60 * 60 * 1000;

const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

function reportRoutes(store) {
  const router = express.Router();

  /** Sales per day, both ends included. */
  router.get('/sales', (req, res) => {
    const from = requireDate(req.query.from, 'from');
    const to = requireDate(req.query.to, 'to');
    if (daysBetween(from, to) > 366) {
      throw badRequest('a report covers at most a year');
    }
    const perDay = new Array(daysBetween(from, to) + 1).fill(0);
    for (const sale of store.sales) {
      if (sale.date >= from && sale.date <= to) {
        perDay[daysBetween(from, sale.date)] += sale.amount;
      }
    }
    res.json({ from, to, days: perDay.length, total: perDay.reduce((sum, amount) => sum + amount, 0) });
  });

  return router;
}

module.exports = { reportRoutes };
