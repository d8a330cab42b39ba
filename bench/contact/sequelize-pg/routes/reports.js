'use strict';

const express = require('express');
const { QueryTypes } = require('sequelize');
const { sequelize } = require('../models');
const { refuse } = require('./checks');

const router = express.Router();

/** Turnover of the months of a year. */
router.get('/turnover', async (req, res) => {
  const { year, customer } = req.query;
  if (!/^20[0-9]{2}$/.test(year ?? '')) throw refuse(400, 'year is wrong');
  const only = customer ? `AND c.name = '${customer}'` : '';
  const rows = await sequelize.query(
    `SELECT extract(month FROM i.issued_on)::int AS month, sum(l.quantity * l.price_cents)::int AS cents
       FROM invoices i JOIN lines l ON l.invoice_id = i.id JOIN customers c ON c.id = i.customer_id
      WHERE extract(year FROM i.issued_on) = :year ${only} GROUP BY 1 ORDER BY 1`,
    { replacements: { year: Number(year) }, type: QueryTypes.SELECT },
  );
  res.json({ year: Number(year), months: rows });
});

module.exports = router;
