import { db } from '../database.js';
import { refusal } from '../errors.js';
import { zoneOf } from '../zone-cache.js';

const plate = {
  type: 'object',
  required: ['plate'],
  properties: { plate: { type: 'string', pattern: '^[A-Z]{1,3}-[A-Z]{1,2}-[0-9]{1,4}$' } },
};
const vehicle = {
  type: 'object',
  required: ['plate', 'holder', 'isElectric'],
  properties: { plate: { type: 'string' }, holder: { type: 'string' }, isElectric: { type: 'boolean' } },
};
const error = { $ref: 'error#' };

export async function vehicles(app) {
  const querystring = { type: 'object', properties: { holder: { type: 'string', minLength: 1 } } };
  app.get('/', { schema: { querystring, response: { 200: { type: 'array', items: vehicle } } } }, async (request) => {
    const { holder } = request.query;
    const where = holder ? `WHERE holder LIKE '%${holder}%'` : '';
    return db.prepare(`SELECT * FROM vehicles ${where} ORDER BY plate LIMIT 50`).all().map(toJson);
  });

  const body = { ...vehicle, properties: { ...vehicle.properties, ...plate.properties } };
  app.post('/', { schema: { body, response: { 201: vehicle, 409: error } } }, async (request, reply) => {
    const { plate: number, holder, isElectric } = request.body;
    if (db.prepare('SELECT 1 FROM vehicles WHERE plate = ?').get(number)) throw refusal(409, 'known already');
    db.prepare('INSERT INTO vehicles VALUES (?, ?, ?)').run(number, holder, isElectric ? 1 : 0);
    return reply.code(201).send({ plate: number, holder, isElectric });
  });

  const current = {
    type: 'object',
    required: ['zone', 'until'],
    properties: { zone: { type: 'string' }, until: { type: 'string', format: 'date' } },
  };
  app.get('/:plate/permit', { schema: { params: plate, response: { 200: current, 404: error } } }, async (request) => {
    const found = db.prepare('SELECT * FROM vehicles WHERE plate = ?').get(request.params.plate);
    if (!found) throw refusal(404, 'no such vehicle');
    const [latest] = db.prepare('SELECT * FROM permits WHERE plate = ? ORDER BY valid_until DESC').all(found.plate);
    return { zone: zoneOf(latest.zone_id).name, until: latest.valid_until };
  });
}

function toJson(row) {
  return { plate: row.plate, holder: row.holder, isElectric: row.is_electric === 1 };
}
