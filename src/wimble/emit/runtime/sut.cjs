'use strict';
/*
 * Starts the system under test (SUT) for the tests beside this file, talks to it, and stops it.
 *
 * Fresh state: every test starts with a freshly started SUT, unless only GET, HEAD, OPTIONS and TRACE calls were sent (and
 * answered) since its last start, for then nothing can have changed. Tests that ask for a shared start (`fresh({ isShared: true })`)
 * get a fresh one only where others than such tests ran since the last: they do the same whatever of them ran before, or the SUT starts
 * slowly, and they belong in their order: where each test of a file shares its start, run whole files. All were verified under this same rule.
 *
 * WIMBLE_BASE_URL=http://host:port   runs the tests against a server that is running already; nothing is started or stopped.
 *
 * Calls made as a user take passwords and keys from environment variables; users log in after each start of the SUT.
 *
 * The SUT runs in a process group of its own below a small guard (this same file, run as a program). The guard holds a
 * pipe to the test process: when the tests end, are interrupted or are killed, the pipe closes and the guard stops the
 * whole group. So npm, shells and workers are stopped too, and nothing is left behind. Where the SUT ends by itself, the
 * guard says so by closing ENDED and waits: files are put back only after the pipe has closed, for until then the tests
 * may have them open.
 */
const { spawn } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const https = require('https');
const net = require('net');
const os = require('os');
const path = require('path');
const { isDeepStrictEqual } = require('util');
const zlib = require('zlib');

// <settings>
const COMMAND = [];
const WORKING_DIR = path.resolve(__dirname, '.');
const BASE_URL = 'http://127.0.0.1:3000';
const IS_PORT_FIXED = true;
const PORT_VARIABLES = {}; // what the SUT's environment says about its port, as it was verified; null: nothing
const READY_PATHS = []; // are there once the SUT is ready; none: it is when it listens
const HEADERS = []; // [name, value] of headers that every request has
const RESET = ''; // a command, URL or path on the SUT that brings back the first state; empty: none
const DATA_FILES = []; // that the SUT writes: put back whenever it was stopped
const USERS = []; // `${NAME}` is an environment variable, `{token}` what the login brings
const HAS_MOCKS = false; // of other services that the SUT calls: mocks.cjs
const KEYS = {}; // of tokens: where their secret is, an environment variable or a place in a file of the SUT
// </settings>

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 2_000; // from SIGTERM to SIGKILL
const CALL_TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 16_384; // characters of the SUT's output that are kept for messages
const ENDED = 3; // the guard's file descriptor that is open while the SUT runs
const READ_ONLY = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const givenUrl = process.env.WIMBLE_BASE_URL || (COMMAND.length === 0 ? BASE_URL : '');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const mocks = HAS_MOCKS && !givenUrl ? require('./mocks.cjs') : null;

let url = givenUrl || BASE_URL;
let running = null; // { guard, output, exited, hasStopped }
let mayHaveChanged = false;
let isReset = false; // by RESET, since the last start
let hasBrokenOff = false; // did not answer, or is gone
let isDisturbed = false; // by a test with a start of its own, since the last start
const sessions = new Map(); // user's name -> { token, cookies }, since the last start

/**
 * A SUT in its initial state, but for what tests on a shared start left: starts it, or starts it again where a call may have changed more.
 * whenStopped: called before a start, and before RESET: both may write.
 */
async function fresh({ isShared = false, whenStopped = () => {} } = {}) {
  if (mocks) mocks.pause();
  const isFresh = !mayHaveChanged || (isShared && !isDisturbed);
  const isUp = givenUrl || (running && !running.hasStopped && !hasBrokenOff && isFresh);
  if (!isUp) {
    await stopProcesses();
    await whenStopped();
    await start();
  }
  isDisturbed = isDisturbed || !isShared;
  if (RESET && (mayHaveChanged || !isReset)) {
    await whenStopped();
    await reset();
  }
  await logInAll();
  if (mocks) mocks.begin();
}

/** Runs RESET; users log in again after it. */
async function reset() {
  sessions.clear();
  if (/^(https?:\/)?\//.test(RESET)) {
    const { origin, pathname, search } = new URL(RESET, url);
    const { status } = await request('POST', pathname + search, { at: origin, timeoutMs: START_TIMEOUT_MS });
    if (status < 200 || status > 299) throw new Error(`The reset by POST ${RESET} was answered with ${status}.`);
  } else {
    await runReset();
  }
  isReset = true;
  mayHaveChanged = false;
}

