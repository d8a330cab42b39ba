'use strict';
/*
 * Starts the system under test (SUT) for the tests beside this file, talks to it, and stops it.
 *
 * Fresh state: every test starts with a freshly started SUT, unless only GET, HEAD, OPTIONS and TRACE calls were sent
 * (and answered) since its last start, and no mock has answered, for then nothing can have changed. Tests that ask for
 * a shared start (`fresh({ isShared: true })`) get a fresh one only where others than such tests ran since the last:
 * they do the same whatever of them ran before, or the SUT starts slowly, and they belong in their order: where each
 * test of a file shares its start, run whole files. Tests that ask for a new start (`fresh({ isNew: true })`) get one
 * in any case, since also reads may have changed what the SUT remembers. All were verified under this same rule.
 *
 * WIMBLE_BASE_URL=http://host:port   runs the tests against a running server; nothing is started or stopped.
 *
 * Calls made as a user take passwords and keys from environment variables; users log in after each start of the SUT.
 *
 * Its processes are in sut-process.cjs, requests in sut-http.cjs, users in sut-users.cjs, signed tokens in
 * sut-tokens.cjs.
 */
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { awaitAnswer, cookie, field, freePort, holds, isListening, isPortFree, isServed, lastSegment, send, signed, sleep } = require('./sut-http.cjs');
const { MAX_OUTPUT, SutProcess, releaseLock, takeLock } = require('./sut-process.cjs');
const { signedToken } = require('./sut-tokens.cjs');
const { usersOf } = require('./sut-users.cjs');

// <settings>
const COMMAND = [];
const WORKING_DIR = path.resolve(__dirname, '.');
const BASE_URL = 'http://127.0.0.1:3000';
const IS_PORT_FIXED = true;
const PORT_VARIABLES = {}; // what the SUT's environment says about its port, as it was verified; null: nothing
const VARIABLES = {}; // others that the SUT reads, as the tests were verified; null: not set
const PLACE_VARIABLES = {}; // the same with places of services: set where this process does not have them
const PATH_VARIABLES = {}; // such places in the SUT's folder
const OTHER_PORT = []; // variables by which the SUT may take another port, if something else has its own
const START_TIMEOUT_MS = 60_000;
const READY_PATHS = []; // are there once the SUT is ready; none: it is when it listens
const READY_ANSWERS = []; // to GET once the SUT is ready, where the first moment brings others
const HEADERS = []; // [name, value] of headers that every request has
const RESET = ''; // a command, URL or path on the SUT that brings back the first state; empty: none
const DATA_FILES = []; // and folders/ that the SUT writes: put back whenever it was stopped
const USERS = []; // `${NAME}` is an environment variable, `{token}` what the login brings
const HAS_MOCKS = false; // of other services that the SUT calls: mocks.cjs
const KEYS = {}; // of tokens: where their secret is, an environment variable or a place in a file of the SUT
// </settings>

const CALL_TIMEOUT_MS = 10_000;
const TAKEN = `${BASE_URL} is taken by something else: stop it, or set WIMBLE_BASE_URL=${BASE_URL} to test it.`;
const READ_ONLY = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const givenUrl = process.env.WIMBLE_BASE_URL || (COMMAND.length === 0 ? BASE_URL : '');

const mocks = HAS_MOCKS && !givenUrl ? require('./mocks.cjs') : null;

let url = givenUrl || BASE_URL;
const otherPort = [...OTHER_PORT];
let running = null; // a SutProcess
let mayHaveChanged = false;
let isReset = false; // by RESET, since the last start
let hasBrokenOff = false; // did not answer, or is gone
let isDisturbed = false; // by a test with a start of its own, since the last start
const users = usersOf(USERS, requestOfLogin);

/**
 * A SUT in its initial state, but for what tests on a shared start left: starts it, or starts it again where a call may
 * have changed more, or isNew. whenStopped: called before a start, and before RESET: both may write.
 */
async function fresh({ isShared = false, isNew = false, whenStopped = () => {} } = {}) {
  if (mocks) mocks.pause();
  const isFresh = !mayHaveChanged || (isShared && !isDisturbed);
  const isUp = givenUrl || (running && !running.hasStopped && !hasBrokenOff && isFresh && !isNew);
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
  await users.logInAll();
  if (mocks) mocks.begin();
}

