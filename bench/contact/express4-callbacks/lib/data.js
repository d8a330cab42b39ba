'use strict';

const Collection = require('./collection');

exports.tools = new Collection([
  { id: 1, name: 'Hammer drill', category: 'power', dailyCents: 1800, depositCents: 5000, rented: false },
  { id: 2, name: 'Tile saw', category: 'power', dailyCents: 2600, depositCents: 9000, rented: true },
  { id: 3, name: 'Ladder 6 m', category: 'access', dailyCents: 900, depositCents: 3000, rented: false },
  { id: 4, name: 'Cement mixer', category: 'building', dailyCents: 3400, depositCents: 12000, rented: false },
]);

exports.customers = new Collection([
  { id: 1, name: 'Ines Duarte', email: 'ines@example.com', address: { street: 'Rua Nova 4', city: 'Porto' } },
  { id: 2, name: 'Olaf Brandt', email: 'olaf@example.com', address: { street: 'Deich 12', city: 'Husum' } },
  { id: 3, name: 'Mira Kovac', email: 'mira@example.com', address: { street: 'Ilica 90', city: 'Zagreb' } },
]);

exports.rentals = new Collection([
  { id: 1, toolId: 2, customerId: 1, days: 3, startsOn: '2024-03-04', returnedOn: null },
  { id: 2, toolId: 3, customerId: 2, days: 10, startsOn: '2024-01-15', returnedOn: '2024-01-25' },
]);
