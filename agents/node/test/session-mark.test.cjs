'use strict';
/** What the core has written is read before a call if its mark says so, without waiting for the event loop. */
const { after, test } = require('node:test');
const assert = require('node:assert');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { setImmediate } = require('node:timers/promises');
const { Channel } = require('../src/session/channel.cjs');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'session-mark-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

function number(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A channel, what it has received, and how a core writes to it at once. */
async function connected(name, { hasMark }) {
  const socketPath = path.join(folder, name);
  const server = net.createServer().listen(socketPath);
  await once(server, 'listening');
  if (hasMark) fs.writeFileSync(`${socketPath}.mark`, number(0));
  const received = [];
  const channel = new Channel(socketPath, (message) => received.push(message.n));
  const [core] = await once(server, 'connection');
  while (!channel.isConnected) await setImmediate();
  after(() => {
    channel.isConnected = false; // else the end of its core would end this process
    core.destroy();
    server.close();
    channel.close();
  });
  const write = (n) => {
    const text = Buffer.from(JSON.stringify({ n }));
    fs.writeSync(core._handle.fd, Buffer.concat([number(text.length), text]));
  };
  const mark = (value) => fs.writeFileSync(`${socketPath}.mark`, number(value), { flag: 'r+' });
  return { channel, received, write, mark };
}

test('what was written before the mark is read at once, anything else in its time', async () => {
  const { channel, received, write, mark } = await connected('a', { hasMark: true });
  assert.strictEqual(channel.readsMark, true);
  write(1);
  channel.drainIfMarked();
  assert.deepStrictEqual(received, []);
  mark(7);
  channel.drainIfMarked();
  assert.deepStrictEqual(received, [1]);
  write(2);
  channel.drainIfMarked();
  assert.deepStrictEqual(received, [1]);
});

test('a program that closes descriptors which are not its own gets its messages', async () => {
  const { channel, received, write } = await connected('b', { hasMark: true });
  fs.closeSync(channel.markFile);
  write(1);
  channel.drainIfMarked();
  assert.deepStrictEqual(received, [1]);
});

test('without a mark nothing is promised', async () => {
  const { channel } = await connected('c', { hasMark: false });
  assert.strictEqual(channel.readsMark, false);
  channel.drainIfMarked();
});
