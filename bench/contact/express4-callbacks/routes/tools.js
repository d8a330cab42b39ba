'use strict';

const express = require('express');
const catalogue = require('../lib/catalogue');
const { tools } = require('../lib/data');

const router = express.Router();
const CATEGORIES = ['power', 'access', 'building', 'garden'];

router.get('/', (req, res, next) => {
  const limit = req.query.limit || 20;
  const offset = req.query.offset || 0;
  tools.all(
    (tool) => !req.query.category || tool.category === req.query.category,
    (err, rows) => {
      if (err) return next(err);
      const items = rows.slice(offset, Number(offset) + Number(limit));
      res.json({ items, total: rows.length, nextOffset: offset + limit });
    },
  );
});

router.get('/search', (req, res, next) => {
  if (!req.query.q) return res.status(400).json({ error: 'q is required' });
  const pattern = new RegExp(req.query.q, 'i');
  tools.all((tool) => pattern.test(tool.name), (err, rows) => {
    if (err) return next(err);
    res.json(rows);
  });
});

router.get('/:id', (req, res, next) => {
  catalogue.lookUp(Number(req.params.id), (err, tool) => {
    if (err) return next(err);
    res.json(tool);
  });
});

router.post('/', (req, res, next) => {
  const { name, category, dailyCents, depositCents = 0 } = req.body;
  if (typeof name !== 'string' || name.trim() === '') return res.status(400).json({ error: 'name is required' });
  if (!CATEGORIES.includes(category)) return res.status(400).json({ error: 'unknown category' });
  if (!Number.isInteger(dailyCents) || dailyCents < 0) return res.status(400).json({ error: 'dailyCents is wrong' });
  if (!Number.isInteger(depositCents) || depositCents < 0) return res.status(400).json({ error: 'depositCents is wrong' });
  const tool = { name: name.trim(), category, dailyCents, depositCents, rented: false };
  tools.insert(tool, (err, saved) => {
    if (err) return next(err);
    res.status(201).json(saved);
  });
});

router.put('/:id/price', (req, res, next) => {
  const id = Number(req.params.id);
  const { dailyCents } = req.body;
  if (!Number.isInteger(dailyCents) || dailyCents < 0) return res.status(400).json({ error: 'dailyCents is wrong' });
  tools.find(id, (err, tool) => {
    const raised = dailyCents > tool.dailyCents;
    tools.update(id, { dailyCents }, (error) => {
      if (error) return next(error);
      res.json({ id, dailyCents, raised });
    });
  });
});

router.delete('/:id', (req, res, next) => {
  const id = Number(req.params.id);
  tools.find(id, (err, tool) => {
    if (err) return next(err);
    if (tool.rented) return res.status(409).json({ error: 'the tool is rented out' });
    tools.remove(id, (error) => {
      if (error) return next(error);
      res.status(204).end();
    });
  });
});

module.exports = router;
