import { parcels } from '../store.js';

export default async function (app) {
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'string' }, (request, body, done) => {
    try {
      done(null, body.split('\n').filter(Boolean).map((line) => JSON.parse(line)));
    } catch (error) {
      error.statusCode = 400;
      done(error);
    }
  });

  app.post('/', async (request, reply) => {
    if (!Array.isArray(request.body)) return reply.code(415).send({ error: 'scans come line by line' });
    let known = 0;
    for (const scan of request.body) {
      const parcel = parcels.get(scan.code);
      if (!parcel) continue;
      known += 1;
      parcel.events.push({ at: scan.at, place: `gate ${scan.gate.id}` });
    }
    return { scans: request.body.length, known };
  });
}
