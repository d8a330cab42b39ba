import express from 'express';

import { guardedApp, listen } from '../guarded-app.mjs';
import { failures } from './src/failures.js';
import { forms } from './src/forms.js';
import { members } from './src/members.js';
import { sequences } from './src/sequences.js';

const document = new URL('openapi.json', import.meta.url);
listen(guardedApp(express, document, [members, forms, failures, sequences]), Number(process.env.PORT ?? 3100), 'mocks');
