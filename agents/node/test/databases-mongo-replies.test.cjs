'use strict';
/** What the replies of MongoDB say of a command: documents that it returned, and those that it changed. */

const { test } = require('node:test');
const assert = require('node:assert');
const { bsonOf } = require('../src/databases/bson-writer.cjs');
const { DOCUMENT } = require('../src/databases/bson.cjs');
const { complete } = require('../src/databases/drivers/mongo-messages.cjs');
const { Command } = require('../src/databases/recorded-commands.cjs');

/** @param {string} text @param {object} reply */
function after(text, reply) {
  const command = new Command('d', text, '[]', false);
  complete(command, { bytes: bsonOf(JSON.stringify({ ok: 1, ...reply })), at: 0, type: DOCUMENT });
  return [command.returned, command.affected];
}

test('a document that is found and modified at once was changed, and one that an upsert inserts was not found', () => {
  const found = { value: { a: 1 }, lastErrorObject: { n: 1, updatedExisting: true } };
  assert.deepStrictEqual(after('books.findAndModify', found), [1, 1]);
  const none = { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
  assert.deepStrictEqual(after('books.findAndModify', none), [0, 0]);
  const inserted = { value: null, lastErrorObject: { n: 1, updatedExisting: false, upserted: 'x' } };
  assert.deepStrictEqual(after('books.findAndModify', inserted), [0, 0]);
  assert.deepStrictEqual(after('books.update', { n: 2 }), [null, 2]);
});
