'use strict';
/** What schemas of Mongoose demand of the elements of lists: each version names the type in another place. */
const assert = require('node:assert');
const { describe, test } = require('node:test');

const { takeModels } = require('../src/databases/models/seen-models.cjs');
const { watchMongoose } = require('../src/databases/models/mongoose.cjs');

/** @param {Record<string, any>} paths */
function rulesOf(paths) {
  const model = { compile() {} };
  watchMongoose['lib/model.js'](model);
  /** @type {any} */ (model).compile('Flat', { paths }, 'flats');
  const [table] = takeModels();
  return Object.fromEntries(table.columns.map((one) => [one.column, one.rules]));
}

describe('schemas of Mongoose', () => {
  test('lists have elements of a type', () => {
    const list = { instance: 'Array', options: {}, validators: [] };
    const rules = rulesOf({
      tenants: { ...list, caster: { instance: 'ObjectId' } },
      tags: { ...list, $embeddedSchemaType: { instance: 'String' }, caster: { instance: 'String' } },
      days: { ...list, embeddedSchemaType: { instance: 'Date' } },
      notes: { ...list, caster: { instance: 'DocumentArrayElement' } },
      name: { instance: 'String', options: {}, validators: [] },
    });
    assert.deepEqual(rules, {
      tenants: { type: 'array', element: 'objectid' },
      tags: { type: 'array', element: 'text' },
      days: { type: 'array', element: 'timestamp' },
      notes: { type: 'array' },
      name: { type: 'text' },
    });
  });
});
