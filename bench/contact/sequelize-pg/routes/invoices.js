'use strict';

const express = require('express');
const { Customer, Invoice, Line, Payment } = require('../models');
const { sendInvoice } = require('../post');
const { id, refuse } = require('./checks');

const router = express.Router();
router.param('id', id);

async function find(key, include) {
  const invoice = await Invoice.findByPk(key, { include });
  if (!invoice) throw refuse(404, 'no such invoice');
  return invoice;
}

function totalOf(invoice) {
  return invoice.Lines.reduce((sum, line) => sum + line.quantity * line.priceCents, 0);
}

router.get('/', async (req, res) => {
  const invoices = await Invoice.findAll({ order: ['id'], limit: 100 });
  const result = [];
  for (const invoice of invoices) {
    const customer = await invoice.getCustomer();
    result.push({ ...toJson(invoice), customer: customer.name });
  }
  res.json(result);
});

router.post('/', async (req, res) => {
  const { customerId, lines } = req.body;
  if (!Number.isInteger(customerId) || customerId < 1 || customerId > 2147483647) throw refuse(400, 'customerId is wrong');
  if (!Array.isArray(lines) || lines.length === 0) throw refuse(400, 'lines are missing');
  if (!(await Customer.findByPk(customerId))) throw refuse(404, 'no such customer');
  const count = await Invoice.count();
  const number = `${new Date().getFullYear()}-${String(count + 1).padStart(4, '0')}`;
  const invoice = await Invoice.create({ customerId, number });
  for (const line of lines) {
    await Line.create({ text: line.text, quantity: line.quantity, priceCents: line.priceCents, invoiceId: invoice.id });
  }
  res.status(201).json(toJson(invoice));
});

router.get('/:id', async (req, res) => {
  const invoice = await find(req.params.id, [Line, Payment]);
  const largest = [...invoice.Lines].sort((one, other) => other.priceCents - one.priceCents)[0];
  res.json({ ...toJson(invoice), totalCents: totalOf(invoice), largest: largest.text });
});

router.get('/:id/due', async (req, res) => {
  const invoice = await find(req.params.id);
  const [year, month, day] = invoice.issuedOn.split('-').map(Number);
  const due = new Date(Date.UTC(year, month - 1, day + 30));
  res.json({ issuedOn: invoice.issuedOn, dueOn: due.toISOString().slice(0, 10), isPaid: invoice.status === 'paid' });
});

router.post('/:id/send', async (req, res) => {
  const invoice = await find(req.params.id, [Customer]);
  if (invoice.status !== 'draft') throw refuse(409, 'sent already');
  await invoice.update({ status: 'sent', issuedOn: new Date() });
  sendInvoice(invoice);
  res.json(toJson(invoice));
});

router.post('/:id/payments', async (req, res) => {
  const { cents, reference } = req.body;
  const invoice = await Invoice.findByPk(req.params.id, { include: [Line, Payment] });
  const paid = invoice.Payments.reduce((sum, payment) => sum + payment.cents, 0);
  if (!invoice) throw refuse(404, 'no such invoice');
  if (!Number.isInteger(cents) || cents < 1) throw refuse(400, 'cents is wrong');
  if (paid + cents > totalOf(invoice)) throw refuse(409, 'that is more than is open');
  if (paid + cents === totalOf(invoice)) await invoice.update({ status: 'paid' });
  const payment = await Payment.create({ invoiceId: invoice.id, cents, reference });
  res.status(201).json({ id: payment.id, cents, openCents: totalOf(invoice) - paid - cents });
});

router.delete('/:id', async (req, res) => {
  const invoice = await find(req.params.id);
  const isLocked = isPaid(invoice);
  if (isLocked === true) throw refuse(409, 'paid invoices are kept');
  await invoice.destroy();
  res.status(204).end();
});

async function isPaid(invoice) {
  return (await Payment.count({ where: { invoiceId: invoice.id } })) > 0;
}

function toJson(invoice) {
  return { id: invoice.id, number: invoice.number, status: invoice.status, issuedOn: invoice.issuedOn ?? null };
}

module.exports = router;
