import { createHash, randomUUID } from 'node:crypto';
import querystring from 'node:querystring';
import * as yup from 'yup';
import { cookiesOf, HttpError, readJson, readText, sendJson } from './http.mjs';

const users = new Map();
const sessions = new Map();

const User = yup.object({
  name: yup.string().matches(/^[a-z]\w{2,15}$/).required(),
  password: yup.string().min(8).required(),
  email: yup.string().email().nullable(),
  role: yup.string().oneOf(['observer', 'forecaster']).default('observer'),
});

const hashOf = (password) => createHash('sha1').update(password).digest('base64');

export function userOf(request) {
  const user = sessions.get(cookiesOf(request).sid);
  if (!user) throw new HttpError(401, 'log in first');
  return user;
}

export async function register(request, response) {
  let fields;
  try {
    fields = await User.validate(await readJson(request), { stripUnknown: true });
  } catch (error) {
    if (error instanceof yup.ValidationError) throw new HttpError(422, error.message);
    throw error;
  }
  if (users.has(fields.name)) throw new HttpError(409, 'this name is taken');
  users.set(fields.name, { name: fields.name, role: fields.role, hash: hashOf(fields.password) });
  sendJson(response, 201, { name: fields.name });
}

/** The form of the login page. */
export async function login(request, response) {
  const form = querystring.parse(await readText(request));
  const user = users.get(form.name);
  if (!user || typeof form.password !== 'string' || user.hash !== hashOf(form.password)) throw new HttpError(403, 'wrong name or password');
  const id = randomUUID();
  sessions.set(id, user);
  sendJson(response, 200, { name: user.name }, { 'set-cookie': `sid=${id}; HttpOnly; Path=/` });
}

export function me(request, response, url, part) {
  const user = userOf(request);
  if (!part) return sendJson(response, 200, { name: user.name, role: user.role });
  if (part !== 'areas') throw new HttpError(404, 'not found');
  const order = url.searchParams.get('order');
  sendJson(response, 200, { areas: order === 'name' ? user.areas.toSorted() : (user.areas ?? []) });
}
