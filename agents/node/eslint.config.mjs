/**
 * The rules for the agent's JavaScript. `npm run check` applies them, `npm run format` sets the layout
 * (.prettierrc.json).
 *
 * A rule that one place must break is switched off there, with the reason behind two dashes.
 */

import { createRequire } from 'node:module';
import js from '@eslint/js';

const require = createRequire(import.meta.url);
const intrinsics = require('./src/base/intrinsics.cjs');

/** Names that Node gives to every module and that no module of the agent has to import. */
const AMBIENT = ['console', 'globalThis', 'process', '__dirname', '__filename'];

/** Globals of the language and of Node. A program under test may replace each of them. */
const BUILT_IN = `
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array Boolean Buffer DataView Date Error EvalError
  Event EventTarget FinalizationRegistry Float32Array Float64Array Function Int16Array Int32Array Int8Array
  Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TypeError URL URLSearchParams
  Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet atob btoa clearImmediate clearInterval
  clearTimeout decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval fetch isFinite isNaN
  parseFloat parseInt performance queueMicrotask setImmediate setInterval setTimeout structuredClone unescape
`
  .trim()
  .split(/\s+/);

/** Methods of strings, arrays, expressions and collections, as far as no class of the agent has one of that name. */
const METHODS = `
  at concat every fill filter find findIndex findLast flat flatMap forEach includes indexOf keys lastIndexOf
  map pop push reduce reverse shift slice some sort splice unshift values entries charAt charCodeAt
  codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search
  split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart exec test hasOwnProperty subarray
  copyWithin
`
  .trim()
  .split(/\s+/);

/** What runs while the program does: it would meet what the program has put in the place of methods and iterators. */
const PATCHABLE = [
  {
    selector: `:function CallExpression[callee.property.name=/^(${METHODS.join('|')})$/]`,
    message: 'The program under test may have replaced this method: use the function of base/intrinsics.cjs.',
  },
  {
    selector: ':function ForOfStatement, :function ArrayPattern',
    message: 'The program under test may have replaced iterators: go by index.',
  },
];

/** @param {string} name */
const restrictedGlobal = (name) => ({
  name,
  message:
    name in intrinsics
      ? 'The program under test may have replaced it: take it from base/intrinsics.cjs.'
      : 'The program under test may have replaced it: add what is needed of it to base/intrinsics.cjs.',
});

/** @param {string[]} names */
const readonly = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default [
  { ignores: ['test/toolchains/'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { globals: readonly([...AMBIENT, ...BUILT_IN]) },
    rules: {
      'array-callback-return': 'error',
      complexity: ['error', 13],
      curly: ['error', 'multi-line'],
      'default-case-last': 'error',
      'dot-notation': 'error',
      eqeqeq: 'error',
      'logical-assignment-operators': 'error',
      'max-depth': ['error', 4],
      'max-params': ['error', 5],
      'no-else-return': 'error',
      'no-lonely-if': 'error',
      'no-unneeded-ternary': 'error',
      'no-unused-expressions': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'all' }],
      'no-useless-rename': 'error',
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      strict: ['error', 'global'],
      'unicode-bom': 'error',
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  {
    // Tests compare what the agent does with what the operators themselves do.
    files: ['test/**'],
    rules: { complexity: ['error', 14], eqeqeq: 'off', 'no-useless-assignment': 'off' },
  },
  {
    files: ['src/**'],
    rules: { 'no-console': 'error', 'no-shadow': 'error' },
  },
  {
    // The instrumenter runs in a realm of its own, and intrinsics.cjs is where the copies are taken. The host of a
    // library makes arguments with the classes that a caller of the library would use.
    files: ['src/**', 'register.cjs'],
    ignores: ['src/instrument/**', 'src/library/**', 'src/base/intrinsics.cjs', '**/*.mjs'],
    rules: { 'no-restricted-globals': ['error', ...BUILT_IN.map(restrictedGlobal)] },
  },
  {
    files: ['src/base/**', 'src/runtime/**', 'src/session/**', 'src/databases/**', 'src/external/**'],
    rules: { 'no-restricted-syntax': ['error', ...PATCHABLE] },
  },
];
