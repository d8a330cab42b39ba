'use strict';
/**
 * Screwdriver's API as its configuration starts it, on a fresh SQLite file: with a key that is there for this alone, and with a source-control service
 * and build machines that lead nowhere.
 */
const fs = require('node:fs');
const path = require('node:path');
const keys = require('./keys.json');

const port = Number(process.env.PORT || 3206);
const storage = path.join(__dirname, '.bench', 'screwdriver.sqlite');
fs.mkdirSync(path.dirname(storage), { recursive: true });
fs.rmSync(storage, { force: true });

process.env.NODE_CONFIG_DIR = path.join(__dirname, 'node_modules/screwdriver-api/config');
process.env.NODE_CONFIG = JSON.stringify({
  auth: { jwtPrivateKey: keys.privateKey, jwtPublicKey: keys.publicKey, jwtQueueServicePublicKey: keys.publicKey, sdAdmins: ['github:admin:1'] },
  httpd: { port, host: '127.0.0.1', uri: `http://127.0.0.1:${port}` },
  datastore: { plugin: 'sequelize', sequelize: { dialect: 'sqlite', storage } },
  executor: { plugin: 'docker' },
  scms: {
    github: {
      plugin: 'github',
      config: { displayName: 'github', oauthClientId: 'bench', oauthClientSecret: 'bench', username: 'sd-buildbot', email: 'dev-null@localhost', secret: 'only-for-benchmarks' },
    },
  },
});
require('screwdriver-api/bin/server');
