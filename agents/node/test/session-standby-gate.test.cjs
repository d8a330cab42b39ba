'use strict';
/** A process that was started ahead of its use: it waits before it listens, and ends with the core. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn, execFileSync } = require('node:child_process');
const { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } = require('node:fs');
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
async function startWaiting(t) {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-gate-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, 's');
  const core = net.createServer((connection) => connection.resume().on('error', () => {}));
  await new Promise((resolve) => core.listen(socket, resolve));
  t.after(() => core.close());
  execFileSync('mkfifo', [`${socket}.gate`]);
  const gate = openSync(`${socket}.gate`, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--require ${join(__dirname, '..', 'register.cjs')}`,
      WIMBLE_SOCKET: socket,
      WIMBLE_ROOT: folder,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, output })));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(output, 'loaded\n', 'it waits inside of the call');
  return { gate, path: `${socket}.gate`, ended };
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
