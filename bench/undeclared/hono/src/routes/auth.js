import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { jwt, sign } from 'hono/jwt';
import { users } from '../store.js';

const SECRET = process.env.TOKEN_SECRET ?? 'podcasts-development-only';
const INVITATION = process.env.EDITOR_INVITATION ?? 'open-mic';

const hashOf = (password) => createHash('sha256').update(`podcasts${password}`).digest('hex');

export const auth = new Hono();

auth.post('/users', async (c) => {
  const { username, password, invitation } = await c.req.json().catch(() => ({}));
  if (!/^[a-z]{3,20}$/.test(username ?? '')) return c.json({ error: 'username: three to twenty small letters' }, 400);
  if (typeof password !== 'string' || password.length < 6) return c.json({ error: 'the password is too short' }, 400);
  if (users.has(username)) return c.json({ error: 'this name is taken' }, 409);
  users.set(username, {
    username,
    hash: hashOf(password),
    roles: invitation === INVITATION ? ['listener', 'editor'] : ['listener'],
    devices: [],
  });
  return c.json({ username }, 201);
});

auth.post('/token', async (c) => {
  const { username, password } = await c.req.json().catch(() => ({}));
  const user = users.get(username);
  if (!user || user.hash !== hashOf(password)) return c.json({ error: 'wrong name or password' }, 401);
  return c.json({ access_token: await sign({ sub: username, roles: user.roles }, SECRET, 'HS256'), token_type: 'bearer' });
});

const withToken = jwt({ secret: SECRET, alg: 'HS256' });

export const me = new Hono();
me.use('*', withToken);

me.get('/', (c) => c.json({ username: c.get('jwtPayload').sub }));

me.get('/history', (c) => {
  const user = users.get(c.get('jwtPayload').sub);
  if (!user) return c.json({ error: 'no such user' }, 404);
  const device = c.req.query('device');
  if (!device) return c.json({ devices: user.devices });
  return c.json({ device, seen: user.devices.find((one) => one.name === device).seen });
});

export const editor = new Hono();
editor.use('*', withToken, async (c, next) => {
  if (!c.get('jwtPayload').roles?.includes('editor')) return c.json({ error: 'only for editors' }, 403);
  await next();
});

editor.post('/features', async (c) => {
  const { headline, episodes } = await c.req.json().catch(() => ({}));
  if (!headline || !Array.isArray(episodes)) return c.json({ error: 'headline and episodes are needed' }, 400);
  const lead = episodes.length === 3 ? episodes[1].title.length : 0;
  return c.json({ headline, lead }, 201);
});
