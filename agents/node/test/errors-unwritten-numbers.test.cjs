'use strict';
/** Numbers and dates that JSON has no notation for are told with their place in the answer. */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const APP = `
const app = require('express')();
const mean = (numbers) => {
  const sum = numbers.reduce((all, one) => all + one, 0);
  return { mean: sum / numbers.length, count: numbers.length };
};
app.get('/divided', (req, res) => {
  const prices = [];
  res.json({ items: prices, average: 0 / prices.length });
});
app.get('/returned', (req, res) => {
  res.json({ prices: mean([]) });
});
app.get('/infinite', (req, res) => {
  const rows = [{ share: 1 / Number(req.query.of ?? 0) }];
  res.json(rows);
});
app.get('/date', (req, res) => {
  const due = new Date(req.query.on);
  res.json({ due });
});
app.get('/fine', (req, res) => {
  res.json({ ...mean([1, 2]), due: new Date(0), none: null, text: 'NaN' });
});
app.listen(0);
`;
const line = (/** @type {string} */ part) => APP.slice(0, APP.indexOf(part)).split('\n').length;

test('numbers and dates that become null in an answer', async () => {
  const core = await FakeCore.start({ 'app.cjs': APP });
  try {
    core.run(['app.cjs'], { env: { NODE_ENV: 'test' } });
    await core.listening();
    let seq = 0;
    /** @param {string} route @param {boolean} [full] */
    const mistakes = async (route, full = true) => {
      const { result } = await core.evaluate(++seq, [`GET ${route}`], { full });
      const cause = (result.causes ?? [])[0];
      return (cause?.mistakes ?? []).map((/** @type {any} */ one) => {
        assert.strictEqual(one.file, `${core.folder}/app.cjs`);
        assert.strictEqual(one.isNull, true);
        return [one.line, one.text.replace(/ was put into the answer, where JSON has `null`$/, ''), one.members];
      });
    };
    const divided = [[line('res.json({ items'), 'NaN', ['average']]];
    assert.deepStrictEqual(await mistakes('/divided', false), divided);
    assert.deepStrictEqual(await mistakes('/divided'), divided);
    assert.deepStrictEqual(await mistakes('/returned'), [
      [line('return { mean'), 'NaN', ['mean']],
      [line('res.json({ prices'), 'NaN', ['prices', 'mean']],
    ]);
    assert.deepStrictEqual(await mistakes('/infinite'), [[line('res.json(rows)'), 'Infinity', ['*', 'share']]]);
    assert.deepStrictEqual(await mistakes('/infinite?of=2'), []);
    assert.deepStrictEqual(await mistakes('/date?on=never'), [[line('res.json({ due'), 'an invalid date', ['due']]]);
    assert.deepStrictEqual(await mistakes('/date?on=2020-01-01'), []);
    assert.deepStrictEqual(await mistakes('/fine'), []);
  } finally {
    await core.stop();
  }
});
