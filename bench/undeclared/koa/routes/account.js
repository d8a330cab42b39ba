const Router = require('@koa/router');
const { Member } = require('../models');

const router = new Router({ prefix: '/account' });

async function member(ctx, next) {
  ctx.state.member = ctx.session.member ? await Member.findById(ctx.session.member) : null;
  if (!ctx.state.member) ctx.throw(401, 'log in first');
  await next();
}

router.post('/register', async (ctx) => {
  const { name, pin } = ctx.request.body;
  if (typeof name !== 'string' || name.length < 2) ctx.throw(400, 'name is too short');
  if (!/^\d{6}$/.test(pin)) ctx.throw(400, 'the PIN has six digits');
  if (await Member.exists({ name })) ctx.throw(409, 'this name is taken');
  const { id } = await Member.create({ name, pin });
  ctx.status = 201;
  ctx.body = { id };
});

router.post('/login', async (ctx) => {
  const { name, pin } = ctx.request.body;
  if (typeof name !== 'string' || typeof pin !== 'string') ctx.throw(400, 'name and pin are needed');
  const found = await Member.findOne({ name, pin });
  if (!found) ctx.throw(403, 'wrong name or PIN');
  ctx.session.member = found.id;
  ctx.body = { welcome: found.name };
});

router.get('/', member, (ctx) => {
  ctx.body = { name: ctx.state.member.name, role: ctx.state.member.role };
});

router.get('/share', member, (ctx) => {
  const weeks = Number(ctx.query.weeks ?? 1);
  if (!(weeks >= 1)) ctx.throw(400, 'weeks is a number');
  ctx.body = weeks === 1 ? { euro: 12 } : { euro: 12 * weeks * ctx.state.member.household.size };
});

router.delete('/', member, (ctx) => {
  ctx.session = null;
  ctx.status = 204;
});

module.exports = router;
module.exports.member = member;
