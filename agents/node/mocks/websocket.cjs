'use strict';
/** Opens WebSockets (RFC 6455) for which an answer with status 101 is planned, and sends what it has. */

const { createHash } = require('node:crypto');

const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x81;
const CLOSE = 0x88;

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:net').Socket} socket
 * @param {import('./planned-answers.cjs').Answer} answer its body, or each of its chunks, is one message
 */
function acceptWebSocket(request, socket, answer) {
  const key = request.headers['sec-websocket-key'] ?? '';
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${createHash('sha1')
      .update(key + KEY_SUFFIX)
      .digest('base64')}`,
  ];
  for (const [name, value] of answer.headers ?? []) {
    if (/^sec-websocket-protocol$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.write(lines.join('\r\n') + '\r\n\r\n');
  const messages = answer.chunks ?? (answer.body ? [answer.body] : []);
  for (const message of messages) socket.write(frame(TEXT, Buffer.from(message)));
  // The only message of a client that needs an answer is that it closes.
  socket.on('data', (bytes) => {
    if (bytes[0] === CLOSE) socket.end(frame(CLOSE, Buffer.alloc(0)));
  });
}

/**
 * @param {number} kind
 * @param {Buffer} content
 */
function frame(kind, content) {
  const { length } = content;
  const head = length < 126 ? Buffer.from([kind, length]) : Buffer.alloc(length < 65536 ? 4 : 10, kind);
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
