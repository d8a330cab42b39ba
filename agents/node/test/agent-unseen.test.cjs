'use strict';
/** The program under test can neither tell nor break the agent. */
const { test } = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { FakeCore } = require('./support/fake-core.cjs');

const SERVER = `
require('http').createServer((req, res) => {
  if (req.url === '/magic') { res.end('m'); return; }
  res.end('x');
}).listen(0);
`;

async function using(files, work) {
  const core = await FakeCore.start(files);
  try {
    await work(core);
  } finally {
    await core.stop();
  }
}

/** What a program prints and how it ends, with and without the agent. */
async function bothWays(files, args) {
  const seen = [];
  for (const agent of [false, true]) {
    await using(files, async (core) => {
      core.run(args, { agent });
      const end = await core.exited;
      // Columns are those of the rewritten text; of its hook the agent leaves V8 no name to show.
      const clean = (/** @type {string} */ text) =>
        text
          .replaceAll(core.folder, '/sut')
          .replaceAll(' [as _listen2]', '')
          .replace(/(app\.cjs:\d+):\d+/g, '$1');
      seen.push({ end, stdout: clean(core.output.stdout), stderr: clean(core.output.stderr) });
    });
  }
  return seen;
}

test('a program that patches the built-ins is measured all the same', async () => {
  const patches = `
const http = require('http');
const server = http.createServer((req, res) => {
  const url = req.url;
  if (url === '/magic' && url.startsWith('/m')) { res.end('m'); return; }
  if (/^\\/bo+m$/.test(url)) { const none = null; try { none.x; } catch (e) { res.statusCode = 500; } }
  res.end('x');
});
server.listen(0, () => {
  // What Node itself needs is watched for callers of the agent; the rest throws.
  const { apply } = Reflect;
  const { write } = require('fs');
  const ErrorHere = Error;
  const watched = (owner, name) => {
    const original = owner[name];
    owner[name] = function (...args) {
      const caller = new ErrorHere().stack.split('\\n')[2];
      if (caller.includes('/agents/node/')) write(2, name + ' was used by the agent: ' + caller, () => {});
      return apply(original, this, args);
    };
  };
  watched(Array.prototype, 'push');
  watched(String.prototype, 'charCodeAt');
  watched(RegExp.prototype, 'exec');
  const evil = function () { throw new ErrorHere('patched built-in was used'); };
  JSON.stringify = JSON.parse = evil;
  Object.prototype.toJSON = evil;
  require('fs').writeSync = require('fs').readSync = evil;
  for (const name of ['map', 'forEach', 'join', 'concat', 'splice', 'filter', 'sort']) Array.prototype[name] = evil;
  String.prototype.lastIndexOf = evil;
  Buffer.from = Buffer.concat = Buffer.alloc = evil;
  Math.abs = Math.min = Math.max = Number.isFinite = evil;
  Object.keys = Object.getPrototypeOf = Object.getOwnPropertyDescriptor = Reflect.apply = evil;
  globalThis.setImmediate = globalThis.setTimeout = evil;
  globalThis.Map = globalThis.WeakMap = globalThis.Uint8Array = globalThis.Float64Array = evil;
  Map.prototype.get = Map.prototype.set = WeakMap.prototype.get = evil;
  Object.prototype.hasOwnProperty = evil;
  Error.captureStackTrace = evil;
});
`;
  await using({ 'app.cjs': patches }, async (core) => {
    core.run(['app.cjs']);
    await core.listening();
    const { answers, h, result } = await core.evaluate(1, ['GET /magik', 'GET /boom', 'GET /magic']);
    assert.deepStrictEqual(
      answers.map((a) => a.status),
      [200, 500, 200],
    );
    assert.strictEqual(h['app.cjs:5 branch === true'], 1);
    assert.ok(result.hints.some((hint) => hint.left === '/magik' && hint.right === '/magic'));
    assert.strictEqual(result.causes[0].message, "TypeError: Cannot read properties of null (reading 'x')");
    assert.strictEqual(core.output.stderr, '');
  });
});

