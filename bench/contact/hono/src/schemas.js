import { z } from '@hono/zod-openapi';

export const Problem = z.object({ error: z.string() }).openapi('Problem');
export const Id = z.object({ id: z.coerce.number().int().min(1).max(1_000_000).openapi({ param: { in: 'path', name: 'id' } }) });

export const Ingredient = z.object({
  name: z.string().min(1).max(40),
  grams: z.number().int().min(1).max(5000),
  allergen: z.enum(['gluten', 'milk', 'nuts', 'egg']).optional(),
});

export const NewRecipe = z.object({
  title: z.string().min(1).max(80),
  servings: z.number().int().min(0).max(50),
  minutes: z.number().int().min(1).max(600).optional(),
  ingredients: z.array(Ingredient).max(30),
});

export const Recipe = NewRecipe.extend({ id: z.number().int() }).openapi('Recipe');

export const Meal = z.object({ day: z.string().date(), recipeId: z.number().int().min(1) });

export const Plan = z.object({ id: z.number().int(), owner: z.string(), meals: z.array(Meal) }).openapi('Plan');

/** An answer with a JSON body, for the document. */
export function answer(description, schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** A body in JSON, for the document and the validation. */
export function body(schema) {
  return { required: true, content: { 'application/json': { schema } } };
}
