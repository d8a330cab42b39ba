// Guards on arrays, objects, dates, headers and choices.
import express from 'express';

import { badRequest, field, ok } from './answer.js';

export const shape = express.Router();

function list(body, name) {
  if (!Array.isArray(body?.[name])) {
    throw badRequest(`${name} must be a list`);
  }
  return body[name];
}

shape.post('/shape/tags', (req, res) => {
  if (list(req.body, 'tags').includes('deprecated')) {
    throw new Error('array-contains');
  }
  res.json(ok);
});

shape.post('/shape/items', (req, res) => {
  if (list(req.body, 'items').length === 7) {
    throw new Error('array-length');
  }
  res.json(ok);
});

shape.post('/shape/shares', (req, res) => {
  const shares = list(req.body, 'shares');
  const sum = shares.reduce((total, share) => total + share, 0);
  if (shares.length >= 3 && sum === 1000) {
    throw new Error('array-sum');
  }
  res.json(ok);
});

shape.get('/shape/channel', (req, res) => {
  if (req.get('x-channel') === 'partner-beta') {
    throw new Error('header');
  }
  res.json(ok);
});

shape.get('/shape/stay', (req, res) => {
  const arrival = new Date(String(req.query.arrival));
  const departure = new Date(String(req.query.departure));
  if (departure < arrival && departure.getUTCFullYear() === 2031) {
    throw new Error('date-order');
  }
  res.json(ok);
});

shape.post('/shape/choice', (req, res) => {
  const { engine, fuel, seats } = req.body ?? {};
  if (engine === 'turbine' && fuel === 'kerosene' && seats === 'none') {
    throw new Error('enumerations');
  }
  res.json(ok);
});

shape.post('/shape/nested', (req, res) => {
  if (req.body?.address?.country?.code === 'XK') {
    throw new Error('nested-field');
  }
  res.json(ok);
});

shape.post('/shape/optional', (req, res) => {
  const limit = field(req.body, 'limit', 'number');
  if (limit > 20 && req.body.reason === undefined && req.body.approver !== undefined) {
    throw new Error('absent-field');
  }
  res.json(ok);
});

shape.get('/shape/query', (req, res) => {
  let query = {};
  try {
    query = JSON.parse(String(req.query.where));
  } catch {
    res.json(ok);
    return;
  }
  if (query?.table === 'users' && query.limit > 500) {
    throw new Error('key-of-parsed-text');
  }
  res.json(ok);
});

shape.post('/shape/order', (req, res) => {
  field(req.body, 'title', 'string');
  if (req.body.channel === 'internal') {
    throw new Error('unmentioned-field');
  }
  res.json(ok);
});

shape.get('/shape/superstition', (req, res) => {
  const day = new Date(String(req.query.day));
  if (day.getUTCDay() === 5 && day.getUTCDate() === 13) {
    throw new Error('weekday-and-day');
  }
  res.json(ok);
});

shape.post('/shape/readings', (req, res) => {
  const readings = list(req.body, 'readings');
  if (readings.length >= 5 && readings.every((reading, at) => at === 0 || reading > readings[at - 1])) {
    throw new Error('increasing');
  }
  res.json(ok);
});

shape.post('/shape/undeclared', (req, res) => {
  if (req.body?.settings?.routes?.[0]?.target === 'loopback') {
    throw new Error('undeclared-nested');
  }
  res.json(ok);
});
