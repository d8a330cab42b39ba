'use strict';
/**
 * The agent's own connection to the core: length-prefixed JSON frames over a Unix socket (protocol/README.md).
 *
 * Law: it never throws, never prints, never keeps the process alive, and ends the process when the core has ended
 * (core-end.cjs). All writes use `writeSync` on the non-blocking descriptor, both ordinary ones and those of a process
 * that ends, so their order is kept.
 */

const {
  atomicsWait,
  bufferAlloc,
  bufferConcat,
  bufferFrom,
  bufferSubarray,
  bufferToString,
  connect,
  dateNow,
  defineProperty,
  eventEmit,
  parseJson,
  openSync,
  readSync,
  readUInt32LE,
  reflectApply,
  setTimeout,
  sleepCell,
  writeSync,
  writeUInt32LE,
} = require('../base/intrinsics.cjs');
const { encode } = require('../base/json-text.cjs');
const { endWithCore } = require('./core-end.cjs');

const HEADER_BYTES = 4;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Corked frames are sent from this size on, so that the core can parse them while the SUT continues to load. */
const CORK_BYTES = 256 * 1024;
/** If the core leaves more than this unread, it counts as ended, to limit the memory taken from the SUT. */
const MAX_BACKLOG_BYTES = 256 * 1024 * 1024;
/**
 * How long an ending process waits until the core reads. The core always reads, so this limit matters only if the core
 * hangs.
 */
const LAST_WORDS_MS = 2000;
const RETRY_MS = 2;
const READ_BYTES = 64 * 1024;
const MARK_SUFFIX = '.mark';
const MARK_BYTES = 4;

class Channel {
  /**
   * @param {string} socketPath
   * @param {(message: any) => void} onMessage called once per message, in order, on the main thread
   */
  constructor(socketPath, onMessage) {
    this.onMessage = onMessage;
    this.isClosed = false;
    /** Whether the core has been there and has not ended. A program without a core runs as it would without us. */
    this.isConnected = false;
    /** @type {Buffer[]} */
    this.backlog = [];
    this.backlogBytes = 0;
    this.isRetryPlanned = false;
    /** @type {Buffer | null} */
    this.unread = null;
    this.drainBuffer = bufferAlloc(READ_BYTES);
    /** Descriptor of the file with the core's mark; -1: it cannot be read. */
    this.markFile = openMark(socketPath);
    this.markBuffer = bufferAlloc(MARK_BYTES);
    /** The last mark up to which all messages were read. */
    this.mark = 0;
    this.socket = this.open(socketPath);
    /** @type {{ fd: number } | null} */
    this.handle = /** @type {any} */ (this.socket)._handle;
  }

  /**
   * Opens the socket. For a Unix socket the connection is complete when `connect` returns, so the descriptor can be
   * written at once.
   * @param {string} socketPath
   */
  open(socketPath) {
    const socket = connect({
      path: socketPath,
      // Bytes are passed directly to this callback, without 'data' events that a patched emitter could observe.
      onread: {
        buffer: bufferAlloc(READ_BYTES),
        callback: (count, buffer) => {
          this.receive(bufferFrom(bufferSubarray(/** @type {any} */ (buffer), 0, count)));
          return true;
        },
      },
    });
    const close = () => {
      this.close();
      if (this.isConnected) endWithCore();
      this.isConnected = false;
    };
    socket.on('connect', () => (this.isConnected = true));
    socket.on('error', close);
    socket.on('end', close);
    socket.on('close', close);
    // A patched EventEmitter.prototype.emit of the SUT must not see this socket.
    defineProperty(socket, 'emit', {
      value: (/** @type {any[]} */ ...args) => reflectApply(/** @type {any} */ (eventEmit), socket, args),
    });
    socket.unref();
    return socket;
  }

  /** Whether the core's mark can be read. */
  get readsMark() {
    return this.markFile >= 0;
  }

  close() {
    this.isClosed = true;
    this.backlog = [];
    this.backlogBytes = 0;
  }

  /** Returns the descriptor, or -1 as soon as libuv has closed it: its number may then belong to a file of the SUT. */
  descriptor() {
    return this.isClosed || this.handle === null ? -1 : this.handle.fd;
  }

  /**
   * Sends as much as the socket accepts; the rest is sent later.
   * @param {object} message
   */
  send(message) {
    this.cork(message);
    this.flush();
  }

