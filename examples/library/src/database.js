'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Pool } = require('pg');

// DATABASE_URL, or what libpq reads: PGHOST, PGPORT, PGUSER, PGDATABASE.
const pool = new Pool({ connectionString: process.env.DATABASE_URL });

async function createSchema() {
  await pool.query(readFileSync(join(__dirname, '..', 'schema.sql'), 'utf8'));
}

module.exports = { createSchema, pool };
