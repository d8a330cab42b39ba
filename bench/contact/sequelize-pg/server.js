'use strict';

require('express-async-errors');
const path = require('path');
const express = require('express');
const { connect } = require('./models');

const app = express();
app.use(express.json());
app.get('/api/openapi.json', (req, res) => res.sendFile(path.join(__dirname, 'openapi.json')));
app.use('/api/customers', require('./routes/customers'));
app.use('/api/invoices', require('./routes/invoices'));
app.use('/api/reports', require('./routes/reports'));

app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  if (err.name === 'SequelizeValidationError') return res.status(422).json({ error: err.message });
  if (err.status && err.status < 500) return res.status(err.status).json({ error: err.message });
  console.error(err);
  res.status(500).json({ error: 'unexpected' });
});

const port = process.env.PORT || 3000;
connect()
  .then(() => app.listen(port, () => console.log(`invoices on port ${port}`)))
  .catch((err) => {
    console.error(err);
    process.exit(1);
  });
