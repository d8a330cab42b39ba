import { Hono } from 'hono';

export const imports = new Hono();

/** A list of subscriptions in OPML, as other players export it. */
imports.post('/imports/opml', async (c) => {
  if (!/\bxml\b/.test(c.req.header('content-type') ?? '')) return c.json({ error: 'OPML is XML' }, 415);
  const text = await c.req.text();
  if (!/<opml[\s>]/.test(text)) return c.json({ error: 'this is no OPML' }, 400);
  const feeds = [...text.matchAll(/<outline\s([^>]*)\/>/g)].map(([, attributes]) => {
    const title = /text="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const [, url] = /xmlUrl="([^"]*)"/.exec(attributes);
    return { title, url };
  });
  return c.json({ feeds }, 201);
});

imports.post('/reports', async (c) => {
  const form = await c.req.parseBody({ dot: true });
  if (!form.reason) return c.json({ error: 'reason is missing' }, 400);
  const report = { reason: form.reason, seconds: 0 };
  if (form.reason === 'copyright') report.owner = form.owner.name;
  return c.json(report, 201);
});

imports.get('/genres/:genre?', (c) => {
  const genres = { news: ['daily'], crime: ['true', 'fiction'] };
  const genre = c.req.param('genre');
  if (!genre) return c.json(Object.keys(genres));
  return c.json({ genre, count: genres[genre].length });
});
