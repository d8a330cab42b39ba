'use strict';
/** Which environment variables a program may have its login to a database from. */
const assert = require('node:assert');
const { hash } = require('node:crypto');
const { afterEach, describe, test } = require('node:test');

const { credentialsFrom } = require('../src/databases/credentials.cjs');
const { hostOf } = require('../src/databases/connected-databases.cjs');

const set = [];
afterEach(() => {
  for (const name of set.splice(0)) delete process.env[name];
});

function found(variables, login, place = {}) {
  for (const [name, value] of Object.entries(variables)) {
    set.push(name);
    process.env[name] = value;
  }
  const { password_digest, ...names } = credentialsFrom(
    login,
    { id: 'db', dialect: 'postgres', host: 'localhost', port: 5432, name: 'shop', ...place },
    hostOf,
  );
  assert.equal(
    password_digest,
    typeof login.password === 'string' ? hash('sha256', `db ${login.password}`, 'hex') : '',
  );
  return names;
}

const NONE = { user: '', user_variable: '', password_variable: '', url_variable: '', server_variable: '' };
const LOGIN = { user: 'w-app', password: 's3cret!' };

describe('credentials', () => {
  test('are found by value, under names that speak of them', () => {
    const variables = { W_MODE: 's3cret!', W_DB_PASS: 's3cret!', W_NAME: 'w-app', W_DB_USER: 'w-app' };
    assert.deepEqual(found(variables, LOGIN), {
      ...NONE,
      user: 'w-app',
      user_variable: 'W_DB_USER',
      password_variable: 'W_DB_PASS',
    });
  });

  test('a long password is one under any name', () => {
    assert.equal(found({ W_DB: 'a long one' }, { password: 'a long one' }).password_variable, 'W_DB');
  });

  test('URLs are told apart by where they lead', () => {
    const urls = {
      W_OTHER_HOST: 'postgres://w-app:s3cret!@db.example/shop',
      W_OTHER_PORT: 'postgres://w-app:s3cret!@localhost:5433/shop',
      W_OTHER_USER: 'postgres://root:s3cret!@localhost/shop',
      W_OTHER_KIND: 'redis://w-app:s3cret!@localhost:5432/shop',
      W_NO_URL: 'postgres://w-app:%@:x',
      W_SERVER: 'postgresql://w-app:s3cret%21@127.0.0.1:5432/postgres',
      W_URL: 'postgres://w-app:s3cret!@localhost/shop?ssl=false',
    };
    assert.deepEqual(found(urls, LOGIN), {
      ...NONE,
      user: 'w-app',
      url_variable: 'W_URL',
      server_variable: 'W_SERVER',
    });
  });

  test('a socket has a path for a host, which URLs name in other ways', () => {
    const url = { W_URL: 'postgres://w-app@localhost:5432/shop?host=/run/db' };
    assert.equal(found(url, { user: 'w-app' }, { host: '/run/db' }).url_variable, 'W_URL');
  });

  test('no database is the first of Redis', () => {
    const url = { W_URL: 'redis://localhost' };
    assert.equal(found(url, {}, { dialect: 'redis', port: 6379, name: '0' }).url_variable, 'W_URL');
  });

  test('what is no text is none', () => {
    assert.deepEqual(found({}, { user: undefined, password: () => 'later' }), NONE);
  });
});
