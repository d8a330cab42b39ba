import { Type } from '@sinclair/typebox';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';

const Weekday = Type.Union(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => Type.Literal(day)));

const Shift = Type.Object(
  {
    from: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    until: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    days: Type.Array(Weekday, { minItems: 1, maxItems: 7, uniqueItems: true }),
    break: Type.Optional(Type.Object({ minutes: Type.Integer({ minimum: 15, maximum: 90 }) })),
  },
  { additionalProperties: false },
);

const Courier = Type.Union([
  Type.Object({ kind: Type.Literal('bike'), name: Type.String({ minLength: 1 }), basketLitres: Type.Optional(Type.Integer()) }),
  Type.Object({
    kind: Type.Literal('van'),
    name: Type.String({ minLength: 1 }),
    plate: Type.RegExp(/^[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}$/),
    licence: Type.Optional(Type.Object({ classes: Type.Array(Type.String(), { minItems: 1 }) })),
  }),
]);

const couriers = new Map();

export default async function (app) {
  app.setValidatorCompiler(TypeBoxValidatorCompiler);

  app.post('/', { schema: { body: Courier } }, async (request, reply) => {
    const courier = { id: couriers.size + 1, shifts: [], ...request.body };
    if (courier.kind === 'van') courier.heavy = courier.licence.classes.includes('C1');
    couriers.set(courier.id, courier);
    return reply.code(201).send(courier);
  });

  app.post('/:id/shifts', { schema: { body: Shift } }, async (request, reply) => {
    const courier = couriers.get(Number(request.params.id));
    if (!courier) return reply.code(404).send({ error: 'no such courier' });
    const { from, until, days } = request.body;
    const hours = Number(until.slice(0, 2)) - Number(from.slice(0, 2));
    if (hours <= 0) return reply.code(400).send({ error: 'until has to be later than from' });
    if (hours > 6 && days.length > 4) {
      courier.breakMinutes = request.body.break.minutes * days.length;
    }
    courier.shifts.push(request.body);
    return courier;
  });
}
