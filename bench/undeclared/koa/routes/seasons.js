const Router = require('@koa/router');

const boxes = new Router();

const BOXES = {
  summer: { s: { kg: 3 }, m: { kg: 5 }, xl: { kg: 9 } },
  winter: { s: { kg: 2 }, m: { kg: 4 } },
};

boxes.get('/boxes', (ctx) => {
  ctx.body = Object.keys(BOXES[ctx.params.season] ?? {});
});

boxes.get('/boxes/:size', (ctx) => {
  const season = BOXES[ctx.params.season];
  if (!season) ctx.throw(404, 'no such season');
  if (!['s', 'm', 'xl'].includes(ctx.params.size)) ctx.throw(404, 'no such size');
  ctx.body = { kg: season[ctx.params.size].kg };
});

const router = new Router();
router.use('/seasons/:season', boxes.routes());

module.exports = router;
