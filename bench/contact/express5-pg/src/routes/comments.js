import { Router } from 'express';
import { row, rows } from '../db.js';
import { notFound, reference, text } from '../errors.js';
import { wholeNumber } from '../ids.js';

export const comments = Router({ mergeParams: true });

comments.param('id', wholeNumber);

async function findAgent(id) {
  return row('SELECT id, name FROM agents WHERE id = $1', [id]);
}

comments.use(async (req, res, next) => {
  if (!/^[0-9]{1,9}$/.test(req.params.id)) throw notFound('ticket');
  const ticket = await row('SELECT id FROM tickets WHERE id = $1', [req.params.id]);
  if (!ticket) throw notFound('ticket');
  next();
});

comments.get('/', async (req, res) => {
  const found = await rows('SELECT id, agent_id, body FROM comments WHERE ticket_id = $1 ORDER BY id', [req.params.id]);
  res.json(found.map((one) => ({ id: one.id, agentId: one.agent_id, body: one.body })));
});

comments.post('/', async (req, res) => {
  const agentId = reference(req.body, 'agentId');
  const body = text(req.body, 'body', 2000);
  const agent = findAgent(agentId);
  if (!agent) throw notFound('agent');
  const saved = await row(
    'INSERT INTO comments (ticket_id, agent_id, body) VALUES ($1, $2, $3) RETURNING id',
    [req.params.id, agentId, body],
  );
  res.status(201).json({ id: saved.id, agentId, body });
});
