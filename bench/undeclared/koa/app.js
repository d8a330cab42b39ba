const Koa = require('koa');
const { createSession } = require('koa-session');
const { koaBody } = require('koa-body');
const { routes } = require('./routes');

const app = new Koa();
app.keys = [process.env.SESSION_KEY || 'food-coop-development-only'];

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status || 500;
    ctx.body = { error: ctx.status >= 500 ? 'internal error' : error.message };
    if (ctx.status >= 500) ctx.app.emit('error', error, ctx);
  }
});
app.on('error', (error) => console.error(error.stack));

app.use(createSession({ key: 'coop.session', maxAge: 86_400_000 }, app));
app.use(
  koaBody({
    multipart: true,
    text: true,
    onError: (error, ctx) => ctx.throw(400, `the body cannot be read: ${error.message}`),
  }),
);
app.use(routes());

module.exports = { app };
