import { parcels } from '../store.js';

export default async function (app) {
  app.get('/tracking/:code', { constraints: { version: '1.0.0' } }, async (request, reply) => {
    const parcel = parcels.get(request.params.code);
    if (!parcel) return reply.code(404).send({ error: 'no such parcel' });
    return parcel.events;
  });

  app.get('/tracking/:code', { constraints: { version: '2.0.0' } }, async (request, reply) => {
    const parcel = parcels.get(request.params.code);
    if (!parcel) return reply.code(404).send({ error: 'no such parcel' });
    const last = parcel.events.at(-1);
    return { code: parcel.code, last: { at: last.at, place: last.place }, events: parcel.events };
  });
}
