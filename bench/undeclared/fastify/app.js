import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import clients from './routes/clients.js';
import couriers from './routes/couriers.js';
import depot from './routes/depot.js';
import parcels from './routes/parcels.js';
import publicPages from './routes/public.js';
import rates from './routes/rates.js';
import scans from './routes/scans.js';
import tracking from './routes/tracking.js';

export async function buildApp() {
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } });

  app.setErrorHandler((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    reply.code(status).send({ error: status >= 500 ? 'internal error' : error.message });
  });

  await app.register(cookie, { secret: 'parcels-development-only' });
  await app.register(formbody);
  await app.register(multipart, { limits: { fileSize: 200_000 } });

  app.register(
    async (v1) => {
      v1.register(parcels, { prefix: '/parcels' });
      v1.register(rates);
      v1.register(couriers, { prefix: '/couriers' });
      v1.register(clients, { prefix: '/clients' });
      v1.register(scans, { prefix: '/scans' });
    },
    { prefix: '/v1' },
  );
  app.register(tracking);
  app.register(depot, { prefix: '/depot' });
  app.register(publicPages);
  return app;
}
