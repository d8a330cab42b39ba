import { readFile } from 'node:fs/promises';
import { createApp } from './app.js';
import { pool } from './db.js';

const port = Number(process.env.PORT ?? 3000);

await pool.query(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'));
createApp().listen(port, () => console.log(`help desk on port ${port}`));
