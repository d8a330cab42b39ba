import { readFileSync } from 'node:fs';
import express from 'express';

import { guardedApp, listen } from '../guarded-app.mjs';
import { keys } from './src/keys.js';
import { pool, rows } from './src/rows.js';

const { rows: tables } = await pool.query("SELECT 1 FROM pg_tables WHERE tablename = 'customers'");
if (tables.length === 0) {
  await pool.query(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
}
listen(guardedApp(express, new URL('openapi.json', import.meta.url), [rows, keys]), Number(process.env.PORT ?? 3101), 'guards of state');
