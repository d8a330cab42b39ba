'use strict';
/**
 * Reads and answers the usual requests of HTTP/1.1 itself: a target on the server, a short body or none, headers as
 * RFC 9112 has them, and an answer that is sent whole. A request takes little more than half of the time that it takes
 * with Node's server, to which a connection goes over as soon as anything else comes.
 *
 * Law: what the client gets is, byte for byte, what Node's server sends.
 */

const { STATUS_CODES } = require('node:http');

const MAX_HEAD_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';
const REQUEST_LINE = /^([A-Z]{3,10}) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e]*?)[ \t]*$/;
/** They say that the request has another form, or that something else than an answer is to come. */
const OTHER_FORMS = new Set(['expect', 'transfer-encoding', 'upgrade', 'http2-settings', 'trailer']);
const KEPT = 'keep-alive';
/** Headers of an answer by which it is sent in another way. */
const OTHER_WAYS = /^(?:connection|content-length|date|grpc-status|keep-alive|trailer|transfer-encoding|upgrade)$/i;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * @typedef {object} PlainRequest as far as it is read of Node's
 * @property {string} method
 * @property {string} url
 * @property {string[]} rawHeaders
 * @property {Record<string, string>} headers
 * @property {import('node:net').Socket} socket
 */

/** @typedef {Partial<import('./planned-answers.cjs').Answer>} PlainAnswer */

/**
 * @typedef {object} Answering
 * @property {(request: PlainRequest) => PlainAnswer} next the answer that the request will get
 * @property {(request: PlainRequest, body: Buffer) => unknown} report that it gets it
 */

/**
 * Serves a connection as long as plain requests come.
 * @param {import('node:net').Socket} socket
 * @param {Answering} answering
 * @param {() => void} handOver to Node's server, which finds in the socket what is not answered
 */
function servePlainly(socket, answering, handOver) {
  /** What has arrived of the next request. */
  let rest = Buffer.alloc(0);
  const look = () => {
    const bytes = socket.read();
    if (bytes === null) return;
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const read = readRequest(rest, socket);
    if (read === 'more') return;
    const text = read === 'other' ? null : answerText(read.request, answering.next(read.request));
    if (read === 'other' || text === null) {
      socket.removeListener('readable', look);
      socket.unshift(rest);
      handOver();
      return;
    }
    rest = Buffer.alloc(0);
    answering.report(read.request, read.body);
    socket.write(text);
  };
  socket.on('readable', look);
  look();
}

/**
 * @param {Buffer} bytes
 * @param {import('node:net').Socket} socket
 * @returns {{ request: PlainRequest, body: Buffer } | 'more' | 'other'}
 */
function readRequest(bytes, socket) {
  const end = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
  if (end < 0) return bytes.length > MAX_HEAD_BYTES ? 'other' : 'more';
  const [line, ...headerLines] = bytes.toString('latin1', 0, end).split('\r\n');
  const first = REQUEST_LINE.exec(line);
  if (first === null) return 'other';
  /** @type {PlainRequest} */
  const request = { method: first[1], url: first[2], rawHeaders: [], headers: {}, socket };
  if (!headerLines.every((one) => addHeader(request, one)) || !('host' in request.headers)) return 'other';
  const length = request.headers['content-length'] ?? '0';
  if (!/^\d{1,5}$/.test(length) || Number(length) > MAX_BODY_BYTES) return 'other';
  const body = bytes.subarray(end + END_OF_HEAD.length);
  if (body.length < Number(length)) return 'more';
  return body.length > Number(length) ? 'other' : { request, body };
}

/**
 * @param {PlainRequest} request
 * @param {string} line
 * @returns {boolean} false: the request is no plain one
 */
function addHeader(request, line) {
  const header = HEADER.exec(line);
  if (header === null) return false;
  const [, shown, value] = header;
  const name = shown.toLowerCase();
  if (name === 'connection' ? value.toLowerCase() !== KEPT : OTHER_FORMS.has(name)) return false;
  if (name === 'content-length' && name in request.headers) return false;
  request.rawHeaders.push(shown, value);
  request.headers[name] = value;
  return true;
}

/**
 * @param {PlainRequest} request
 * @param {PlainAnswer} answer
 * @returns {Buffer | null} null: it is sent in another way
 */
function answerText(request, answer) {
  const headers = headerLines(answer.headers ?? []);
  if (headers === null || !isWhole(answer)) return null;
  const { status = 200 } = answer;
  const body = Buffer.from(answer.body ?? '', answer.body_encoding === 'base64' ? 'base64' : 'utf8');
  const head =
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${headers}` +
    `content-length: ${body.length}\r\nDate: ${date()}\r\nConnection: keep-alive\r\n\r\n`;
  const start = Buffer.from(head, 'latin1');
  return request.method === 'HEAD' || body.length === 0 ? start : Buffer.concat([start, body]);
}

/** @param {PlainAnswer} answer @returns {boolean} whether it has a body that is sent whole and at once */
function isWhole({ status = 200, outcome = 'answer', chunks = null }) {
  return outcome === 'answer' && chunks === null && status >= 200 && status !== 204 && status !== 304;
}

/** @param {[string, string][]} headers @returns {string | null} null: they say how the answer is sent */
function headerLines(headers) {
  const names = new Set();
  let lines = '';
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (names.has(key) || OTHER_WAYS.test(key) || !NAME.test(key) || !VALUE.test(value)) return null;
    names.add(key);
    lines += `${key}: ${value}\r\n`;
  }
  return lines;
}

let [second, text] = [0, ''];

/** @returns {string} as in the header `Date` */
function date() {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) [second, text] = [now, new Date(now * 1000).toUTCString()];
  return text;
}

module.exports = { answerText, readRequest, servePlainly };
