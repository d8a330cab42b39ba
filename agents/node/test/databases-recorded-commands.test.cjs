'use strict';
/** A command that fails is placed at the statement that waits for it, not at the one that was executed last. */
const { test } = require('node:test');
const assert = require('node:assert');
const { log, noteCommand, takeCommands } = require('../src/databases/recorded-commands.cjs');
const { handedOn, noteCommandRelay } = require('../src/runtime/errors/handed-on-commands.cjs');
const { relay } = require('../src/runtime/errors/handed-on-answers.cjs');
const { newRecord, recorder } = require('../src/runtime/calls/recorder.cjs');

test('a failed command has the place of the statement that waits', () => {
  /** @type {number[]} */
  const stamps = [];
  recorder.record = newRecord(0, null, null, 7);
  log.isWanted = true;
  log.place = () => ({ file: '/app/repository.js', line: 3 });
  log.unfinishedPlace = (stamp) => {
    stamps.push(stamp);
    return { file: '/app/orders.js', line: 9 };
  };
  noteCommand('db', 'SELECT 1', undefined, false);
  noteCommand('db', 'SELECT x', undefined, false).fail('no such column: x');
  log.unfinishedPlace = () => null;
  noteCommand('db', 'SELECT y', undefined, false).fail('no such column: y');
  recorder.record = null;
  noteCommand('db', 'SELECT z', undefined, false).fail('no such column: z');
  const sites = (takeCommands().commands ?? []).map((/** @type {any} */ one) => one.site);
  assert.deepStrictEqual(sites, [
    '/app/repository.js:3',
    '/app/orders.js:9',
    '/app/repository.js:3',
    '/app/repository.js:3',
  ]);
  assert.deepStrictEqual(stamps, [7]);
});

test('a command that a helper hands on has its caller, too', () => {
  recorder.record = newRecord(0, null, null, 7);
  log.isWanted = true;
  let line = 3;
  log.place = () => ({ file: '/app/db.js', line });
  log.unfinishedPlace = () => ({ file: '/app/db.js', line: 3 });
  log.unfinishedCaller = (stamp) => ({ file: '/app/orders.js', line: stamp });
  log.isRelay = (file, at) => file === '/app/db.js' && at === 3;
  noteCommand('db', 'SELECT 1', undefined, false);
  noteCommand('db', 'SELECT x', undefined, false).fail('no such column: x');
  line = 4;
  noteCommand('db', 'BEGIN', undefined, false);
  recorder.record = null;
  const places = (takeCommands().commands ?? []).map((/** @type {any} */ one) => [one.site, one.caller]);
  assert.deepStrictEqual(places, [
    ['/app/db.js:3', '/app/orders.js:7'],
    ['/app/db.js:3', '/app/orders.js:7'],
    ['/app/db.js:4', undefined],
  ]);
});

test('a caller that does not wait for its helper is the one that has called it, in the order of the commands', () => {
  recorder.record = newRecord(0, null, null, 7);
  log.isWanted = true;
  log.place = () => ({ file: '/app/db.js', line: 3 });
  log.unfinishedPlace = () => null;
  log.unfinishedCaller = () => null;
  log.isRelay = (file) => file === '/app/db.js';
  relay.isRelay = log.isRelay;
  for (const place of [
    { file: '/app/orders.js', line: 5 },
    { file: '/app/db.js', line: 3 },
    { file: '/a.js', line: 9 },
  ]) {
    handedOn.callingPlace = () => place;
    noteCommandRelay();
  }
  noteCommand('db', 'SELECT x', undefined, false).fail('no such column: x');
  noteCommand('db', 'SELECT 2', undefined, false);
  noteCommand('db', 'SELECT 3', undefined, false);
  recorder.record = newRecord(1, null, null, 8);
  noteCommand('db', 'SELECT 4', undefined, false);
  recorder.record = null;
  const callers = (takeCommands().commands ?? []).map((/** @type {any} */ one) => one.caller);
  assert.deepStrictEqual(callers, ['/app/orders.js:5', '/a.js:9', undefined, undefined]);
});
