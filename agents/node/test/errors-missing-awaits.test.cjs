'use strict';
/** Promises that are used as values are told with their place, and those that are kept on purpose are not. */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const APP = `
const app = require('express')();
const find = async (id) => {
  await null;
  return { id, name: 'a', tags: ['x'] };
};
const count = async () => 3;
const cache = {};
app.get('/compared', (req, res) => {
  const n = count();
  if (n > 2) return res.json({});
  res.json({ isFew: true });
});
app.get('/added', (req, res) => {
  const taken = count();
  if (taken + 1 > 2) return res.status(409).json({});
  const named = 'n' + 1;
  res.json({ isLate: named > 2, isText: '[object Promise]' > 'a' });
});
const store = { has: async (id) => id === 'a', compare: async (a, b) => a === b };
app.get('/like-builtin', (req, res) => {
  if (store.has('b')) res.locals.isThere = true;
  if (!store.compare('a', 'b')) return res.status(403).json({});
  if (new Set(['a']).has('b')) res.locals.isSet = true;
  res.json({});
});
app.get('/equal', (req, res) => {
  res.json({ isThree: count() === 3 });
});
const isKnown = async (id) => id === 'a';
app.get('/condition', (req, res) => {
  if (req.query.id !== 'b' && isKnown(req.query.id)) return res.json({ known: true });
  res.json({ known: false });
});
app.get('/negated', (req, res) => {
  const thing = find(1);
  if (!thing) return res.status(404).json({});
  res.json({ name: thing.id });
});
const running = new Map();
app.get('/kept', async (req, res) => {
  const known = running.get('a');
  if (known) return res.json({ same: (await known).name });
  const started = find(1);
  if (started) running.set('a', started);
  const other = running.get('a');
  if (other) other.then(() => {});
  const maybe = (id) => (id === undefined ? false : find(id));
  for (const id of [undefined, 1]) if (maybe(id)) res.locals.some = true;
  for (const id of [undefined, 1]) if (maybe(id) === true) res.locals.one = true;
  if (await isKnown('a')) res.locals.isKnown = true;
  res.json({});
});
app.get('/is-true', (req, res) => {
  if (isKnown('b') === true) return res.status(409).json({});
  res.json({});
});
app.get('/read', (req, res) => {
  const thing = find(1);
  res.json({ first: thing.tags[0] });
});
app.get('/counted', (req, res) => {
  const things = find(1);
  if (things.length > 0) return res.status(409).json({});
  res.json({});
});
const query = () => ({ where: () => query(), then: (done) => done([]) });
app.get('/queried', (req, res) => {
  const rows = query().where();
  if (!rows[0]) return res.status(404).json({});
  res.json({});
});
const started = () => Object.assign(find(1), { pid: 3 });
app.get('/with-members', (req, res) => {
  const child = started();
  res.json({ isKnown: child.pid > 2, isDone: child.end === undefined });
});
app.get('/called', (req, res) => {
  const things = find(1);
  res.json(things.filter((one) => one));
});
app.get('/answer', (req, res) => res.json(find(1)));
app.get('/member', (req, res) => {
  res.json({ page: 1, data: { total: count(), items: [1, 2].map(async (n) => n) } });
});
app.get('/returned', async (req, res) => {
  const made = () => {
    return { total: count() };
  };
  res.json(made());
});
app.get('/text', (req, res) => {
  res.send('there are ' + count());
});
app.get('/thrown', async (req, res) => {
  throw new Error(\`no thing \${find(1)}\`);
});
app.get('/on-purpose', async (req, res) => {
  if (!cache.one) cache.one = find(1);
  const same = cache.one;
  if (same === cache.one && same !== undefined && same.then && same !== null) res.locals.same = same;
  const all = { total: count(), thing: same };
  const handlers = [(value) => value, async (value) => value];
  const results = handlers.map((one) => one(1));
  for (const one of results) if (one === false) return res.json({});
  const [total, thing] = await Promise.all([all.total, all.thing, ...results]);
  res.json({ total, thing, ok: (await count()) === 3 && (await same).name === 'a' });
});
app.listen(0);
`;
const line = (/** @type {string} */ part) => APP.slice(0, APP.indexOf(part)).split('\n').length;

