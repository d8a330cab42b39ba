'use strict';

// The README names every bug of the shop. These tests trigger each one, so that the README stays true,
// and check that the ordinary way through each route works.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');
const { test, beforeEach, afterEach } = require('node:test');

let shop;
let base;

beforeEach(async () => {
  shop = spawn(process.execPath, ['-e', START], { cwd: path.join(__dirname, '..') });
  shop.stderr.resume();
  base = await new Promise((resolve, reject) => {
    shop.stdout.once('data', (line) => resolve(`http://127.0.0.1:${String(line).trim()}`));
    shop.once('exit', () => reject(new Error('the shop did not start')));
  });
});

afterEach(() => shop.kill());

/** Starts the shop on any free port and prints which. */
const START = `
  const server = require('./src/app').createApp().listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

async function call(method, target, body) {
  const response = await fetch(base + target, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

test('the ordinary way through the shop works', async () => {
  assert.equal((await call('GET', '/openapi.json')).status, 200);
  assert.equal((await call('GET', '/books?limit=2')).body.length, 2);
  assert.equal((await call('GET', '/books/search?q=salt')).body[0].title, 'Salt and Iron');
  assert.equal((await call('POST', '/customers', { name: 'Ann', email: 'ann@home.example' })).status, 201);
  const order = await call('POST', '/orders', { customerId: 4, bookId: 1, quantity: 2, coupon: 'SPRING' });
  assert.deepEqual([order.status, order.body.total], [201, 2682]);
  assert.equal((await call('POST', '/orders/1/ship', { carrier: 'post' })).body.status, 'shipped');
  assert.equal((await call('GET', '/shipping/quote?country=FR&weight=700')).body.price, 490);
  assert.equal((await call('GET', '/reports/sales?from=2024-03-01&to=2024-03-05')).body.total, 13630);
  assert.equal((await call('POST', '/orders', { customerId: 1, bookId: 2, quantity: 4 })).status, 409);
  assert.equal((await call('GET', '/books/99')).status, 404);
  assert.equal((await call('GET', '/nothing')).status, 404);
  assert.equal((await call('POST', '/orders', { customerId: 1 })).status, 400);
});

test('bug 1: the coupon of a campaign that is over', async () => {
  assert.equal((await call('POST', '/coupons/check', { code: 'BLACKFRIDAY', total: 1000 })).status, 500);
});

test('bug 2: a voucher worth more than the order', async () => {
  const answer = await call('POST', '/coupons/check', { code: 'SAVE-40', total: 1000 });
  assert.deepEqual([answer.status, answer.body.after], [200, -3000]);
});

test('bug 3: searching subtitles, which not every book has', async () => {
  assert.equal((await call('GET', '/books/search?q=a&field=subtitle')).status, 500);
});

test('bug 4: an audio book has no pages', async () => {
  const book = { kind: 'audio', title: 'Night Trains', author: 'I. Holm', price: 1200, minutes: 540 };
  const answer = await call('POST', '/books', book);
  assert.equal(answer.status, 201);
  assert.equal('pages' in answer.body, false);
});

test('bug 5: the last copies of a book without a supplier', async () => {
  assert.equal((await call('POST', '/orders', { customerId: 1, bookId: 4, quantity: 1 })).status, 201);
  assert.equal((await call('POST', '/orders', { customerId: 1, bookId: 4, quantity: 1 })).status, 500);
});

test('bug 6: a report that ends before it begins', async () => {
  assert.equal((await call('GET', '/reports/sales?from=2024-03-05&to=2024-03-01')).status, 500);
});

test('bug 7: cancelling what has been shipped', async () => {
  assert.equal((await call('POST', '/orders', { customerId: 1, bookId: 1, quantity: 1 })).status, 201);
  assert.equal((await call('POST', '/orders/1/ship', { carrier: 'post' })).status, 200);
  assert.equal((await call('POST', '/orders/1/cancel')).status, 500);
});

test('bug 8: telling a customer who left no address ends the process', async () => {
  assert.equal((await call('POST', '/orders', { customerId: 3, bookId: 1, quantity: 1 })).status, 201);
  const ended = new Promise((resolve) => shop.once('exit', resolve));
  await call('POST', '/orders/1/ship', { carrier: 'bike' }).catch(() => {});
  assert.equal(await ended, 1);
});

test('bug 9: an express parcel too heavy for any express price', async () => {
  assert.equal((await call('GET', '/shipping/quote?country=DE&weight=20001&express=true')).status, 500);
});
