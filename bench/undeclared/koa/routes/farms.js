const Router = require('@koa/router');
const mongoose = require('mongoose');
const { Complaint, Farm } = require('../models');

const router = new Router();

async function saved(ctx, document) {
  try {
    await document.validate();
  } catch (error) {
    if (error instanceof mongoose.Error.ValidationError) ctx.throw(422, error.message);
    throw error;
  }
  return document.save();
}

router.get('/farms', async (ctx) => {
  ctx.body = await Farm.find().limit(50).lean();
});

router.post('/farms', async (ctx) => {
  const farm = await saved(ctx, new Farm(ctx.request.body));
  const litres = farm.kind === 'dairy' ? farm.herd.cows * 25 : 0;
  ctx.status = 201;
  ctx.body = { id: farm.id, name: farm.name, litres };
});

router.get('/farms/:id', async (ctx) => {
  const farm = mongoose.isValidObjectId(ctx.params.id) ? await Farm.findById(ctx.params.id).lean() : null;
  if (!farm) ctx.throw(404, 'no such farm');
  if (ctx.query.age === 'yes') farm.age = `${new Date(farm.founded, 0).toISOString().slice(0, 4)} until now`;
  ctx.body = farm;
});

router.post('/complaints', async (ctx) => {
  const complaint = await saved(ctx, new Complaint(ctx.request.body));
  const answer = { id: complaint.id, severity: complaint.severity };
  if (complaint.severity >= 4) answer.cover = complaint.photos[0].url;
  ctx.status = 201;
  ctx.body = answer;
});

module.exports = router;
