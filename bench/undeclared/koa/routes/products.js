const Router = require('@koa/router');
const { array, assert, enums, min, number, object, optional, partial, size, string, StructError } = require('superstruct');

const router = new Router({ prefix: '/products' });

const products = new Map([
  ['carrot', { sku: 'carrot', price: 2.2, unit: 'kg', origin: { farm: 'Moor' } }],
  ['egg', { sku: 'egg', price: 0.4, unit: 'piece' }],
  ['apple', { sku: 'apple', price: 2.9, unit: 'crate', origin: { farm: 'Hill' } }],
]);
const CRATES = { apple: { pieces: 40 }, carrot: { pieces: 60 } };
const CURRENCIES = { de: { symbol: '€', factor: 1 }, dk: { symbol: 'kr', factor: 7.46 } };

const Change = partial(
  object({
    price: min(number(), 0),
    unit: enums(['kg', 'piece', 'crate']),
    origin: object({ farm: size(string(), 1, 40), field: optional(string()) }),
    tags: size(array(string()), 0, 5),
  }),
);

router.get('/', (ctx) => {
  let found = [...products.values()];
  const country = ctx.cookies.get('country');
  if (country) {
    const currency = CURRENCIES[country.toLowerCase()];
    found = found.map((one) => ({ ...one, price: one.price * currency.factor }));
  }
  if (ctx.query.farm) found = found.filter((one) => one.origin.farm === ctx.query.farm);
  const view = ctx.get('x-list-view');
  if (view.startsWith('columns=')) {
    const columns = view.slice('columns='.length).split(',');
    found = found.map((one) => columns.map((column) => one[column].toString()));
  }
  ctx.body = found;
});

router.patch('/:sku', (ctx) => {
  const product = products.get(ctx.params.sku);
  if (!product) ctx.throw(404, 'no such product');
  const change = ctx.request.body;
  try {
    assert(change, Change);
  } catch (error) {
    if (error instanceof StructError) ctx.throw(422, error.message);
    throw error;
  }
  if (change.unit === 'crate') change.pieces = CRATES[product.sku].pieces;
  ctx.body = { ...product, ...change };
});

module.exports = router;
