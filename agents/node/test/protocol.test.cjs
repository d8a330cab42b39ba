'use strict';
/** The golden messages of protocol/, from the agent's side: valid, produced and obeyed as written. */
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const Ajv = require('ajv/dist/2020').default;
const { FakeCore, request } = require('./support/fake-core.cjs');
const { RawJson, encode } = require('../src/base/json-text.cjs');
const { AGENT_VERSION, PROTOCOL } = require('../src/session/hello.cjs');
const { inShort } = require('./support/hints.cjs');

const PROTOCOL_FOLDER = path.join(__dirname, '..', '..', '..', 'protocol');
const SCHEMA = JSON.parse(fs.readFileSync(path.join(PROTOCOL_FOLDER, 'messages.schema.json'), 'utf8'));
const EXAMPLES = fs.readdirSync(path.join(PROTOCOL_FOLDER, 'examples')).map((name) => ({
  name,
  message: JSON.parse(fs.readFileSync(path.join(PROTOCOL_FOLDER, 'examples', name), 'utf8')),
}));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(SCHEMA);

function assertValid(message, name) {
  assert.ok(validate(message), `${name}: ${JSON.stringify(validate.errors)}`);
}

test('each golden message fits the schema, is named after its type, and each type has one', () => {
  for (const { name, message } of EXAMPLES) {
    assertValid(message, name);
    assert.ok(name === `${message.type}.json` || name.startsWith(`${message.type}-`), name);
  }
  for (const { $ref } of SCHEMA.oneOf) {
    const type = $ref.split('/').pop();
    assert.ok(
      EXAMPLES.some(({ message }) => message.type === type),
      type,
    );
  }
});

test('each kind of hint, and each kind of requirement of a schema, has a golden message', () => {
  const hints = EXAMPLES.flatMap(({ message }) => (message.type === 'result' ? message.hints : []));
  const kindsOf = (name) =>
    SCHEMA.$defs[name].oneOf.map(({ $ref }) => SCHEMA.$defs[$ref.split('/').pop()].properties.kind.const);
  assert.deepStrictEqual(new Set(hints.map(({ kind }) => kind)), new Set(kindsOf('hint')));
  const requirements = hints.flatMap(({ requirement }) => requirement ?? []);
  assert.deepStrictEqual(new Set(requirements.map(({ kind }) => kind)), new Set(kindsOf('requirement')));
});

test('the schema refuses what the protocol does not allow', () => {
  const result = EXAMPLES.find(({ name }) => name === 'result-hints-comparison.json').message;
  for (const broken of [
    { type: 'end' },
    { type: 'nothing' },
    { type: 'file', base: 0, path: '/a', hash: '', error: null, targets: [['nothing', 1, 0, '']] },
    { ...result, hints: [{ ...result.hints[0], left: { any: 'object' } }] },
    { ...result, hints: [{ ...result.hints[0], operator: '!==' }] },
    { ...result, hints: [{ ...result.hints[0], operator: undefined }] },
    { ...result, hints: [{ ...result.hints[0], kind: 'substring' }] },
    { ...EXAMPLES.find(({ name }) => name === 'crash-exit.json').message, exit_code: undefined },
  ]) {
    assert.ok(!validate(JSON.parse(JSON.stringify(broken))), JSON.stringify(broken));
  }
});

test('the agent writes JSON as it should be', () => {
  for (const { message } of EXAMPLES) assert.deepStrictEqual(JSON.parse(encode(message)), message);
  assert.strictEqual(encode([new RawJson('[1,2]'), NaN, undefined, '\ud800"']), '[[1,2],null,null,"\\ud800\\""]');
});

test('versions agree', () => {
  assert.strictEqual(AGENT_VERSION, require('../package.json').version);
  assert.strictEqual(
    PROTOCOL,
    SCHEMA.$defs.hello ? EXAMPLES.find(({ name }) => name === 'hello.json').message.protocol : 0,
  );
});

const APP = `
const http = require('http');
http.createServer((req, res) => {
  const url = new URL(req.url, 'http://x');
  const q = url.searchParams.get('q');
  let s = q === 'zebra' ? 1 : 2;
  if (q.startsWith('ab') || /^\\d+$/i.test(q) || ['red', 'green'].includes(q) || q.length > 40) s++;
  switch (q) { case 'one': s++; break; case 'two': s--; }
  if (q == 5) throw new TypeError('five');
  if (q === 'exit') process.exit(3);
  if (q === 'reject') Promise.reject(new RangeError('later'));
  if (q === 'slow') { setTimeout(() => res.end('late'), 50); return; }
  res.end(String(s));
}).listen(0, '127.0.0.1');
`;

