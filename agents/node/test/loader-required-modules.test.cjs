'use strict';
/** For which required ES modules the hooks are registered, whose thread costs a tenth of a second. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { ModuleHooks } = require('../src/loader/modules.cjs');

/** Returns whether the hooks are registered when this file of an installed package is required. */
function isRegisteredFor(t, manifest, { file = 'index.mjs', isOwn = false, inner = undefined } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'wimble-required-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'node_modules', 'small');
  mkdirSync(join(folder, 'esm'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  if (inner) writeFileSync(join(folder, 'esm', 'package.json'), JSON.stringify(inner));
  const hooks = new ModuleHooks({ ownFiles: {}, announced: { driver: ['index.mjs'] } });
  hooks.register = () => {};
  hooks.noticeRequired(join(folder, file), isOwn);
  return hooks.isRegistered;
}

test('a package without dependencies needs no hooks', (t) => {
  assert.equal(isRegisteredFor(t, { name: 'small', dependencies: {} }), false);
  assert.equal(isRegisteredFor(t, { name: 'small', devDependencies: { tape: '1' } }), false);
});

test('a package that may import others needs them', (t) => {
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    assert.equal(isRegisteredFor(t, { name: 'small', [kind]: { driver: '1' } }), true, kind);
  }
});

test('a file of the SUT, and a package that is tapped, need them', (t) => {
  assert.equal(isRegisteredFor(t, { name: 'small' }, { isOwn: true }), true);
  assert.equal(isRegisteredFor(t, { name: 'driver' }), true);
});

test('a package.json that only sets the type tells nothing about dependencies', (t) => {
  assert.equal(isRegisteredFor(t, { name: 'small' }, { file: 'esm/index.js', inner: { type: 'module' } }), true);
});
