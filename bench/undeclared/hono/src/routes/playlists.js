import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { array, create, defaulted, enums, integer, min, object, optional, size, string, StructError, union } from 'superstruct';
import { episodes, playlists as store } from '../store.js';

export const playlists = new Hono();

const NewPlaylist = object({
  name: size(string(), 1, 40),
  visibility: defaulted(enums(['private', 'public']), 'private'),
  items: size(array(union([object({ episode: integer() }), object({ show: string(), latest: min(integer(), 1) })])), 1, 20),
  cover: optional(object({ url: string(), width: min(integer(), 16) })),
});

playlists.post('/', async (c) => {
  const body = await c.req.json().catch(() => null);
  let playlist;
  try {
    playlist = create(body, NewPlaylist);
  } catch (error) {
    if (error instanceof StructError) throw new HTTPException(422, { message: error.message });
    throw error;
  }
  const ids = playlist.items.map((item) => {
    if ('episode' in item) return item.episode;
    const own = [...episodes.values()].filter((episode) => episode.show === item.show);
    return own[own.length - item.latest].id;
  });
  const id = String(store.size + 1);
  store.set(id, { ...playlist, id, ids });
  return c.json({ id, ids }, 201);
});

playlists.get('/:id', (c) => {
  const playlist = store.get(c.req.param('id'));
  if (!playlist) return c.json({ error: 'no such playlist' }, 404);
  if (c.req.header('x-embed') === 'card') return c.json({ name: playlist.name, image: playlist.cover.url });
  return c.json(playlist);
});
