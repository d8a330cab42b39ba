const Router = require('@koa/router');
const { z } = require('zod');

const router = new Router({ prefix: '/shifts' });

const TASKS = { sorting: { helpers: 2 }, packing: { helpers: 3 } };

const Shift = z
  .object({
    day: z.coerce.date(),
    hours: z.number().int().multipleOf(2).min(2).max(8),
    helpers: z.array(z.object({ name: z.string().min(2), drives: z.boolean().default(false) })).nonempty().max(6),
    tasks: z.record(z.enum(['sorting', 'packing', 'cleaning']), z.number().min(0)).optional(),
    contact: z.string().email().or(z.string().regex(/^\+\d{6,14}$/)).nullish(),
  })
  .strict()
  .refine((shift) => shift.hours <= 4 || shift.helpers.length >= 2, { message: 'long shifts need two helpers' });

router.post('/', (ctx) => {
  const { success, data, error } = Shift.safeParse(ctx.request.body);
  if (!success) {
    ctx.status = 422;
    ctx.body = { issues: error.issues };
    return;
  }
  const places = Object.entries(data.tasks ?? {}).map(([task, share]) => share * TASKS[task].helpers);
  const plan = { day: data.day, places };
  if (data.helpers.length >= 4) plan.driver = data.helpers.find((one) => one.drives).name;
  ctx.status = 201;
  ctx.body = plan;
});

module.exports = router;
