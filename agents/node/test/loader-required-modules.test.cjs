'use strict';
/** For which required ES modules the hooks are registered, whose thread costs a tenth of a second. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const Module = require('node:module');
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { LinkedModules } = require('../src/loader/linked-modules.cjs');
const { ModuleHooks } = require('../src/loader/modules.cjs');

/** As jose checks claims, as far as insertions look for it. */
const CLAIMS =
  'export function check(options) { const { requiredClaims = [], issuer, subject, audience, maxTokenAge } = options; }';

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

test('what a required library imports has its insertions, and the functions of fs are as before', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'wimble-linked-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'node_modules', 'jose');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"jose","type":"module"}');
  const inner = join(folder, 'lib', 'jwt_claims_set.js');
  writeFileSync(inner, CLAIMS);
  const linked = new LinkedModules({
    isOwnFile: () => false,
    instrumentHere: (text) => text,
    transformer: null,
    announced: {},
  });
  const { openSync } = fs;
  const read = (name) => {
    let text = '';
    linked.compileLibrary(() => (text = textAt(inner)), null, ['', join(folder, name)]);
    return text;
  };
  const isNeeded = typeof Module.registerHooks !== 'function';
  assert.equal(read('index.js').includes('/*wimble<*/'), isNeeded);
  assert.equal(fs.openSync, openSync);
});

test('a file within a required library whose exports are announced', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'wimble-linked-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'node_modules', '@nestjs', 'core');
  mkdirSync(join(folder, 'router'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"@nestjs/core","type":"module"}');
  const announced = { '@nestjs/core': ['router/factory.js'] };
  const linked = new LinkedModules({
    isOwnFile: () => false,
    instrumentHere: (text) => text,
    transformer: null,
    announced,
  });
  const textOf = (name) => {
    const file = join(folder, 'router', name);
    writeFileSync(file, 'export class Factory {}');
    let text = '';
    linked.compileLibrary(() => (text = textAt(file)), null, ['', join(folder, 'index.js')]);
    return text;
  };
  const isNeeded = typeof Module.registerHooks !== 'function';
  assert.equal(textOf('factory.js').includes('__wimble_announce__'), isNeeded);
  assert.equal(textOf('other.js').includes('__wimble_announce__'), false);
});

/** Reads a file as Node does when it links a module. */
function textAt(file) {
  const descriptor = fs.openSync(pathToFileURL(file), 'r');
  const buffer = Buffer.alloc(1 << 16);
  const count = fs.readSync(descriptor, buffer, 0, buffer.length);
  fs.closeSync(descriptor);
  return buffer.toString('utf8', 0, count);
}
