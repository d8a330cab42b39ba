'use strict';
/** TypeScript as users run it, with the real tools: the agent speaks of the user's lines, and the SUT cannot tell. */

const assert = require('node:assert');
const { mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { test } = require('node:test');
const {
  FILES,
  MODULE_FILES,
  NODE_MAJOR,
  PRICES,
  SERVER,
  build,
  runShop,
  tool,
  toolFile,
  toolRequire,
} = require('./support/toolchain.cjs');

const tsc =
  (...options) =>
  (core) =>
    build(core, [tool('typescript/bin/tsc'), '-p', '.', '--outDir', 'dist', ...options]);
const STACK = /src\/prices\.ts:14:11[^]*?(?:src\/server\.ts:7:|$)/;

/** @param {object} options of esbuild */
const bundled =
  (options) =>
  ({ folder }) =>
    toolRequire('esbuild').build({
      absWorkingDir: folder,
      entryPoints: ['src/server.ts'],
      outfile: 'dist/bundle.js',
      bundle: true,
      platform: 'node',
      logLevel: 'error',
      ...options,
    });

/**
 * Writes what `compile` makes of each source to dist.
 * @param {(path: string) => Promise<{code: string, map?: string}>} compile
 */
const compiledEach =
  (compile) =>
  async ({ folder }) => {
    mkdirSync(join(folder, 'dist'));
    for (const name of ['server', 'prices']) {
      const { code, map } = await compile(join(folder, 'src', `${name}.ts`));
      writeFileSync(
        join(folder, 'dist', `${name}.js`),
        map === undefined ? code : `${code}\n//# sourceMappingURL=${name}.js.map`,
      );
      if (map !== undefined) writeFileSync(join(folder, 'dist', `${name}.js.map`), map);
    }
  };

const swc = (sourceMaps) =>
  compiledEach(async (path) => {
    const jsc = { parser: { syntax: 'typescript' }, target: 'es2016', externalHelpers: false };
    const { code, map } = await toolRequire('@swc/core').transformFile(path, {
      jsc,
      module: { type: 'commonjs' },
      sourceMaps,
      swcrc: false,
    });
    if (map === undefined) return { code };
    const parsed = JSON.parse(map);
    return { code, map: JSON.stringify({ ...parsed, sources: [pathToFileURL(path).href] }) };
  });

const babel = compiledEach(async (path) => {
  const { code } = await toolRequire('@babel/core').transformFileAsync(path, {
    presets: [tool('@babel/preset-typescript')],
    plugins: [tool('@babel/plugin-transform-modules-commonjs'), tool('@babel/plugin-transform-async-to-generator')],
    sourceMaps: 'inline',
    sourceFileName: `../src/${basename(path)}`,
    configFile: false,
    babelrc: false,
  });
  return { code };
});

const LOADER = (file) => ['--no-warnings', '--loader', pathToFileURL(toolFile(file)).href, 'src/server.ts'];

/** Its hooks are looked for in the project. */
const withSwcNode = ({ folder }) => symlinkSync(toolFile('@swc-node'), join(folder, 'node_modules/@swc-node'));

const SETTINGS = {
  'node --loader ts-node/esm': {
    files: MODULE_FILES,
    run: LOADER('ts-node/esm.mjs'),
    env: { TS_NODE_COMPILER_OPTIONS: '{"module":"esnext","allowImportingTsExtensions":true}' },
  },
  'node --import @swc-node/register/esm-register': {
    files: MODULE_FILES,
    make: withSwcNode,
    run: [
      '--no-warnings',
      '--import',
      pathToFileURL(toolFile('@swc-node/register/esm/esm-register.mjs')).href,
      'src/server.ts',
    ],
  },
  'tsc, maps beside': { make: tsc(), run: ['dist/server.js'] },
  'tsc, inline maps, helpers of ES5': {
    make: tsc('--sourceMap', 'false', '--inlineSourceMap', '--target', 'es5', '--lib', 'es2020,dom'),
    run: ['dist/server.js'],
    isAsync: false,
  },
  'tsc, with a source root': { make: tsc('--sourceRoot', '../src', '--target', 'es2022'), run: ['dist/server.js'] },
  'tsc, ES2022': { make: tsc('--target', 'es2022'), run: ['dist/server.js'] },
  tsx: { run: [tool('tsx/cli'), 'src/server.ts'], isMapped: true },
  'node --import tsx': { run: ['--import', pathToFileURL(tool('tsx')).href, 'src/server.ts'], isMapped: true },
  'tsx, ES modules': { files: MODULE_FILES, run: [tool('tsx/cli'), 'src/server.ts'], isMapped: true },
  'ts-node': { run: [tool('ts-node/dist/bin.js'), 'src/server.ts'], isMapped: true },
  'node --require ts-node/register': { run: ['--require', tool('ts-node/register'), 'src/server.ts'], isMapped: true },
  'node --require @swc-node/register': {
    run: ['--require', tool('@swc-node/register'), 'src/server.ts'],
    isMapped: true,
  },
  'swc, maps beside': { make: swc(true), run: ['dist/server.js'], isAsync: false },
  'swc, inline maps': { make: swc('inline'), run: ['dist/server.js'], isAsync: false },
  babel: { make: babel, run: ['dist/server.js'], isAsync: false },
  'esbuild, bundle': { make: bundled({ sourcemap: true }), run: ['dist/bundle.js'] },
  'esbuild, bundle, inline map': { make: bundled({ sourcemap: 'inline' }), run: ['dist/bundle.js'] },
  'esbuild, bundle of ES modules': {
    make: bundled({ sourcemap: true, format: 'esm', outfile: 'dist/bundle.mjs' }),
    run: ['dist/bundle.mjs'],
  },
  'esbuild, minified': { make: bundled({ sourcemap: true, minify: true }), run: ['dist/bundle.js'], isMinified: true },
  'esbuild, minified, ES2016': {
    make: bundled({ sourcemap: 'inline', minify: true, target: 'es2016' }),
    run: ['dist/bundle.js'],
    isAsync: false,
    isMinified: true,
  },
};

for (const [name, { isMapped = false, ...setting }] of Object.entries(SETTINGS)) {
  test(name, async () => {
    const stack = await runShop(setting);
    if (isMapped) assert.match(stack, STACK);
  });
}

for (const name of [
  'tsc, maps beside',
  'swc, inline maps',
  'esbuild, bundle',
  'esbuild, minified',
  'esbuild, bundle of ES modules',
]) {
  test(`${name}, --enable-source-maps`, async () => {
    const { run, ...setting } = SETTINGS[name];
    assert.match(await runShop({ ...setting, run: ['--enable-source-maps', ...run] }), STACK);
  });
}

test('node --experimental-strip-types', { skip: NODE_MAJOR < 22 }, async () => {
  const stack = await runShop({
    files: MODULE_FILES,
    run: ['--experimental-strip-types', '--no-warnings', 'src/server.ts'],
  });
  assert.match(stack, /src\/prices\.ts:14/);
});

test('node --experimental-transform-types', { skip: NODE_MAJOR < 22 }, async () => {
  assert.match(
    await runShop({ files: MODULE_FILES, run: ['--experimental-transform-types', '--no-warnings', 'src/server.ts'] }),
    STACK,
  );
});

test('source-map-support in the SUT finds what it would find without the agent', async () => {
  const banner = { js: `require(${JSON.stringify(tool('source-map-support/register'))});` };
  const setting = SETTINGS['esbuild, minified'];
  assert.match(await runShop({ ...setting, make: bundled({ sourcemap: true, minify: true, banner }) }), STACK);
});

test('tsc --outFile: several sources in one script', async () => {
  const prices = PRICES.replace(/^import.*/, '')
    .replace('export async', 'async')
    .replace('currency(item.price)', "item.price + ' EUR'");
  const server = SERVER.replace(
    /^import.*\nimport.*/,
    "declare const require: any;\nconst http = require('node:http');",
  );
  const files = { ...FILES, 'src/prices.ts': prices, 'src/server.ts': server };
  const make = (core) => {
    rmSync(join(core.folder, 'tsconfig.json'));
    build(core, [
      tool('typescript/bin/tsc'),
      '--target',
      'es2017',
      '--lib',
      'es2020,dom',
      '--module',
      'none',
      '--ignoreDeprecations',
      '5.0',
      '--sourceMap',
      '--outFile',
      'dist/all.js',
      'src/prices.ts',
      'src/server.ts',
    ]);
  };
  await runShop({ files, make, run: ['dist/all.js'] });
});
