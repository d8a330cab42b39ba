const Router = require('@koa/router');
const { member } = require('./account');

const router = new Router({ prefix: '/board' });

router.use(member, async (ctx, next) => {
  if (ctx.state.member.role !== 'board') ctx.throw(403, 'only for the board');
  await next();
});

router.get('/agenda', (ctx) => {
  ctx.body = { points: ['budget', 'new farms'] };
});

router.post('/announcements', (ctx) => {
  const { title, audience } = ctx.request.body;
  if (!title) ctx.throw(400, 'title is missing');
  ctx.status = 201;
  ctx.body = { title, groups: audience.groups.length };
});

module.exports = router;
