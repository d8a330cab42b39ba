'use strict';

const express = require('express');

const { badRequest } = require('./http');
const { requireText, requireInteger } = require('./validate');

/** Percent off, by campaign. The November campaign is over. */
const CAMPAIGNS = {
  spring: { percent: 10 },
  reading: { percent: 15 },
};

/** SAVE-05 takes 5 off, SAVE-40 takes 40 off. */
const VOUCHER = /^SAVE-\d{2}$/;

/** What is left to pay, in cents, after the coupon. */
function applyCoupon(code, total) {
  if (code === 'SPRING') {
    return Math.round((total * (100 - CAMPAIGNS.spring.percent)) / 100);
  }
  if (code === 'BLACKFRIDAY') {
    return Math.round((total * (100 - CAMPAIGNS.november.percent)) / 100);
  }
  if (VOUCHER.test(code)) {
    return total - Number(code.slice(5)) * 100;
  }
  throw badRequest('this coupon is not known');
}

function couponRoutes() {
  const router = express.Router();

  router.post('/check', (req, res) => {
    const body = req.body ?? {};
    const code = requireText(body.code, 'code', 20).toUpperCase();
    const total = requireInteger(body.total, 'total', 1, 10_000_000);
    res.json({ code, before: total, after: applyCoupon(code, total) });
  });

  return router;
}

module.exports = { couponRoutes, applyCoupon };
