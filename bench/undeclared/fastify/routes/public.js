export default async function (app) {
  app.get('/', async () => ({ name: 'parcels' }));

  /** The form of the web page. */
  app.post('/contact', async (request, reply) => {
    const form = request.body ?? {};
    if (!form.message) return reply.code(400).send({ error: 'message is missing' });
    const ticket = { id: Date.now().toString(36), topic: form.topic ?? 'other' };
    if (form.topic === 'damage') ticket.parcel = form.parcel.toUpperCase();
    return reply.code(201).send(ticket);
  });
}
