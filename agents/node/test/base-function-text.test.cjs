'use strict';
/** A function tells its original text, and `Function.prototype.toString` tells nothing of the agent. */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

/** What a program prints, with and without the agent. */
async function bothWays(files, main) {
  const printed = [];
  for (const agent of [false, true]) {
    const core = await FakeCore.start(files);
    try {
      core.run([main], { agent });
      const end = await core.exited;
      printed.push(
        (core.output.stdout + core.output.stderr + end.code)
          .replaceAll(core.folder, '/sut')
          .replace(/((?:app|lib)\.[cm]js:\d+):\d+/g, '$1'),
      );
    } finally {
      await core.stop();
    }
  }
  return printed;
}

const FUNCTIONS = `
function declared(a, b) { if (a === b) return 1; else throw new Error('x'); }
const arrow = (a) => a && !b;
const curried = a => b => a > b ? a : b;
const isAsync = async (err) => { await err; };
function empty() {}
function onlyNotes(err) {}
class Plain { static /* why */ make(x) { return x === 1; } static async *#hidden() { yield 1 < 2; } static hidden = Plain.#hidden;
  get size() { return this.a || 1; } set size(v) { this.a = v; } async ['com' + 'puted'](x) { return !x; } static { this.b = 1 === 1; } #p = () => 1 === 2; arrowOf() { return this.#p; } constructor() { this.x = 1; } }
class Derived extends Plain { go() { return super.size !== 2; } }
const object = { method(e) { e.a; }, get g() { return 1 == 1; }, async *[Symbol.iterator]() { yield 1; }, 'quoted key'(a) { return a; }, value: function named() { return 1; } };
const of = (owner, key) => { const d = Object.getOwnPropertyDescriptor(owner, key); return [d.get, d.set, d.value].filter((f) => typeof f === 'function'); };
const all = [declared, arrow, curried, curried(1), isAsync, empty, onlyNotes, Plain, Derived, new Plain().arrowOf(), Plain.hidden,
  ...[Plain.prototype, Plain, object].flatMap((owner) => Reflect.ownKeys(owner).flatMap((key) => of(owner, key))), (function () { return typeof x === 'y'; }).bind(null), new Function('a', 'return a === 1'), eval('(function (a) { return a === 1; })')];
for (const f of all) console.log(String(f), f.toString() === Function.prototype.toString.call(f), \`\${f}\`.length, f + '');
console.log(require_('util').inspect(all), require_('util').inspect([Plain, Derived, object]));
`;

test('every kind of function of a CommonJS file', async () => {
  const lib = `'use strict';const require_ = require;${FUNCTIONS}`;
  const [plain, seen] = await bothWays(
    { 'app.cjs': "require('./lib.cjs'); console.log(String(arguments.callee));", 'lib.cjs': lib },
    'app.cjs',
  );
  assert.strictEqual(seen, plain);
  assert.match(plain, /a === b/);
});

test('every kind of function of an ES module', async () => {
  const [plain, seen] = await bothWays(
    {
      'app.mjs': `import { createRequire } from 'node:module'; const require_ = createRequire(import.meta.url);${FUNCTIONS}`,
    },
    'app.mjs',
  );
  assert.strictEqual(seen, plain);
});

test('Function.prototype.toString itself', async () => {
  const look = `
const { toString } = Function.prototype;
console.log(toString.name, toString.length, Object.getOwnPropertyDescriptor(Function.prototype, 'toString'), Reflect.ownKeys(toString), Reflect.ownKeys(Function.prototype), String(toString), toString.toString());
for (const wrong of [() => toString.call({}), () => toString.call(1), () => new toString(), () => toString.call(new Proxy({}, {})), () => Function.prototype.toString.apply(null)]) {
  try { wrong(); } catch (error) { console.log(error.stack.split(/\\n.*Module._compile/)[0], error instanceof TypeError); }
}
console.log(toString.call(new Proxy(function () { return 1 === 1; }, {})), toString.call(class { m() { return 1 === 1; } }));
const Module = require('module');
for (const f of [process.emit, Module.prototype._compile, Module.register, Module.registerHooks, require('net').Server.prototype._listen2]) console.log(String(f), f && [f.name, f.length]);
console.log(new Function('/* $wmb */ return 1').toString());
`;
  const [plain, seen] = await bothWays({ 'app.cjs': look }, 'app.cjs');
  assert.strictEqual(seen, plain);
});

test('the handlers that finalhandler makes for each request, which the agent stands in for', async () => {
  const look = `
const finalhandler = require(${JSON.stringify(require.resolve('finalhandler'))});
for (const each of [finalhandler, finalhandler({}, {}), finalhandler({}, {})]) console.log(each.name, each.length, Reflect.ownKeys(each), String(each));
`;
  const [plain, seen] = await bothWays({ 'app.cjs': look }, 'app.cjs');
  assert.strictEqual(seen, plain);
  assert.match(plain, /getErrorStatusCode/);
});
