import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { answer, body, Id, NewRecipe, Problem, Recipe } from './schemas.js';
import { nextId, plans, recipes as store } from './store.js';

export const recipes = new OpenAPIHono();

const list = createRoute({
  method: 'get',
  path: '/',
  request: { query: z.object({ maxMinutes: z.coerce.number().int().optional(), without: z.string().optional() }) },
  responses: { 200: answer('Recipes', z.array(Recipe)) },
});
recipes.openapi(list, (c) => {
  const { maxMinutes, without } = c.req.valid('query');
  const found = [...store.values()]
    .filter((recipe) => maxMinutes === undefined || recipe.minutes <= maxMinutes)
    .filter((recipe) => !without || !recipe.ingredients.some((one) => one.allergen.startsWith(without)));
  return c.json(found);
});

const add = createRoute({
  method: 'post',
  path: '/',
  request: { body: body(NewRecipe) },
  responses: { 201: answer('Saved', Recipe), 400: answer('Refused', Problem) },
});
recipes.openapi(add, (c) => {
  const id = nextId('recipes');
  const recipe = { id, ...c.req.valid('json') };
  store.set(id, recipe);
  return c.json(recipe, 201);
});

const portion = createRoute({
  method: 'get',
  path: '/{id}/portion',
  request: { params: Id, query: z.object({ persons: z.coerce.number().int().min(1).max(20).default(1) }) },
  responses: {
    200: answer('Grams of each ingredient', z.object({ title: z.string(), grams: z.record(z.string(), z.number()) })),
    404: answer('Unknown', Problem),
  },
});
recipes.openapi(portion, (c) => {
  const { persons } = c.req.valid('query');
  const recipe = find(c.req.valid('param').id);
  const grams = {};
  for (const one of recipe.ingredients) grams[one.name] = Math.round((one.grams / recipe.servings) * persons);
  return c.json({ title: recipe.title, grams });
});

const replace = createRoute({
  method: 'put',
  path: '/{id}',
  request: { params: Id, body: body(NewRecipe) },
  responses: { 200: answer('Replaced', Recipe), 404: answer('Unknown', Problem) },
});
recipes.openapi(replace, (c) => {
  const { id } = c.req.valid('param');
  const isNew = !store.has(id);
  const recipe = { id, ...c.req.valid('json') };
  store.set(id, recipe);
  return c.json(recipe, isNew ? 201 : 200);
});

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  request: { params: Id },
  responses: { 204: { description: 'Removed' }, 404: answer('Unknown', Problem), 409: answer('In use', Problem) },
});
recipes.openapi(remove, (c) => {
  const { id } = find(c.req.valid('param').id);
  for (const plan of plans.values()) {
    if (plan.meals[0].recipeId === id) throw new HTTPException(409, { message: `plan ${plan.id} uses it` });
  }
  store.delete(id);
  return c.body(null, 204);
});

export function find(id) {
  const recipe = store.get(id);
  if (!recipe) throw new HTTPException(404, { message: 'no such recipe' });
  return recipe;
}
