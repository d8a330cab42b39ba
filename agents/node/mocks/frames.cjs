'use strict';
/** Messages over a socket: 4 bytes length (unsigned, little-endian), then that many bytes of JSON. */

const { readSync, writeSync } = require('node:fs');

const READ_BYTES = 256 * 1024;
const HEADER_BYTES = 4;
/** How many milliseconds a write waits for a core that does not read. */
const MAX_WAITS = 1000;
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
const cell = new Int32Array(new SharedArrayBuffer(4));

class Frames {
  /**
   * @param {import('node:net').Socket} socket with a descriptor of its own, which is read and written directly
   * @param {(message: any) => void} onMessage
   */
  constructor(socket, onMessage) {
    this.fd = /** @type {any} */ (socket)._handle.fd;
    this.onMessage = onMessage;
    /** What has arrived of the next message. @type {Buffer} */
    this.rest = Buffer.alloc(0);
    /** What could not be written yet. @type {Buffer} */
    this.unsent = Buffer.alloc(0);
    this.buffer = Buffer.alloc(READ_BYTES);
    this.isOpen = true;
    socket.on('data', (bytes) => this.receive(bytes));
    socket.on('close', () => (this.isOpen = false));
  }

  /** Handles what has arrived by now, without waiting for the event loop. */
  drain() {
    try {
      while (this.isOpen) {
        const count = readSync(this.fd, this.buffer, 0, READ_BYTES, null);
        if (count === 0) return;
        this.receive(Buffer.from(this.buffer.subarray(0, count)));
      }
    } catch {
      // EAGAIN: nothing more has arrived. The socket itself reports its end.
    }
  }

  /** @param {Buffer} bytes */
  receive(bytes) {
    if (this.unsent.length > 0) this.flush();
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    while (this.rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + this.rest.readUInt32LE(0);
      if (this.rest.length < end) return;
      const text = this.rest.toString('utf8', HEADER_BYTES, end);
      this.rest = this.rest.subarray(end);
      this.onMessage(JSON.parse(text));
    }
  }

  /**
   * Returns when the message is in the socket, so that the core finds it there once the SUT has answered. If the core
   * does not read for long, the rest is sent before the next message; what is too much then is dropped as a whole.
   * @param {object} message
   */
  send(message) {
    const body = Buffer.from(JSON.stringify(message));
    if (this.unsent.length > MAX_UNSENT_BYTES) return;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(body.length, 0);
    this.unsent = Buffer.concat([this.unsent, header, body]);
    this.flush();
  }

  /** Writes what is unsent, and waits for a core that does not read. */
  flush() {
    for (let waits = 0; this.unsent.length > 0 && this.isOpen && waits < MAX_WAITS;) {
      try {
        this.unsent = this.unsent.subarray(writeSync(this.fd, this.unsent));
      } catch (error) {
        if (/** @type {any} */ (error).code !== 'EAGAIN') return;
        waits++;
        Atomics.wait(cell, 0, 0, 1);
      }
    }
  }
}

module.exports = { Frames };
