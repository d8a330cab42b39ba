import { testPlanted } from '../planted.mjs';

await testPlanted(import.meta.dirname, ['node', 'src/index.js']);