async function running(work) {
  const core = await FakeCore.start({ 'app.cjs': APP });
  try {
    core.run(['app.cjs']);
    await core.listening();
    await work(core);
    for (const peer of core.peers) for (const message of peer.messages) assertValid(message, message.type);
  } finally {
    await core.stop();
  }
}

test('what a real agent says fits the schema: hints, ping, two frames at once', async () => {
  await running(async (core) => {
    const { result } = await core.evaluate(1, ['GET /?q=zabra', 'GET /?q=77']);
    assert.strictEqual(result.calls, 2);
    const operators = new Set(result.hints.map((hint) => inShort(hint).operator));
    for (const operator of ['===', 'startsWith', 'regex', '>', '==']) {
      assert.ok(operators.has(operator), operator);
    }
    core.peer.say(
      { type: 'ping', n: 7 },
      { type: 'welcome', protocol: 2 },
      { type: 'unheard-of' },
      { type: 'ping', n: 8 },
    );
    await core.until(() => core.peer.ofType('pong').find((message) => message.n === 8));
    const second = await core.evaluate(2, ['GET /?q=zebra']);
    assert.ok(Object.entries(second.h).some(([name, h]) => name.endsWith('=== true') && h === 1));
  });
});

test('the same calls give the same result, byte for byte', async () => {
  await running(async (core) => {
    const calls = ['GET /?q=zabra', 'GET /?q=two', 'GET /?q=abc'];
    await core.evaluate(1, calls);
    const one = await core.evaluate(2, calls);
    const two = await core.evaluate(3, calls);
    assert.strictEqual(JSON.stringify({ ...one.result, seq: 0 }), JSON.stringify({ ...two.result, seq: 0 }));
  });
});

test('an uncaught exception is told before the process dies', async () => {
  await running(async (core) => {
    core.evaluate(1, ['GET /?q=1', 'GET /?q=5']).catch(() => {});
    const crash = await core.until(() => core.peer.ofType('crash')[0], 'crash');
    assert.deepStrictEqual(
      [crash.kind, crash.call, crash.cause.message, crash.cause.line],
      ['uncaught-exception', 1, 'TypeError: five', 9],
    );
    assert.deepStrictEqual(await core.exited, { code: 1, signal: null });
    assert.strictEqual(core.peer.ofType('crash').length, 1, 'the exit is no second crash');
    assert.match(core.output.stderr, /TypeError: five/);
  });
});

test('an unhandled rejection too', async () => {
  await running(async (core) => {
    core.evaluate(1, ['GET /?q=reject']).catch(() => {});
    const crash = await core.until(() => core.peer.ofType('crash')[0], 'crash');
    assert.deepStrictEqual(
      [crash.kind, crash.call, crash.cause.message, crash.cause.line],
      ['unhandled-rejection', 0, 'RangeError: later', 11],
    );
    assert.strictEqual((await core.exited).code, 1);
  });
});

test('process.exit in a request is told with its place', async () => {
  await running(async (core) => {
    core.evaluate(1, ['GET /?q=exit']).catch(() => {});
    assert.strictEqual((await core.exited).code, 3);
    const crash = await core.until(() => core.peer.ofType('crash')[0], 'crash');
    assert.deepStrictEqual(
      [crash.kind, crash.call, crash.exit_code, crash.cause.message, crash.cause.line],
      ['exit', 0, 3, 'process.exit(3)', 10],
    );
  });
});

test('a trace names each statement as it is entered', async () => {
  await running(async (core) => {
    await core.evaluate(1, ['GET /?q=one'], { trace: true, full: true, hints: false });
    const lines = core.peer.ofType('trace').map((message) => message.line);
    for (const line of [4, 5, 6, 7, 8, 13]) assert.ok(lines.includes(line), `${line} of ${lines}`);
    assert.ok(core.peer.ofType('trace').every((message) => message.call === 0));
    const after = core.peer.ofType('trace').length;
    await core.evaluate(2, ['GET /?q=one']);
    assert.strictEqual(core.peer.ofType('trace').length, after);
  });
});

