import { Router } from 'express';
import { row, rows } from '../db.js';
import { badRequest, notFound, reference, text } from '../errors.js';
import { wholeNumber } from '../ids.js';

export const agents = Router();

const TEAMS = ['first', 'second', 'billing'];

agents.param('id', wholeNumber);

agents.get('/', async (req, res) => {
  const found = await rows('SELECT id, name, team FROM agents ORDER BY id');
  for (const agent of found) {
    const { count } = await row("SELECT count(*)::int AS count FROM tickets WHERE agent_id = $1 AND state <> 'closed'", [agent.id]);
    agent.openTickets = count;
  }
  res.json(found);
});

agents.post('/', async (req, res) => {
  const name = text(req.body, 'name');
  const { team } = req.body;
  if (!TEAMS.includes(team)) throw badRequest('unknown team');
  const saved = await row('INSERT INTO agents (name, team) VALUES ($1, $2) RETURNING id, name, team', [name, team]);
  res.status(200).json(saved);
});

/** Somebody leaves: the tickets go to somebody else. */
agents.post('/:id/hand-over', async (req, res) => {
  const to = reference(req.body, 'to');
  const leaving = await row('SELECT id FROM agents WHERE id = $1', [req.params.id]);
  if (!leaving) throw notFound('agent');
  if (leaving.id === to) throw badRequest('that is the same agent');
  if (!(await row('SELECT id FROM agents WHERE id = $1', [to]))) throw notFound('agent');
  const moved = await rows('UPDATE tickets SET agent_id = $2 WHERE agent_id = $1 RETURNING id', [leaving.id, to]);
  await rows('DELETE FROM agents WHERE id = $1', [leaving.id]);
  res.json({ moved: moved.length });
});
