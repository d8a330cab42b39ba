/**
 * The test of an API in this folder, on the plain server: each operation answers, and each planted fault is brought
 * about by its calls (triggers.json), with a stack that names the lines of its marker (bugs.toml).
 *
 * A call: `{ "request": "POST /path", "headers": {}, "json": any, "form": {}, "text": "", "parts": [] }`, of which only
 * `request` has to be there. `save` keeps what a later call needs, under a name: `<token>` in a later call is then the
 * value at `body.token` (or `header.x-id`, or `cookie`, all cookies of the answer). `status` is what is expected.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';

const START_LIMIT_MS = 20_000;
const STACK_LIMIT_MS = 2_000;

/** `databases` starts what the server needs, and answers its environment; `change` applies a call `{ "rows": ... }`. */
export async function testPlanted(folder, command, { databases = () => ({}), change } = {}) {
  const read = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const [operations, happy, triggers] = ['operations.json', 'happy.json', 'triggers.json'].map(read);
  const bugs = planted(readFileSync(path.join(folder, 'bugs.toml'), 'utf8'));
  const server = new Server(folder, command, change);
  before(async () => {
    server.environment = await databases();
    await server.start();
  });
  after(() => server.stop());

  test('every fault has its calls', () => {
    assert.deepEqual(Object.keys(triggers).sort(), [...bugs.keys()].sort());
  });

  test('every operation answers', async () => {
    const saved = new Map();
    const answered = new Set();
    for (const call of happy) {
      const answer = await server.send(call, saved);
      assert.ok(isAsExpected(answer, call), `${call.request}: ${answer.status} ${answer.text} ${server.errors}`);
      if (call.request) answered.add(operations.find((one) => isOf(call.request, one)));
    }
    assert.deepEqual(operations.filter((one) => !answered.has(one)), []);
  });

  for (const [id, calls] of Object.entries(triggers)) {
    test(`${id} is brought about by its calls`, async () => {
      await server.start();
      const saved = new Map();
      for (const call of calls.slice(0, -1)) {
        const answer = await server.send(call, saved);
        assert.ok(isAsExpected(answer, call), `${call.request}: ${answer.status} ${answer.text} ${server.errors}`);
      }
      server.errors = '';
      const answer = await server.send(calls.at(-1), saved).catch(() => ({ status: 'no answer' }));
      const { file, marker, lines } = bugs.get(id);
      const text = readFileSync(path.join(folder, file), 'utf8');
      const first = text.slice(0, text.indexOf(marker)).split('\n').length;
      const last = first + (lines || marker.split('\n').length) - 1;
      const line = await server.lineInStack(file);
      assert.ok(line >= first && line <= last, `${answer.status} ${answer.text}, ${file}:${line}\n${server.errors}`);
      assert.ok(answer.status >= 500 || (await server.hasEnded()), `answered ${answer.status}`);
    });
  }
}

/** Of the labels, what this test needs; `bench/planted_bugs.py` reads and checks the whole of them. */
function planted(toml) {
  const bugs = new Map();
  for (const section of toml.split(/^\[\[bugs\]\]$/m).slice(1)) {
    const value = (name) => section.match(new RegExp(`^${name} = (.+)$`, 'm'))?.[1];
    const string = (text) => (text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text));
    bugs.set(string(value('id')), {
      file: string(value('file')),
      marker: string(value('marker')),
      lines: Number(value('lines') ?? 0),
    });
  }
  return bugs;
}

function isAsExpected(answer, call) {
  return call.status ? answer.status === call.status : answer.status < 400;
}

function isOf(request, operation) {
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = operation.split(/(\{[^}]*\})/).map((part) => {
    if (!part.startsWith('{')) return literal(part);
    return part === '{*}' ? '.+' : '[^/]+';
  });
  return new RegExp(`^${pattern.join('')}$`).test(request.split('?')[0]);
}

class Server {
  errors = '';
  environment = {};

  constructor(folder, command, change) {
    this.folder = folder;
    this.command = command;
    this.change = change;
  }

  async start() {
    if (this.process && this.process.exitCode === null) return;
    this.port = await freePort();
    const [file, ...rest] = this.command;
    const env = { ...process.env, ...this.environment, PORT: String(this.port) };
    this.process = spawn(file === 'node' ? process.execPath : file, rest, { cwd: this.folder, env });
    this.process.stdout.resume();
    this.process.stderr.on('data', (text) => (this.errors += text));
    const limit = Date.now() + START_LIMIT_MS;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/`).catch(() => null);
      if (answer) break;
      assert.ok(Date.now() < limit && this.process.exitCode === null, `did not start: ${this.errors}`);
      await pause(20);
    }
    await pause(300); // routes that are added late
  }

  stop() {
    this.process?.kill('SIGKILL');
  }

  async hasEnded() {
    for (let tries = 0; tries < 100 && this.process.exitCode === null; tries++) await pause(20);
    return this.process.exitCode !== null;
  }

  /** The line of the topmost frame in that file, NaN if there is none. */
  async lineInStack(file) {
    const limit = Date.now() + STACK_LIMIT_MS;
    const frame = new RegExp(`${file.replaceAll('.', '\\.')}:(\\d+)`);
    while (Date.now() < limit && !frame.test(this.errors)) await pause(10);
    return Number(this.errors.match(frame)?.[1]);
  }

  async send(call, saved) {
    if (call.rows) {
      await this.change(call);
      return { status: 200, text: '' };
    }
    const filled = JSON.parse(JSON.stringify(call).replace(/<([\w-]+)>/g, (all, name) => saved.get(name) ?? all));
    const [method, target] = filled.request.split(' ');
    const { headers, body } = bodyOf(filled);
    const response = await fetch(`http://127.0.0.1:${this.port}${target}`, { method, headers, body, redirect: 'manual' });
    const text = await response.text();
    for (const [name, from] of Object.entries(call.save ?? {})) saved.set(name, valueAt(from, response, text));
    return { status: response.status, text };
  }
}

function bodyOf({ headers = {}, json, form, text, parts }) {
  if (json !== undefined) {
    return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) };
  }
  if (form) {
    return { headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: String(new URLSearchParams(form)) };
  }
  if (text !== undefined) return { headers: { 'content-type': 'text/plain', ...headers }, body: text };
  if (!parts) return { headers };
  const body = new FormData();
  for (const { name, value, file, content, type } of parts) {
    if (file) body.append(name, new Blob([content], { type }), file);
    else body.append(name, value);
  }
  return { headers, body };
}

function valueAt(from, response, text) {
  if (from === 'cookie') return response.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
  const [kind, ...keys] = from.split('.');
  if (kind === 'header') return response.headers.get(keys[0]);
  return keys.reduce((value, key) => value[key], JSON.parse(text));
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
