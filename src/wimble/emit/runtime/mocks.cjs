'use strict';
/*
 * Answers the requests that the system under test (SUT) sends to other services while the tests beside this file run:
 * nothing of it leaves this machine.
 *
 *   mocks.on('https://api.payments.example').post('/v1/charges').reply(200, { paid: true });
 *
 * `*` in a path stands for one segment of any value; queries do not count. `.nth(2)` is for the second such request in
 * a test. What a test does not expect is answered 404, and fails the test: `mocks.check()` says which request it was.
 *
 * With WIMBLE_BASE_URL, the SUT runs elsewhere and calls the real services: tests with mocks are skipped then.
 *
 * redirect-services.cjs, which is loaded into the SUT, leads its connections here; mock-server.cjs serves them.
 */
const fs = require('fs');
const os = require('os');
const path = require('path');
const readline = require('readline');
const zlib = require('zlib');

const { MockServer } = require('./mock-server.cjs');
const { authority, key, hosts, faulty } = require('./mock-certificates.json');

const SKIPPED = 'skipped: with WIMBLE_BASE_URL, the SUT calls the real services';
const PORTS = { http: 80, https: 443 };
const NO_CONNECTION = { noHost: 'no_host', tryAgain: 'try_again', refuse: 'refused', timeOut: 'timed_out' };
const CERTIFICATES = {
  expiredCertificate: 'expired',
  certificateOfAnotherHost: 'wrong_name',
  selfSignedCertificate: 'self_signed',
  certificateOfUnknownAuthority: 'unknown_authority',
  certificateOfOwnAuthority: 'own_authority',
};
const BY_NAME = new Set(['no_host', 'try_again']); // these fail when the name is looked up
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];

let server = null;
let folder = '';
let refusing = null; // a server whose port refuses connections
let answers = [];
let asked = new Set(); // ids of answers that were sent
let before = []; // those of the test before that were not: its SUT may still be sending what it does not wait for
let down = [];
let unexpected = [];
let isTesting = false;
let hasPlans = false; // whether the test has said what services do
let seq = 0;