/** Runs RESET; users log in again after it. */
async function reset() {
  users.forget();
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
  if (mocks) mocks.end();
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
async function request(method, target, { headers = [], body, json, user, onlyHead = false, timeoutMs = CALL_TIMEOUT_MS, at = url } = {}) {
  noteCall(method);
  const base = new URL(at);
  let pairs = Array.isArray(headers) ? [...headers] : Object.entries(headers);
  if (user !== undefined) [pairs, target] = signed(users.credentialsOf(user), pairs, target);
  let bytes = body === undefined ? null : Buffer.from(body);
  if (json !== undefined) {
    bytes = Buffer.from(JSON.stringify(json));
    if (!pairs.some(([name]) => name.toLowerCase() === 'content-type')) pairs.push(['Content-Type', 'application/json']);
  }
  if (!pairs.some(([name]) => name.toLowerCase() === 'accept')) pairs.unshift(['Accept', '*/*']);
  const isHost = ([name]) => name.toLowerCase() === 'host';
  const common = pairs.some(isHost) ? HEADERS.filter((one) => !isHost(one)) : HEADERS;
  const host = [...common, ...pairs].some(isHost) ? [] : [['Host', base.host]];
  const sent = [...host, ...common, ['Connection', 'close'], ...pairs];
  if (bytes !== null || !['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'CONNECT'].includes(method)) {
    sent.push(['Content-Length', String(bytes ? bytes.length : 0)]);
  }
  const onBroken = () => (hasBrokenOff = true); // a SUT that broke off is not fresh any more
  const answer = await send(base, { method, target, headers: sent, bytes, onlyHead, timeoutMs, onBroken });
  if (mocks) mocks.check(); // fails where the SUT has sent a request that the test does not expect
  return answer;
}

/** A call may change something, and the SUT may keep what a service answers. */
function noteCall(method) {
  if (!READ_ONLY.has(method) || (mocks && mocks.arePlanned())) mayHaveChanged = true;
}

/** A login counts neither as a change nor as a failure of the SUT. */
async function requestOfLogin(method, target, options) {
  const [mayHave, hasBroken] = [mayHaveChanged, hasBrokenOff];
  const answer = await request(method, target, options);
  [mayHaveChanged, hasBrokenOff] = [mayHave, hasBroken];
  return answer;
}

/** SuperAgent plugin: tells this file which calls are sent, and adds HEADERS. */
function track(call) {
  noteCall(call.method);
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

/** SuperAgent plugin: makes a call one of that user. */
function as(name) {
  return (call) => {
    const { headers, cookies, query } = users.credentialsOf(name);
    for (const [key, value] of headers) call.set(key, value);
    if (cookies) call.set('Cookie', [call.get('Cookie'), cookies].filter(Boolean).join('; '));
    if (query) call.query(query);
  };
}

// ---- starting and stopping

async function start() {
  await takeLock();
  const isMoving = IS_PORT_FIXED && !(await isPortFree(url));
  if (isMoving) await takeOtherPort();
  if (mocks) await mocks.listen();
  const portFile = path.join(os.tmpdir(), `wimble-port-${process.pid}-${Date.now()}`);
  const files = DATA_FILES.map((name) => path.join(WORKING_DIR, name));
  const sut = new SutProcess(COMMAND, { cwd: WORKING_DIR, env: sutEnvironment(portFile), files });
  running = sut;
  users.forget();
  mayHaveChanged = hasBrokenOff = isReset = isDisturbed = false;
  try {
    await waitUntilListening(sut, portFile);
  } catch (error) {
    await stop();
    if (!isMoving) throw error;
    otherPort.length = 0; // its port does not come from them
    url = BASE_URL;
    throw new Error(`${TAKEN}\nOn another port: ${error.message}`);
  } finally {
    fs.rmSync(portFile, { force: true });
  }
  if (isMoving) console.warn(`${BASE_URL} is taken by something else: the SUT listens on ${url}.`);
}

/** What listens on the port is not the SUT of these tests. It may be another one that uses the same data. */
async function takeOtherPort() {
  if (!otherPort.length) throw new Error(TAKEN);
  const { protocol, hostname } = new URL(BASE_URL);
  url = `${protocol}//${hostname}:${await freePort()}`;
}

async function waitUntilListening(sut, portFile) {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (!IS_PORT_FIXED) url = urlOfPort(portFile);
    if (url && (await isReady(url)) && !sut.hasStopped) return;
    if (sut.hasStopped || Date.now() > end) {
      const what = sut.hasStopped ? 'ended before it listened' : `did not listen within ${START_TIMEOUT_MS / 1000} s`;
      await stopProcesses(); // its last output has arrived then
      throw new Error(`The SUT ${what}. Its last output:\n${sut.lastOutput()}`);
    }
    await sleep(20);
  }
}

async function stopProcesses() {
  const sut = running;
  running = null;
  if (sut) await sut.stop();
}

async function isReady(address) {
  if (!(await isListening(address))) return false;
  for (const target of READY_PATHS) if (!(await isServed(address + target, Object.fromEntries(HEADERS)))) return false;
  for (const answer of READY_ANSWERS) await awaitAnswer(address, answer, Object.fromEntries(HEADERS));
  return true;
}

const VITEST_ADDS = { NODE_ENV: 'test', TEST: 'true', MODE: 'test', DEV: '1', PROD: '', SSR: '1', BASE_URL: '/', FORCE_TTY: '' };

/** Which a variable that the run did not have may tell the SUT. */
const HAS_OTHER_DATABASE = Object.keys(process.env).some((name) => /^WIMBLE_(DATABASE|REDIS)_URL/.test(name));

/** The environment of this process, without what test runners put into it. */
function sutEnvironment(portFile) {
  const env = { ...process.env };
  if (env.JEST_WORKER_ID && env.NODE_ENV === 'test') delete env.NODE_ENV;
  if (env.VITEST) {
    for (const [name, value] of Object.entries(VITEST_ADDS)) if (env[name] === value) delete env[name];
    for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name];
  }
  for (const name of ['JEST_WORKER_ID', 'NODE_TEST_CONTEXT']) delete env[name];
  const paths = Object.entries(PATH_VARIABLES).map(([name, value]) => [name, path.join(WORKING_DIR, value)]);
  for (const [name, value] of [...Object.entries(PLACE_VARIABLES), ...paths]) if (env[name] === undefined) env[name] = value;
  for (const [name, value] of Object.entries({ ...VARIABLES, ...PORT_VARIABLES })) {
    if (value !== null) env[name] = value;
    else if (name in PORT_VARIABLES || !HAS_OTHER_DATABASE) delete env[name];
  }
  if (url !== BASE_URL) for (const name of otherPort) env[name] = new URL(url).port;
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

/** A JWT with these claims, signed with a secret of the SUT, which is read where the SUT reads it. */
const jwt = (key, claims) => signedToken(KEYS[key], claims, WORKING_DIR);

module.exports = {
  get url() {
    return url;
  },
  fresh,
  stop,
  request,
  login: users.login,
  as,
  track,
  isGone,
  lastSegment,
  cookie,
  field,
  jwt,
  holds,
};
