import { vValidator } from '@hono/valibot-validator';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import { episodes as store, shows } from '../store.js';

export const episodes = new Hono();

const Chapter = v.object({ at: v.pipe(v.number(), v.minValue(0)), title: v.pipe(v.string(), v.nonEmpty()) });

const NewEpisode = v.variant('kind', [
  v.object({
    kind: v.literal('audio'),
    show: v.string(),
    title: v.pipe(v.string(), v.minLength(2), v.maxLength(80)),
    seconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400)),
    chapters: v.optional(v.array(Chapter), []),
  }),
  v.object({
    kind: v.literal('video'),
    show: v.string(),
    title: v.pipe(v.string(), v.minLength(2)),
    width: v.pipe(v.number(), v.integer(), v.multipleOf(16)),
    height: v.pipe(v.number(), v.integer(), v.minValue(120)),
    captions: v.optional(v.record(v.picklist(['en', 'de']), v.string())),
  }),
]);

episodes.get('/', (c) => c.json([...store.values()]));

episodes.post('/', vValidator('json', NewEpisode), (c) => {
  const episode = { id: store.size + 1, ...c.req.valid('json') };
  const show = shows.get(episode.show);
  if (!show) return c.json({ error: 'no such show' }, 404);
  if (episode.kind === 'video') episode.captionLanguages = Object.keys(episode.captions).length;
  store.set(episode.id, episode);
  return c.json(episode, 201);
});

episodes.get('/queue', (c) => {
  const cookie = getCookie(c, 'player');
  if (!cookie) {
    setCookie(c, 'player', JSON.stringify({ speed: 1, queue: [] }), { httpOnly: true });
    return c.json({ next: null });
  }
  let player;
  try {
    player = JSON.parse(cookie);
  } catch {
    return c.json({ error: 'the cookie cannot be read' }, 400);
  }
  const next = store.get(player?.queue?.[0]);
  return c.json({ next: next ? { title: next.title, minutes: next.seconds / 60 / player.rate.factor } : null });
});

episodes.get('/:id{[0-9]+}/audio', (c) => {
  const episode = store.get(Number(c.req.param('id')));
  if (!episode) return c.json({ error: 'no such episode' }, 404);
  const range = c.req.header('range');
  if (!range) return c.body('ID3'.repeat(40), 200, { 'content-type': 'audio/mpeg' });
  const [, from] = range.match(/^bytes=(\d+)-(\d*)$/);
  return c.body('ID3'.repeat(40).slice(Number(from)), 206, { 'content-type': 'audio/mpeg' });
});

episodes.post('/plays', async (c) => {
  if (!c.req.header('content-type')?.startsWith('application/x-ndjson')) return c.json({ error: 'NDJSON only' }, 415);
  const lines = (await c.req.text()).split('\n').filter((line) => line.trim());
  let seconds = 0;
  for (const line of lines) {
    let play;
    try {
      play = JSON.parse(line);
    } catch {
      return c.json({ error: `this is no JSON: ${line.slice(0, 20)}` }, 400);
    }
    if (play.event === 'finished') seconds += store.get(play.episode).seconds;
  }
  return c.json({ plays: lines.length, seconds });
});

episodes.post('/:id{[0-9]+}/webhooks', async (c) => {
  const { url } = await c.req.json().catch(() => ({}));
  if (typeof url !== 'string') return c.json({ error: 'url is missing' }, 400);
  announce(url);
  return c.json({ registered: true }, 202);
});

async function announce(url) {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}`;
}