/** Makes the mock server listen, once. */
async function listen() {
  if (server) return;
  folder = fs.mkdtempSync(path.join(os.tmpdir(), `wimble-mocks-${process.pid}-`));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  fs.writeFileSync(path.join(folder, 'authority.pem'), authority);
  server = new MockServer({
    folder,
    certificateFor: async (host, fault) => {
      const cert = fault ? faulty[`${host} ${fault}`] : hosts[host];
      if (cert) return { key, cert };
      note(`a connection to https://${host}`);
      throw new Error(`no certificate for ${host}`);
    },
    onRequest: (request) => {
      const { method, origin, target, matched } = request;
      if (matched !== null) asked.add(matched);
      if (matched !== null || method === 'CONNECT' || isLate(request)) return; // of the proxy, the service is told
      note(`${method} ${shown(origin)}${target}`);
    },
    onUnmockable: () => {}, // such a connection was refused when the test was made, too
  });
  server.listener.unref();
  await new Promise((resolve) => server.listener.listen(0, '127.0.0.1', resolve));
  refusing = require('net').createServer();
  await new Promise((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  refusing.closed = refusing.address().port;
  refusing.close();
}

/** Ends the mock server, until `listen` is called again. */
function end() {
  if (!server) return;
  server.listener.close();
  server = null;
  fs.rmSync(folder, { recursive: true, force: true });
}

/** The variables with which the SUT is started. environment: those that it gets otherwise. */
function variables(environment) {
  const described = { port: server.listener.address().port, closed_port: refusing.closed, folder, allowed: [], included: [] };
  const preload = JSON.stringify(path.join(__dirname, 'redirect-services.cjs'));
  return { WIMBLE_MOCKS: JSON.stringify(described), NODE_OPTIONS: `${environment.NODE_OPTIONS || ''} --require ${preload}` };
}

function note(request) {
  if (isTesting) unexpected.push(request);
}

/** Whether the test before has waited in vain for a request that has arrived behind its answer. */
function isLate({ method, origin, target }) {
  const given = target.split('?')[0].split('/');
  const fits = (template) => template.length === given.length && template.every((one, at) => one === '*' || one === given[at]);
  return before.some((one) => one.method === method && one.origin === origin && fits(one.path.split('/')));
}

const shown = (origin) => origin.replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2');

/** Before each test: forgets the answers of the one before. */
function begin() {
  hasPlans = false;
  before = answers.filter((one) => !asked.has(one.id));
  asked = new Set();
  answers = [];
  down = [];
  unexpected = [];
  isTesting = true;
  if (!server) return;
  for (const name of fs.readdirSync(folder)) if (name.startsWith('outcome-')) fs.rmSync(path.join(folder, name), { force: true });
  server.plan(++seq, answers);
}

/** While the SUT starts: what it asks of services then is no test's. */
function pause() {
  isTesting = false;
  unexpected = [];
}

/** Whether the test has said what services do. */
const arePlanned = () => hasPlans;

/** After each call and each test: throws if the SUT has sent a request that the test does not expect. */
function check() {
  if (unexpected.length === 0) return;
  const requests = [...new Set(unexpected)];
  throw new Error(`The SUT sent what the test does not expect:\n${requests.map((one) => `  ${one}`).join('\n')}`);
}

/** The service at an origin, such as `https://api.payments.example`. */
function on(address) {
  const { protocol, hostname, port } = new URL(address);
  const scheme = protocol.slice(0, -1);
  const origin = `${scheme}://${hostname}:${port || PORTS[scheme]}`;
  const request = (method, template) => expected({ origin, method, path: template, occurrence: null });
  const service = { request };
  for (const name of METHODS) service[name] = (template) => request(name.toUpperCase(), template);
  return service;
}

function expected(place) {
  hasPlans = true;
  const add = (answer) => plan({ status: 200, headers: [], body: '', body_encoding: 'utf8', chunks: null, ...place, ...answer });
  const one = {
    nth: (number) => expected({ ...place, occurrence: number - 1 }),
    reply: (status, body, headers) => add({ outcome: 'answer', status, ...content(body, headers) }),
    replySlowly: (status, body, headers) => add({ outcome: 'slow', status, ...content(body, headers) }),
    truncate: (status, body, headers) => add({ outcome: 'truncated', status, ...content(body, headers) }),
    replyBytes: (status, base64, headers = {}) =>
      add({ outcome: 'answer', status, ...bytes(Buffer.from(base64, 'base64'), { 'content-type': 'application/octet-stream', ...headers }) }),
    replyInParts: (status, parts, headers = {}) =>
      add({ outcome: 'answer', status, headers: pairs(headers), body: parts.join(''), chunks: parts }),
    openWebSocket: (messages, headers = {}) => add({ outcome: 'answer', status: 101, headers: pairs(headers), chunks: messages }),
    replyToMessages: (messages, headers = {}) =>
      add({ outcome: 'answer', status: 101, headers: pairs(headers), chunks: messages, is_reply: true }),
    reset: () => add({ outcome: 'reset' }),
    closeConnection: () => add({ outcome: 'closed' }),
    hang: () => add({ outcome: 'hang' }),
  };
  for (const [name, outcome] of Object.entries(NO_CONNECTION)) one[name] = () => fail(place.origin, outcome);
  for (const [name, outcome] of Object.entries(CERTIFICATES)) one[name] = () => distrust(place.origin, outcome);
  return one;
}

/** A text is sent as it is, anything else as JSON. */
function content(body, headers = {}) {
  if (body === undefined || body === null && Object.keys(headers).length > 0 && !isJson(headers)) return { headers: pairs(headers), body: '' };
  const isText = typeof body === 'string';
  const named = isText ? headers : { 'content-type': 'application/json', ...headers };
  const text = isText ? body : `${JSON.stringify(body)}\n`;
  const isPacked = named['content-encoding'] === 'gzip' || named['content-type'] === 'application/gzip';
  if (isPacked && text !== '') return bytes(zlib.gzipSync(text), named);
  return { headers: pairs(named), body: text };
}

const isJson = (headers) => String(headers['content-type'] || '').includes('json');
const pairs = (headers) => Object.entries(headers).filter(([name, value]) => value !== '' || name !== 'content-type'); // '': none
const bytes = (buffer, headers) => ({ headers: pairs(headers), body: buffer.toString('base64'), body_encoding: 'base64' });

function plan(answer) {
  answers.push({ id: answers.length, ...answer });
  if (server) server.plan(++seq, answers, down);
}

/** The SUT cannot connect to the origin from now on; redirect-services.cjs reads the file. */
function fail(origin, outcome) {
  const { host, port } = addressOf(origin);
  down.push({ host, port: Number(port), outcome }); // for programs that are not Node, of which the server is the proxy
  if (!server) return;
  server.plan(++seq, answers, down);
  fs.writeFileSync(path.join(folder, `outcome-${host}${BY_NAME.has(outcome) ? '' : `-${port}`}`), outcome);
  disconnect(host);
}

/** The SUT gets a certificate from the origin that it does not accept, from now on. */
function distrust(origin, outcome) {
  const { host, port } = addressOf(origin);
  down.push({ host, port: Number(port), outcome });
  if (!server) return;
  server.plan(++seq, answers, down);
  disconnect(host);
}

function addressOf(origin) {
  const [, host, port] = /^\w+:\/\/\[?(.*?)\]?:(\d+)$/.exec(origin);
  return { host, port };
}

/** Connections that the SUT keeps would not show that new ones fail. */
function disconnect(host) {
  for (const { host: other, socket } of server.connections.values()) if (other === host) socket.destroy();
}

// ---- for tests in another language: commands as lines of JSON

const COMMANDS = {
  listen: async (environment) => {
    await listen();
    return variables(environment);
  },
  begin: async () => begin(),
  check: async () => check(),
  pause: async () => pause(),
  plan: async (origin, method, template, number, name, args) => {
    const one = on(origin).request(method, template);
    (number === null ? one : one.nth(number))[name](...args.map((value) => (value === null ? undefined : value)));
  },
};

function serveCommands() {
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const [name, ...args] = JSON.parse(line);
    let answer = {};
    try {
      answer = { value: (await COMMANDS[name](...args)) ?? null };
    } catch (error) {
      answer = { error: error.message };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
  lines.on('close', () => process.exit(0));
}

if (require.main === module) {
  serveCommands();
} else {
  module.exports = { on, arePlanned, begin, check, pause, listen, end, variables, skip: process.env.WIMBLE_BASE_URL ? SKIPPED : false };
}
