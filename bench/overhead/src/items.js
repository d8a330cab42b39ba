'use strict';
/** What most routes of most APIs do: look something up, check a few fields, answer. */

const items = new Map();
for (let id = 1; id <= 100; id += 1) items.set(id, { id, name: `item ${id}`, price: id * 10, tags: id % 2 ? ['odd'] : ['even'] });

function find(id) {
  if (!/^\d+$/.test(id)) return { status: 400, body: { error: 'id must be a number' } };
  const item = items.get(Number(id));
  if (!item) return { status: 404, body: { error: `no item ${id}` } };
  return { status: 200, body: item };
}

function quote(body) {
  if (typeof body?.quantity !== 'number' || body.quantity < 1) return { status: 400, body: { error: 'quantity' } };
  const item = items.get(body.item);
  if (item === undefined) return { status: 404, body: { error: 'item' } };
  let total = item.price * body.quantity;
  if (body.quantity >= 10) total *= 0.9;
  if (body.coupon === 'SPRING' && total > 100) total -= 5;
  return { status: 200, body: { total, currency: body.currency ?? 'EUR' } };
}

module.exports = { find, quote };
