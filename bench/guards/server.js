import express from 'express';

import { guardedApp, listen } from '../guarded-app.mjs';
import { compare } from './src/compare.js';
import { lookup } from './src/lookup.js';
import { methods } from './src/methods.js';
import { schema } from './src/schema.js';
import { shape } from './src/shape.js';
import { state } from './src/state.js';
import { text } from './src/text.js';

const routers = [compare, text, shape, state, lookup, methods, schema];
listen(guardedApp(express, new URL('openapi.json', import.meta.url), routers), Number(process.env.PORT ?? 3100), 'guards');