  /**
   * Queues a message until the next one is sent, or until the queue reaches CORK_BYTES.
   * @param {object} message
   */
  cork(message) {
    if (this.isClosed) return;
    const frame = toFrame(encode(message));
    this.backlog[this.backlog.length] = frame;
    this.backlogBytes += frame.length;
    if (this.backlogBytes > MAX_BACKLOG_BYTES) this.close();
    else if (this.backlogBytes > CORK_BYTES) this.flush();
  }

  /**
   * Sends synchronously, together with all queued messages; gives up after `LAST_WORDS_MS`.
   * @param {object} message
   */
  sendNow(message) {
    this.cork(message);
    this.flushNow();
  }

  flushNow() {
    const deadline = dateNow() + LAST_WORDS_MS;
    while (!this.writeBacklog() && dateNow() < deadline) atomicsWait(sleepCell, 0, 0, 1);
  }

  flush() {
    if (this.writeBacklog() || this.isRetryPlanned) return;
    this.isRetryPlanned = true;
    const timer = setTimeout(() => {
      this.isRetryPlanned = false;
      this.flush();
    }, RETRY_MS);
    timer.unref();
  }

  /** @returns {boolean} whether nothing is left to write */
  writeBacklog() {
    if (this.backlog.length === 0) return true;
    const fd = this.descriptor();
    if (fd < 0) {
      this.close();
      return true;
    }
    const bytes = this.backlog.length === 1 ? this.backlog[0] : bufferConcat(this.backlog);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'EAGAIN') {
        this.close();
        return true;
      }
    }
    this.backlogBytes = bytes.length - written;
    this.backlog = this.backlogBytes === 0 ? [] : [bufferSubarray(bytes, written)];
    return this.backlogBytes === 0;
  }

  /**
   * Reads and handles the messages that the core has already written, if its mark says that there are some. To read the
   * mark takes a small part of the time of a read that finds nothing.
   */
  drainIfMarked() {
    if (this.markFile < 0) return;
    try {
      const count = readSync(this.markFile, this.markBuffer, 0, MARK_BYTES, 0);
      if (count === MARK_BYTES && readUInt32LE(this.markBuffer, 0) === this.mark) return;
    } catch {
      // The program has closed it: what there is to read has to be looked for.
    }
    this.drain();
    this.mark = readUInt32LE(this.markBuffer, 0);
  }

  /** Reads and handles the messages that the core has already written, without waiting for the event loop. */
  drain() {
    try {
      for (let fd = this.descriptor(); fd >= 0; fd = this.descriptor()) {
        const count = readSync(fd, this.drainBuffer, 0, READ_BYTES, null);
        if (count === 0) return; // end of stream: libuv will report it
        this.receive(bufferFrom(bufferSubarray(this.drainBuffer, 0, count)));
      }
    } catch {
      // EAGAIN: there is nothing more to read. Other errors reach the socket's own listeners.
    }
  }

  /** @param {Buffer} bytes a copy that is not changed any more */
  receive(bytes) {
    try {
      let rest = this.unread === null ? bytes : bufferConcat([this.unread, bytes]);
      while (rest.length >= HEADER_BYTES) {
        const length = readUInt32LE(rest, 0);
        if (length > MAX_FRAME_BYTES) return this.close();
        if (rest.length < HEADER_BYTES + length) break;
        const text = bufferToString(rest, 'utf8', HEADER_BYTES, HEADER_BYTES + length);
        rest = bufferSubarray(rest, HEADER_BYTES + length);
        this.unread = rest; // before the call, which may drain the socket and re-enter this method
        this.onMessage(parseJson(text));
        rest = this.unread === null ? bufferAlloc(0) : this.unread;
      }
      this.unread = rest.length === 0 ? null : rest;
    } catch {
      this.close(); // not the protocol
    }
  }
}

/**
 * @param {string} text
 * @returns {Buffer}
 */
function toFrame(text) {
  const body = bufferFrom(text, 'utf8');
  const header = bufferAlloc(HEADER_BYTES);
  writeUInt32LE(header, body.length, 0);
  return bufferConcat([header, body], HEADER_BYTES + body.length);
}

/** @param {string} socketPath */
function openMark(socketPath) {
  try {
    return openSync(socketPath + MARK_SUFFIX, 'r');
  } catch {
    return -1; // Node's permission model
  }
}

module.exports = { Channel };
