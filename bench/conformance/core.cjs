'use strict';
/** A core that asks for nothing but work: it takes in what agents say, and tells them what is covered already. */

const net = require('node:net');

const HEADER_BYTES = 4;
/** For processes that the tests have left behind, which keep their sockets open. */
const LAST_WORDS_MS = 2000;

/** @param {object} message */
function frame(message) {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}

class Core {
  /**
   * @param {string} socketPath
   * @param {boolean} isAllCovered false: agents hear that nothing is covered and that hints are wanted, so each probe
   *   does all it can do; true: that every target of every file is covered, so each probe takes its short way out
   */
  constructor(socketPath, isAllCovered) {
    this.socketPath = socketPath;
    this.isAllCovered = isAllCovered;
    this.nAgents = 0;
    /** @type {Map<string, string | null>} file -> why it could not be instrumented; null: it was */
    this.files = new Map();
    this.sockets = new Set();
    this.server = net.createServer((socket) => this.accept(socket));
  }

  listen() {
    return new Promise((resolve) => this.server.listen(this.socketPath, () => resolve(this)));
  }

  /** @param {net.Socket} socket */
  accept(socket) {
    this.nAgents += 1;
    this.sockets.add(socket);
    this.begin(socket, 1, []);
    let seq = 1;
    let unread = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes]);
      /** @type {number[]} */
      const targets = [];
      while (unread.length >= HEADER_BYTES && unread.length >= HEADER_BYTES + unread.readUInt32LE(0)) {
        const end = HEADER_BYTES + unread.readUInt32LE(0);
        this.receive(JSON.parse(unread.toString('utf8', HEADER_BYTES, end)), targets);
        unread = unread.subarray(end);
      }
      if (targets.length > 0) this.begin(socket, (seq += 1), targets);
    });
  }

  /**
   * @param {any} message
   * @param {number[]} targets grows by the file's global ids
   */
  receive(message, targets) {
    if (message.type !== 'file') return;
    if (message.error !== null || !this.files.has(message.path)) this.files.set(message.path, message.error);
    for (let index = 0; this.isAllCovered && index < message.targets.length; index += 1) targets.push(message.base + index);
  }

  /**
   * @param {net.Socket} socket
   * @param {number} seq
   * @param {number[]} covered
   */
  begin(socket, seq, covered) {
    socket.write(frame({ type: 'begin', seq, port: 0, covered, full: false, hints: true, trace: false, next_call: 0 }));
  }

  /** Takes no more agents, and hears those out that have spoken. */
  stop() {
    const timer = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), LAST_WORDS_MS);
    return new Promise((resolve) => this.server.close(resolve)).finally(() => clearTimeout(timer));
  }
}

module.exports = { Core };
