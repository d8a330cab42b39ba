'use strict';
/** The API's document: one operation per guard. Numbers are sent in bodies, texts in the query. */

const NUMBERS = {
  quadratic: ['x', 'y'],
  pythagoras: ['a', 'b', 'c'],
  'bit-mask': ['flags'],
  'date-arithmetic': ['day', 'month', 'year'],
  'sorted-order': ['a', 'b', 'c', 'd'],
  'weights-of-digits': ['account'],
};
const TEXTS = {
  'luhn-number': ['card'],
  'iban-number': ['iban'],
  'ean-number': ['code'],
  'checksum-loop': ['token'],
  'built-text': ['name'],
  'two-patterns': ['key'],
  palindrome: ['word'],
  'base-conversion': ['id'],
  'small-hash': ['secret'],
  'state-machine': ['input'],
  'nested-parse': ['range'],
  'coded-letters': ['text'],
  'sum-of-two': ['left', 'right'],
  'insurance-number': ['insurance'],
  'verhoeff-number': ['member'],
  numeral: ['chapter'],
  'cyclic-check': ['frame'],
  'weighted-bits': ['coded'],
  'sum-of-bytes': ['packet'],
  'counted-letters': ['one', 'other'],
  'hashed-text': ['text'],
};

const responses = { 200: { description: 'not passed' } };
const paths = {};
for (const [name, names] of Object.entries(NUMBERS)) {
  const properties = Object.fromEntries(names.map((one) => [one, { type: 'integer' }]));
  const schema = { type: 'object', properties, required: names };
  paths[`/${name}`] = { post: { requestBody: { required: true, content: { 'application/json': { schema } } }, responses } };
}
for (const [name, names] of Object.entries(TEXTS)) {
  const parameters = names.map((one) => ({ name: one, in: 'query', required: true, schema: { type: 'string' } }));
  paths[`/${name}`] = { get: { parameters, responses } };
}

const operations = { openapi: '3.0.3', info: { title: 'Guards for a solver', version: '1.0.0' }, paths };

module.exports = { operations };
