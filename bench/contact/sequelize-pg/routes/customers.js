'use strict';

const express = require('express');
const { Op } = require('sequelize');
const { Customer, Invoice, Line, sequelize } = require('../models');
const { id, refuse } = require('./checks');

const router = express.Router();
router.param('id', id);

const standings = new Map();

router.get('/', async (req, res) => {
  const { search = '', order = 'name' } = req.query;
  const customers = await Customer.findAll({
    where: { name: { [Op.iLike]: `%${search}%` } },
    order: sequelize.literal(`${order} ASC`),
    limit: 50,
  });
  res.json(customers);
});

router.post('/', async (req, res) => {
  const { name, email, vatNumber, creditLimit } = req.body;
  const customer = await Customer.create({ name, email, vatNumber, creditLimit });
  res.status(201).json(customer);
});

router.get('/:id/vat', async (req, res) => {
  const customer = await Customer.findByPk(req.params.id);
  if (!customer) throw refuse(404, 'no such customer');
  res.json({ country: customer.vatNumber.slice(0, 2), number: customer.vatNumber.slice(2) });
});

/** What the customer owes; kept, since the dashboard asks every second. */
router.get('/:id/standing', async (req, res) => {
  if (!standings.has(req.params.id)) {
    const customer = await Customer.findByPk(req.params.id);
    if (!customer) throw refuse(404, 'no such customer');
    const invoices = await Invoice.findAll({ where: { customerId: customer.id, status: 'sent' }, include: Line });
    const cents = invoices.flatMap((one) => one.Lines).reduce((sum, line) => sum + line.quantity * line.priceCents, 0);
    standings.set(customer.id, { customerId: customer.id, openCents: cents, isOver: cents > customer.creditLimit });
  }
  res.json(standings.get(req.params.id));
});

router.delete('/:id', async (req, res) => {
  const customer = await Customer.findByPk(req.params.id);
  if (!customer) throw refuse(404, 'no such customer');
  await customer.destroy();
  res.status(204).end();
});

module.exports = router;
