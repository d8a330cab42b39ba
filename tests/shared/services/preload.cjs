'use strict';
/** Leads a program's connections to the mock server, without the rest of the agent. */

const { syncBuiltinESMExports } = require('node:module');
const path = require('node:path');

const source = path.join(__dirname, '..', '..', '..', 'agents', 'node', 'src');
const { memory } = require(path.join(source, 'base', 'thread-memory.cjs'));
const { readMocks } = require(path.join(source, 'external', 'service-rules.cjs'));
const { planOutcomes } = require(path.join(source, 'external', 'planned-outcomes.cjs'));
const { watchServices } = require(path.join(source, 'external', 'watch-services.cjs'));

memory.mocks = readMocks(process.env.WIMBLE_MOCKS);
planOutcomes(JSON.parse(process.env.PLANNED_OUTCOMES || '[]'));
watchServices(null);
syncBuiltinESMExports();
