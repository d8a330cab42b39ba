'use strict';

require('dotenv').config();
const path = require('path');
const express = require('express');
const mongoose = require('mongoose');
const { seed } = require('./models/seed');

const app = express();
app.use(express.json());
app.get('/openapi.json', (req, res) => res.sendFile(path.join(__dirname, 'openapi.json')));
app.use('/jobs', require('./routes/jobs'));
app.use('/applications', require('./routes/applications'));
app.use('/recruiters', require('./routes/recruiters'));

app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  if (err.name === 'ValidationError' && err.errors) return res.status(422).json({ message: err.message });
  if (err.status) return res.status(err.status).json({ message: err.message });
  console.error(err);
  res.status(500).json({ message: 'Internal server error' });
});

const port = process.env.PORT || 3000;

mongoose
  .connect(process.env.MONGODB_URL || 'mongodb://127.0.0.1:27017/jobs')
  .then(seed)
  .then(() => app.listen(port, () => console.log(`job board on port ${port}`)))
  .catch((err) => {
    console.error(err);
    process.exit(1);
  });