test('an evaluation that is timed names the statement that takes the time, and only then', async () => {
  const program = `const slow = (text) => {
  const found = short(text) + ' '.repeat(4000).replace(/\\s+$x/, '') + ' '.repeat(9000).replace(/\\s+$x/, '');
  return found;
};
function short(text) {
  return text.trim();
}
require('http').createServer((request, response) => {
  if (request.url) slow(request.url);
  response.end('ok');
}).listen(0, '127.0.0.1');
`;
  const core = await FakeCore.start({ 'app.cjs': program });
  try {
    core.run(['app.cjs']);
    await core.listening();
    const { result } = await core.evaluate(1, ['GET /?q=one'], { timed: true, hints: false });
    assert.match(result.slowest, /app\.cjs:2$/);
    assert.deepStrictEqual(core.peer.ofType('trace'), []);
    const after = await core.evaluate(2, ['GET /?q=one'], { trace: true });
    assert.strictEqual(after.result.slowest, undefined);
    assert.ok(core.peer.ofType('trace').length > 0, 'traces are reported as before');
  } finally {
    await core.stop();
  }
});

test('requests of others are not calls', async () => {
  await running(async (core) => {
    const before = await core.evaluate(1, ['GET /?q=x'], { port: 1 });
    assert.strictEqual(before.result.calls, 0);
  });
});

test('a second connection continues the count', async () => {
  await running(async (core) => {
    const first = await core.evaluate(1, ['GET /?q=x'], { next_call: 3 });
    const at = first.result.targets.filter((_, index) => index % 3 === 1);
    assert.ok(
      at.every((call) => call === 3),
      String(at),
    );
  });
});

test('calls that are sent at once have the numbers of their connections', async () => {
  await running(async (core) => {
    const connections = [0, 1].map(() => net.connect(core.port, '127.0.0.1'));
    await Promise.all(connections.map((one) => new Promise((resolve) => one.once('connect', resolve))));
    core.peer.say({
      type: 'begin',
      seq: 1,
      port: 1,
      covered: [],
      full: true,
      hints: false,
      trace: false,
      next_call: 0,
    });
    for (const [call, one] of connections.entries()) {
      core.peer.say({ type: 'connection', port: one.localPort, next_call: call });
    }
    await request(connections[1], 'GET /?q=ab'); // the second one comes first
    await request(connections[0], 'GET /?q=zebra');
    for (const one of connections) one.destroy();
    const { targets } = await core.end(1);
    const callOf = {};
    for (let at = 0; at < targets.length; at += 3) callOf[core.nameOf(targets[at])] = targets[at + 1];
    assert.equal(callOf['app.cjs:6 branch === true'], 0);
    assert.equal(callOf['app.cjs:7 method startsWith true'], 1);
  });
});

test('a program ends with its core, as its author wants it to', async () => {
  await running(async (core) => {
    assert.deepStrictEqual(await core.goAway(), { code: null, signal: 'SIGTERM' });
    assert.strictEqual(core.output.stderr, '');
  });
});

for (const [what, onTerm, end] of [
  ['shuts down in an orderly way', "console.log('bye'); process.exit(7);", { code: 7, signal: null }],
  ['goes on after SIGTERM', "console.log('bye');", { code: null, signal: 'SIGKILL' }],
]) {
  test(`a program that ${what} ends with its core`, async () => {
    const core = await FakeCore.start({
      'app.cjs': `process.on('SIGTERM', () => { ${onTerm} });\nrequire('http').createServer().listen(0);\n`,
    });
    try {
      core.run(['app.cjs']);
      await core.listening();
      assert.deepStrictEqual(await core.goAway(), end);
      assert.strictEqual(core.output.stdout, 'bye\n', 'it is asked once');
    } finally {
      await core.stop();
    }
  });
}

test('a program whose core was never there runs as it would without us', async () => {
  const core = await FakeCore.start({ 'app.cjs': "setTimeout(() => console.log('done'), 50);\n" });
  try {
    core.run(['app.cjs'], { env: { WIMBLE_SOCKET: path.join(core.folder, 'nobody') } });
    assert.deepStrictEqual(await core.closed, { code: 0, signal: null });
    assert.strictEqual(core.output.stdout, 'done\n');
  } finally {
    await core.stop();
  }
});
