'use strict';
/* Users as whom tests call the system under test (SUT): their logins, and the credentials of their calls. */

/** A value with environment variables filled in. */
function filled(template, name) {
  return template.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, variable) => {
    if (process.env[variable]) return process.env[variable];
    throw new Error(`Set the environment variable ${variable}: user '${name}' needs it.`);
  });
}

function filledAll(value, name) {
  if (typeof value === 'string') return filled(value, name);
  if (Array.isArray(value)) return value.map((item) => filledAll(item, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledAll(item, name)]));
}

const basic = ([name, password]) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

function atPointer(value, pointer) {
  for (const step of pointer.split('/').slice(1)) {
    value = value === null || value === undefined ? undefined : value[step.replace(/~1/g, '/').replace(/~0/g, '~')];
  }
  return value === undefined || value === null ? '' : String(value);
}

/**
 * The users, in whose recipes `${NAME}` is an environment variable, and `{token}` what the login brings. `request`
 * sends a login.
 */
function usersOf(users, request) {
  const sessions = new Map(); // user's name -> { token, cookies }

  async function logInAll() {
    for (const { name } of users) if (!sessions.has(name)) await login(name);
  }

  /** Logs a user in, again if need be; answers the headers, cookies and query that its calls are sent with. */
  async function login(name) {
    const user = users.find((one) => one.name === name);
    if (!user) throw new Error(`There is no user '${name}'.`);
    const session = { token: '', cookies: [] };
    if (user.login) {
      const recipe = filledAll(user.login, name);
      const answer = await sendLogin(recipe);
      if (answer.status >= 400) throw new Error(`The login of user '${name}' was answered with ${answer.status}.`);
      if (recipe.cookies) session.cookies = (answer.headers['set-cookie'] || []).map((line) => line.split(';')[0].trim());
      else if (recipe.token_header) session.token = answer.headers[recipe.token_header];
      else session.token = atPointer(answer.json, recipe.token);
      if (!recipe.cookies && !session.token) throw new Error(`The login of user '${name}' brought no token.`);
    }
    sessions.set(name, session);
    return credentialsOf(name);
  }

  function sendLogin({ method = 'POST', url: address, headers = [], json, form, body, basic: client }) {
    const isWhole = /^https?:/.test(address);
    const { origin, pathname, search } = isWhole ? new URL(address) : { origin: undefined, pathname: address, search: '' };
    const options = { headers: [...headers], at: origin };
    if (client) options.headers.push(['Authorization', basic(client)]);
    if (json) options.json = json;
    if (body) options.body = body;
    if (form) {
      options.body = new URLSearchParams(form).toString();
      options.headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
    }
    return request(method, pathname + search, options);
  }

  function credentialsOf(name) {
    const user = users.find((one) => one.name === name);
    const { token, cookies } = sessions.get(name) || { token: '', cookies: [] };
    const withToken = (pairs = []) =>
      pairs
        .filter(([, value]) => token || !value.includes('{token}'))
        .map(([key, value]) => [key, filled(value, name).replaceAll('{token}', () => token)]);
    const headers = withToken(user.headers);
    if (user.basic) headers.push(['Authorization', basic(filledAll(user.basic, name))]);
    return {
      headers,
      cookies: [...withToken(user.cookies).map((pair) => pair.join('=')), ...cookies].join('; '),
      query: withToken(user.query).map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
    };
  }

  return { logInAll, login, credentialsOf, forget: () => sessions.clear() };
}

module.exports = { usersOf };
