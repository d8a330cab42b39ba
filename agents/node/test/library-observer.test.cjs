'use strict';
/** What functions of a library do with recording objects, as the process before a run writes it down. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const AGENT = join(__dirname, '..');

/** @returns {{ shapes: Record<string, any[]>, results: Record<string, any[]>, prototypes: string[], changing: string[], later: string[],
 *   makers: any, abstract: string[] }}
 *   by operation */
function seenOf(t, text, examples = []) {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-observer-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);
  writeFileSync(at('lib.js'), text);
  writeFileSync(at('examples.json'), JSON.stringify(examples));
  const args = [join(AGENT, 'library-observer.cjs'), at('shapes.json'), 'lib', at('lib.js'), at('examples.json')];
  execFileSync(process.execPath, args, { env: { ...process.env, WIMBLE_AGENT: AGENT, NODE_OPTIONS: '' } });
  return JSON.parse(readFileSync(at('shapes.json'), 'utf8'));
}

const shapesOf = (t, text, examples) => seenOf(t, text, examples).shapes;

const METHOD = 'list(node) { return node.start + node.end } }; module.exports = { Renderer }';

test('methods of a class that takes options, and no text', (t) => {
  const made = 'class Renderer { constructor(options) { "use strict"; options = options || {}; options.soft = 1 }';
  const [node] = shapesOf(t, `${made} ${METHOD}`)['Renderer#list'];
  assert.deepEqual([node.kinds, Object.keys(node.members).sort()], [['object'], ['end', 'start']]);
});

test('an object without a prototype, and one that throws, end no look at the others', (t) => {
  const text = `
    class Table { bare() { return Object.create(null) } }
    exports.Table = Table;
    exports.bare = () => Object.create(null);
    exports.hostile = () => ({ get a() { throw new Error('no') }, [Symbol.toStringTag]: 'x', set b(_) {} });
    exports.last = (box) => box.left + 1;`;
  assert.deepEqual(Object.keys(shapesOf(t, text).last[0].members), ['left']);
  for (const name of ['Table#bare', 'bare', 'hostile', 'new Table']) assert.ok(name in shapesOf(t, text), name);
});

test('methods of a class that takes what its documentation shows', (t) => {
  const made = 'class Renderer { constructor(n) { if (n !== 42) throw new TypeError("no") }';
  const examples = [{ name: 'Renderer', is_new: true, arguments: [42] }];
  const [node] = shapesOf(t, `${made} ${METHOD}`, examples)['Renderer#list'];
  assert.deepEqual(node.kinds, ['object']);
  assert.equal(shapesOf(t, `${made} ${METHOD}`)['Renderer#list'][0].kinds.includes('object'), false);
});

test('methods of what a promise gives are those of the function that has returned it', (t) => {
  const open = 'exports.open = async () => { await null; return { read() {} } }; exports.never = async () => 1;';
  const { results } = seenOf(t, open);
  assert.deepEqual(Object.keys(results), ['open']);
  assert.equal(results.open[0].name, 'open()#read');
});

test('methods of what a method returns are told, if no exported class has them', (t) => {
  const { results, shapes } = seenOf(
    t,
    `
    class Cursor { constructor(items) { this.items = items } get size() { return 1 } move(by) { return by.rows + 1 } }
    class Row { cells() { return [] } }
    class Table {
      rows() { return new Cursor([]) }
      find(key) { return new Row() }
      plus(other) { return this }
    }
    exports.Table = Table;
    exports.Row = Row;
    exports.open = () => ({ at(n) { return { next() { return n } } }, again() { return exports.open() } });`,
  );
  const found = Object.entries(results).map(([name, methods]) => [name, methods.map((one) => one.name)]);
  assert.deepEqual(Object.fromEntries(found), {
    'Table#rows': ['Table#rows()#size', 'Table#rows()#move'],
    open: ['open()#at', 'open()#again'],
    'open()#at': ['open()#at()#next'],
  });
  assert.deepEqual(Object.keys(shapes['Table#rows()#move'][0].members), ['rows']);
});

test('methods of what methods return are not told without end', (t) => {
  const members = (/** @type {string} */ of) => Array.from({ length: 30 }, (_, at) => `${of}${at}() {}`).join();
  const methods = 'abcdefgh'.split('').map((one) => `${one}() { return { ${members(one)} } }`);
  const { results } = seenOf(t, `exports.Box = class { ${methods.join(' ')} };`);
  assert.deepEqual(Object.keys(results), ['Box#a', 'Box#b', 'Box#c', 'Box#d']);
});

