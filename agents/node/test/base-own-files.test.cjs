'use strict';
const { after, test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createOwnFileTest, describeOwnFiles } = require('../src/base/own-files.cjs');

const folders = [];
after(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

function project(files) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'own-files-')));
  folders.push(folder);
  for (const name of files) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), '');
  }
  return folder;
}

/** The names below `folder` that are own, asked through a copy of the description as another thread gets it. */
function own(folder, names, { main = 'server.js', env = {}, cwd = folder } = {}) {
  const argv = ['/usr/bin/node', path.resolve(folder, main)];
  const isOwn = createOwnFileTest(structuredClone(describeOwnFiles({ env, argv, cwd })));
  return names.filter((name) => isOwn(path.resolve(folder, name)));
}

test('own is what lies below the nearest package.json, without installed packages', () => {
  const folder = project(['package.json', 'src/deep/a.js', 'node_modules/lib/index.js']);
  const names = [
    'server.js',
    'src/deep/a.js',
    'node_modules/lib/index.js',
    'src/node_modules/x.js',
    '.pnp.cjs',
    '.yarn/releases/yarn.js',
    '../other.js',
  ];
  assert.deepStrictEqual(own(folder, names), ['server.js', 'src/deep/a.js']);
  assert.deepStrictEqual(own(folder, names, { cwd: path.join(folder, 'src/deep') }), ['server.js', 'src/deep/a.js']);
  assert.deepStrictEqual(own(folder, names, { cwd: '/', env: { WIMBLE_ROOT: folder } }), [
    'server.js',
    'src/deep/a.js',
  ]);
});

test('what Prisma copies beside a client that it generates is not own', () => {
  const folder = project(['package.json', 'generated/schema.prisma', 'prisma/schema.prisma']);
  const names = [
    'generated/index.js',
    'generated/runtime/client.js',
    'generated/query_compiler_fast_bg.js',
    'src/runtime/client.js',
    'src/query_engine.js',
    'prisma/seed.js',
  ];
  assert.deepStrictEqual(own(folder, names), [
    'generated/index.js',
    'src/runtime/client.js',
    'src/query_engine.js',
    'prisma/seed.js',
  ]);
});

test('a folder whose name only begins like the project is not own', () => {
  const folder = project(['package.json']);
  assert.deepStrictEqual(own(folder, [`${folder}-other/a.js`]), []);
});

test('an installed package that is the program is own, a launcher is not', () => {
  const files = [
    'package.json',
    'node_modules/json-server/lib/bin.js',
    'node_modules/json-server/node_modules/x/i.js',
    'node_modules/nodemon/bin/nodemon.js',
    'node_modules/@nestjs/cli/bin/nest.js',
    'node_modules/@scope/api/index.js',
  ];
  const folder = project(files);
  assert.deepStrictEqual(own(folder, files, { main: files[1] }), ['package.json', files[1]]);
  assert.deepStrictEqual(own(folder, files, { main: files[3] }), ['package.json']);
  assert.deepStrictEqual(own(folder, files, { main: files[4] }), ['package.json']);
  assert.deepStrictEqual(own(folder, files, { main: files[5] }), ['package.json', files[5]]);
});

test('a bin link leads to its package', () => {
  const folder = project(['package.json', 'node_modules/tool/cli.js']);
  fs.mkdirSync(path.join(folder, 'node_modules/.bin'));
  fs.symlinkSync('../tool/cli.js', path.join(folder, 'node_modules/.bin/tool'));
  assert.deepStrictEqual(own(folder, ['node_modules/tool/cli.js'], { main: 'node_modules/.bin/tool' }), [
    'node_modules/tool/cli.js',
  ]);
});

test('what WIMBLE_INCLUDE names is own: folders, packages, workspace links', () => {
  const files = [
    'package.json',
    'node_modules/lib/a.js',
    'node_modules/@s/p/b.js',
    'node_modules/dep/c.js',
    'node_modules/dep/node_modules/lib/d.js',
  ];
  const folder = project(files);
  const shared = project(['index.js']);
  fs.symlinkSync(shared, path.join(folder, 'node_modules/shared'));
  const env = { WIMBLE_INCLUDE: JSON.stringify(['lib', '@s/p', 'shared', path.join(folder, '../elsewhere')]) };
  const names = [...files, path.join(shared, 'index.js'), '../elsewhere/x.js'];
  assert.deepStrictEqual(
    own(folder, names, { env }),
    names.filter((name) => name !== 'node_modules/dep/c.js'),
  );
  assert.deepStrictEqual(own(folder, files, { env: { WIMBLE_INCLUDE: 'not JSON' } }), ['package.json']);
});

test('the packages of a workspace are own, from whichever of them the program starts', () => {
  for (const [name, text] of [
    ['package.json', '{"workspaces": ["packages/*"]}'],
    ['pnpm-workspace.yaml', 'packages: ["packages/*"]'],
  ]) {
    const files = [
      'packages/api/package.json',
      'packages/shared/index.js',
      'node_modules/.pnpm/dep@1.0.0/node_modules/dep/index.js',
      'packages/api/node_modules/dep2/i.js',
    ];
    const folder = project(files);
    fs.writeFileSync(path.join(folder, name), text);
    const cwd = path.join(folder, 'packages/api');
    assert.deepStrictEqual(own(folder, [...files, '../elsewhere.js'], { cwd }), files.slice(0, 2), name);
  }
  const folder = project(['package.json', 'nested/package.json', 'a.js', 'nested/b.js']);
  assert.deepStrictEqual(
    own(folder, ['a.js', 'nested/b.js'], { cwd: path.join(folder, 'nested') }),
    ['nested/b.js'],
    'no workspace',
  );
});

test('package managers are passive wherever they come from', () => {
  for (const main of [
    '/usr/lib/node_modules/npm/bin/npm-cli.js',
    '/usr/share/nodejs/npm/bin/npx-cli.js',
    '/opt/node_modules/yarn/bin/yarn.js',
    '/opt/node_modules/pnpm/bin/pnpm.cjs',
    '/opt/node_modules/corepack/dist/pnpm.js',
    '/srv/shop/.yarn/releases/yarn-4.1.0.cjs',
    '/root/.cache/node/corepack/v1/pnpm/9.0.0/bin/pnpm.cjs',
  ]) {
    assert.ok(describeOwnFiles({ env: {}, argv: ['node', main], cwd: '/' }).isPassive, main);
  }
  for (const main of ['/srv/shop/yarn.js', '/srv/npm/server.js', '/srv/shop/node_modules/nodemon/bin/nodemon.js']) {
    assert.ok(!describeOwnFiles({ env: {}, argv: ['node', main], cwd: '/' }).isPassive, main);
  }
});
