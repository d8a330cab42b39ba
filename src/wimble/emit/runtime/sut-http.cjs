'use strict';
/* Requests to the system under test (SUT), exactly as written, and its answers. */
const { createHash } = require('crypto');
const http = require('http');
const https = require('https');
const net = require('net');
const { isDeepStrictEqual } = require('util');
const zlib = require('zlib');

const READY_TIMEOUT_MS = 20_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends one request. headers: array of [name, value]. onBroken: called if it has no answer, or breaks off after it.
 * Rejects with an error whose `failure` is 'timeout', 'connection-lost' or 'malformed-response'.
 */
function send(base, { method, target, headers, bytes, onlyHead, timeoutMs, onBroken }) {
  return new Promise((resolve, reject) => {
    let incoming;
    const fail = (failure, message) => {
      onBroken();
      clearTimeout(timer);
      reject(Object.assign(new Error(`${method} ${target}: ${message}`), { failure }));
    };
    const client = base.protocol === 'https:' ? https : http;
    const call = client.request({
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      method,
      path: target,
      headers,
      agent: false,
      rejectUnauthorized: false, // test servers sign their own certificates
    });
    const timer = setTimeout(() => {
      fail('timeout', `no answer within ${timeoutMs} ms`);
      call.destroy();
    }, timeoutMs);
    call.on('error', (error) => {
      if (incoming?.complete) return; // bytes after the answer do not spoil it
      if (String(error.code).startsWith('HPE_')) fail('malformed-response', error.message);
      else fail('connection-lost', error.message);
    });
    call.on('response', (response) => {
      incoming = response;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      const answer = () => {
        clearTimeout(timer);
        resolve(toAnswer(response, Buffer.concat(chunks)));
      };
      response.on('error', (error) => (response.complete ? answer() : fail('connection-lost', error.message)));
      response.on('end', answer);
      if (onlyHead) {
        answer();
        call.destroy();
      }
    });
    call.end(bytes);
  });
}

const DECODERS = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: (body) => ((body[0] & 0x0f) === 8 ? zlib.inflateSync(body) : zlib.inflateRawSync(body)),
  br: zlib.brotliDecompressSync,
};

/** The body without its content codings; as it came, where it is not in the coding that it is said to be in. */
function decoded(body, codings = '') {
  try {
    for (const name of codings.toLowerCase().split(',').reverse()) if (DECODERS[name.trim()]) body = DECODERS[name.trim()](body);
  } catch {
    // as it came
  }
  return body;
}

function toAnswer(response, bytes) {
  const body = decoded(bytes, response.headers['content-encoding']);
  const text = body.toString('utf8');
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined; // not JSON: tests look at `text`
  }
  return { status: response.statusCode, headers: response.headers, body, text, json };
}

/** What a Location header names: its last path segment, decoded. */
function lastSegment(location) {
  return decodeURIComponent(location.split(/[?#]/)[0].replace(/\/+$/, '').split('/').pop());
}

/** The value that a response sets for a cookie; empty if it does not set it. */
function cookie(headers, name) {
  const start = `${name}=`;
  const pair = (headers['set-cookie'] || []).map((line) => line.split(';')[0].trim()).find((text) => text.startsWith(start));
  return pair === undefined ? '' : pair.slice(start.length);
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text of HTML with its character references decoded, as far as tokens have some. */
function unescaped(text) {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, digits) => String.fromCodePoint(parseInt(digits, 16)))
    .replace(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name]);
}

/** The value of an input, or of a `meta`, of an HTML page; empty if it has none of this name. */
function field(page, name) {
  for (const [tag] of page.matchAll(/<(?:input|meta)\b[^>]*>/gi)) {
    const found = {};
    for (const [, key, ...texts] of tag.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)) {
      found[key.toLowerCase()] = unescaped(texts.join(''));
    }
    if (found.name === name) return found.value ?? found.content ?? '';
  }
  return '';
}

/**
 * Whether an element of `list` equals `part`, or has all members of the object `part`; lists whose order nobody asked
 * for.
 */
function holds(list, part) {
  const isObject = typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length > 0;
  const isLike = (element) =>
    isObject && element ? Object.keys(part).every((key) => isDeepStrictEqual(element[key], part[key])) : isDeepStrictEqual(element, part);
  return list.some(isLike);
}

/** [headers, target] with credentials: headers replace those of the same name, cookies and query join them. */
function signed({ headers, cookies, query }, pairs, target) {
  const replaced = new Set(headers.map(([key]) => key.toLowerCase()));
  let out = [...pairs.filter(([key]) => !replaced.has(key.toLowerCase())), ...headers];
  if (cookies) {
    const own = out.filter(([key]) => key.toLowerCase() === 'cookie').map(([, value]) => value);
    out = out.filter(([key]) => key.toLowerCase() !== 'cookie');
    out.push(['Cookie', [...own, cookies].join('; ')]);
  }
  return [out, query ? target + (target.includes('?') ? '&' : '?') + query : target];
}

async function isServed(address, headers) {
  const { status } = await plainGet(address, headers);
  return status > 0 && status < 400;
}

/**
 * Waits for an answer with this status and type, and another body than the first moment brings; goes on without it
 * after a while.
 */
async function awaitAnswer(address, { target, status, type, unlike }, headers) {
  const end = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < end) {
    const seen = await plainGet(address + target, headers);
    if (seen.status === status && seen.type === type && seen.digest !== unlike) return;
    await sleep(20);
  }
}

/** Status (0: no answer), type and SHA-256 of the body. */
function plainGet(address, headers) {
  const { request: send } = new URL(address).protocol === 'https:' ? https : http;
  const none = { status: 0, type: '', digest: '' };
  return new Promise((resolve) => {
    const options = { agent: false, rejectUnauthorized: false, timeout: READY_TIMEOUT_MS, headers };
    const sent = send(address, options, (response) => {
      const hash = createHash('sha256');
      const type = (response.headers['content-type'] || '').split(';')[0].trim().toLowerCase();
      response.on('data', (chunk) => hash.update(chunk));
      response.on('close', () => resolve({ status: response.statusCode, type, digest: hash.digest('hex') }));
    });
    sent.on('error', () => resolve(none)).on('timeout', () => sent.destroy()).end();
  });
}

function isListening(address) {
  const { hostname, port, protocol } = new URL(address);
  return new Promise((resolve) => {
    const socket = net.connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: 1_000,
    });
    const answer = (isOpen) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', () => answer(true)).on('error', () => answer(false)).on('timeout', () => answer(false));
  });
}

/** False when something still listens after a moment (the SUT of the test before may need one to go away). */
async function isPortFree(address) {
  for (let n = 0; n < 20; n += 1) {
    if (!(await isListening(address))) return true;
    await sleep(100);
  }
  return false;
}

/** A port on which nothing listens. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.on('error', reject).listen(0, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

module.exports = { awaitAnswer, send, signed, lastSegment, cookie, field, freePort, holds, isListening, isPortFree, isServed, sleep };
