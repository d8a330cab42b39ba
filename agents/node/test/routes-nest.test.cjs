'use strict';
/** Versions of Nest that are compared with a header: their routes say which header a request must have. */

const assert = require('node:assert');
const { rmSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');
const { FakeCore } = require('./support/fake-core.cjs');
const { TOOLS } = require('./support/toolchain.cjs');

/** Returns the routes of a controller with versions, each as method, path and what it requires. */
async function routesOf(t, adapter, versioning) {
  const text = `require('reflect-metadata');
const { Controller, Get, Module, Version, VersioningType, VERSION_NEUTRAL } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const adapters = require('@nestjs/platform-${adapter}');
class Cats {
  one() { return 1; }
  old() { return 0; }
  any() { return 2; }
  free() { return 3; }
}
function decorate(name, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(Cats.prototype, name);
  for (const decorator of decorators) decorator(Cats.prototype, name, descriptor);
}
decorate('one', Get('one'), Version(['2', '3']));
decorate('old', Get('one'));
decorate('any', Get('any'), Version(['2', VERSION_NEUTRAL]));
decorate('free', Get('free'), Version(VERSION_NEUTRAL));
Controller('cats')(Cats);
class App {}
Module({ controllers: [Cats] })(App);
(async () => {
  const adapter = adapters.${adapter === 'fastify' ? 'FastifyAdapter' : 'ExpressAdapter'};
  const app = await NestFactory.create(App, new adapter(), { logger: false });
  app.enableVersioning({ ${versioning}, defaultVersion: '1' });
  await app.listen(0, '127.0.0.1');
})();`;
  const core = await FakeCore.start({ 'app.cjs': text });
  t.after(() => core.stop());
  rmSync(join(core.folder, 'node_modules'));
  symlinkSync(join(TOOLS, 'node_modules'), join(core.folder, 'node_modules'));
  core.run(['app.cjs']);
  await core.listening();
  const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
  const own = routes.filter(({ path, methods }) => path.at(-1).text.startsWith('/cats') && methods.includes('GET'));
  return own.map(({ path, requires }) => [path.map((part) => part.text).join(''), requires]).sort(byText);
}

const byText = (one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

for (const adapter of ['express', 'fastify']) {
  test(`on ${adapter}, a version in a header is required`, async (t) => {
    const header = 'X-Version';
    assert.deepStrictEqual(await routesOf(t, adapter, `type: VersioningType.HEADER, header: '${header}'`), [
      ['/cats/any', { [header]: '2' }],
      ['/cats/any', {}],
      ['/cats/free', {}],
      ['/cats/one', { [header]: '1' }],
      ['/cats/one', { [header]: '2' }],
      ['/cats/one', { [header]: '3' }],
    ]);
  });

  test(`on ${adapter}, a version in the media type is required`, async (t) => {
    const found = await routesOf(t, adapter, "type: VersioningType.MEDIA_TYPE, key: 'v='");
    assert.deepStrictEqual(found[0], ['/cats/any', { Accept: 'application/json;v=2' }]);
  });
}
