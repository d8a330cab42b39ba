'use strict';

const express = require('express');

const { requireText, optionalText, requireInteger, requireOneOf, integerFromText } = require('./validate');

const KINDS = ['paper', 'ebook', 'audio'];
const FIELDS = ['title', 'author', 'subtitle'];

/** A book as customers see it: without what we know about suppliers. */
function toView(book) {
  const view = { id: book.id, kind: book.kind, title: book.title, author: book.author, price: book.price, stock: book.stock };
  if (book.subtitle !== undefined) {
    view.subtitle = book.subtitle;
  }
  if (book.kind === 'audio') {
    view.minutes = book.minutes;
  } else {
    view.pages = book.pages;
  }
  return view;
}

function parseBook(body) {
  const kind = requireOneOf(body.kind, 'kind', KINDS);
  const book = {
    kind,
    title: requireText(body.title, 'title'),
    subtitle: optionalText(body.subtitle, 'subtitle'),
    author: requireText(body.author, 'author'),
    price: requireInteger(body.price, 'price', 0, 1_000_000),
    stock: requireInteger(body.stock ?? 0, 'stock', 0, 100_000),
    supplier: 'north',
  };
  if (kind === 'audio') {
    book.minutes = requireInteger(body.minutes, 'minutes', 1, 10_000);
  } else {
    book.pages = requireInteger(body.pages, 'pages', 1, 10_000);
  }
  return book;
}

function bookRoutes(store) {
  const router = express.Router();

  router.get('/', (req, res) => {
    const limit = req.query.limit === undefined ? 20 : integerFromText(req.query.limit, 'limit', 1, 100);
    res.json(store.books.all().slice(0, limit).map(toView));
  });

  router.get('/search', (req, res) => {
    const words = requireText(req.query.q, 'q', 80).toLowerCase();
    const field = requireOneOf(req.query.field ?? 'title', 'field', FIELDS);
    const found = store.books.all().filter((book) => book[field].toLowerCase().includes(words));
    res.json(found.map(toView));
  });

  router.post('/', (req, res) => {
    const book = store.books.add(parseBook(req.body ?? {}));
    res.status(201).json(toView(book));
  });

  router.get('/:id', (req, res) => {
    res.json(toView(store.books.findByText(req.params.id)));
  });

  router.put('/:id/stock', (req, res) => {
    const book = store.books.findByText(req.params.id);
    book.stock = requireInteger(req.body?.stock, 'stock', 0, 100_000);
    res.json(toView(book));
  });

  return router;
}

module.exports = { bookRoutes };
