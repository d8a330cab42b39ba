'use strict';

const express = require('express');

const { applyCoupon } = require('./coupons');
const { conflict } = require('./http');
const { sendMail } = require('./mail');
const { requireInteger, requireOneOf, requireText } = require('./validate');

const CARRIERS = ['post', 'bike', 'pickup'];

function toView(order) {
  const { id, customerId, bookId, quantity, total, status } = order;
  return { id, customerId, bookId, quantity, total, status };
}

/** Orders more from the supplier when the shelf is empty. */
function reorder(store, book) {
  const supplier = store.suppliers.find((candidate) => candidate.id === book.supplier);
  book.onOrder = { amount: 10, from: supplier.email };
}

function placeOrder(store, body) {
  const customer = store.customers.find(requireInteger(body.customerId, 'customerId', 1, 999_999_999));
  const book = store.books.find(requireInteger(body.bookId, 'bookId', 1, 999_999_999));
  const quantity = requireInteger(body.quantity, 'quantity', 1, 1000);
  if (quantity > book.stock) {
    throw conflict(`only ${book.stock} left`);
  }
  let total = book.price * quantity;
  if (body.coupon !== undefined) {
    total = Math.max(0, applyCoupon(requireText(body.coupon, 'coupon', 20).toUpperCase(), total));
  }
  if (quantity === book.stock && book.kind === 'paper') {
    reorder(store, book);
  }
  book.stock -= quantity;
  return store.orders.add({
    customerId: customer.id,
    bookId: book.id,
    quantity,
    total,
    status: 'open',
    reservation: { book, quantity },
  });
}

async function announceShipping(store, order) {
  const customer = store.customers.find(order.customerId);
  await sendMail(customer.email.toLowerCase(), `Your order ${order.id} is on its way`);
}

function shipOrder(store, order, carrier) {
  if (order.status !== 'open') {
    throw conflict(`the order is ${order.status}`);
  }
  order.status = 'shipped';
  order.carrier = carrier;
  delete order.reservation; // the books have left the house
  if (carrier !== 'pickup') {
    announceShipping(store, order);
  }
}

function cancelOrder(order) {
  if (order.status === 'cancelled') {
    throw conflict('the order is cancelled already');
  }
  const { book, quantity } = order.reservation;
  book.stock += quantity;
  order.status = 'cancelled';
}

function orderRoutes(store) {
  const router = express.Router();

  // The latest ones; nobody has asked for pages yet.
  router.get('/', (req, res) => {
    res.json(store.orders.all().slice(-50).map(toView));
  });

  router.post('/', (req, res) => {
    res.status(201).json(toView(placeOrder(store, req.body ?? {})));
  });

  router.get('/:id', (req, res) => {
    res.json(toView(store.orders.findByText(req.params.id)));
  });

  router.post('/:id/ship', (req, res) => {
    const order = store.orders.findByText(req.params.id);
    shipOrder(store, order, requireOneOf(req.body?.carrier, 'carrier', CARRIERS));
    res.json(toView(order));
  });

  router.post('/:id/cancel', (req, res) => {
    const order = store.orders.findByText(req.params.id);
    cancelOrder(order);
    res.json(toView(order));
  });

  return router;
}

module.exports = { orderRoutes };
