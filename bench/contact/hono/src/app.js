import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { plans } from './plans.js';
import { recipes } from './recipes.js';
import { shopping } from './shopping.js';

export const app = new OpenAPIHono();

app.route('/recipes', recipes);
app.route('/plans', plans);
app.route('/shopping-lists', shopping);

app.onError((error, c) => {
  if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
  console.error(error);
  return c.json({ error: 'Internal Server Error' }, 500);
});

app.doc('/doc', { openapi: '3.0.0', info: { title: 'Meal plans', version: '1.1.0' } });
