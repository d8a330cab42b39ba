import { vValidator } from '@hono/valibot-validator';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as v from 'valibot';
import { z } from 'zod';
import { shows as store } from '../store.js';

export const shows = new Hono();

const NewShow = z.object({
  title: z.string().trim().min(1).max(80),
  slug: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/),
  language: z.enum(['en', 'de', 'da']),
  feed: z.url(),
  startedOn: z.iso.date(),
  explicit: z.boolean().default(false),
  hosts: z.array(z.object({ name: z.string().min(1), email: z.email().optional() })).min(1).max(5),
});

const Search = z.object({
  q: z.string().min(2).max(60),
  sort: z.enum(['new', 'popular']).default('new'),
  minutes: z.coerce.number().int().positive().optional(),
  within: z.string().regex(/^\d{1,3}[dwm]$/).optional(),
});

const Chart = v.object({
  country: v.pipe(v.string(), v.length(2), v.toUpperCase()),
  week: v.pipe(v.string(), v.isoWeek()),
  top: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.maxValue(100)), '10'),
});

const UNITS = { d: { days: 1 }, w: { days: 7 } };
const TAGS = { science: { parent: null }, biology: { parent: { name: 'science' } }, crime: { parent: null } };
const CHARTS = { DE: { '2024-W18': ['night-train'] }, DK: { '2024-W18': ['deep-sea'] } };

shows.get('/', (c) => {
  const tags = c.req.queries('tag') ?? [];
  if (tags.length >= 3) {
    const parents = tags.map((tag) => TAGS[tag].parent?.name ?? tag);
    return c.json({ parents, shows: [] });
  }
  return c.json({ shows: [...store.values()] });
});

shows.post('/', zValidator('json', NewShow), (c) => {
  const show = { ...c.req.valid('json'), plays: [] };
  if (store.has(show.slug)) return c.json({ error: 'there is such a show' }, 409);
  if (show.hosts.length > 2) show.contact = show.hosts[2].email.toLowerCase();
  store.set(show.slug, show);
  return c.json(show, 201);
});

shows.get('/search', zValidator('query', Search), (c) => {
  const { q, within } = c.req.valid('query');
  const found = [...store.values()].filter((show) => show.title.toLowerCase().includes(q.toLowerCase()));
  if (!within) return c.json({ found });
  const days = Number(within.slice(0, -1)) * UNITS[within.at(-1)].days;
  return c.json({ found, days });
});

shows.get('/charts', vValidator('query', Chart), (c) => {
  const { country, week, top } = c.req.valid('query');
  if (!CHARTS[country]) return c.json({ error: 'no charts of that country' }, 404);
  return c.json({ entries: CHARTS[country][week].slice(0, top) });
});

shows.get('/:slug/stats', (c) => {
  const show = store.get(c.req.param('slug'));
  if (!show) return c.json({ error: 'no such show' }, 404);
  const from = c.req.query('from');
  if (!from) return c.json({ total: show.plays.reduce((sum, one) => sum + one.count, 0) });
  if (Number.isNaN(Date.parse(from))) return c.json({ error: 'from is a date' }, 400);
  const days = show.plays.filter((one) => Date.parse(one.day) >= Date.parse(from));
  return c.json({ first: days[0].day, total: days.reduce((sum, one) => sum + one.count, 0) });
});

shows.post('/:slug/cover', async (c) => {
  if (!store.has(c.req.param('slug'))) return c.json({ error: 'no such show' }, 404);
  const { cover, alt } = await c.req.parseBody();
  if (!(cover instanceof File)) return c.json({ error: 'cover is a file' }, 400);
  if (cover.type.startsWith('image/svg')) {
    const [, box] = /viewBox="([^"]+)"/.exec(await cover.text());
    return c.json({ box, alt }, 201);
  }
  return c.json({ bytes: cover.size, alt }, 201);
});

shows.get('/archive/:year{[0-9]{4}}/:month{[0-9]{2}}', (c) => {
  const { year, month } = c.req.param();
  const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
  const name = names[Number(month) - 1];
  return c.json({ title: `${name.slice(0, 3)} ${year}` });
});
