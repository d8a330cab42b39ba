'use strict';

const path = require('node:path');
const express = require('express');
const { bookings } = require('./routes/bookings');
const { courses } = require('./routes/courses');
const { members } = require('./routes/members');

function createApp() {
  const app = express();
  app.use(express.json());
  app.get('/swagger.json', (req, res) => res.sendFile(path.join(__dirname, '..', 'swagger.json')));
  app.use('/members', members);
  app.use('/courses', courses);
  app.use('/bookings', bookings);
  app.use((error, req, res, next) => {
    if (res.headersSent) return next(error);
    res.status(error.status ?? 500).json({ message: error.status ? error.message : 'unexpected error' });
  });
  return app;
}

module.exports = { createApp };
