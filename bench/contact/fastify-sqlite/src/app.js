import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { permits } from './routes/permits.js';
import { vehicles } from './routes/vehicles.js';
import { zones } from './routes/zones.js';

export async function build() {
  const app = Fastify({ logger: { level: 'warn' } });
  await app.register(swagger, { openapi: { openapi: '3.0.3', info: { title: 'Parking permits', version: '0.9.0' } } });
  app.addSchema({
    $id: 'error',
    type: 'object',
    properties: { statusCode: { type: 'integer' }, error: { type: 'string' }, message: { type: 'string' } },
  });
  await app.register(zones, { prefix: '/zones' });
  await app.register(vehicles, { prefix: '/vehicles' });
  await app.register(permits, { prefix: '/permits' });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  return app;
}
