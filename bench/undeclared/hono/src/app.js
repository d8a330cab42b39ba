import { trpcServer } from '@hono/trpc-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { auth, editor, me } from './routes/auth.js';
import { episodes } from './routes/episodes.js';
import { imports } from './routes/imports.js';
import { playlists } from './routes/playlists.js';
import { shows } from './routes/shows.js';
import { appRouter } from './trpc.js';

export const app = new Hono().basePath('/api');

app.route('/shows', shows);
app.route('/episodes', episodes);
app.route('/playlists', playlists);
app.route('/auth', auth);
app.route('/me', me);
app.route('/editor', editor);
app.route('/', imports);

app.use(
  '/trpc/*',
  trpcServer({
    router: appRouter,
    endpoint: '/api/trpc',
    onError: ({ error }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') console.error(error.cause ?? error);
    },
  }),
);

app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  console.error(error);
  return c.json({ error: 'internal error' }, 500);
});
