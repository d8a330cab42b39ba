import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { find as findRecipe } from './recipes.js';
import { answer, body, Id, Meal, Plan, Problem } from './schemas.js';
import { nextId, plans as store, recipes } from './store.js';

export const plans = new OpenAPIHono();

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const add = createRoute({
  method: 'post',
  path: '/',
  request: { body: body(z.object({ owner: z.string().min(1).max(40), meals: z.array(Meal).max(14).default([]) })) },
  responses: { 201: answer('Saved', Plan), 404: answer('Unknown recipe', Problem) },
});
plans.openapi(add, (c) => {
  const { owner, meals } = c.req.valid('json');
  for (const meal of meals) findRecipe(meal.recipeId);
  const id = nextId('plans');
  store.set(id, { id, owner, meals });
  return c.json(store.get(id), 201);
});

const show = createRoute({
  method: 'get',
  path: '/{id}',
  request: { params: Id },
  responses: { 200: answer('The plan', Plan), 404: answer('Unknown', Problem) },
});
plans.openapi(show, (c) => c.json(find(c.req.valid('param').id)));

const week = createRoute({
  method: 'get',
  path: '/{id}/week',
  request: { params: Id },
  responses: {
    200: answer('Titles by weekday', z.object({ days: z.array(z.object({ weekday: z.string(), title: z.string() })) })),
    404: answer('Unknown', Problem),
  },
});
plans.openapi(week, (c) => {
  const plan = find(c.req.valid('param').id);
  const days = plan.meals.map((meal) => {
    const weekday = WEEKDAYS[new Date(meal.day).getUTCDay() - 1];
    return { weekday: weekday.toUpperCase(), title: recipes.get(meal.recipeId)?.title ?? '?' };
  });
  return c.json({ days });
});

const move = createRoute({
  method: 'post',
  path: '/{id}/move',
  request: { params: Id, body: body(z.object({ from: z.string().date(), days: z.number().int().min(-30).max(30) })) },
  responses: { 200: answer('Moved', Plan), 404: answer('Unknown', Problem) },
});
plans.openapi(move, (c) => {
  const plan = find(c.req.valid('param').id);
  const { from, days } = c.req.valid('json');
  const meal = plan.meals.find((one) => one.day === from);
  const day = new Date(meal.day);
  day.setUTCDate(day.getUTCDate() + days);
  if (!meal) throw new HTTPException(404, { message: 'no meal on that day' });
  meal.day = day.toISOString().slice(0, 10);
  return c.json(plan);
});

const time = createRoute({
  method: 'get',
  path: '/{id}/time',
  request: { params: Id },
  responses: {
    200: answer('Time in the kitchen', z.object({ total: z.number().int(), average: z.number() })),
    404: answer('Unknown', Problem),
  },
});
plans.openapi(time, (c) => {
  const plan = find(c.req.valid('param').id);
  const minutes = plan.meals.map((meal) => recipes.get(meal.recipeId)?.minutes ?? 30);
  const total = minutes.reduce((sum, one) => sum + one, 0);
  return c.json({ total, average: total / minutes.length });
});

export function find(id) {
  const plan = store.get(id);
  if (!plan) throw new HTTPException(404, { message: 'no such plan' });
  return plan;
}