test('the prototype of what a function returns may be exported, and is no object of its own', (t) => {
  const text = `
    module.exports = (n) => Object.assign(Object.create(module.exports.fn), { n });
    module.exports.fn = { format(text) { return text.trim() } };
    module.exports.help = { format() {} };`;
  const { prototypes, results, shapes } = seenOf(t, text);
  assert.deepEqual(shapes['lib()#format'], shapes['fn.format']);
  assert.deepEqual(prototypes, ['fn.format']);
  assert.deepEqual(
    results.lib.map(({ name }) => name),
    ['lib()#format'],
  );
});

test('methods that change their object are told', (t) => {
  const { changing, later } = seenOf(
    t,
    `class Queue {
      constructor() { this.items = []; this.map = new Map() }
      push(item) { this.items.push(item) }
      first() { return this.items[0] }
      set(key, value) { this.map.set(key, value) }
      async wait() {}
      fail() { this.failed = true; throw new Error('no') }
    }
    class Hidden extends Queue {
      #paused = false;
      pause() { this.#paused = true; this.touched = true }
    }
    module.exports = { Queue, Hidden }`,
  );
  assert.deepEqual(changing.sort(), ['Queue#fail', 'Queue#push', 'Queue#set']);
  assert.deepEqual(later, ['Queue#wait']);
});

test('members that are called are functions', (t) => {
  const text =
    'exports.walk = (options) => { options.enter(1); options.leave(2); if (options.deep) return options.deep.x }';
  const [{ members }] = shapesOf(t, text).walk;
  assert.deepEqual([members.enter.kinds, members.leave.kinds], [['function'], ['function']]);
  assert.equal(members.deep.kinds.includes('function'), false);
});

test('a call that does not return is stopped, and the others are observed', (t) => {
  const { shapes, changing } = seenOf(
    t,
    `class Box {
      spin(options) { options.first.second(); for (;;); }
      put(item) { this.item = item }
    }
    class Stuck {
      constructor(text) { while (text !== undefined); }
      read(options) { return options.depth.toFixed() }
    }
    module.exports = { Box, Stuck, last(text) { return text.trim() } }`,
  );
  assert.deepEqual(Object.keys(shapes['Box#spin'][0].members), ['first']);
  assert.deepEqual(changing, ['Box#put']);
  assert.deepEqual(Object.keys(shapes['Stuck#read'][0].members), ['depth']);
  assert.deepEqual(shapes.last[0].kinds, ['string']);
});

test('methods that a constructor gives each object, and those of what a function returns, are observed', (t) => {
  const text = `
    exports.Converter = function (options) {
      var options = options || {};
      this.size = 1;
      this.render = function (text, more) { return text.trim() + more.depth.toFixed() };
      this.clone = () => new exports.Converter(options);
    };
    exports.Converter.prototype.reset = function () { this.size = 0 };
    exports.store = (start) => { let all = start; return { put(item) { all = item.label.trim() } } };`;
  const { results, shapes } = seenOf(t, text);
  const [{ name, path, receiver }, clone] = results['new Converter'];
  assert.deepEqual(
    [name, path, clone.name, receiver[0].name],
    ['Converter#render', ['Converter'], 'Converter#clone', 'options'],
  );
  assert.deepEqual(shapes['Converter#render'][0].kinds, ['string']);
  assert.deepEqual(Object.keys(shapes['Converter#render'][1].members), ['depth']);
  assert.deepEqual(Object.keys(shapes['store()#put'][0].members), ['label']);
  assert.deepEqual(Object.keys(results), ['new Converter', 'store']);
});

test('what is written to a stream is text or bytes, whatever the library does with it later', (t) => {
  const text = `
    const { Transform } = require('node:stream');
    module.exports = () => new Transform({ objectMode: true, transform(data, _, done) { done(null, data.byteLength) } });`;
  const { results, shapes } = seenOf(t, text);
  assert.deepEqual(
    results.lib.map(({ name }) => name),
    ['lib()#end', 'lib()#[Symbol.asyncIterator]'],
  );
  assert.deepEqual(shapes['lib()#end'], [{ kinds: ['string', 'Buffer'] }]);
});

test('objects of a class that says that it is abstract come from those that extend it', (t) => {
  const text = `
    class Shape {
      constructor() { if (new.target === Shape) throw new TypeError('Cannot instantiate an abstract class') }
      area() { return this.width ** 2 }
    }
    class Square extends Shape { constructor(width) { super(); this.width = width } }
    class Options { constructor(given) { this.width = given.width } }
    module.exports = { Shape, Square, Options };`;
  const { makers, abstract } = seenOf(t, text);
  assert.deepEqual(makers, { Shape: ['new Square'] });
  assert.deepEqual(abstract, ['new Shape']);
});
