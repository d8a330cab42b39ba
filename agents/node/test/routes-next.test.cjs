'use strict';
/** Files of a project of Next.js are routes; the package itself is too large for the tests: its server stands in. */

const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');
const { exportedMethods, handledMethods } = require('../src/routes/next-sources.cjs');

/** What the server of the package does with folders when it is made. */
const SERVER = `Object.defineProperty(exports, 'default', { enumerable: true, get: () => Server });
class Server {
  constructor(dir) {
    this.dir = dir;
    this.distDir = require('path').join(dir, '.next');
    this.nextConfig = { basePath: '/shop', pageExtensions: ['tsx', 'ts', 'jsx', 'js'] };
    this.appPathRoutes = this.getAppPathRoutes();
  }
  getAppPathRoutes() { return {}; }
}`;
const APP = `const { default: Server } = require('next/dist/server/base-server.js');
globalThis.kept = new Server(__dirname);
require('http').createServer((request, response) => response.end()).listen(0);`;

const INSTALLED = {
  'node_modules/next/package.json': '{"name": "next", "version": "15.0.0"}',
  'node_modules/next/dist/server/base-server.js': SERVER,
  'package.json': '{}',
  'server.js': APP,
};

async function routesOf(t, files) {
  const core = await FakeCore.start({ ...INSTALLED, ...files });
  t.after(() => core.stop());
  core.run(['server.js']);
  await core.listening();
  const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
  return routes.map(({ framework, methods, path, file, line }) => {
    assert.strictEqual(framework, 'next');
    const place = file === '' ? '' : ` ${file.slice(core.folder.length + 1)}:${line}`;
    return `${methods.join() || 'any'} ${path.map((part) => part.text).join(' + ')}${place}`;
  });
}

test('next: files of both routers, with dynamic, optional and unseen segments', async (t) => {
  const found = await routesOf(t, {
    'app/api/books/route.js': "import { x } from 'y';\nexport async function GET() {}\nexport const POST = x;",
    'app/(shop)/api/[book-id]/route.ts': 'export function PATCH(request: Request) {}',
    'app/page.js': 'export default () => null;',
    'app/_parts/route.js': 'export function GET() {}',
    'src/app/files/[...path]/route.js': 'export function GET() {}',
    'src/app/docs/[[...path]]/route.js': 'export function DELETE() {}',
    'pages/api/index.js': 'export default (req, res) => res.end();',
    'pages/api/items/[sku].ts': "\nexport default function (req) { if (req.method === 'PUT') return; }",
    'pages/api/types.d.ts': 'export type A = string;',
    'pages/about.js': 'export default () => null;',
  });
  assert.deepStrictEqual(found.sort(), [
    'DELETE /shop + /docs{/*path} src/app/docs/[[...path]]/route.js:1',
    'GET /shop + /api pages/api/index.js:1',
    'GET /shop + /api/books app/api/books/route.js:2',
    'GET /shop + /api/items/:sku pages/api/items/[sku].ts:2',
    'GET /shop + /files/*path src/app/files/[...path]/route.js:1',
    'PATCH /shop + /api/:book_id app/(shop)/api/[book-id]/route.ts:1',
    'POST /shop + /api/books app/api/books/route.js:3',
    'PUT /shop + /api/items/:sku pages/api/items/[sku].ts:2',
  ]);
});

test('next: a build without sources tells its routes by manifests', async (t) => {
  const found = await routesOf(t, {
    '.next/server/app-paths-manifest.json': JSON.stringify({
      '/(shop)/api/books/[id]/route': 'app/(shop)/api/books/[id]/route.js',
      '/page': 'app/page.js',
    }),
    '.next/server/pages-manifest.json': JSON.stringify({
      '/_app': 'pages/_app.js',
      '/api/quote': 'pages/api/quote.js',
    }),
  });
  assert.deepStrictEqual(found, ['any /shop + /api/books/:id', 'any /shop + /api/quote']);
});

const named = (handlers) => handlers.map(({ method, line }) => `${method}:${line}`).join(' ');

test('next: methods that a file exports, whatever the form', () => {
  const text = [
    '// export function DELETE() {}',
    'export async function GET(request: Request) {}',
    'export { handler as POST, other as helper };',
    'export const { PUT, PATCH } = handlers;',
    'export const GETTER = 1;',
  ].join('\n');
  assert.strictEqual(named(exportedMethods(text)), 'GET:2 POST:3 PUT:4 PATCH:4');
});

test('next: methods that a function for any of them names', () => {
  assert.strictEqual(named(handledMethods('module.exports = (req, res) => res.json(req.body);')), 'GET:1 POST:1');
  assert.strictEqual(
    named(handledMethods('\nexport default function (req) { switch (req.method) { case \'PUT\': case "DELETE": } }')),
    'GET:2 PUT:2 DELETE:2',
  );
  const chained = 'export default router.get((req) => 1).post(async (req) => 2).delete(function () {});';
  assert.strictEqual(named(handledMethods(chained)), 'GET:1 POST:1 DELETE:1');
});
