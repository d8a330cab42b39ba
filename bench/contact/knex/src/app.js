'use strict';

const express = require('express');
const { employees } = require('./routes/employees');
const { expenses } = require('./routes/expenses');
const { reports } = require('./routes/reports');

function createApp() {
  const app = express();
  app.use(express.json());
  app.use('/employees', employees);
  app.use('/reports', reports);
  app.use('/expenses', expenses);
  app.use((error, req, res, next) => {
    if (res.headersSent) return next(error);
    if (error.isJoi) return res.status(400).json({ error: error.message });
    if (error.status) return res.status(error.status).json({ error: error.message });
    console.error(error);
    return res.status(500).json({ error: 'internal error' });
  });
  return app;
}

module.exports = { createApp };
