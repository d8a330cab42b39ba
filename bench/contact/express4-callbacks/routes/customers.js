'use strict';

const express = require('express');
const { customers, rentals } = require('../lib/data');

const router = express.Router();

router.post('/', (req, res, next) => {
  const { name, email, address } = req.body;
  if (typeof name !== 'string' || name === '') return res.status(400).json({ error: 'name is required' });
  if (typeof email !== 'string' || !email.includes('@')) return res.status(400).json({ error: 'email is required' });
  if (address !== undefined && !(typeof address?.street === 'string' && typeof address.city === 'string')) {
    return res.status(400).json({ error: 'address needs street and city' });
  }
  customers.all((other) => other.email === email, (err, [taken]) => {
    if (err) return next(err);
    if (taken) return res.status(409).json({ error: 'email is taken' });
    customers.insert({ name, email, address }, (error, customer) => {
      if (error) return next(error);
      res.json(customer);
    });
  });
});

router.get('/:id', (req, res, next) => {
  customers.find(Number(req.params.id), (err, customer) => {
    if (err) return next(err);
    res.json(customer);
  });
});

router.get('/:id/label', (req, res, next) => {
  customers.find(Number(req.params.id), (err, customer) => {
    if (err) return next(err);
    const { street, city } = customer.address;
    res.json({ lines: [customer.name, street, city] });
  });
});

router.get('/:id/rentals', (req, res, next) => {
  const id = Number(req.params.id);
  customers.find(id, (err) => {
    if (err) res.status(err.status).json({ error: 'no such customer' });
    rentals.all((rental) => rental.customerId === id, (error, rows) => {
      if (error) return next(error);
      res.json(rows);
    });
  });
});

module.exports = router;
