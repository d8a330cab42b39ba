'use strict';
/** A process that was started ahead of its use: it waits before it listens or connects, and ends with the core. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn, execFileSync } = require('node:child_process');
const {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} = require('node:fs');
const net = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const PROGRAM = `
console.log('loaded');
const server = require('node:net').createServer().listen(0, () => console.log('listening'));
console.log(server.address() === null ? 'bound late' : 'bound');
setTimeout(() => process.exit(3), 50);
`;

/** Starts a program beside a gate that is closed. */
async function startHeld(t, program, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-gate-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, 's');
  const core = net.createServer((connection) => connection.resume().on('error', () => {}));
  await new Promise((resolve) => core.listen(socket, resolve));
  t.after(() => core.close());
  execFileSync('mkfifo', [`${socket}.gate`]);
  const gate = openSync(`${socket}.gate`, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn(process.execPath, ['-e', program], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--require ${join(__dirname, '..', 'register.cjs')}`,
      WIMBLE_SOCKET: socket,
      WIMBLE_ROOT: folder,
      ...variables,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  const told = { output: '' };
  child.stdout.on('data', (chunk) => (told.output += chunk));
  const ended = new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, output: told.output })),
  );
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { gate, path: `${socket}.gate`, ended, told };
}

/** The same, for a program that is held. */
async function startWaiting(t, program = PROGRAM, variables = {}) {
  const started = await startHeld(t, program, variables);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(started.told.output, 'loaded\n', 'it waits inside of the call');
  return started;
}

test('it goes on as if nothing had been once the gate is opened', async (t) => {
  const { gate, path, ended } = await startWaiting(t);
  writeSync(gate, Buffer.alloc(8));
  unlinkSync(path);
  closeSync(gate);
  assert.deepEqual(await ended, { code: 3, signal: null, output: 'loaded\nbound\nlistening\n' });
});

test('it ends where the core has ended', async (t) => {
  const { gate, ended } = await startWaiting(t);
  closeSync(gate);
  assert.deepEqual(await ended, { code: null, signal: 'SIGKILL', output: 'loaded\n' });
});

const CLIENT = `
const net = require('node:net');
setTimeout(() => console.log('gave up'), 300);
const socket = new net.Socket();
socket.setTimeout(300, () => console.log('silent'));
console.log('loaded');
const begun = Date.now();
socket.connect(Number(process.env.PORT), '127.0.0.1', () => {
  console.log('connected after ' + (Date.now() - begun >= 500));
  process.exit(3);
});
`;

test('it waits before it connects to a server, and its time-outs begin anew then', async (t) => {
  const { server, connections } = await listeningServer(t);
  const env = { PORT: String(server.address().port), WIMBLE_MOCKS: mocks(t) };
  const { gate, path, ended } = await startWaiting(t, CLIENT, env);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual(connections, [], 'nothing has connected');
  writeSync(gate, Buffer.alloc(8));
  unlinkSync(path);
  closeSync(gate);
  assert.deepEqual(await ended, { code: 3, signal: null, output: 'loaded\nconnected after true\n' });
});

const LOADER = `
require('node:net').createServer().listen(process.env.PIPE, () => {
  console.log('the program starts');
  process.exit(3);
});
`;

test('a loader of TypeScript, which starts the program in another process, is not held', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-tsx-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'node_modules', 'tsx');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"name":"tsx"}');
  writeFileSync(join(home, 'cli.cjs'), LOADER);
  const program = `console.log('loaded'); require(${JSON.stringify(join(home, 'cli.cjs'))})`;
  const { gate, ended } = await startHeld(t, program, { PIPE: join(folder, 'pipe') });
  t.after(() => closeSync(gate));
  assert.deepEqual(await ended, { code: 3, signal: null, output: 'loaded\nthe program starts\n' });
});

/** A server that notes who connects. */
async function listeningServer(t) {
  const connections = [];
  const server = net.createServer((socket) => connections.push(socket.on('error', () => {})));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of connections) socket.destroy();
  });
  return { server, connections };
}

/** What tells the agent of a mock server, without which connections are as they are. */
function mocks(t) {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-mocks-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return JSON.stringify({ port: 1, closed_port: 1, folder, own: [], allowed: [], included: [] });
}