test('process.emit and EventEmitter.prototype.emit may be replaced', async () => {
  const text = `
const events = require('events');
const seen = [];
const emit = events.prototype.emit;
process.emit = function (type, ...rest) { return emit.call(this, type, ...rest); };
events.prototype.emit = function (type, ...rest) { if (this && this.constructor && this._pendingData !== undefined && typeof this.path === 'string' && this.path.endsWith('core.sock')) throw new Error('seen'); return emit.call(this, type, ...rest); };
${SERVER}`;
  await using({ 'app.cjs': text }, async (core) => {
    core.run(['app.cjs']);
    await core.listening();
    const { h } = await core.evaluate(1, ['GET /magic']);
    assert.ok(Object.values(h).includes(1));
    assert.strictEqual((await core.goAway()).signal, 'SIGTERM');
    assert.strictEqual(core.output.stderr, '');
  });
});

test('what a program can see of its process is as without the agent', async () => {
  const look = `
const net = require('net'), http = require('http');
const report = {
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  emit: [process.emit.name, process.emit.length, Object.hasOwn(process, 'emit')],
  handles: process._getActiveHandles().length,
  globals: Object.keys(globalThis), cache: Object.keys(require.cache).filter((f) => !f.includes('register.cjs') && !f.includes('/agents/node/')).length,
  listen2: [typeof net.Server.prototype._listen2, net.Server.prototype._listen2.name, Object.keys(net.Server.prototype).includes('_listen2')],
  main: require.main === module, argv: process.argv.slice(1), execArgv: process.execArgv,
};
console.log(JSON.stringify(report));
const failing = http.createServer().listen(0, () => {
  const second = http.createServer();
  second.on('error', (error) => { console.log(error.stack.replace(/:::\\d+|port: \\d+/g, 'PORT')); failing.close(); });
  second.listen(failing.address().port);
});
process.on('exit', (code) => console.log('exit', code, new Error('here').stack.includes('agents') ? '' : ''));
`;
  const [plain, seen] = await bothWays({ 'app.cjs': look }, ['app.cjs']);
  assert.deepStrictEqual(seen, plain);
});

test("require.cache shows the program's files alone, and may be emptied", async () => {
  const files = {
    'app.cjs': `const list = () => Object.keys(require.cache).map((name) => require('path').basename(name)).sort();
console.log(list());
require('./part.cjs');
try { require('./broken.cjs'); } catch (error) { console.log(error.name, String(list)); }
console.log(list());
for (const name of Object.keys(require.cache)) delete require.cache[name];
console.log(require('./part.cjs').x, list());
const worker = new (require('worker_threads').Worker)('./worker.cjs');
worker.on('message', (message) => console.log(message));`,
    'part.cjs': 'exports.x = 1 === 1; exports.f = (a) => a > 1;',
    'broken.cjs': 'const = 1',
    'worker.cjs':
      "require('./part.cjs'); require('worker_threads').parentPort.postMessage(Object.keys(require.cache).length);",
  };
  const [plain, seen] = await bothWays(files, ['app.cjs']);
  assert.deepStrictEqual(seen, plain);
  assert.match(plain.stdout, /'app.cjs', 'part.cjs'/);
});

test('rejections, exceptions and exits end as without the agent', async () => {
  for (const text of [
    "process.on('unhandledRejection', (r) => console.log('mine', r.message)); Promise.reject(new Error('r')); setTimeout(() => console.log('alive'), 20);",
    "process.on('uncaughtException', (e, origin) => console.log('mine', e.message, origin)); setTimeout(() => { throw new Error('u'); }, 1);",
    "process.on('exit', (c) => { console.log('exit', c, process.exitCode); process.exitCode = 9; });",
    "process.on('exit', () => { throw new Error('late'); }); process.on('uncaughtException', (e) => console.log(e.message));",
    "process.once('SIGTERM', () => { console.log('term'); process.exit(4); }); process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1000);",
    "setTimeout(() => console.log('done'), 5);",
    'process.exit(7);',
  ]) {
    const [plain, seen] = await bothWays({ 'app.cjs': text }, ['app.cjs']);
    assert.deepStrictEqual(seen, plain, text);
  }
});

test('a rejection that the program listens to is told', async () => {
  const text = `process.on('unhandledRejection', () => {}); require('http').createServer((req, res) => { Promise.reject(new Error('kept')); res.end('x'); }).listen(0);`;
  await using({ 'app.cjs': text }, async (core) => {
    core.run(['app.cjs']);
    await core.listening();
    await core.evaluate(1, ['GET /']);
    const crash = await core.until(() => core.peer.ofType('crash')[0], 'crash');
    assert.deepStrictEqual([crash.kind, crash.cause.message], ['unhandled-rejection', 'Error: kept']);
    assert.strictEqual(core.child.exitCode, null);
  });
});