test('promises that are used as values', async () => {
  const core = await FakeCore.start({ 'app.cjs': APP });
  try {
    core.run(['app.cjs'], { env: { NODE_ENV: 'test' } });
    await core.listening();
    let seq = 0;
    /** @param {string} route */
    const mistakes = async (route) => {
      const { result } = await core.evaluate(++seq, [`GET ${route}`], { full: true });
      return (result.causes[0].mistakes ?? []).map((/** @type {any} */ one) => {
        assert.strictEqual(one.file, `${core.folder}/app.cjs`);
        return [one.line, /\((.*)\): `await` is missing$/.exec(one.text)?.[1], one.members];
      });
    };
    const compared = 'compared with another value';
    assert.deepStrictEqual(await mistakes('/compared'), [[line('if (n > 2)'), compared, undefined]]);
    const added = 'added to a number or text, and compared';
    assert.deepStrictEqual(await mistakes('/added'), [[line('if (taken + 1'), added, undefined]]);
    const tested = 'tested for truth';
    assert.deepStrictEqual(await mistakes('/like-builtin'), [
      [line("if (store.has('b'))"), tested, undefined],
      [line('if (!store.compare'), tested, undefined],
    ]);
    assert.deepStrictEqual(await mistakes('/condition?id=a'), [[line("if (req.query.id !== 'b'"), tested, undefined]]);
    assert.deepStrictEqual((await mistakes('/negated'))[0], [line('if (!thing)'), tested, undefined]);
    assert.deepStrictEqual(await mistakes('/is-true'), [[line("if (isKnown('b') === true"), tested, undefined]]);
    assert.deepStrictEqual(await mistakes('/kept'), []);
    assert.deepStrictEqual(await mistakes('/kept'), []);
    assert.deepStrictEqual(await mistakes('/equal'), [[line('res.json({ isThree'), compared, undefined]]);
    assert.deepStrictEqual(await mistakes('/read'), [[line('res.json({ first'), 'asked for its "tags"', undefined]]);
    assert.deepStrictEqual(await mistakes('/counted'), [
      [line('if (things.length'), 'asked for its "length"', undefined],
    ]);
    assert.deepStrictEqual(await mistakes('/queried'), [[line('if (!rows[0])'), 'asked for its "0"', undefined]]);
    assert.deepStrictEqual((await core.evaluate(++seq, ['GET /counted'])).result.causes[0].mistakes[0].isFault, true);
    assert.deepStrictEqual(
      (await mistakes('/with-members')).filter((/** @type {any} */ one) => one[1].includes('pid')),
      [],
    );
    assert.deepStrictEqual(await mistakes('/called'), [
      [line('res.json(things.filter'), 'asked for its "filter"', undefined],
    ]);
    const sent = 'put into the answer';
    assert.deepStrictEqual(await mistakes('/answer'), [[line("app.get('/answer'"), sent, []]]);
    assert.deepStrictEqual(await mistakes('/member'), [
      [line('res.json({ page'), sent, ['data', 'total']],
      [line('res.json({ page'), sent, ['data', 'items', '*']],
    ]);
    assert.deepStrictEqual(await mistakes('/returned'), [
      [line('return { total'), sent, ['total']],
      [line('res.json(made())'), sent, ['total']],
    ]);
    assert.deepStrictEqual(await mistakes('/text'), [[line("res.send('there"), 'put into a text', undefined]]);
    const { result } = await core.evaluate(++seq, ['GET /returned']);
    assert.deepStrictEqual(
      result.causes[0].mistakes.map((/** @type {any} */ one) => [one.line, one.members, one.isFault]),
      [
        [line('return { total'), ['total'], undefined],
        [line('res.json(made())'), ['total'], true],
      ],
    );
    assert.deepStrictEqual(await mistakes('/thrown'), [[line('throw new Error'), 'put into a text', undefined]]);
    const onPurpose = await mistakes('/on-purpose');
    assert.deepStrictEqual(
      onPurpose.filter((/** @type {any} */ one) => one[2] === undefined),
      [],
    );
  } finally {
    await core.stop();
  }
});
