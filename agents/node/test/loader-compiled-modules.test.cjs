'use strict';
/** The agent's modules come from one file of the cache once there is one; a damaged file is as good as none. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { FakeCore } = require('./support/fake-core.cjs');

const AGENT = path.join(__dirname, '..');
const APP = `
const http = require('node:http');
const listed = Object.keys(require.cache).filter((file) => file !== __filename);
http.createServer((req, res) => res.end(JSON.stringify(listed))).listen(0);
`;

test('a second start reads and compiles none of the agent’s files, and the program sees none', async (t) => {
  const core = await FakeCore.start({ 'app.js': APP });
  t.after(() => core.stop());
  const agent = path.join(core.folder, 'agent');
  for (const name of ['register.cjs', 'package.json', 'src']) {
    fs.cpSync(path.join(AGENT, name), path.join(agent, name), { recursive: true });
  }
  fs.symlinkSync(path.join(AGENT, 'node_modules'), path.join(agent, 'node_modules'));
  const cache = path.join(core.folder, 'cache');
  const env = {
    NODE_OPTIONS: `--require ${path.join(agent, 'register.cjs')}`,
    WIMBLE_CACHE: cache,
    WIMBLE_EDITION: 'new',
  };
  const start = async () => {
    core.peers.length = 0;
    core.run(['app.js'], { env });
    await core.listening();
    const answer = await fetch(`http://127.0.0.1:${core.port}/`);
    assert.deepEqual(await answer.json(), []);
    core.child.kill();
    await core.exited;
  };
  fs.mkdirSync(cache);
  const old = path.join(cache, 'agent-old-x64-1');
  fs.writeFileSync(old, 'of an earlier edition');
  fs.utimesSync(old, new Date(), new Date(Date.now() - 8 * 24 * 3600 * 1000));
  fs.writeFileSync(path.join(cache, 'agent-other-x64-1'), 'of another agent in use');

  await start();
  const [file, ...others] = fs
    .readdirSync(cache)
    .filter((name) => name.startsWith('agent-'))
    .sort();
  assert.match(file, /^agent-new-/);
  assert.deepEqual(others, ['agent-other-x64-1']);
  const written = fs.readFileSync(path.join(cache, file));

  fs.rmSync(path.join(agent, 'src', 'session'), { recursive: true }); // which only a start with the file can do without
  await start();
  assert.ok(written.equals(fs.readFileSync(path.join(cache, file))));

  fs.cpSync(path.join(AGENT, 'src', 'session'), path.join(agent, 'src', 'session'), { recursive: true });
  const damaged = Buffer.from(written);
  damaged[damaged.length - 100] ^= 1;
  fs.writeFileSync(path.join(cache, file), damaged);
  await start();
  assert.ok(!damaged.equals(fs.readFileSync(path.join(cache, file))));
});
