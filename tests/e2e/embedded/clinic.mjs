// A clinic on an embedded database, by the driver that DRIVER names. No call makes an animal, so only rows that a test brings lead past the 404;
// calls change, number and delete rows, in transactions too.
import http from 'node:http';
import { open } from './handle.mjs';

const database = await open(process.env.DRIVER, process.env.DATABASE_FILE);

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 4 } };
const body = { required: true, content: { 'application/json': { schema: { type: 'object', required: ['weight'], properties: { weight: { type: 'number', minimum: 0, maximum: 100 } } } } } };
const answers = { 200: { description: 'done' }, 404: { description: 'none' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Clinic', version: '1' },
  paths: {
    '/animals/{chip}': { get: { parameters: [{ name: 'chip', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } }], responses: answers } },
    '/visits': { get: { responses: answers }, delete: { responses: answers } },
    '/visits/{id}': { parameters: [id], get: { responses: answers }, put: { requestBody: body, responses: answers } },
    '/owners/{id}/visits': { parameters: [id], post: { requestBody: body, responses: answers } },
  },
};

async function answer(method, path, input) {
  if (path === '/openapi.json') return [200, document];
  const [, first, key, second] = path.split('/');
  if (first === 'animals') {
    const [animal] = await database.all('SELECT a.*, o.name AS owner FROM animals a JOIN owners o ON o.id = a.owner_id WHERE a.chip = ?', [decodeURIComponent(key)]);
    if (animal === undefined) return [404];
    if (animal.kind === 'cat') return [200, { breed: animal.breed.trim() }];
    return [200, animal];
  }
  if (second === 'visits') {
    return database.inTransaction(async () => {
      const [owner] = await database.all('SELECT id FROM owners WHERE id = ?', [Number(key)]);
      if (owner === undefined) return [404];
      await database.run('INSERT INTO visits (owner_id, weight) VALUES (?, ?)', [owner.id, Number(input.weight) || 0]);
      await database.run('INSERT INTO log (what) VALUES (?)', ['visit']);
      return [200, await database.all('SELECT max(id) AS id FROM visits', [])];
    });
  }
  if (first !== 'visits') return [404];
  if (method === 'DELETE') {
    await database.run('DELETE FROM visits', []);
    return [200];
  }
  if (method === 'PUT') return [(await database.run('UPDATE visits SET weight = ?, picture = NULL WHERE id = ?', [Number(input.weight) || 0, Number(key)])) > 0 ? 200 : 404];
  if (key === undefined) return [200, await database.all('SELECT id, weight FROM visits ORDER BY id', [])];
  const [visit] = await database.all('SELECT id, weight FROM visits WHERE id = ?', [Number(key)]);
  return visit === undefined ? [404] : [200, visit];
}

http
  .createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', async () => {
      let input = {};
      try {
        if (text) input = JSON.parse(text) ?? {};
      } catch {
        response.writeHead(400).end();
        return;
      }
      const [status, value] = await answer(request.method, request.url, input).catch((error) => {
        console.error(error);
        return [500, { error: error.message }];
      });
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value ?? {}));
    });
  })
  .listen(process.env.PORT || 0, '127.0.0.1');
