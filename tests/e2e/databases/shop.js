'use strict';
// A shop on PostgreSQL whose pool connects with the first query that a call makes. Its calls change, and destroy, what they find.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

const document = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/customers': {
      get: { responses: { 200: { description: 'all' } } },
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['email'], properties: { email: { type: 'string', maxLength: 80 } } } } },
        },
        responses: { 201: { description: 'made' }, 409: { description: 'there' } },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/customers/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 5 } }],
      get: { responses: { 200: { description: 'one' }, 404: { description: 'none' } } },
      put: {
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', required: ['discount'], properties: { discount: { type: 'integer', minimum: 0, maximum: 100 } } } } } },
        responses: { 204: { description: 'changed' }, 404: { description: 'none' } },
      },
      delete: { responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
    },
    '/customers/{id}/orders': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 5 } }],
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', required: ['total'], properties: { total: { type: 'number', minimum: 0, maximum: 1000 } } } } } },
        responses: { 201: { description: 'made' }, 404: { description: 'none' } },
      },
    },
    '/stock': { delete: { responses: { 204: { description: 'gone' } } } },
  },
};

async function answer(method, path, body) {
  const [, first, id, second] = path.split('/');
  if (path === '/openapi.json') return [200, document];
  if (path === '/customers' && method === 'GET') return [200, (await pool.query('SELECT id, email, discount FROM customers ORDER BY id')).rows];
  if (path === '/customers' && method === 'POST') {
    try {
      return [201, (await pool.query('INSERT INTO customers (email) VALUES ($1) RETURNING id', [body.email])).rows[0]];
    } catch (error) {
      if (error.code === '23505') return [409, { error: 'there already' }];
      throw error;
    }
  }
  if (path === '/customers' && method === 'DELETE') {
    await pool.query('TRUNCATE customers RESTART IDENTITY CASCADE');
    return [204];
  }
  if (path === '/stock') {
    await pool.query('UPDATE stock.items SET parent = NULL, amount = amount + 1; DELETE FROM stock.items WHERE amount > 6');
    return [204];
  }
  if (first === 'customers' && second === 'orders') {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query('SELECT id FROM customers WHERE id = $1 FOR UPDATE', [id]);
      if (rows.length === 0) {
        await client.query('ROLLBACK');
        return [404, { error: 'no such customer' }];
      }
      const order = await client.query('INSERT INTO orders (customer_id, total, details) VALUES ($1, $2, $3) RETURNING id', [id, body.total, { from: 'api' }]);
      await client.query('INSERT INTO "Order Lines" VALUES ($1, 1, NULL, 1)', [order.rows[0].id]);
      await client.query('COMMIT');
      return [201, order.rows[0]];
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }
  if (first === 'customers') {
    const { rows } = await pool.query('SELECT id, email, discount FROM customers WHERE id = $1', [id]);
    if (rows.length === 0) return [404, { error: 'no such customer' }];
    if (method === 'DELETE') await pool.query('DELETE FROM customers WHERE id = $1', [id]);
    if (method === 'PUT') await pool.query('UPDATE customers SET discount = $2 WHERE id = $1', [id, body.discount]);
    return method === 'GET' ? [200, rows[0]] : [204];
  }
  return [404, { error: 'no such path' }];
}

http
  .createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', async () => {
      let status;
      let body;
      try {
        [status, body] = await answer(request.method, request.url.split('?')[0], text ? JSON.parse(text) : {});
      } catch (error) {
        [status, body] = [500, { error: error.message }];
      }
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  })
  .listen(process.env.PORT || 0, '127.0.0.1');
