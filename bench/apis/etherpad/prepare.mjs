// Writes .bench/openapi.json: the document that Etherpad serves, with its API key as an ordinary parameter of each operation.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const port = 3212;
const tries = 120;
const pause_ms = 500;

const etherpad = spawn('./start.sh', { cwd: here, env: { ...process.env, PORT: port }, stdio: 'ignore' });
try {
  const document = await served();
  const { securitySchemes, ...components } = document.components;
  components.parameters = {
    ...components.parameters,
    apikey: { name: securitySchemes.ApiKey.name, in: 'query', required: true, schema: { type: 'string', enum: ['bench-key'] } },
  };
  for (const item of Object.values(document.paths)) {
    item.parameters = [...(item.parameters ?? []), { $ref: '#/components/parameters/apikey' }];
  }
  const servers = [{ url: new URL(document.servers[0].url).pathname }];
  writeFileSync(path.join(here, '.bench', 'openapi.json'), JSON.stringify({ ...document, servers, security: [], components }, null, 1));
} finally {
  etherpad.kill();
}

async function served() {
  for (let i = 0; i < tries; i += 1) {
    await sleep(pause_ms);
    try {
      return await (await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).json();
    } catch {
      // not listening yet
    }
  }
  throw new Error('Etherpad did not start');
}
