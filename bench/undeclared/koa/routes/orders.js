const Router = require('@koa/router');
const Joi = require('joi');
const yup = require('yup');

const router = new Router();

const Order = yup.object({
  member: yup.string().trim().min(2).max(40).required(),
  items: yup
    .array()
    .of(
      yup.object({
        product: yup.string().oneOf(['carrot', 'egg', 'apple']).required(),
        amount: yup.number().positive().max(50).required(),
      }),
    )
    .min(1)
    .max(12)
    .required(),
  delivery: yup.string().oneOf(['pickup', 'home']).default('pickup'),
  address: yup.object({ street: yup.string().required(), floor: yup.number().integer() }).default(undefined),
});

const Tours = yup.object({
  day: yup.date().min(new Date('2020-01-01')).required(),
  tour: yup.number().integer().min(1).max(9).required(),
  direction: yup.string().matches(/^(out|back)$/),
});

const STOPS = { 1: ['mill', 'school'], 2: ['harbour'], 4: ['station', 'park', 'pool'] };

const Voucher = Joi.object({
  code: Joi.string().pattern(/^V[A-Z]{3}-\d{2}$/).required(),
  amount: Joi.number().integer().min(5).max(200).required(),
  recipient: Joi.object({ name: Joi.string().required(), email: Joi.string().email() }),
  delivery: Joi.string().valid('mail', 'print').default('print'),
  lines: Joi.array().items(Joi.string().max(30)).length(3),
});

const orders = new Map();

async function validated(ctx, schema, value) {
  try {
    return await schema.validate(value, { abortEarly: false });
  } catch (error) {
    if (error.name === 'ValidationError') ctx.throw(400, error.errors.join('; '));
    throw error;
  }
}

router.post('/orders', async (ctx) => {
  const order = await validated(ctx, Order, ctx.request.body);
  order.id = orders.size + 1;
  if (order.delivery === 'home') order.label = `${order.member}, ${order.address.street.toUpperCase()}`;
  orders.set(order.id, order);
  ctx.status = 201;
  ctx.body = order;
});

router.post('/orders/:id/reminders', (ctx) => {
  const order = orders.get(Number(ctx.params.id));
  if (!order) ctx.throw(404, 'no such order');
  const { channel } = ctx.request.body;
  if (channel !== 'sms' && channel !== 'letter') ctx.throw(400, 'channel is sms or letter');
  setImmediate(() => remind(order, channel));
  ctx.status = 202;
  ctx.body = { queued: true };
});

function remind(order, channel) {
  return channel === 'letter' ? { to: order.address.street } : { to: order.member };
}

router.get('/deliveries', async (ctx) => {
  const { day, tour } = await validated(ctx, Tours, ctx.query);
  ctx.body = { day, stops: STOPS[tour].length };
});

router.post('/vouchers', (ctx) => {
  const { error, value } = Voucher.validate(ctx.request.body);
  if (error) ctx.throw(400, error.message);
  if (value.delivery === 'mail') value.to = value.recipient.email.toLowerCase();
  ctx.status = 201;
  ctx.body = value;
});

module.exports = router;
