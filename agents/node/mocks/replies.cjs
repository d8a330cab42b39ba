'use strict';
/** Sends answers over HTTP/1.1 and HTTP/2, and fails on the connection where that is planned. */

/** Answered where no answer is planned. */
const DEFAULT_ANSWER = {
  status: 404,
  headers: /** @type {[string, string][]} */ ([['content-type', 'application/json']]),
  body: '{}',
};
/** How long a slow service takes. */
const SLOW_MS = 100;
const GRPC_TRAILERS = ['grpc-status', 'grpc-message', 'grpc-status-details-bin'];
const GRPC_WEB = 'application/grpc-web';
/** The first byte of the frame of gRPC-Web that holds trailers. */
const TRAILERS_FRAME = 0x80;
/** Headers that belong to one connection, which HTTP/2 does not have (RFC 9113 §8.2.2). */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
/** Statuses whose answers have no body (RFC 9110 §6.4.1). */
const isBodiless = (/** @type {number} */ status) => status === 204 || status === 304 || status < 200;

/**
 * @param {import('node:http').ServerResponse} response of Node's server for HTTP/1.1, or of that for HTTP/2
 * @param {import('./planned-answers.cjs').Answer | null} answer
 * @param {() => void} end ends the connection as the outcome says
 */
function reply(response, answer, end) {
  switch (answer?.outcome) {
    case 'reset':
    case 'closed':
      return end();
    case 'hang':
      return undefined;
    case 'truncated':
      return sendPart(response, answer);
    case 'slow':
      setTimeout(() => send(response, answer), SLOW_MS);
      return undefined;
    default:
      return send(response, answer ?? /** @type {any} */ (DEFAULT_ANSWER));
  }
}

/** @param {import('./planned-answers.cjs').Answer} answer @returns {Buffer} */
function bodyOf(answer) {
  const text = answer.body ?? (answer.chunks ?? []).join('');
  return Buffer.from(text, answer.body_encoding === 'base64' ? 'base64' : 'utf8');
}

/**
 * @param {any} response
 * @param {import('./planned-answers.cjs').Answer} answer
 */
function writeHead(response, answer) {
  const isHttp2 = response.stream !== undefined;
  response.statusCode = answer.status ?? 200;
  /** @type {Map<string, string[]>} */
  const headers = new Map();
  for (const [name, value] of answer.headers ?? []) {
    const key = name.toLowerCase();
    if (!(isHttp2 && OF_CONNECTION.has(key))) headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  for (const [name, values] of headers) {
    try {
      response.setHeader(name, values.length === 1 ? values[0] : values);
    } catch {
      // No valid header: a service could not send it either.
    }
  }
}

/**
 * @param {any} response
 * @param {import('./planned-answers.cjs').Answer} answer
 */
function send(response, answer) {
  if (response.destroyed || response.writableEnded) return;
  const body = bodyOf(answer);
  writeHead(response, answer);
  if (isBodiless(response.statusCode)) {
    response.end();
    return;
  }
  if (answer.chunks) {
    sendChunks(response, answer.chunks, answer.body_encoding === 'base64' ? 'base64' : 'utf8');
    return;
  }
  if (response.hasHeader('grpc-status') && sendGrpc(response, body)) return;
  if (!response.hasHeader('content-length') && !response.hasHeader('transfer-encoding')) {
    response.setHeader('content-length', body.length);
  }
  response.end(body);
}

/**
 * The status of a gRPC answer comes after its body, in trailers.
 * @param {any} response
 * @param {Buffer} body
 * @returns {boolean} false: gRPC has no answers over HTTP/1
 */
function sendGrpc(response, body) {
  const asked = String(response.req?.headers['content-type'] ?? '');
  if (asked.startsWith(GRPC_WEB)) {
    sendGrpcWeb(response, body, asked);
    return true;
  }
  if (!response.stream) return false;
  for (const name of GRPC_TRAILERS) {
    if (!response.hasHeader(name)) continue;
    response.setTrailer(name, response.getHeader(name));
    response.removeHeader(name);
  }
  response.end(body);
  return true;
}

/**
 * A browser's client of gRPC cannot read trailers, so they are the last frame of the body.
 * @param {any} response
 * @param {Buffer} messages
 * @param {string} type that the client sends, and gets
 */
function sendGrpcWeb(response, messages, type) {
  let text = '';
  for (const name of GRPC_TRAILERS) {
    if (response.hasHeader(name)) text += `${name}: ${response.getHeader(name)}\r\n`;
    response.removeHeader(name);
  }
  const trailers = Buffer.from(text);
  const head = Buffer.from([TRAILERS_FRAME, 0, 0, 0, 0]);
  head.writeUInt32BE(trailers.length, 1);
  const body = Buffer.concat([messages, head, trailers]);
  response.setHeader('content-type', type);
  response.end(type.startsWith(GRPC_WEB + '-text') ? body.toString('base64') : body);
}

/**
 * Sends each part in a write of its own, in turns of the event loop of their own.
 * @param {any} response
 * @param {string[]} chunks
 * @param {BufferEncoding} encoding
 */
function sendChunks(response, chunks, encoding) {
  let index = 0;
  const next = () => {
    if (response.destroyed) return;
    if (index === chunks.length) response.end();
    else response.write(Buffer.from(chunks[index++], encoding), () => setImmediate(next));
  };
  next();
}

/**
 * Announces the whole body, and sends half of it.
 * @param {any} response
 * @param {import('./planned-answers.cjs').Answer} answer
 */
function sendPart(response, answer) {
  const body = bodyOf(answer);
  writeHead(response, answer);
  response.setHeader('content-length', Math.max(body.length, 2));
  const end = () => setImmediate(() => (response.stream ? response.stream.close(2) : response.socket?.destroy()));
  if (body.length < 2) {
    response.flushHeaders();
    end();
  } else response.write(body.subarray(0, body.length >> 1), end);
}

module.exports = { DEFAULT_ANSWER, SLOW_MS, reply };
