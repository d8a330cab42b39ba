'use strict';
/** Which package a connection is attributed to, by the call stack. */
const { test } = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { callerOf } = require('../src/external/connection-callers.cjs');

const AGENT_FILE = path.join(__dirname, '..', 'src', 'external', 'connects.cjs');
const PACKAGES = '/app/node_modules/';

/** @param {string[]} files the innermost first */
const caller = (...files) => callerOf(files.map((file) => ({ getFileName: () => file })));

test('the client is the package that the program calls, not the framework that calls the program', () => {
  const axios = [
    'node:net',
    'node:_http_client',
    PACKAGES + 'follow-redirects/index.js',
    PACKAGES + 'axios/lib/http.js',
  ];
  assert.deepStrictEqual(caller(AGENT_FILE, ...axios, '/app/src/routes.js', PACKAGES + 'fastify/lib/reply.js'), {
    client: 'axios',
    isDatabase: false,
  });
  assert.strictEqual(caller(...axios, 'file:///app/src/routes.mjs', PACKAGES + 'express/index.js').client, 'axios');
  assert.strictEqual(caller(...axios).client, 'axios');
});

test('a client of Node itself has its own name', () => {
  assert.strictEqual(
    caller('node:net', 'node:_http_client', '/app/a.js', PACKAGES + 'express/index.js').client,
    'http',
  );
  assert.strictEqual(caller('node:net', 'node:internal/deps/undici/undici').client, 'fetch');
  assert.strictEqual(caller('node:net', '/app/a.js').client, '');
});

test('what the program asks for in the callback of a driver is no connection of the driver', () => {
  const pg = PACKAGES + 'pg/lib/client.js';
  assert.deepStrictEqual(caller('node:net', pg, PACKAGES + 'knex/lib/client.js', '/app/db.js'), {
    client: 'knex',
    isDatabase: true,
  });
  assert.deepStrictEqual(caller('node:net', 'node:_http_client', '/app/hooks.js', pg), {
    client: 'http',
    isDatabase: false,
  });
});
