import { addParcel, parcels } from '../store.js';

const newParcel = {
  type: 'object',
  required: ['recipient', 'grams', 'items'],
  additionalProperties: false,
  properties: {
    recipient: {
      type: 'object',
      required: ['name', 'country', 'postcode'],
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 60 },
        country: { type: 'string', enum: ['DE', 'DK', 'SE', 'NO'] },
        postcode: { type: 'string', pattern: '^[0-9]{4,5}$' },
        phone: { type: 'string', nullable: true },
      },
    },
    grams: { type: 'integer', minimum: 1, maximum: 30000 },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: {
        type: 'object',
        required: ['sku', 'pieces'],
        properties: { sku: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$' }, pieces: { type: 'integer', minimum: 1 } },
      },
    },
    customs: { type: 'object', required: ['value'], properties: { value: { type: 'number', exclusiveMinimum: 0 } } },
  },
};

export default async function (app) {
  app.get('/', async (request) => {
    let found = [...parcels.values()];
    if (request.query.grams) {
      const [min, max] = request.query.grams.split('..');
      found = found.filter((one) => one.grams >= Number(min) && one.grams <= Number(max.trim()));
    }
    return found;
  });

  app.post('/', { schema: { body: newParcel } }, async (request, reply) => {
    const { recipient, grams, items, customs } = request.body;
    const parcel = addParcel({ grams, country: recipient.country, recipient, items });
    if (recipient.country === 'NO') parcel.duty = Math.round(customs.value * 0.25);
    return reply.code(201).send(parcel);
  });

  app.get('/:code', async (request, reply) => {
    const parcel = parcels.get(request.params.code);
    if (!parcel) return reply.code(404).send({ error: 'no such parcel' });
    return parcel;
  });

  /** Labels by name: { "fragile": { "colour": "red", "since": "2024-05-01T10:00:00Z" } } */
  app.put('/:code/labels', async (request, reply) => {
    const parcel = parcels.get(request.params.code);
    if (!parcel) return reply.code(404).send({ error: 'no such parcel' });
    if (typeof request.body !== 'object' || request.body === null) return reply.code(400).send({ error: 'labels by name' });
    const labels = {};
    for (const [name, label] of Object.entries(request.body)) {
      if (!label?.colour) return reply.code(400).send({ error: `${name} has no colour` });
      labels[name] = { colour: label.colour, since: label.since.slice(0, 10) };
    }
    parcel.labels = labels;
    return labels;
  });
}
