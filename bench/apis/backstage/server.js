'use strict';
/** Backstage's software catalogue by itself, open to everybody. */
const { createBackend } = require('@backstage/backend-defaults');

const backend = createBackend();
backend.add(import('@backstage/plugin-catalog-backend'));
backend.start();
