import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after } from 'node:test';
import mongoose from 'mongoose';
import { testPlanted } from '../planted.mjs';

let server;

/** A server in memory that speaks MongoDB's protocol; it ends with its standard input. */
async function databases() {
  const script = path.join(import.meta.dirname, '../../../scripts/mongodb.sh');
  server = spawn('sh', [script, 'run'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = await once(server.stdout, 'data');
  const url = `mongodb://127.0.0.1:${String(said).trim()}/food-coop`;
  await mongoose.connect(url);
  return { MONGODB_URL: url };
}

after(async () => {
  await mongoose.disconnect();
  server.stdin.end();
});

await testPlanted(import.meta.dirname, ['node', 'index.js'], {
  databases,
  change: ({ rows, filter, set }) => mongoose.connection.collection(rows).updateOne(filter, { $set: set }),
});
