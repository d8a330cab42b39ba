import { randomBytes } from 'node:crypto';

export const parcels = new Map([
  ['P1001', { code: 'P1001', grams: 1200, country: 'DE', events: [{ at: '2024-05-01T08:00:00Z', place: 'Hamburg' }], labels: {} }],
  ['P1002', { code: 'P1002', grams: 300, country: 'DK', events: [], labels: {} }],
]);

let last = 1002;

export function addParcel(fields) {
  last += 1;
  const parcel = { code: `P${last}`, events: [], labels: {}, ...fields };
  parcels.set(parcel.code, parcel);
  return parcel;
}

/** By key. */
export const clients = new Map();

export function addClient(name) {
  const key = randomBytes(12).toString('hex');
  clients.set(key, { name, since: '2024-05-01', usage: {} });
  return key;
}
