/** Unleash without logins, on a database of its own (by the folder that it runs in) on the server of DATABASE_URL. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { LogLevel, start } from 'unleash-server';

const server = process.env.DATABASE_URL;
if (!server) {
  console.error('DATABASE_URL has to name a PostgreSQL server: scripts/with-databases.sh runs a command with one');
  process.exit(1);
}
const database = `unleash_${createHash('sha1').update(import.meta.dirname).digest('hex').slice(0, 12)}`;
const admin = new pg.Client({ connectionString: server });
await admin.connect();
const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
if (rowCount === 0) await admin.query(`CREATE DATABASE ${database}`);
await admin.end();

const own = new URL(server);
own.pathname = `/${database}`;
await start({
  db: { connectionString: own.href, ssl: false },
  server: { port: Number(process.env.PORT || 3208), host: '127.0.0.1', enableOAS: true },
  authentication: { type: 'none' },
  versionCheck: { enable: false },
  telemetry: false,
  logLevel: LogLevel.error,
});
