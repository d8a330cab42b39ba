// A small API with a token, a document that lags behind, and an answer that repeats what it was sent.
'use strict';
const http = require('http');

const loans = new Map([[1, { id: 1, title: 'Dune', due: '2026-02-01', returned: false, note: null }]]);
const document = {
  openapi: '3.0.3',
  info: { title: 'Library', version: '1.0.0' },
  paths: {
    '/loans': {
      get: {
        parameters: [{ name: 'returned', in: 'query', schema: { type: 'boolean' } }],
        responses: { 200: { description: 'all', content: { 'application/json': { schema: {
          type: 'array', items: { type: 'object', properties: { id: {}, title: {}, due: {}, fine: {} } },
        } } } } },
      },
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: {
          type: 'object', required: ['title'],
          properties: { title: { type: 'string', minLength: 1 }, note: { type: 'string' }, days: { type: 'integer' } },
        } } } },
        responses: { 201: { description: 'made' }, 409: { description: 'taken already' } },
      },
    },
    '/login': { post: {
      requestBody: { required: true, content: { 'application/json': { schema: {
        type: 'object', required: ['user', 'password'],
        properties: { user: { type: 'string' }, password: { type: 'string' } },
      } } } },
      responses: { 200: { description: 'in' } },
    } },
  },
};

http.createServer((req, res) => {
  let text = '';
  req.on('data', (chunk) => { text += chunk; });
  req.on('end', () => {
    const url = new URL(req.url, 'http://x');
    const send = (status, body, headers = {}) => {
      res.writeHead(status, { 'content-type': 'application/json', ...headers });
      res.end(JSON.stringify(body));
    };
    let body;
    try { body = text ? JSON.parse(text) : undefined; } catch { return send(400, { error: 'no JSON' }); }
    const at = `${req.method} ${url.pathname}`;
    if (at === 'GET /openapi.json') return send(200, document);
    if (at === 'GET /loans') return send(200, [...loans.values()], { 'x-total-count': String(loans.size) });
    if (at === 'POST /loans') {
      if (typeof body?.title !== 'string' || !body.title) return send(422, { error: 'title is needed' });
      const days = Number.isInteger(body.days) && body.days > 0 && body.days < 60 ? body.days : 14;
      const note = typeof body.note === 'string' ? body.note : null;
      const loan = { id: loans.size + 1, title: body.title, due: '2026-02-15', returned: false, note, days };
      loans.set(loan.id, loan);
      return send(201, loan, { location: `/loans/${loan.id}` });
    }
    if (at === 'POST /login') {
      if (!body?.user || !body?.password) return send(400, { error: 'user and password are needed' });
      return send(200, { token: `tok_${body.password}`, user: String(body.user) });
    }
    return send(404, { error: 'nothing here' });
  });
}).listen(process.env.PORT, '127.0.0.1');
