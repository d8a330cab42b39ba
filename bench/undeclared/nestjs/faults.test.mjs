import { testPlanted } from '../planted.mjs';

// After `npm run build`.
await testPlanted(import.meta.dirname, ['node', '--enable-source-maps', 'dist/main.js']);
