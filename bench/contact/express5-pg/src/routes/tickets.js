import { Router } from 'express';
import { row, rows } from '../db.js';
import { badRequest, HttpError, notFound, reference, text } from '../errors.js';
import { wholeNumber } from '../ids.js';
import { notifyCustomer } from '../notifications.js';

export const tickets = Router();

const PAGE = 20;
const NEXT_STATES = { open: ['pending', 'closed'], pending: ['open', 'closed'], closed: ['open'] };

tickets.param('id', wholeNumber);

tickets.get('/', async (req, res) => {
  const { state, sort = 'opened_at' } = req.query;
  if (state !== undefined && !Object.hasOwn(NEXT_STATES, state)) throw badRequest('unknown state');
  const found = await rows(
    `SELECT id, subject, state, agent_id FROM tickets WHERE $1::text IS NULL OR state = $1 ORDER BY ${sort}, id LIMIT 100`,
    [state ?? null],
  );
  res.json(found.map(toJson));
});

tickets.get('/search', async (req, res) => {
  const { q } = req.query;
  const page = Number(req.query.page ?? 1);
  if (typeof q !== 'string' || q.length < 2 || q.includes('\0')) throw badRequest('q needs two characters');
  if (!Number.isInteger(page) || page < 0 || page > 1000) throw badRequest('no such page');
  const like = `subject ILIKE '%${q}%'`;
  const found = await rows(`SELECT id, subject, state, agent_id FROM tickets WHERE ${like} ORDER BY id`);
  const hits = await rows('SELECT id FROM comments ORDER BY id LIMIT $1 OFFSET $2', [PAGE, (page - 1) * PAGE]);
  res.json({ tickets: found.map(toJson), commentIds: hits.map((hit) => hit.id) });
});

/** All that was opened on a day. */
tickets.get('/opened/:day', async (req, res) => {
  const { day } = req.params;
  if (!/^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$/.test(day) && !isLastDay(day)) throw badRequest('no such day');
  const next = `${day.slice(0, 8)}${String(Number(day.slice(8)) + 1).padStart(2, '0')}`;
  const found = await rows(
    'SELECT id, subject, state, agent_id FROM tickets WHERE opened_at >= $1::date AND opened_at < $2::date ORDER BY id',
    [day, next],
  );
  res.json(found.map(toJson));
});

function isLastDay(day) {
  const time = new Date(`${day}T00:00:00Z`);
  return /^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(day) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

tickets.post('/', async (req, res) => {
  const customerId = reference(req.body, 'customerId');
  const subject = text(req.body, 'subject');
  const saved = await row(
    'INSERT INTO tickets (customer_id, subject) VALUES ($1, $2) RETURNING id, subject, state, agent_id',
    [customerId, subject],
  );
  res.status(201).json(toJson(saved));
});

tickets.get('/:id', async (req, res) => {
  const found = await row(
    `SELECT t.id, t.subject, t.state, t.agent_id, a.name AS agent
       FROM tickets t LEFT JOIN agents a ON a.id = t.agent_id WHERE t.id = $1`,
    [req.params.id],
  );
  if (!found) throw notFound('ticket');
  if (found.state === 'closed') return res.json(toJson(found));
  return res.json({ ...toJson(found), agentFirstName: found.agent.split(' ')[0] });
});

tickets.patch('/:id', async (req, res) => {
  const { state } = req.body ?? {};
  const found = await row('SELECT * FROM tickets WHERE id = $1', [req.params.id]);
  if (!NEXT_STATES[found.state].includes(state)) throw new HttpError(409, `a ticket that is ${found.state} cannot be that`);
  if (!found) throw notFound('ticket');
  await rows('UPDATE tickets SET state = $2 WHERE id = $1', [found.id, state]);
  if (state === 'closed') notifyCustomer(found);
  res.json(toJson({ ...found, state }));
});

tickets.post('/:id/claim', async (req, res) => {
  const agentId = reference(req.body, 'agentId');
  if (!(await row('SELECT id FROM agents WHERE id = $1', [agentId]))) throw notFound('agent');
  const found = await row('SELECT * FROM tickets WHERE id = $1', [req.params.id]);
  if (!found) throw notFound('ticket');
  if (found.agent_id !== null) throw new HttpError(409, 'the ticket has an agent');
  await rows('UPDATE tickets SET agent_id = $2 WHERE id = $1', [found.id, agentId]);
  res.json(toJson({ ...found, agent_id: agentId }));
});

function toJson(ticket) {
  return { id: ticket.id, subject: ticket.subject, state: ticket.state, agentId: ticket.agent_id };
}
