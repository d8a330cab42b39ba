'use strict';
/**
 * A small TypeScript server, made with the tools of test/toolchains and run under the agent; what it says is compared
 * with the source.
 */

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { FakeCore } = require('./fake-core.cjs');

const TOOLS = join(__dirname, '..', 'toolchains');
const toolRequire = createRequire(join(TOOLS, 'package.json'));
const NODE_MAJOR = Number(process.versions.node.split('.')[0]);

const SERVER = `import http from 'node:http';
import { priceOf } from './prices';

const server = http.createServer(async (request, response) => {
  const name: string = String(request.url).slice(4);
  try {
    response.end(String(await priceOf({ name, price: name.length })));
  } catch (error) {
    response.statusCode = 500;
    response.end(String((error as Error).stack));
  }
});
server.listen(0, '127.0.0.1');
`;
const SERVER_LINES = [1, 2, 4, 5, 6, 7, 8, 9, 10, 13];

const PRICES = `import { currency } from 'tiny';

interface Item {
  name: string;
  price: number;
}

export async function priceOf(item: Item): Promise<string> {
  await null;
  if (item.name === 'free') {
    return 'nothing';
  }
  if (item.price > 5) {
    throw new RangeError('too dear: ' + item.name);
  }
  return currency(item.price);
}
`;
const PRICES_LINES = [1, 8, 9, 10, 11, 13, 14, 16];

const FILES = {
  'src/server.ts': SERVER,
  'src/prices.ts': PRICES,
  'node_modules/tiny/package.json': '{"name":"tiny","main":"index.js"}',
  'node_modules/tiny/index.js':
    "exports.currency = function (amount) {\n  if (amount === 0) {\n    return 'free';\n  }\n  return amount + ' EUR';\n};\n",
  'src/types.d.ts': "declare module 'node:http';\ndeclare module 'tiny';\n",
  'tsconfig.json':
    '{"compilerOptions":{"target":"es2017","module":"commonjs","moduleResolution":"node","ignoreDeprecations":"5.0","esModuleInterop":true,"sourceMap":true,"experimentalDecorators":true,"emitDecoratorMetadata":true,"types":[]},"ts-node":{"transpileOnly":true}}',
};

/** The same as ES modules, whose imports name files. */
const MODULE_FILES = {
  ...FILES,
  'package.json': '{"name":"sut","type":"module"}',
  'src/server.ts': SERVER.replace("'./prices'", "'./prices.ts'"),
  'src/prices.ts': PRICES.replace(
    "import { currency } from 'tiny';",
    "import tiny from 'tiny'; const { currency } = tiny;",
  ),
};

/** @param {string} specifier @returns {string} path of a file of a tool */
const tool = (specifier) => toolRequire.resolve(specifier);

/**
 * @param {FakeCore} core
 * @param {string[]} args of node
 */
function build(core, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: core.folder, encoding: 'utf8' });
  assert.strictEqual(status, 0, stdout + stderr);
}

/** Source and line of all targets of a kind (or of several). */
function placesOf(core, ...kinds) {
  const places = new Set();
  for (const file of core.peers.flatMap((peer) => peer.ofType('file'))) {
    file.targets.forEach(([kind, line], index) => {
      const source = (file.parts ?? []).filter(([first]) => first <= index).at(-1)?.[1] ?? file.path;
      if (kinds.includes(kind)) places.add(`${source.replace(`${core.folder}/`, '')}:${line}`);
    });
  }
  return [...places].sort();
}

const at = (file, lines) => lines.map((line) => `src/${file}.ts:${line}`);

/**
 * @param {FakeCore} core in which the SUT listens
 * @param {object} [made]
 * @param {boolean} [made.isAsync] whether its async functions are V8's, which show who awaited
 * @param {boolean} [made.isMinified] whether statements have become parts of others
 */
async function checkShop(core, { isAsync = true, isMinified = false } = {}) {
  const { result, h, answers } = await core.evaluate(1, ['GET /?q=dear-one', 'GET /?q=one']);
  assert.deepStrictEqual(
    answers.map(({ status, body }) => (status === 200 ? body : status)),
    [500, '3 EUR'],
  );
  const [cause] = result.causes;
  assert.deepStrictEqual(
    [cause.file.replace(`${core.folder}/`, ''), cause.line, cause.message],
    ['src/prices.ts', 14, 'RangeError: too dear: dear-one'],
  );
  assert.match(cause.stack, /src\/prices\.ts:14:\d+/);
  if (isAsync) assert.match(cause.stack, /src\/server\.ts:7:\d+/);
  const lines = placesOf(core, 'line');
  const allowed = [...at('server', SERVER_LINES), ...at('prices', PRICES_LINES)];
  assert.deepStrictEqual(
    lines.filter((place) => !allowed.includes(place)),
    [],
  );
  const expected = isMinified
    ? [...at('server', [6, 7]), ...at('prices', [11, 14, 16])]
    : [...at('server', [5, 7, 9, 10, 13]), ...at('prices', [9, 10, 11, 13, 14, 16])];
  assert.deepStrictEqual(
    expected.filter((place) => !lines.includes(place)),
    [],
  );
  // A minifier makes the statement before an `if` a part of its condition.
  assert.deepStrictEqual(
    placesOf(core, 'branch').filter((place) => !(isMinified && place === 'src/prices.ts:9')),
    at('prices', [10, 13]),
  );
  assert.deepStrictEqual(placesOf(core, 'file'), ['src/prices.ts:0', 'src/server.ts:0']);
  for (const name of ['src/prices.ts:0 file', 'src/server.ts:0 file', 'src/prices.ts:16 line']) {
    assert.strictEqual(h[name], 1, name);
  }
  assert.strictEqual(h['src/prices.ts:13 branch > true'], 1);
  const hint = result.hints.find(({ operator, right }) => operator === 'identical' && right === 'free');
  assert.match(core.nameOf(hint.target), /^src\/prices\.ts:10 branch === true$/);
  return answers[0].body;
}

/**
 * @param {object} how
 * @param {Record<string, string>} [how.files]
 * @param {(core: FakeCore) => void} [how.make] builds what is run
 * @param {string[]} how.run arguments of node
 * @param {NodeJS.ProcessEnv} [how.env]
 * @returns {Promise<string>} the stack as the SUT saw it
 */
async function runShop({ files = FILES, make = () => {}, run, env, ...made }) {
  const core = await FakeCore.start(files);
  try {
    await make(core);
    core.run(run, { env });
    await core.listening();
    return await checkShop(core, made);
  } finally {
    await core.stop();
  }
}

/** The same for what a package exports to `import` alone. @param {string} name of a file below node_modules */
const toolFile = (name) => join(TOOLS, 'node_modules', name);

module.exports = {
  FILES,
  MODULE_FILES,
  NODE_MAJOR,
  PRICES,
  SERVER,
  TOOLS,
  build,
  checkShop,
  placesOf,
  runShop,
  tool,
  toolFile,
  toolRequire,
};
