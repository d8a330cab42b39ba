'use strict';

const path = require('node:path');
const express = require('express');

const { createStore } = require('./store');
const { bookRoutes } = require('./books');
const { customerRoutes } = require('./customers');
const { couponRoutes } = require('./coupons');
const { orderRoutes } = require('./orders');
const { shippingRoutes } = require('./shipping');
const { reportRoutes } = require('./reports');
const { errorHandler, notFound } = require('./http');

function createApp() {
  const app = express();
  const store = createStore();

  app.disable('x-powered-by');
  app.use(express.json());
  app.get('/openapi.json', (req, res) => res.sendFile(path.join(__dirname, '..', 'openapi.json')));
  app.use('/books', bookRoutes(store));
  app.use('/customers', customerRoutes(store));
  app.use('/coupons', couponRoutes());
  app.use('/orders', orderRoutes(store));
  app.use('/shipping', shippingRoutes());
  app.use('/reports', reportRoutes(store));
  app.use((req, res, next) => next(notFound('no such page')));
  app.use(errorHandler);
  return app;
}

module.exports = { createApp };
