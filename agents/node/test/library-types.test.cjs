'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');

const TYPESCRIPT = dirname(require.resolve('typescript/package.json'));

/**
 * @param {string} declarations
 * @returns {{ shapes: Record<string, any[]>, overloads: any, makers: any, hidden: string[], data: string[],
 *   names: string[] }}
 */
function told(declarations) {
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
  const { shapes: found } = told(`
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
  const { shapes: found } = told(`
    interface List extends Array<string> {}
    export declare function made(kind: { new (): object }, mark: symbol, boxed: Symbol, list: List): void;
  `);
  assert.deepEqual(
    found.made.map(({ kinds }) => kinds),
    [['function'], ['function'], ['function'], ['array']],
  );
  assert.deepEqual(found.made[3].items.kinds, ['string']);
});

test('an object of a class that only holds data is made by its class, one of an interface may be written', () => {
  const { shapes } = told(`
    export declare class Tokens { constructor(tokens: string[]); readonly tokens: string[] }
    export interface Settings { width: number }
    export declare function defaults(): Settings;
    export declare function write(path: string | Tokens, settings: Settings): string;
  `);
  assert.deepEqual(shapes.write[0].kinds, ['string', 'instance']);
  assert.deepEqual(shapes.write[0].makers, ['new Tokens']);
  assert.deepEqual([shapes.write[1].kinds, shapes.write[1].makers], [['object', 'instance'], ['defaults']]);
});

test('objects of a class come from what returns them, not from a constructor that is private', () => {
  const { shapes, makers, hidden, names } = told(`
    export declare class Day {
      private constructor(parts: unknown);
      static of(text: string): Day;
      static today(): Day | null;
      isBefore(other: Day): boolean;
      /** @internal */ refresh(): void;
      private parts: unknown;
    }
    interface Sheet { add(row: string): void }
    export declare function sheet(): Sheet;
    export declare function print(sheet: Sheet, options?: { title?: string }): void;
    export declare const version: string;
  `);
  assert.deepEqual(makers.Day, ['Day.of', 'Day.today']);
  assert.deepEqual(shapes['Day#isBefore'], [{ kinds: ['instance'], makers: ['Day.of', 'Day.today'] }]);
  assert.deepEqual(shapes.print[0], { kinds: ['instance'], makers: ['sheet'] });
  assert.equal(shapes.print[1].makers, undefined);
  assert.deepEqual(hidden.sort(), ['Day#parts', 'Day#refresh', 'new Day']);
  assert.ok(['Day', 'Day.of', 'Day#isBefore', 'sheet()#add', 'version'].every((name) => names.includes(name)));
});

test('a module whose declarations have a default export only may be that export itself', () => {
  const { shapes } = told(`
    declare class Checker { constructor(strict: boolean); check(text: string): boolean }
    export default Checker;
  `);
  for (const name of ['new lib', 'new default']) assert.deepEqual(shapes[name][0].kinds, ['boolean'], name);
  assert.deepEqual(shapes['lib#check'][0].kinds, ['string']);
});

test('a constructor that a class has from one of JavaScript says nothing of its own', () => {
  const { shapes } = told(`
    export declare class Refused extends Error { result: { instance: unknown } }
    export declare class Failed extends Error { constructor(code: number) }
    export declare class FailedAgain extends Failed {}
  `);
  assert.equal(shapes['new Refused'], undefined);
  assert.deepEqual(shapes['new Failed'][0].kinds, ['number']);
  assert.deepEqual(shapes['new FailedAgain'][0].kinds, ['number']);
});

test('what a promise gives has the methods of what is declared', () => {
  const { shapes } = told(`
    interface Reader { read(count: number): string }
    export declare function open(path: string): Promise<Reader>;
  `);
  assert.deepEqual(shapes['open()#read'][0].kinds, ['number']);
});

test('an object with a mark that only the library sets is one of the library', () => {
  const { shapes } = told(`
    declare const mark: unique symbol;
    export interface Parser { [mark]: true }
    interface Unmade { [mark]: true; text: string }
    export declare function parser(format: string): Parser;
    export declare function parsed(text: string, by: Parser, other: Unmade): string[];
  `);
  assert.deepEqual(shapes.parsed[1].kinds, ['instance']);
  assert.deepEqual(shapes.parsed[1].makers, ['parser']);
  assert.equal(shapes.parsed[2].is_cut, true);
});

test('a rest parameter of a tuple is as many parameters as the tuple has places', () => {
  const { shapes } = told(`
    type Pair = readonly [first: string, second: number, third?: boolean];
    export declare function add(...[first, second, third]: Pair): void;
    export declare function joined(separator: string, ...parts: string[]): string;
    export declare function largest(values: readonly [number, ...number[]]): number;
  `);
  assert.deepEqual(
    shapes.add.map(({ kinds, is_optional = false }) => [kinds.includes('boolean') || kinds[0], is_optional]),
    [
      ['string', false],
      ['number', false],
      [true, true],
    ],
  );
  assert.deepEqual(shapes.joined[1], { kinds: ['string'], is_optional: true });
  assert.deepEqual(shapes.largest, [{ kinds: ['array'], items: { ...shapes.largest[0].items }, needed: ['0'] }]);
  assert.deepEqual(shapes.largest[0].items.kinds, ['number']);
});

test('an object type with a name is one like an interface', () => {
  const { shapes } = told(`
    type Money<T> = { readonly amount: T; readonly plus: (other: Money<T>) => Money<T> };
    export declare const money: (options: { amount: number }) => Money<number>;
    export declare function add<T>(...[augend, addend]: readonly [augend: Money<T>, addend: Money<T>]): Money<T>;
  `);
  assert.deepEqual(
    shapes.add.map(({ kinds }) => kinds),
    [['instance'], ['instance']],
  );
  assert.deepEqual(shapes.add[0].makers.sort(), ['add', 'money']);
});

test('signatures that exclude each other are told one by one', () => {
  const { overloads } = told(`
    export declare function put(index: number, values: string[]): void;
    export declare function put(values: string[]): void;
    export declare function put(first: string, ...others: string[]): void;
    export declare function one(text?: string): void;
  `);
  assert.deepEqual(Object.keys(overloads), ['put']);
  assert.deepEqual(
    overloads.put.map((/** @type {any} */ { shapes, is_rest }) => [
      shapes.map((/** @type {any} */ one) => one.kinds[0]),
      shapes.some((/** @type {any} */ one) => one.is_optional),
      is_rest,
    ]),
    [
      [['number', 'array'], false, false],
      [['array'], false, false],
      [['string', 'string'], true, true],
    ],
  );
});

test('an object with a mark comes from what the library exports or returns', () => {
  const { shapes } = told(`
    declare const mark: unique symbol;
    interface Type<T> { [mark]: T; parse(value: unknown): T }
    type Core<T = any> = Pick<Type<T>, typeof mark | 'parse'>;
    export declare const Text: Type<string>;
    export declare function listOf<R extends Core>(type: R): Type<R[]>;
    export declare function either<R extends readonly Core[]>(...types: R): Type<R>;
  `);
  assert.deepEqual(shapes.listOf[0].kinds, ['instance']);
  assert.deepEqual(shapes.listOf[0].makers.sort(), ['either', 'listOf', 'value Text']);
  assert.deepEqual(shapes.either[0].kinds, ['instance']);
});

test('an object of a class is one of the classes that it extends, and of the interfaces that it implements', () => {
  const { shapes, makers } = told(`
    export declare abstract class Shape { area(): number; covers(other: Shape): boolean }
    declare abstract class Round extends Shape { readonly width: number }
    interface Drawn { draw(): string }
    export declare class Circle extends Round { constructor(width: number) }
    export declare class Square<T> extends Shape implements Drawn { constructor(side: T); draw(): string }
    export declare function square(): Square<number>;
    export declare function show(one: Drawn): string;
  `);
  assert.deepEqual(makers.Shape, ['square', 'new Circle', 'new Square']);
  assert.deepEqual(makers.Circle, ['new Circle']);
  assert.deepEqual(shapes['Shape#covers'], [{ kinds: ['instance'], makers: ['square', 'new Circle', 'new Square'] }]);
  assert.deepEqual(shapes.show, [{ kinds: ['instance'], makers: ['square', 'new Square'] }]);
});

test('what a member of a class takes that may be set is declared, and which members are no functions', () => {
  const { shapes, names, data } = told(`
    export declare function heap(): { size: number; kinds: any[]; put(): void; any: any; f?: () => void; g: Function };
    export declare class Heap {
      get limit(): number; set limit(value: number); kind: 'a' | 'b'; readonly size: number; put(one: string): void;
    }
  `);
  assert.deepEqual(data, ['heap()#size', 'heap()#kinds']);
  assert.deepEqual(shapes['Heap#limit='], [{ kinds: ['number'] }]);
  assert.deepEqual(shapes['Heap#kind='][0].values, ['a', 'b']);
  assert.ok(!('Heap#size=' in shapes) && !('Heap#put=' in shapes));
  assert.ok(names.includes('Heap#limit='));
});

test('data that functions of the library return is an argument of others, and may be written as well', () => {
  const { shapes } = told(`
    export interface State { final: boolean; transitions: string[] }
    export interface Machine<S> { current: string; states: S }
    type States<S> = { [K in keyof S]: { final: boolean; transitions: string[] } };
    export declare function state(...names: string[]): State;
    export declare function machine<S extends States<S>>(first: keyof S, states: S): Machine<S>;
    export declare function run<M extends Machine<any>>(one: M, at: Date): void;
  `);
  const [, states] = shapes.machine;
  assert.deepEqual([states.others.kinds, states.others.makers], [['object', 'instance'], ['state']]);
  const [one, at] = shapes.run;
  assert.deepEqual([one.kinds, one.makers, one.required], [['object', 'instance'], ['machine'], ['current', 'states']]);
  assert.deepEqual(at, { kinds: ['Date'] });
});

test('of functions that return one type, a few have its methods', () => {
  const makers = Array.from({ length: 30 }, (_, at) => `static made${at}(): Grid;`).join(' ');
  const { shapes } = told(`
    export declare class Grid { constructor(size: number); ${makers} turned(by: number): Grid; }
    export declare function single(): { only(text: string): void };
  `);
  const named = Object.keys(shapes).filter((name) => name.endsWith('#turned'));
  assert.ok(named.includes('Grid#turned'));
  assert.ok(named.length > 5 && named.length < 25, String(named.length));
  assert.deepEqual(shapes['single#only'][0].kinds, ['string']);
});
