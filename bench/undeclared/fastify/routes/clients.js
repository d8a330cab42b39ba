import { addClient, clients } from '../store.js';

export default async function (app) {
  app.post('/', async (request, reply) => {
    const { name, email } = request.body ?? {};
    if (!name || !/^\S+@\S+\.\S+$/.test(email)) return reply.code(400).send({ error: 'name and email are needed' });
    return reply.code(201).send({ apiKey: addClient(name) });
  });

  app.register(async (own) => {
    own.decorateRequest('client', null);
    own.addHook('onRequest', async (request, reply) => {
      const client = clients.get(request.headers['x-parcel-key']);
      if (!client) return reply.code(401).send({ error: 'the key is missing or wrong' });
      request.client = client;
    });

    own.get('/me', async (request) => request.client);

    own.get('/me/usage', async (request, reply) => {
      const { month } = request.query;
      if (!month) return request.client.usage;
      if (!/^\d{4}-\d{2}$/.test(month)) return reply.code(400).send({ error: 'month is like 2024-05' });
      return { month, calls: request.client.usage[month].calls };
    });
  });
}
