import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { find as findPlan } from './plans.js';
import { answer, body, Id, Problem } from './schemas.js';
import { nextId, recipes, shoppingLists } from './store.js';

export const shopping = new OpenAPIHono();

const List = z
  .object({ id: z.number().int(), planId: z.number().int(), items: z.array(z.object({ name: z.string(), grams: z.number().int() })) })
  .openapi('ShoppingList');

const byPlan = new Map();

/** Adds up what all recipes of a plan need. */
async function collect(plan) {
  const grams = new Map();
  for (const meal of plan.meals) {
    const { ingredients } = recipes.get(meal.recipeId);
    for (const one of ingredients) grams.set(one.name, (grams.get(one.name) ?? 0) + one.grams);
  }
  return [...grams].map(([name, sum]) => ({ name, grams: sum }));
}

async function sendByMail(list, to) {
  const [, domain] = to.split('@');
  await Promise.resolve();
  return { domain: domain.toLowerCase(), lines: list.items.length };
}

const make = createRoute({
  method: 'post',
  path: '/',
  request: { body: body(z.object({ planId: z.number().int().min(1), mailTo: z.string().max(60).optional() })) },
  responses: { 201: answer('The list', List), 404: answer('Unknown', Problem) },
});
shopping.openapi(make, async (c) => {
  const { planId, mailTo } = c.req.valid('json');
  const plan = findPlan(planId);
  if (!byPlan.has(planId)) {
    const items = await collect(plan);
    byPlan.set(planId, { id: nextId('lists'), planId, items });
  }
  const list = byPlan.get(planId);
  shoppingLists.set(list.id, list);
  if (mailTo) sendByMail(list, mailTo);
  return c.json(list, 201);
});

const heaviest = createRoute({
  method: 'get',
  path: '/{id}/heaviest',
  request: { params: Id },
  responses: { 200: answer('The heaviest item', z.object({ name: z.string(), grams: z.number().int() })), 404: answer('Unknown', Problem) },
});
shopping.openapi(heaviest, async (c) => {
  const list = shoppingLists.get(c.req.valid('param').id);
  if (!list) throw new HTTPException(404, { message: 'no such list' });
  const sorted = list.items.toSorted((one, other) => other.grams - one.grams);
  return c.json({ name: sorted[0].name, grams: sorted[0].grams });
});

const refresh = createRoute({
  method: 'post',
  path: '/{id}/refresh',
  request: { params: Id },
  responses: { 200: answer('The list', List), 404: answer('Unknown', Problem) },
});
shopping.openapi(refresh, (c) => {
  const list = shoppingLists.get(c.req.valid('param').id);
  if (!list) throw new HTTPException(404, { message: 'no such list' });
  const items = collect(findPlan(list.planId));
  return c.json({ ...list, items });
});
