/** Guards on several answers in one call. */
import axios from 'axios';
import express from 'express';

import { Passed, handled } from './handled.js';

export const sequences = express.Router();

sequences.post('/bookings', handled(async (req, res) => {
  const { data: login } = await axios.post('https://auth.example/token');
  if (!login.access_token) return res.status(502).json({ error: 'no token' });
  const { data: seat } = await axios.get(`https://seats.example/flights/${login.tenant}/seats/${req.body.seat}`);
  if (seat.state === 'held') throw new Passed('two-services');
}));

sequences.get('/catalogue', handled(async () => {
  const first = await (await fetch('https://catalogue.example/items?page=1')).json();
  if (!first.next) return;
  const second = await (await fetch('https://catalogue.example/items?page=2')).json();
  if (second.items.length > 1 && !second.next) throw new Passed('second-page');
}));

sequences.get('/retries', handled(async () => {
  let answer = await fetch('https://flaky.example/work');
  if (answer.status !== 503) return;
  answer = await fetch('https://flaky.example/work');
  if (answer.status === 200 && (await answer.json()).done === true) throw new Passed('retry');
}));

sequences.get('/jobs', handled(async () => {
  const created = await (await fetch('https://jobs.example/jobs', { method: 'POST' })).json();
  const job = await (await fetch(`https://jobs.example/jobs/${created.id}`)).json();
  if (job.id === created.id && job.state === 'failed') throw new Passed('id-of-answer');
}));

/** Asked for once in the life of the process, as many APIs do with what seldom changes. */
let features;

sequences.get('/features', handled(async () => {
  features ??= await (await fetch('https://features.example/flags')).json();
  if (features.checkout === 'new') throw new Passed('kept-answer');
}));
