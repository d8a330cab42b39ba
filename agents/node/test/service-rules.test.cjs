'use strict';
/** Which connections lead to the mock server where the environment names a proxy. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { ServiceRules, plainHost } = require('../src/external/service-rules.cjs');

const MOCKS = { port: 1, folder: '/tmp', allowed: [], included: [] };

/** @param {string} proxy */
function rulesWith(proxy) {
  const before = process.env.HTTPS_PROXY;
  process.env.HTTPS_PROXY = proxy;
  try {
    return new ServiceRules(/** @type {any} */ (MOCKS));
  } finally {
    if (before === undefined) delete process.env.HTTPS_PROXY;
    else process.env.HTTPS_PROXY = before;
  }
}

for (const proxy of ['http://10.1.2.3:3128', 'http://user:word@[2001:db8::7]:3128', 'http://proxy.example:3128']) {
  test(`a proxy elsewhere, ${proxy}, is mocked like any service`, () => {
    const rules = rulesWith(proxy);
    assert.equal(rules.isMocked('10.1.2.3', '10.1.2.3', 3128), true);
    assert.equal(rules.isMocked('127.0.0.1', 'localhost', 3128), false);
  });
}

test('a proxy on this machine is mocked, other ports are not', () => {
  const rules = rulesWith('http://127.0.0.1:3128');
  assert.equal(rules.isMocked('127.0.0.1', 'localhost', 3128), true);
  assert.equal(rules.isMocked('127.0.0.1', 'localhost', 3129), false);
});

test('a proxy on this machine is mocked that the program names once it has started', () => {
  const rules = new ServiceRules(/** @type {any} */ (MOCKS));
  assert.equal(rules.isMocked('127.0.0.1', 'localhost', 3128), false);
  const before = process.env.HTTP_PROXY;
  process.env.HTTP_PROXY = 'http://localhost:3128';
  try {
    assert.equal(rules.isMocked('127.0.0.1', 'localhost', 3128), true);
    assert.equal(rules.isMocked('127.0.0.1', 'localhost', 3129), false);
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
  }
});

test('a name beyond ASCII is the same service in each spelling', () => {
  const rules = new ServiceRules(/** @type {any} */ ({ ...MOCKS, allowed: ['xn--bcher-kva.example'] }));
  assert.deepEqual(['Bücher.example', 'xn--bcher-kva.example.', 'bücher.example'].map(plainHost), [
    'xn--bcher-kva.example',
    'xn--bcher-kva.example',
    'xn--bcher-kva.example',
  ]);
  assert.equal(rules.isMocked('11.0.0.1', 'bücher.example', 443), false);
  assert.equal(rules.isMocked('11.0.0.1', 'käse.example', 443), true);
});
