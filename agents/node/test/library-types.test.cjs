'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');

const TYPESCRIPT = dirname(require.resolve('typescript/package.json'));

/** @param {string} declarations @returns {Record<string, any[]>} */
function shapesOf(declarations) {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-types-'));
  writeFileSync(join(folder, 'package.json'), '{"name": "lib", "types": "index.d.ts"}');
  writeFileSync(join(folder, 'index.d.ts'), declarations);
  writeFileSync(join(folder, 'index.js'), '');
  const program = join(__dirname, '..', 'library-types.cjs');
  const printed = execFileSync('node', [program, TYPESCRIPT, folder, join(folder, 'index.js'), 'lib'], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return JSON.parse(printed);
}

test('a class or type that several names have is known by each of them', () => {
  const found = shapesOf(`
    type Check = (text: string) => boolean;
    export declare const isEmail: Check;
    export declare const isUrl: Check;
    declare class Reader { constructor(text: string); next(count: number): string; }
    export { Reader };
    export default Reader;
    interface Tree { (text: string): Tree; tree: Tree }
    export declare const tree: Tree;
  `);
  for (const name of ['isEmail', 'isUrl', 'new Reader', 'new default', 'tree']) {
    assert.deepEqual(found[name][0].kinds, ['string'], name);
  }
  assert.deepEqual(found['Reader#next'][0].kinds, ['number']);
});

test('classes, symbols, and interfaces that extend an array are no plain objects', () => {
  const found = shapesOf(`
    interface List extends Array<string> {}
    export declare function made(kind: { new (): object }, mark: symbol, boxed: Symbol, list: List): void;
  `);
  assert.deepEqual(
    found.made.map(({ kinds }) => kinds),
    [['function'], ['function'], ['function'], ['array']],
  );
  assert.deepEqual(found.made[3].items.kinds, ['string']);
});
