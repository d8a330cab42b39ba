'use strict';
/** What libraries demand of the claims of a token is told, from the options of a check or from one claim of it. */

const assert = require('node:assert/strict');
const { beforeEach, test } = require('node:test');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { memory } = require('../src/base/thread-memory.cjs');
const { checked, checkedOne, made } = require('../src/runtime/validators/demanded-claims.cjs');
const { watchedText } = require('../src/runtime/validators/watched-texts.cjs');

const TARGET = 7;

function demands() {
  const found = recorder.hints.map((hint) => JSON.parse(hint.text));
  assert.ok(found.every(({ kind, target }) => kind === 'token-claims' && target === TARGET));
  clearRecorder();
  return found.map((hint) => hint.demands);
}

beforeEach(() => {
  clearRecorder();
  recorder.areHintsWanted = true;
  memory.last[0] = TARGET;
});

test('the options of a check are demands: one value, several, or any', () => {
  checked([
    'claims',
    { issuer: 'https://a/', audience: ['shop', /x/, ''], clockTolerance: 5, requiredClaims: ['jti', 'iss'] },
  ]);
  assert.deepEqual(demands(), [{ iss: ['https://a/'], aud: ['shop'], jti: [] }]);
});

test('a check without demands, of a proxy or with getters tells nothing', () => {
  const trap = new Proxy({}, { get: () => assert.fail('touched') });
  for (const options of [
    undefined,
    null,
    7,
    {},
    trap,
    {
      get issuer() {
        return assert.fail('called');
      },
    },
  ]) {
    // prettier-ignore
    checked(['claims', options]);
  }
  assert.deepEqual(demands(), []);
});

test('one claim is known by what it is called', () => {
  checkedOne(['claim', 'Token use', 'access']);
  checkedOne(['claim', 'Audience', ['a', 'b']]);
  checkedOne(['claim', 'JWT header algorithm', 'RS256']);
  assert.deepEqual(demands(), [{ token_use: ['access'] }, { aud: ['a', 'b'] }]);
});

/** The lines of packages that check tokens, by file; each is called once if it is run. */
const TEXTS = {
  'jsonwebtoken/verify.js': '{\n  options = Object.assign({}, options);',
  'jose/dist/node/cjs/lib/jwt_claims_set.js':
    'const { requiredClaims = [], issuer, subject, audience, maxTokenAge } = options;',
  'jose/dist/webapi/lib/jwt_claims_set.js':
    '{\n  const { requiredClaims = [], issuer, subject, audience, maxTokenAge } = options, presence = [];',
  'fast-jwt/src/verifier.js': '\n  if (allowedAud) {\n    validators.push({',
  'aws-jwt-verify/dist/cjs/assert.js':
    'function assertStringEquals(name, actual, expected, errorConstructor = error_js_1.FailedAssertionError) {',
  'google-auth-library/build/src/auth/oauth2client.js':
    '    async verifySignedJwtWithCertsAsync(jwt, certs, requiredAudience, issuers, maxExpiry) {',
  'express-oauth2-jwt-bearer/dist/index.js':
    'const defaultValidators = (issuer, audience, clockTolerance, strict) => ({',
};

for (const [file, text] of Object.entries(TEXTS)) {
  test(`${file} tells what it demands, and its lines stay where they are`, () => {
    const watched = watchedText(text, `/app/node_modules/${file}`);
    assert.equal(watched.split('__wimble_applied__(').length, 2);
    assert.equal(watched.split('\n').length, text.split('\n').length);
  });
}

test('a check that is made once is told of in each of its calls', () => {
  made(['claims-made', { issuer: 'https://made/' }]);
  assert.deepEqual(demands(), []);
  checked(['claims', null]);
  assert.deepEqual(demands(), [{ iss: ['https://made/'] }]);
});
