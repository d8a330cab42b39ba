'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { app } = require('./app');
const { pool } = require('./database');

const port = process.env.PORT || 3000;

async function main() {
  const schema = readFileSync(join(__dirname, '..', 'schema.sql'), 'utf8');
  for (const statement of schema.split(';\n').filter((part) => part.trim() !== '')) await pool.query(statement);
  app.listen(port, () => console.log(`warehouse on port ${port}`));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
