'use strict';

const { join } = require('node:path');
const express = require('express');
const { Refused, declareLost, lend } = require('./loans');
const { contactOf, findMember, openLoans } = require('./members');

const CARD = /^[A-Z]{2}-[0-9]{4}$/;

function createApp() {
  const app = express();
  app.use(express.json());

  app.get('/openapi.json', (request, response) => response.sendFile(join(__dirname, '..', 'openapi.json')));

  app.get('/members/:card', async (request, response) => {
    const member = await findMember(request.params.card);
    if (!member) return response.status(404).json({ error: 'no such member' });
    return response.json({ card: member.card, name: member.name, kind: member.kind, contact: contactOf(member) });
  });

  app.get('/members/:card/loans', async (request, response) => {
    if (!CARD.test(request.params.card)) return response.status(400).json({ error: 'cards look like AB-1234' });
    const member = await findMember(request.params.card);
    if (!member) return response.status(404).json({ error: 'no such member' });
    return response.json(await openLoans(member));
  });

  app.post('/loans', async (request, response) => {
    const { card, isbn } = request.body ?? {};
    if (typeof card !== 'string' || typeof isbn !== 'string') return response.status(400).json({ error: 'card and isbn are needed' });
    return response.status(201).json(await lend(card, isbn));
  });

  app.post('/loans/:id/lost', async (request, response) => {
    const id = Number(request.params.id);
    if (!Number.isInteger(id) || id < 1 || id > 2147483647) return response.status(400).json({ error: 'no id' });
    return response.json(await declareLost(id));
  });

  app.use((error, request, response, next) => {
    if (error instanceof Refused) return response.status(error.status).json({ error: error.message });
    return next(error);
  });
  return app;
}

module.exports = { createApp };
