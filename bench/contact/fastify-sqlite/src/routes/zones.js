import { db } from '../database.js';
import { refusal } from '../errors.js';
import { freePlaces, zoneOf } from '../zone-cache.js';

const id = { type: 'object', properties: { id: { type: 'integer', minimum: 1, maximum: 1000000 } }, required: ['id'] };
const zone = {
  type: 'object',
  required: ['id', 'name', 'monthlyCents', 'places'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    monthlyCents: { type: 'integer' },
    places: { type: 'integer' },
    freePlaces: { type: 'integer' },
  },
};
const error = { $ref: 'error#' };

export async function zones(app) {
  app.get('/', { schema: { response: { 200: { type: 'array', items: zone } } } }, async () =>
    db.prepare('SELECT * FROM zones ORDER BY id').all().map(toJson),
  );

  app.get('/:id', { schema: { params: id, response: { 200: zone, 404: error } } }, async (request) => {
    const found = zoneOf(request.params.id);
    if (!found) throw refusal(404, 'no such zone');
    return { ...toJson(found), freePlaces: freePlaces(found) };
  });

  const body = {
    type: 'object',
    required: ['name', 'monthlyCents', 'places'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 60 },
      monthlyCents: { type: 'integer', minimum: 0, maximum: 1000000 },
      places: { type: 'integer', minimum: 1, maximum: 100000 },
    },
  };
  app.post('/', { schema: { body, response: { 201: zone, 409: error } } }, async (request, reply) => {
    const { name, monthlyCents, places } = request.body;
    const { lastInsertRowid } = db
      .prepare('INSERT INTO zones (name, monthly_cents, places) VALUES (?, ?, ?)')
      .run(name, monthlyCents, places);
    return reply.code(201).send({ id: Number(lastInsertRowid), name, monthlyCents, places });
  });

  app.delete('/:id', { schema: { params: id, response: { 204: { type: 'null' }, 404: error, 409: error } } }, async (request, reply) => {
    const used = db.prepare('SELECT 1 FROM permits WHERE zone_id = ?').get(request.params.id);
    if (used) throw refusal(409, 'there are permits for the zone');
    const { changes } = db.prepare('DELETE FROM zones WHERE id = ?').run(request.params.id);
    if (changes === 0) throw refusal(404, 'no such zone');
    return reply.code(204).send();
  });
}

function toJson(row) {
  return { id: row.id, name: row.name, monthlyCents: row.monthly_cents, places: row.places };
}
