'use strict';
/**
 * The process of the mock server: `node main.cjs LISTENER REQUESTS CERTIFICATES FOLDER`. The first three are open
 * descriptors: a listening TCP socket, and sockets to the core (protocol/mocks.md).
 *
 * It ends with the core, whose end closes the sockets.
 */

const { openSync, readSync } = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { Frames } = require('./frames.cjs');
const { MockServer } = require('./mock-server.cjs');

const [listener, requests, certificates] = process.argv.slice(2, 5).map(Number);
const folder = process.argv[5];

/**
 * Host and fault -> what waits for the certificate.
 * @type {Map<string, (pair: { key: string, cert: string }) => void>}
 */
const waiting = new Map();

/** @param {string} host @param {string | null} [fault] */
const askedFor = (host, fault) => `${host} ${fault ?? ''}`;

/** @param {number} fd @param {(message: any) => void} onMessage */
function connectTo(fd, onMessage) {
  const socket = new net.Socket({ fd, readable: true, writable: true });
  socket.on('error', () => process.exit(0));
  socket.on('close', () => process.exit(0));
  return new Frames(socket, onMessage);
}

const core = connectTo(requests, (message) => {
  if (message.type !== 'plan') return;
  server.plan(message.seq, message.answers, message.down);
  if (message.down?.length > 0) {
    server.closeConnections(message.down, () => core.send({ type: 'closed', seq: message.seq }));
  }
});
const authority = connectTo(certificates, (message) => {
  if (message.type !== 'certificate') return;
  const asked = askedFor(message.host, message.fault);
  waiting.get(asked)?.({ key: message.key, cert: message.cert });
  waiting.delete(asked);
});
/** Where the core writes which plan is the last one that it has sent. */
const lastPlan = openSync(path.join(folder, 'plan'), 'r');
const seq = Buffer.alloc(4);

/** A read that finds nothing throws, which takes a fifth of the time of a request, so it is not done in vain. */
function readPlan() {
  if (readSync(lastPlan, seq, 0, seq.length, 0) < seq.length || seq.readUInt32LE() !== server.seq) core.drain();
}

Error.stackTraceLimit = 0; // nobody reads the stacks of what `Frames.drain` throws
const server = new MockServer({
  folder,
  certificateFor: (host, fault) =>
    new Promise((resolve) => {
      waiting.set(askedFor(host, fault), resolve);
      authority.send({ type: 'certificate', host, fault });
    }),
  onRequest: (request) => core.send({ type: 'request', ...request }),
  onUnmockable: (connection) => core.send({ type: 'unmockable', ...connection }),
  beforeAnswer: readPlan,
});
server.listener.listen({ fd: listener });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {}); // the core ends it
process.on('uncaughtException', () => {}); // one connection must not end those of others
