'use strict';

const { join } = require('node:path');
const express = require('express');
const { Stay } = require('./models');
const { Refused, bill, contactOf, findDog, take } = require('./stays');

function createApp() {
  const app = express();
  app.use(express.json());

  app.get('/openapi.json', (request, response) => response.sendFile(join(__dirname, '..', 'openapi.json')));

  app.get('/dogs/:chip', async (request, response) => {
    const dog = await findDog(request.params.chip);
    return response.json({ chip: dog.chip, name: dog.name, contact: contactOf(dog) });
  });

  app.get('/dogs/:chip/stays', async (request, response) => {
    const { chip } = await findDog(request.params.chip);
    const stays = await Stay.find({ chip }).sort({ from: 1 });
    return response.json(stays.map(({ id, days, isOver }) => ({ id, days, isOver })));
  });

  app.post('/stays', async (request, response) => {
    const { chip, from, days } = request.body ?? {};
    const start = new Date(typeof from === 'string' ? from : NaN);
    if (typeof chip !== 'string' || Number.isNaN(start.getTime())) return response.status(400).json({ error: 'chip and from are needed' });
    if (!Number.isInteger(days) || days < 1 || days > 60) return response.status(400).json({ error: 'between 1 and 60 days' });
    return response.status(201).json(await take(chip, start, days));
  });

  app.post('/stays/:id/bill', async (request, response) => response.json(await bill(request.params.id)));

  app.use((error, request, response, next) => {
    if (error instanceof Refused) return response.status(error.status).json({ error: error.message });
    return next(error);
  });
  return app;
}

module.exports = { createApp };
