// Guards that need several calls in order.
import express from 'express';

import { field, integer, ok } from './answer.js';

export const state = express.Router();

/** The latest rows only, so that a long search does not fill the memory. */
class Rows {
  #rows = new Map();
  #next = 1;

  add(row) {
    const stored = { id: this.#next++, ...row };
    this.#rows.set(stored.id, stored);
    this.#rows.delete(stored.id - 10_000);
    return stored;
  }

  find(text) {
    const row = this.#rows.get(integer(text));
    if (!row) {
      throw Object.assign(new Error('no such row'), { status: 404 });
    }
    return row;
  }
}

const payments = new Rows();
const items = new Rows();
const notes = new Rows();

const conflict = (message) => Object.assign(new Error(message), { status: 409 });

state.post('/payments', (req, res) => {
  res.status(201).json(payments.add({ amount: field(req.body, 'amount', 'number'), status: 'open' }));
});

state.post('/payments/:id/pay', (req, res) => {
  const payment = payments.find(req.params.id);
  if (payment.status !== 'open') {
    throw conflict(`the payment is ${payment.status}`);
  }
  payment.status = 'paid';
  res.json(payment);
});

state.post('/payments/:id/refund', (req, res) => {
  const payment = payments.find(req.params.id);
  if (payment.status === 'paid') {
    throw new Error('three-steps');
  }
  throw conflict(`the payment is ${payment.status}`);
});

state.post('/items', (req, res) => {
  res.status(201).json(items.add({ name: field(req.body, 'name', 'string'), quantity: field(req.body, 'quantity', 'number') }));
});

state.put('/items/:id', (req, res) => {
  const item = items.find(req.params.id);
  const name = field(req.body, 'name', 'string');
  const quantity = field(req.body, 'quantity', 'number');
  if (name === item.name && quantity > item.quantity) {
    throw new Error('same-name-larger');
  }
  Object.assign(item, { name, quantity });
  res.json(item);
});

state.post('/notes', (req, res) => {
  res.status(201).json(notes.add({ text: field(req.body, 'text', 'string'), deleted: false }));
});

state.delete('/notes/:id', (req, res) => {
  const note = notes.find(req.params.id);
  if (note.deleted) {
    throw new Error('deleted-twice');
  }
  note.deleted = true;
  res.json(ok);
});