test('a crash while starting sends the files loaded before it', async () => {
  await using({ 'app.cjs': "require('./lib.cjs'); null.x;", 'lib.cjs': 'exports.a = 1;' }, async (core) => {
    core.run(['app.cjs']);
    assert.strictEqual((await core.exited).code, 1);
    const crash = await core.until(() => core.peers[0]?.ofType('crash')[0], 'crash');
    assert.deepStrictEqual([crash.call, crash.cause.line, path.basename(crash.cause.file)], [null, 1, 'app.cjs']);
    assert.deepStrictEqual(
      core.peers[0]
        .ofType('file')
        .map((m) => path.basename(m.path))
        .sort(),
      ['app.cjs', 'lib.cjs'],
    );
  });
});

test('a program that exits once more while it exits has told its files', async () => {
  await using(
    {
      'app.cjs': "process.on('exit', (code) => process.exit(code)); require('./lib.cjs');",
      'lib.cjs': 'exports.a = 1;',
    },
    async (core) => {
      core.run(['app.cjs']);
      assert.strictEqual((await core.exited).code, 0);
      await core.until(() => (core.peers[0]?.ofType('file').length === 2 ? true : undefined), 'two files');
    },
  );
});

test('without a socket the agent does nothing; with a dead one, no harm', async () => {
  for (const env of [{ WIMBLE_SOCKET: '' }, { WIMBLE_SOCKET: '/nowhere/at/all.sock' }]) {
    await using({ 'app.cjs': "console.log('fine', (() => 1).toString());" }, async (core) => {
      core.run(['app.cjs'], { env });
      assert.deepStrictEqual(await core.exited, { code: 0, signal: null });
      assert.match(core.output.stdout, /^fine/);
      assert.strictEqual(core.output.stderr, '');
      assert.strictEqual(core.peers.length, 0);
    });
  }
});

test('workers run untouched and speak through nobody', async () => {
  const text = `
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) new Worker(__filename).on('message', (m) => console.log(m)).on('error', console.error);
else parentPort.postMessage('from worker ' + (1 === 1));
`;
  await using({ 'app.cjs': text }, async (core) => {
    core.run(['app.cjs']);
    assert.strictEqual((await core.exited).code, 0);
    assert.deepStrictEqual(core.output, { stdout: 'from worker true\n', stderr: '' });
    assert.strictEqual(core.peers.length, 1);
  });
});

test('cluster workers and other children each have an agent of their own', async () => {
  const text = `
const cluster = require('cluster');
if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else { ${SERVER} }
`;
  await using({ 'app.cjs': text }, async (core) => {
    core.run(['app.cjs']);
    // The primary listens for its workers, so it may say so too.
    const workers = () =>
      core.peers.filter((peer) => peer.messages.length > 0 && peer.messages[0].pid !== core.child.pid);
    await core.until(
      () => (workers().filter((peer) => peer.ofType('listening').length > 0).length === 2 ? true : undefined),
      'two workers',
    );
    assert.strictEqual(new Set(core.peers.map((peer) => peer.messages[0].pid)).size, 3);
    for (const peer of core.peers) if (peer.messages[0].pid !== core.child.pid) process.kill(peer.messages[0].pid);
  });
});

test('package managers are passive, their children are not', async () => {
  const files = {
    'node_modules/npm/bin/npm-cli.js': "require('child_process').execFileSync(process.execPath, ['app.cjs']);",
    'app.cjs': 'let a = 1;',
  };
  await using(files, async (core) => {
    core.run(['node_modules/npm/bin/npm-cli.js']);
    assert.strictEqual((await core.exited).code, 0);
    const hellos = core.peers.map((peer) => peer.messages[0]);
    assert.deepStrictEqual(
      hellos.map((m) => [path.basename(m.main), m.is_passive]),
      [
        ['npm-cli.js', true],
        ['app.cjs', false],
      ],
    );
    assert.strictEqual(core.peers[0].messages.length, 1);
  });
});
