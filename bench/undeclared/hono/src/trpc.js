import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { episodes } from './store.js';

const t = initTRPC.create();

const range = z
  .object({ from: z.int().min(0), to: z.int().max(500) })
  .refine(({ from, to }) => from < to, { error: 'from has to be less than to' });

export const appRouter = t.router({
  range: t.procedure.input(range).query(({ input }) => {
    const slice = [...episodes.values()].slice(input.from, input.to);
    return { first: slice[0].title, count: slice.length };
  }),
  ratings: t.router({
    add: t.procedure
      .input(
        z.object({
          episode: z.uuid().or(z.int().positive()),
          stars: z.number().multipleOf(0.5).min(0.5).max(5),
          by: z.object({ name: z.string().min(1), mail: z.email().nullable() }),
        }),
      )
      .mutation(({ input }) => {
        const mail = input.stars <= 1 ? input.by.mail.split('@')[1] : null;
        return { stars: input.stars, askAt: mail };
      }),
  }),
});
