const { initTRPC, TRPCError } = require('@trpc/server');
const { createExpressMiddleware } = require('@trpc/server/adapters/express');
const { z } = require('zod');

const t = initTRPC.create();

const stays = new Map([
  ['ST-0001', { nights: 3, guests: ['Ida', 'Olaf'] }],
  ['ST-0002', { nights: 7 }],
]);

const appRouter = t.router({
  stays: t.router({
    byCode: t.procedure
      .input(z.object({ code: z.string().regex(/^ST-\d{4}$/), withGuests: z.boolean().optional() }))
      .query(({ input }) => {
        const stay = stays.get(input.code);
        if (!stay) throw new TRPCError({ code: 'NOT_FOUND' });
        return input.withGuests ? { ...stay, first: stay.guests[0] } : { nights: stay.nights };
      }),
    change: t.procedure
      .input(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('extend'), code: z.string(), nights: z.number().int().min(1).max(14) }),
          z.object({ kind: z.literal('shorten'), code: z.string(), until: z.string().datetime() }),
        ]),
      )
      .mutation(({ input }) => {
        if (input.kind === 'shorten') return { until: input.until };
        const stay = stays.get(input.code);
        return { nights: stay.nights + input.nights };
      }),
  }),
});

const trpcMiddleware = createExpressMiddleware({
  router: appRouter,
  onError: ({ error }) => {
    if (error.code === 'INTERNAL_SERVER_ERROR') console.error(error.cause ?? error);
  },
});

module.exports = { trpcMiddleware };
