// Every guard can be passed (triggers.json says how), and every guard has its trigger.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const triggers = JSON.parse(readFileSync(path.join(here, 'triggers.json'), 'utf8'));
const port = 3190;
const guardLog = path.join(mkdtempSync(path.join(tmpdir(), 'guards-')), 'log');
let server;

before(async () => {
  server = spawn(process.execPath, ['server.js'], { cwd: here, env: { ...process.env, PORT: port, GUARD_LOG: guardLog } });
  await new Promise((resolve) => server.stdout.once('data', resolve));
});

after(() => server.kill());

async function send([method, target, body, headers = {}]) {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: body ? { 'content-type': 'application/json', ...headers } : headers,
    body: body ? JSON.stringify(body) : undefined,
  });
  return { status: response.status, body: await response.json() };
}

test('every guard has a trigger', () => {
  const files = readdirSync(path.join(here, 'src')).map((name) => readFileSync(path.join(here, 'src', name), 'utf8'));
  const guards = [...files.join('').matchAll(/throw new Error\('([a-z-]+)'\)/g)].map((match) => match[1]);
  assert.deepEqual(Object.keys(triggers).sort(), guards.sort());
});

for (const [name, calls] of Object.entries(triggers)) {
  test(`${name} is behind its guard`, async () => {
    for (const call of calls.slice(0, -1)) {
      assert.ok((await send(call)).status < 300);
    }
    const last = await send(calls.at(-1));
    assert.deepEqual([last.status, last.body.error], [500, name]);
    assert.match(readFileSync(guardLog, 'utf8'), new RegExp(` ${name}\n`));
  });
}
