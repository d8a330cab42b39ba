import { testPlanted } from '../planted.mjs';

await testPlanted(import.meta.dirname, ['node', 'server.js']);
