'use strict';
/** What it answers depends on the day, the time zone and chance; one route is the same always, one fault shows in this month only. */
const http = require('node:http');

const routes = {
  '/steady': () => ({ ok: true }),
  '/today': () => ({ weekday: new Date().getDay(), month: new Date().getMonth(), name: 'almanac' }),
  '/zone': () => ({ hour: new Date('2026-07-01T12:00:00Z').getHours(), utc: new Date('2026-07-01T12:00:00Z').getUTCHours() }),
  '/dice': () => ({ pips: Math.random(), kind: 'cube' }),
  '/season': () => (Date.now() < Number(process.env.SEASON_ENDS) ? { open: true } : null),
  '/fault': () => {
    if (Date.now() < Number(process.env.SEASON_ENDS)) throw new TypeError('the season is not over');
    return { ok: true };
  },
};
const document = {
  openapi: '3.0.3',
  info: { title: 'almanac', version: '1' },
  paths: Object.fromEntries(Object.keys(routes).map((path) => [path, { get: { responses: { default: { description: 'any' } } } }])),
};

http.createServer((request, response) => {
  const answer = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.url === '/openapi.json') return answer(200, document);
  const route = routes[request.url];
  if (!route) return answer(404, { error: 'no such page' });
  try {
    const body = route();
    answer(body === null ? 410 : 200, body);
  } catch (error) {
    answer(500, { error: error.message });
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
