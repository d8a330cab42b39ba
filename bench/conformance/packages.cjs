'use strict';
/**
 * The packages whose own tests are run with and without the agent.
 *
 * `tests` are globs below the package's folder; `without` takes those away that cannot run here, with the reason. Where
 * a package publishes no tests, a program of ours in differential/ drives its functions: second best, and labelled so.
 */

/**
 * @typedef {object} Entry
 * @property {string} name of the package
 * @property {string} style why it is here
 * @property {'tape' | 'mocha' | 'node' | 'script' | 'promises' | 'differential'} runner
 * @property {string[]} [tests]
 * @property {Record<string, string>} [without] path -> why
 * @property {Record<string, string>} [races] test that is decided by fractions of a millisecond -> between what
 * @property {string[]} [program] in differential/, with its arguments
 */

/** Of resolve: they need folders that are in its repository only. */
const NOT_PUBLISHED = Object.fromEntries(['test/symlinks.js', 'test/exports.js', 'test/exports_sync.js'].map((test) => [test, 'needs folders that are not published']));

/** Of avvio, for tests with plugins inside of plugins that time out after 10 ms each. */
const SAME_MILLISECOND = 'the outer plugin wins where the inner one starts in a later millisecond than it';

/** @type {Entry[]} */
const PACKAGES = [
  { name: 'fastify', style: 'web framework', runner: 'node', tests: ['test/*.test.js'] },
  { name: 'qs', style: 'parser, query strings', runner: 'tape', tests: ['test/*.js'] },
  { name: 'minimist', style: 'parser, command line', runner: 'tape', tests: ['test/*.js'] },
  { name: 'resolve', style: 'callbacks, file system', runner: 'tape', tests: ['test/*.js'], without: NOT_PUBLISHED },
  { name: 'object-inspect', style: 'every kind of value', runner: 'tape', tests: ['test/*.js'] },
  { name: 'traverse', style: 'recursion, this', runner: 'tape', tests: ['test/*.js'] },
  { name: 'deep-equal', style: 'comparisons with coercion', runner: 'tape', tests: ['test/*.js'] },
  { name: 'json-stable-stringify', style: 'serialiser', runner: 'tape', tests: ['test/*.js'] },
  { name: 'fast-json-stable-stringify', style: 'serialiser', runner: 'tape', tests: ['test/*.js'] },
  { name: 'events', style: 'emitters, async iteration', runner: 'script', tests: ['tests/index.js'] },
  { name: 'url', style: 'parser, URLs', runner: 'mocha', tests: ['test/*.js'] },
  { name: 'fastq', style: 'queues, promises', runner: 'tape', tests: ['test/test.js', 'test/promise.js'] },
  { name: 'reusify', style: 'linked objects', runner: 'tape', tests: ['test.js'] },
  { name: 'rfdc', style: 'cloning', runner: 'tape', tests: ['test/index.js'] },
  { name: 'find-my-way', style: 'router, regular expressions', runner: 'node', tests: ['test/*.test.js'] },
  { name: 'fast-json-stringify', style: 'generated code (new Function)', runner: 'node', tests: ['test/*.test.js'], without: { 'test/deopt.test.js': 'asks V8 whether a function stays optimised' } },
  { name: 'secure-json-parse', style: 'parser, JSON', runner: 'tape', tests: ['test/*.test.js'] },
  { name: 'fast-uri', style: 'parser, URIs', runner: 'tape', tests: ['test/*.test.js'] },
  { name: 'avvio', style: 'async start-up, plugins', runner: 'node', tests: ['test/*.test.js'], races: { 'do not load': SAME_MILLISECOND, 'nested timeout do not crash - await': SAME_MILLISECOND } },
  { name: 'light-my-request', style: 'HTTP, streams', runner: 'node', tests: ['test/*.test.js'] },
  { name: 'process-warning', style: 'process events, children', runner: 'node', tests: ['test/*.test.js'] },
  { name: 'split2', style: 'streams', runner: 'tape', tests: ['test.js'] },
  { name: 'pump', style: 'streams, errors', runner: 'script', tests: ['test-node.js'] },
  { name: 'bl', style: 'buffers', runner: 'script', tests: ['test/test.js'] },
  { name: 'through2', style: 'streams', runner: 'node', tests: ['test/*.js'] },
  { name: 'jsonparse', style: 'parser, state machine', runner: 'tape', tests: ['test/*.js'], without: { 'test/big-token.js': 'minutes of one tight loop' } },
  { name: 'msgpack5', style: 'binary encoding', runner: 'tape', tests: ['test/*.js'] },
  { name: 'varint', style: 'bit arithmetic', runner: 'script', tests: ['test.js'] },
  { name: 'hash.js', style: 'bit arithmetic', runner: 'mocha', tests: ['test/*-test.js'] },
  { name: 'sha.js', style: 'bit arithmetic, inheritance', runner: 'tape', tests: ['test/*.js'], without: { 'test/test.js': 'hashes for 16 s without probes' } },
  { name: 'static-eval', style: 'interpreter', runner: 'tape', tests: ['test/*.js'] },
  { name: 'detective', style: 'parser, own source text', runner: 'tape', tests: ['test/*.js'] },
  { name: 'falafel', style: 'parser, source transformation', runner: 'tape', tests: ['test/*.js'] },
  { name: 'abstract-level', style: 'classes, private names, async iteration', runner: 'script', tests: ['test/self.js'] },
  { name: 'complex.js', style: 'numbers', runner: 'mocha', tests: ['tests/*.js'] },
  { name: 'fraction.js', style: 'numbers, BigInt', runner: 'mocha', tests: ['tests/*.js'] },
  { name: 'tiny-emitter', style: 'emitters', runner: 'tape', tests: ['test/index.js'] },
  { name: 'strftime', style: 'dates', runner: 'script', tests: ['test.js'] },
  { name: 'date-format', style: 'dates', runner: 'mocha', tests: ['test/*.js'] },
  { name: 'date.js', style: 'dates, parser', runner: 'mocha', tests: ['test/*.js'] },
  { name: 'array.prototype.flat', style: 'polyfill', runner: 'tape', tests: ['test/*.js'] },
  { name: 'string.prototype.matchall', style: 'polyfill, regular expressions', runner: 'tape', tests: ['test/*.js'] },
  { name: 'es-iterator-helpers', style: 'iterators, generators', runner: 'tape', tests: ['test/*.js'], without: { 'test/Iterator.js': 'needs a package that npm cannot fetch' } },
  { name: 'sonic-boom', style: 'files, children', runner: 'node', tests: ['test/*.test.js'] },
  { name: 'pino', style: 'logger, worker threads, stacks', runner: 'node', tests: ['test/*.test.js'] },
  { name: 'promise', style: 'promises', runner: 'promises' },
  { name: 'bluebird', style: 'promises, generated code', runner: 'promises' },
  { name: 'when', style: 'promises', runner: 'promises' },
  { name: 'rsvp', style: 'promises', runner: 'promises' },
  { name: 'express', style: 'web framework', runner: 'differential', program: ['express.cjs'] },
  { name: 'lodash', style: 'collections, closures', runner: 'differential', program: ['functions.cjs', 'lodash'] },
  { name: 'ramda', style: 'curried functions', runner: 'differential', program: ['functions.cjs', 'ramda'] },
  { name: 'validator', style: 'strings, regular expressions', runner: 'differential', program: ['functions.cjs', 'validator'] },
  { name: 'moment', style: 'dates', runner: 'differential', program: ['functions.cjs', 'moment'] },
  { name: 'marked', style: 'parser, minified', runner: 'differential', program: ['functions.cjs', 'marked'] },
  { name: 'markdown-it', style: 'parser', runner: 'differential', program: ['functions.cjs', 'markdown-it'] },
  { name: 'js-yaml', style: 'parser', runner: 'differential', program: ['functions.cjs', 'js-yaml'] },
  { name: 'handlebars', style: 'parser, generated code', runner: 'differential', program: ['functions.cjs', 'handlebars'] },
  { name: 'semver', style: 'parser, regular expressions', runner: 'differential', program: ['functions.cjs', 'semver'] },
  { name: 'picomatch', style: 'generated regular expressions', runner: 'differential', program: ['functions.cjs', 'picomatch'] },
];

module.exports = { PACKAGES };
