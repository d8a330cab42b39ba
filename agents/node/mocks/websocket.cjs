'use strict';
/** Opens WebSockets (RFC 6455) for which an answer with status 101 is planned, and sends what it has. */

const { createHash } = require('node:crypto');

const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** Kinds of frames: the lower half of their first byte (RFC 6455, 5.2). */
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];
/** Set in the first byte of the last frame of a message. */
const FINAL = 0x80;
const CONTROL = 8;
/** Longer messages of a client end the connection. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** The end of a connection after which nothing is wrong (RFC 6455, 7.4.1). */
const NORMAL_END = Buffer.from([0x03, 0xe8]);

/** @typedef {import('./planned-answers.cjs').Answer} Answer */

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:net').Socket} socket
 * @param {Answer} answer its body, or each of its chunks, is one message; all are sent at once, or each after a message
 *   of the client. With `connection: close`, the connection ends after them.
 */
function acceptWebSocket(request, socket, answer) {
  const headers = new Map((answer.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]));
  socket.write(`${accepting(request, headers).join('\r\n')}\r\n\r\n`);
  const messages = [...(answer.chunks ?? (answer.body ? [answer.body] : []))];
  const sendNext = () => {
    const message = messages.shift();
    if (message !== undefined) socket.write(frame(TEXT, Buffer.from(message)));
    if (messages.length === 0 && headers.get('connection') === 'close') socket.write(frame(CLOSE, NORMAL_END));
  };
  readFrames(socket, (kind, content) => {
    if (kind === CLOSE) socket.end(frame(CLOSE, content.subarray(0, 2)));
    else if (kind === PING) socket.write(frame(PONG, content));
    else if (kind < CONTROL && answer.is_reply) sendNext();
  });
  if (answer.is_reply) return;
  do sendNext();
  while (messages.length > 0);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {Map<string, string>} headers of the answer
 * @returns {string[]} the lines that open the WebSocket; of several protocols that the client knows, with the first one
 */
function accepting(request, headers) {
  const key = request.headers['sec-websocket-key'] ?? '';
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${createHash('sha1')
      .update(key + KEY_SUFFIX)
      .digest('base64')}`,
  ];
  const asked = request.headers['sec-websocket-protocol']?.split(',')[0].trim();
  const protocol = headers.get('sec-websocket-protocol') ?? asked;
  if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  return lines;
}

/**
 * Calls back for each frame of a client; for a message in several frames, with the last one.
 * @param {import('node:net').Socket} socket
 * @param {(kind: number, content: Buffer) => void} onFrame
 */
function readFrames(socket, onFrame) {
  let rest = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let one = frameIn(rest); one !== null; one = frameIn(rest)) {
      rest = rest.subarray(one.length);
      if (one.isFinal) onFrame(one.kind, one.content);
    }
    if (rest.length > MAX_FRAME_BYTES) socket.destroy();
  });
}

/**
 * The frame with which the bytes begin; its content is masked.
 * @param {Buffer} bytes
 * @returns {{ kind: number, isFinal: boolean, content: Buffer, length: number } | null} null: some of it is missing
 */
function frameIn(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 0x7f;
  const extra = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (bytes.length < 2 + extra) return null;
  const size = extra === 8 ? Number(bytes.readBigUInt64BE(2)) : extra === 2 ? bytes.readUInt16BE(2) : short;
  const maskBytes = bytes[1] & 0x80 ? 4 : 0;
  const start = 2 + extra + maskBytes;
  if (bytes.length < start + size) return null;
  const mask = bytes.subarray(start - maskBytes, start);
  const content = Buffer.from(bytes.subarray(start, start + size));
  if (maskBytes > 0) for (let at = 0; at < size; at++) content[at] ^= mask[at % 4];
  return { kind: bytes[0] & 0x0f, isFinal: (bytes[0] & FINAL) !== 0, content, length: start + size };
}

/**
 * @param {number} kind
 * @param {Buffer} content
 */
function frame(kind, content) {
  const { length } = content;
  const first = FINAL | kind;
  const head = length < 126 ? Buffer.from([first, length]) : Buffer.alloc(length < 65536 ? 4 : 10, first);
  if (length >= 65536) {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  } else if (length >= 126) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  }
  return Buffer.concat([head, content]);
}

module.exports = { acceptWebSocket };
