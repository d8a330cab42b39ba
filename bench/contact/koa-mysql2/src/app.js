'use strict';

const Koa = require('koa');
const bodyParser = require('koa-bodyparser');
const { bins } = require('./routes/bins');
const { items } = require('./routes/items');
const { movements } = require('./routes/movements');

const app = new Koa();

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { error: error.expose ? error.message : 'internal error' };
    if (!error.expose) ctx.app.emit('error', error, ctx);
  }
});
app.use(bodyParser());
for (const router of [items, bins, movements]) app.use(router.routes()).use(router.allowedMethods());

module.exports = { app };