function runReset() {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, WIMBLE_BASE_URL: url };
    const command = spawn(RESET, { cwd: WORKING_DIR, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [command.stdout, command.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-MAX_OUTPUT)));
    command.on('error', reject);
    command.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`The reset by '${RESET}' ended with code ${code}:\n${output}`))));
  });
}

/** Stops the SUT with all its processes. */
async function stop() {
  await stopProcesses();
  releaseLock();
}

/**
 * Sends one request exactly as written: no path is normalised, no redirect followed, no header added but Host,
 * Connection, Content-Length, Accept where none is given, and Content-Type for `json`.
 *
 * headers: object, or array of [name, value] where a name comes twice. body: string or Buffer. json: any JSON value.
 * user: the name of one of USERS, whose credentials are added. onlyHead: the body, which may have no end, is not read.
 * Rejects with an error whose `failure` is 'timeout', 'connection-lost' or 'malformed-response'.
 */
function request(method, target, { headers = [], body, json, user, onlyHead = false, timeoutMs = CALL_TIMEOUT_MS, at = url } = {}) {
  if (!READ_ONLY.has(method)) mayHaveChanged = true;
  const base = new URL(at);
  let pairs = Array.isArray(headers) ? [...headers] : Object.entries(headers);
  if (user !== undefined) [pairs, target] = signed(credentialsOf(user), pairs, target);
  let bytes = body === undefined ? null : Buffer.from(body);
  if (json !== undefined) {
    bytes = Buffer.from(JSON.stringify(json));
    if (!pairs.some(([name]) => name.toLowerCase() === 'content-type')) pairs.push(['Content-Type', 'application/json']);
  }
  if (!pairs.some(([name]) => name.toLowerCase() === 'accept')) pairs.unshift(['Accept', '*/*']);
  const host = HEADERS.some(([name]) => name === 'Host') ? [] : [['Host', base.host]];
  const sent = [...host, ...HEADERS, ['Connection', 'close'], ...pairs];
  if (bytes !== null || !['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'CONNECT'].includes(method)) {
    sent.push(['Content-Length', String(bytes ? bytes.length : 0)]);
  }
  return new Promise((resolve, reject) => {
    let incoming;
    const fail = (failure, message) => {
      hasBrokenOff = true; // a SUT that broke off is not fresh any more
      clearTimeout(timer);
      reject(Object.assign(new Error(`${method} ${target}: ${message}`), { failure }));
    };
    const client = base.protocol === 'https:' ? https : http;
    const call = client.request({
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      method,
      path: target,
      headers: sent,
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
        try {
          if (mocks) mocks.check();
          resolve(toAnswer(response, Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
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

/** A JWT with these claims, signed with a secret of the SUT, which is read where the SUT reads it. */
function jwt(key, claims) {
  const { algorithm, variable, place } = KEYS[key];
  const secret = (variable && process.env[variable]) || (place && textAt(place));
  if (!secret) throw new Error(`set ${variable || 'the environment variable of the secret'}: the system under test signs its tokens with it`);
  const text = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${text({ alg: algorithm, typ: 'JWT' })}.${text(claims)}`;
  return `${signed}.${crypto.createHmac(`sha${algorithm.slice(2)}`, secret).update(signed).digest('base64url')}`;
}

/** The text that stands in a file of the system under test after `before`; '' if the file has changed. */
function textAt({ file, before, index }) {
  try {
    const lines = fs.readFileSync(path.join(WORKING_DIR, file), 'utf8').split(/\r?\n/);
    const line = lines.filter((one) => one.includes(before))[index];
    const rest = line.slice(line.indexOf(before) + before.length).trim();
    return /^["'`]/.test(rest) ? rest.slice(1, rest.indexOf(rest[0], 1)) : rest;
  } catch {
    return '';
  }
}

/** Whether an element of `list` equals `part`, or has all members of the object `part`; lists whose order nobody asked for. */
function holds(list, part) {
  const isObject = typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length > 0;
  const isLike = (element) =>
    isObject && element ? Object.keys(part).every((key) => isDeepStrictEqual(element[key], part[key])) : isDeepStrictEqual(element, part);
  return list.some(isLike);
}

/** SuperAgent plugin: tells this file which calls are sent, and adds HEADERS. */
function track(call) {
  if (!READ_ONLY.has(call.method)) mayHaveChanged = true;
  for (const [name, value] of HEADERS) call.set(name, value);
  if (url.startsWith('https:') && call.disableTLSCerts) call.disableTLSCerts(); // test servers sign their own certificates
}

/** Whether the SUT has died, or does so within `withinMs`. */
async function isGone(withinMs = 3_000) {
  const end = Date.now() + withinMs;
  do {
    if ((running && running.hasStopped) || !(await isListening(url))) {
      hasBrokenOff = true;
      return true;
    }
    await sleep(50);
  } while (Date.now() < end);
  return false;
}

// ---- users

/** A value with environment variables filled in. */
function filled(template, name) {
  return template.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, variable) => {
    if (process.env[variable]) return process.env[variable];
    throw new Error(`Set the environment variable ${variable}: user '${name}' needs it.`);
  });
}

function filledAll(value, name) {
  if (typeof value === 'string') return filled(value, name);
  if (Array.isArray(value)) return value.map((item) => filledAll(item, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledAll(item, name)]));
}

const basic = ([name, password]) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

async function logInAll() {
  for (const { name } of USERS) if (!sessions.has(name)) await login(name);
}

/** Logs a user in, again if need be; answers the headers, cookies and query that its calls are sent with. */
async function login(name) {
  const user = USERS.find((one) => one.name === name);
  if (!user) throw new Error(`There is no user '${name}'.`);
  const session = { token: '', cookies: [] };
  if (user.login) {
    const recipe = filledAll(user.login, name);
    const [mayHave, hasBroken] = [mayHaveChanged, hasBrokenOff];
    const answer = await sendLogin(recipe);
    [mayHaveChanged, hasBrokenOff] = [mayHave, hasBroken];
    if (answer.status >= 400) throw new Error(`The login of user '${name}' was answered with ${answer.status}.`);
    if (recipe.cookies) session.cookies = (answer.headers['set-cookie'] || []).map((line) => line.split(';')[0].trim());
    else if (recipe.token_header) session.token = answer.headers[recipe.token_header];
    else session.token = atPointer(answer.json, recipe.token);
    if (!recipe.cookies && !session.token) throw new Error(`The login of user '${name}' brought no token.`);
  }
  sessions.set(name, session);
  return credentialsOf(name);
}

function sendLogin({ method = 'POST', url: address, headers = [], json, form, body, basic: client }) {
  const isWhole = /^https?:/.test(address);
  const { origin, pathname, search } = isWhole ? new URL(address) : { origin: url, pathname: address, search: '' };
  const options = { headers: [...headers], at: origin };
  if (client) options.headers.push(['Authorization', basic(client)]);
  if (json) options.json = json;
  if (body) options.body = body;
  if (form) {
    options.body = new URLSearchParams(form).toString();
    options.headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  }
  return request(method, pathname + search, options);
}

function atPointer(value, pointer) {
  for (const step of pointer.split('/').slice(1)) {
    value = value === null || value === undefined ? undefined : value[step.replace(/~1/g, '/').replace(/~0/g, '~')];
  }
  return value === undefined || value === null ? '' : String(value);
}

function credentialsOf(name) {
  const user = USERS.find((one) => one.name === name);
  const { token, cookies } = sessions.get(name) || { token: '', cookies: [] };
  const withToken = (pairs = []) =>
    pairs
      .filter(([, value]) => token || !value.includes('{token}'))
      .map(([key, value]) => [key, filled(value, name).replaceAll('{token}', () => token)]);
  const headers = withToken(user.headers);
  if (user.basic) headers.push(['Authorization', basic(filledAll(user.basic, name))]);
  return {
    headers,
    cookies: [...withToken(user.cookies).map((pair) => pair.join('=')), ...cookies].join('; '),
    query: withToken(user.query).map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
  };
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

/** SuperAgent plugin: makes a call one of that user. */
function as(name) {
  return (call) => {
    const { headers, cookies, query } = credentialsOf(name);
    for (const [key, value] of headers) call.set(key, value);
    if (cookies) call.set('Cookie', [call.get('Cookie'), cookies].filter(Boolean).join('; '));
    if (query) call.query(query);
  };
}

// ---- starting and stopping

async function start() {
  await takeLock();
  if (IS_PORT_FIXED && !(await isPortFree(BASE_URL))) {
    throw new Error(`${BASE_URL} is taken by something else: stop it, or set WIMBLE_BASE_URL=${BASE_URL} to test it.`);
  }
  if (mocks) await mocks.listen();
  const files = contentsOfFiles();
  const portFile = path.join(os.tmpdir(), `wimble-port-${process.pid}-${Date.now()}`);
  const guard = spawn(process.execPath, [__filename, ...COMMAND], {
    cwd: WORKING_DIR,
    env: sutEnvironment(portFile),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const sut = { guard, output: '', hasStopped: false, files };
  const keep = (chunk) => (sut.output = (sut.output + chunk).slice(-MAX_OUTPUT));
  guard.stdout.on('data', keep);
  guard.stderr.on('data', keep);
  guard.stdin.on('error', () => {}); // the guard is gone already
  const ended = guard.stdio[ENDED].resume().on('close', () => (sut.hasStopped = true));
  sut.exited = new Promise((resolve) => guard.on('close', resolve).on('error', resolve));
  // None of these may keep a test process alive whose tests are over.
  for (const handle of [guard, guard.stdin, guard.stdout, guard.stderr, ended]) handle.unref();
  running = sut;
  sessions.clear();
  mayHaveChanged = hasBrokenOff = isReset = isDisturbed = false;
  try {
    await waitUntilListening(sut, portFile);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    fs.rmSync(portFile, { force: true });
  }
}

async function waitUntilListening(sut, portFile) {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (!IS_PORT_FIXED) url = urlOfPort(portFile);
    if (url && (await isReady(url)) && !sut.hasStopped) return;
    if (sut.hasStopped || Date.now() > end) {
      const what = sut.hasStopped ? 'ended before it listened' : `did not listen within ${START_TIMEOUT_MS / 1000} s`;
      await stopProcesses(); // its last output has arrived then
      throw new Error(`The SUT ${what}. Its last output:\n${sut.output.trim().split('\n').slice(-20).join('\n') || '(it printed nothing)'}`);
    }
    await sleep(20);
  }
}

async function stopProcesses() {
  if (!running) return;
  const sut = running;
  running = null;
  sut.guard.ref();
  sut.guard.stdin.end();
  const late = setTimeout(() => killGroup(sut.guard.pid, 'SIGKILL'), STOP_TIMEOUT_MS + 1_000);
  await sut.exited;
  clearTimeout(late);
  putBack(sut.files);
}

/** [file, content] of DATA_FILES; null for one that is not there. */
function contentsOfFiles() {
  return DATA_FILES.map((name) => {
    const file = path.join(WORKING_DIR, name);
    return [file, fs.existsSync(file) ? fs.readFileSync(file) : null];
  });
}

function putBack(files) {
  for (const [file, content] of files) {
    if (content === null) {
      fs.rmSync(file, { force: true });
    } else if (!fs.existsSync(file) || !fs.readFileSync(file).equals(content)) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
    }
  }
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // gone already
  }
}

const VITEST_ADDS = { NODE_ENV: 'test', TEST: 'true', MODE: 'test', DEV: '1', PROD: '', SSR: '1', BASE_URL: '/', FORCE_TTY: '' };

/** The environment of this process, without what test runners put into it. */
function sutEnvironment(portFile) {
  const env = { ...process.env };
  if (env.JEST_WORKER_ID && env.NODE_ENV === 'test') delete env.NODE_ENV;
  if (env.VITEST) {
    for (const [name, value] of Object.entries(VITEST_ADDS)) if (env[name] === value) delete env[name];
    for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name];
  }
  for (const name of ['JEST_WORKER_ID', 'NODE_TEST_CONTEXT']) delete env[name];
  for (const [name, value] of Object.entries(PORT_VARIABLES)) {
    if (value === null) delete env[name];
    else env[name] = value;
  }
  if (!IS_PORT_FIXED) {
    env.WIMBLE_PORT_FILE = portFile;
    env.NODE_OPTIONS = `${env.NODE_OPTIONS || ''} --require ${JSON.stringify(path.join(__dirname, 'report-port.cjs'))}`;
  }
  return mocks ? { ...env, ...mocks.variables(env) } : env;
}

/** The SUT's address, as its first listening server told report-port.cjs; '' as long as none listens. */
function urlOfPort(portFile) {
  const text = fs.existsSync(portFile) ? fs.readFileSync(portFile, 'utf8') : '';
  const { protocol, hostname } = new URL(BASE_URL);
  return text.endsWith('\n') ? `${protocol}//${hostname}:${text.trim()}` : '';
}

async function isReady(address) {
  if (!(await isListening(address))) return false;
  for (const target of READY_PATHS) if (!(await isServed(address + target))) return false;
  return true;
}

function isServed(address) {
  const { request: send } = new URL(address).protocol === 'https:' ? https : http;
  return new Promise((resolve) => {
    const options = { agent: false, rejectUnauthorized: false, timeout: CALL_TIMEOUT_MS, headers: Object.fromEntries(HEADERS) };
    const sent = send(address, options, (response) => {
      response.resume().on('close', () => resolve(response.statusCode < 400));
    });
    sent.on('error', () => resolve(false)).on('timeout', () => sent.destroy()).end();
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

// ---- one test file at a time: test runners start several in parallel, but there is one port

const LOCK_FILE = path.join(os.tmpdir(), `wimble-lock-${Buffer.from(__dirname).toString('base64url').slice(-60)}`);
let hasLock = false;

async function takeLock() {
  while (!hasLock) {
    try {
      fs.writeFileSync(LOCK_FILE, String(process.pid), { flag: 'wx' });
      hasLock = true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isLockStale()) await sleep(50);
      else if (!isRemoved(LOCK_FILE)) return; // what another user's tests left, which were killed
    }
  }
}

function isRemoved(file) {
  try {
    fs.rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** A lock whose owner is dead, or this very process: it runs its test files one after another. */
function isLockStale() {
  try {
    const owner = parseInt(fs.readFileSync(LOCK_FILE, 'utf8'), 10);
    if (owner) return owner === process.pid || !isAlive(owner);
    return Date.now() - fs.statSync(LOCK_FILE).mtimeMs > 5_000; // empty: just being written, unless it stays so
  } catch {
    return false; // just released
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function releaseLock() {
  if (hasLock) fs.rmSync(LOCK_FILE, { force: true });
  hasLock = false;
}

process.on('exit', releaseLock);

// ---- the guard

/** Runs `command` in this process group until standard input closes; then stops the group, at the latest by SIGKILL. */
function guard([program, ...args]) {
  const group = process.pid; // spawned detached, so it leads a group of its own
  const files = contentsOfFiles(); // put back here too, for the tests may be gone
  const endGroup = () => {
    putBack(files);
    killGroup(group, 'SIGKILL');
  };
  let isStopping = false;
  let hasEnded = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stopGroup());
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // If the tests are gone, nobody reads: EPIPE here must not end the guard before its work is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  child.stdout.on('data', (chunk) => process.stdout.write(chunk));
  child.stderr.on('data', (chunk) => process.stderr.write(chunk));
  child.on('error', (error) => {
    process.stderr.write(`${program}: ${error.message}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  });
  // 'close' comes when every process that holds the pipes is gone; 'exit' may come while workers still live.
  child.on('close', () => {
    hasEnded = true;
    if (isStopping) endGroup();
    else fs.closeSync(ENDED);
  });
  const stopGroup = () => {
    if (isStopping) return;
    isStopping = true;
    if (hasEnded) endGroup();
    killGroup(group, 'SIGTERM');
    setTimeout(endGroup, STOP_TIMEOUT_MS);
  };
  process.stdin.on('end', stopGroup).on('error', stopGroup).resume();
}

if (require.main === module) {
  guard(process.argv.slice(2));
} else {
  module.exports = {
    get url() {
      return url;
    },
    fresh,
    stop,
    request,
    login,
    as,
    track,
    isGone,
    lastSegment,
    cookie,
    jwt,
    holds,
  };
}
