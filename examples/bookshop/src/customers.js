'use strict';

const express = require('express');

const { badRequest } = require('./http');
const { requireText } = require('./validate');

const EMAIL = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i;

function customerRoutes(store) {
  const router = express.Router();

  router.get('/', (req, res) => {
    res.json(store.customers.all().slice(-50));
  });

  router.post('/', (req, res) => {
    const body = req.body ?? {};
    const customer = { name: requireText(body.name, 'name') };
    // In the shop, people may leave only their name.
    if (body.email !== undefined) {
      const email = requireText(body.email, 'email');
      if (!EMAIL.test(email)) {
        throw badRequest('email does not look like an address');
      }
      customer.email = email;
    }
    res.status(201).json(store.customers.add(customer));
  });

  router.get('/:id', (req, res) => {
    res.json(store.customers.findByText(req.params.id));
  });

  return router;
}

module.exports = { customerRoutes };
