'use strict';
/** BSON as bytes by hand, against what its specification and the one of Extended JSON say of them. */

const { test } = require('node:test');
const assert = require('node:assert');
const { bsonOf } = require('../src/databases/bson-writer.cjs');
const { DOCUMENT, countOf, extendedJson, field, numberOf, textOf } = require('../src/databases/bson.cjs');

/** @param {string} fields hexadecimal */
function documentOf(fields) {
  const inner = Buffer.from(fields.replaceAll(' ', ''), 'hex');
  const bytes = Buffer.alloc(inner.length + 5);
  bytes.writeInt32LE(bytes.length, 0);
  inner.copy(bytes, 4);
  return { bytes, at: 0, type: DOCUMENT };
}

/** @param {string} fields @param {number} [most] */
const shown = (fields, most = 10_000) => extendedJson(documentOf(fields), most);

const A = '6100';
const CASES = [
  ['01', '000000000000f83f', '{"$numberDouble":"1.5"}'],
  ['01', '0000000000000080', '{"$numberDouble":"-0.0"}'],
  ['01', '0000000000000840', '{"$numberDouble":"3.0"}'],
  ['01', '000000000000f07f', '{"$numberDouble":"Infinity"}'],
  ['02', '04000000 c3a42200', '"ä\\""'],
  ['03', '08000000 0a 6200 00', '{"b":null}'],
  ['04', '0f000000 0a 3000 08 3100 01 0a 3200 00', '[null,true,null]'],
  ['05', '02000000 80 00ff', '{"$binary":{"base64":"AP8=","subType":"80"}}'],
  ['07', '0123456789abcdef01234567', '{"$oid":"0123456789abcdef01234567"}'],
  ['08', '00', 'false'],
  ['09', 'ffffffffffffffff', '{"$date":{"$numberLong":"-1"}}'],
  ['0a', '', 'null'],
  ['0b', '612200 6900', '{"$regularExpression":{"pattern":"a\\"","options":"i"}}'],
  ['0d', '02000000 7800', '{"$code":"x"}'],
  ['10', 'feffffff', '{"$numberInt":"-2"}'],
  ['11', '07000000 05000000', '{"$timestamp":{"t":5,"i":7}}'],
  ['12', '0100000000002000', '{"$numberLong":"9007199254740993"}'],
  ['13', '6e000000000000000000000000003c30', '{"$numberDecimal":"1.10"}'],
  ['13', '01000000000000000000000000003cb0', '{"$numberDecimal":"-0.01"}'],
  ['13', '01000000000000000000000000004630', '{"$numberDecimal":"1E+3"}'],
  ['13', '0000000000000000000000000000007c', '{"$numberDecimal":"NaN"}'],
  ['ff', '', '{"$minKey":1}'],
];

for (const [type, value, json] of CASES) {
  test(`type ${type} is ${json}`, () => {
    assert.equal(shown(`${type} ${A} ${value}`), `{"a":${json}}`);
    assert.equal(shown(`${type} ${A} ${value} 08 6200 01`), `{"a":${json},"b":true}`, 'its length is known');
    assert.deepEqual(bsonOf(`{"a":${json}}`), documentOf(`${type} ${A} ${value}`).bytes, 'and it is written alike');
  });
}

test('plain numbers and texts of dates, and members that are appended, are written', () => {
  const json = '{"a":1,"b":-2147483649,"c":0.5,"d":{"$date":"1970-01-01T00:00:01Z"},"e":{"$code":"x","$scope":{}}}';
  assert.equal(
    extendedJson({ bytes: bsonOf(json, { $db: 'x' }), at: 0, type: DOCUMENT }, 1000),
    '{"a":{"$numberInt":"1"},"b":{"$numberLong":"-2147483649"},"c":{"$numberDouble":"0.5"},' +
      '"d":{"$date":{"$numberLong":"1000"}},"e":{"$code":"x","$scope":{}},"$db":"x"}',
  );
});

test('what is too long, too deep, cut off or of no type is not shown', () => {
  const long = '02 6100 04000000 61616100';
  assert.equal(shown(long, 12), '{"a":"aaa"}');
  assert.equal(shown(long, 5), null);
  assert.equal(shown('77 6100 00'), null);
  assert.equal(shown('02 6100 ff000000 61'), null);
  assert.equal(shown('02 61'), null);
  let deep = documentOf('').bytes;
  for (let depth = 0; depth < 200; depth++) deep = documentOf('03 6100' + deep.toString('hex')).bytes;
  assert.equal(extendedJson({ bytes: deep, at: 0, type: DOCUMENT }, 1e6), null);
});

test('fields of replies', () => {
  const reply = documentOf(
    '10 6e00 03000000 02 6d00 02000000 7800 04 6c00 08000000 0a 3000 00 01 6f6b00 000000000000f03f',
  );
  assert.equal(numberOf(field(reply, 'n')), 3);
  assert.equal(textOf(field(reply, 'm')), 'x');
  assert.equal(countOf(field(reply, 'l')), 1);
  assert.equal(numberOf(field(reply, 'ok')), 1);
  assert.equal(field(reply, 'nothing'), null);
  assert.equal(countOf(null), 0);
  assert.equal(
    extendedJson(reply, 1e4, (name) => name === 'n'),
    '{"n":{"$numberInt":"3"}}',
  );
});
