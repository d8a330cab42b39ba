import { db } from '../database.js';
import { refusal } from '../errors.js';
import { charge, printLabel } from '../counter.js';
import { freePlaces, zoneOf } from '../zone-cache.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const id = { type: 'object', properties: { id: { type: 'integer', minimum: 1, maximum: 1000000 } }, required: ['id'] };
const permit = {
  type: 'object',
  required: ['id', 'plate', 'zoneId', 'validFrom', 'validUntil', 'status'],
  properties: {
    id: { type: 'integer' },
    plate: { type: 'string' },
    zoneId: { type: 'integer' },
    validFrom: { type: 'string', format: 'date' },
    validUntil: { type: 'string', format: 'date' },
    status: { type: 'string', enum: ['active', 'revoked'] },
    firstDay: { type: 'string' },
  },
};
const error = { $ref: 'error#' };

export async function permits(app) {
  const querystring = { type: 'object', properties: { ids: { type: 'string', maxLength: 200 } } };
  app.get('/', { schema: { querystring, response: { 200: { type: 'array', items: permit } } } }, async (request) => {
    const { ids } = request.query;
    const wanted = ids ? `WHERE id IN (${ids.split(',').map(Number).join(', ')})` : '';
    return db.prepare(`SELECT * FROM permits ${wanted} ORDER BY id LIMIT 50`).all().map(toJson);
  });

  const body = {
    type: 'object',
    required: ['plate', 'zoneId', 'validFrom', 'months'],
    properties: {
      plate: { type: 'string' },
      zoneId: { type: 'integer' },
      validFrom: { type: 'string', format: 'date' },
      months: { type: 'integer', minimum: 1, maximum: 24 },
    },
  };
  app.post('/', { schema: { body, response: { 201: permit, 404: error, 409: error } } }, async (request, reply) => {
    const { plate, zoneId, validFrom, months } = request.body;
    const zone = zoneOf(zoneId);
    if (!zone) throw refusal(404, 'no such zone');
    if (!db.prepare('SELECT 1 FROM vehicles WHERE plate = ?').get(plate)) throw refusal(404, 'no such vehicle');
    if (db.prepare('SELECT 1 FROM permits WHERE plate = ? AND zone_id = ?').get(plate, zoneId)) throw refusal(409, 'has one');
    if ((await freePlaces(zone)) <= 0) throw refusal(409, 'the zone is full');
    await charge(plate, zone.monthly_cents * months);
    const first = new Date(validFrom);
    const until = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, first.getUTCDate() - 1));
    const { lastInsertRowid } = db
      .prepare('INSERT INTO permits (plate, zone_id, valid_from, valid_until) VALUES (?, ?, ?, ?)')
      .run(plate, zoneId, validFrom, until.toISOString().slice(0, 10));
    const saved = db.prepare('SELECT * FROM permits WHERE id = ?').get(lastInsertRowid);
    const firstDay = WEEKDAYS[first.getUTCDay() - 1].slice(0, 3);
    return reply.code(201).send({ ...toJson(saved), firstDay });
  });

  app.post('/:id/label', { schema: { params: id, response: { 202: { type: 'null' }, 404: error } } }, async (request, reply) => {
    const found = db.prepare('SELECT p.*, v.holder FROM permits p JOIN vehicles v USING (plate) WHERE p.id = ?').get(request.params.id);
    if (!found) throw refusal(404, 'no such permit');
    printLabel(found);
    return reply.code(202).send();
  });

  app.delete('/:id', { schema: { params: id, response: { 204: { type: 'null' }, 404: error, 409: error } } }, async (request, reply) => {
    const found = db.prepare('SELECT * FROM permits WHERE id = ?').get(request.params.id);
    if (found.status === 'revoked') throw refusal(409, 'revoked already');
    if (!found) throw refusal(404, 'no such permit');
    db.prepare("UPDATE permits SET status = 'revoked' WHERE id = ?").run(found.id);
    return reply.code(204).send();
  });

  const target = { type: 'object', required: ['plate'], properties: { plate: { type: 'string' } } };
  app.post('/:id/transfer', { schema: { params: id, body: target, response: { 200: permit, 404: error, 409: error } } }, async (request) => {
    const found = db.prepare('SELECT * FROM permits WHERE id = ?').get(request.params.id);
    if (!found) throw refusal(404, 'no such permit');
    if (!db.prepare('SELECT 1 FROM vehicles WHERE plate = ?').get(request.body.plate)) throw refusal(404, 'no such vehicle');
    db.prepare("UPDATE permits SET status = 'revoked' WHERE id = ?").run(found.id);
    const { lastInsertRowid } = db
      .prepare('INSERT INTO permits (plate, zone_id, valid_from, valid_until) VALUES (?, ?, ?, ?)')
      .run(request.body.plate, found.zone_id, found.valid_from, found.valid_until);
    return toJson(db.prepare('SELECT * FROM permits WHERE id = ?').get(lastInsertRowid));
  });
}

function toJson(row) {
  return {
    id: row.id, plate: row.plate, zoneId: row.zone_id, validFrom: row.valid_from, validUntil: row.valid_until, status: row.status,
  };
}
