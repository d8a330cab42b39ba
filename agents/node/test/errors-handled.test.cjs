'use strict';
/** Where a failed call went wrong if errors were handled before it was answered, or made anew from other errors. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { FakeCore } = require('./support/fake-core.cjs');

const FRAMEWORK = `
const http = require('node:http');
exports.serve = (handlers) =>
  http.createServer(async (req, res) => {
    let answer;
    try {
      answer = await handlers[req.url](req);
    } catch (error) {
      if (!handlers[req.url]) console.error(error);
      answer = { status: 500 };
    }
    res.writeHead(answer.status, { connection: 'close' }).end('{}');
  }).listen(0);
exports.find = (Model) => ({
  then(resolve, reject) {
    const fail = (error) => setImmediate(() => Model.rules && reject(error));
    setImmediate(() => fail(new Error('not valid')));
  },
});
`;
const APP = `
const { find, serve } = require('framework');
class Model {
  static get rules() {
    return {};
  }
}
const parsed = (text) => {
  return JSON.parse(text);
};
class Failure extends Error {}
serve({
  '/status': async (req) => {
    let level;
    try {
      level = parsed('no json');
    } catch {
      level = 1;
    }
    const answer = { level, status: 500 };
    return answer;
  },
  '/mapped': async (req) => {
    try {
      const known = find === undefined;
      const row = await find(Model);
      return { status: 200, row, known };
    } catch (error) {
      const status = error.status ?? 500;
      return { status };
    }
  },
  '/wrapped': async (req) => {
    const row = undefined;
    try {
      return { status: 200, name: row.name };
    } catch (error) {
      throw new Failure(error.message);
    }
  },
  '/chained': (req) => {
    const query = find({ rules: true });
    return new Promise((answer, next) => query.then(answer, next)).catch(handled);
  },
});
function handled(error) {
  const isKnown = error.status !== undefined;
  return { status: isKnown ? 400 : 500 };
}
`;
const line = (/** @type {string} */ part) => APP.slice(0, APP.indexOf(part)).split('\n').length;

test('failures after errors', async () => {
  const core = await FakeCore.start({ 'app.cjs': APP, 'node_modules/framework/index.js': FRAMEWORK });
  try {
    core.run(['app.cjs']);
    await core.listening();
    const { result: status } = await core.evaluate(1, ['GET /status']);
    assert.strictEqual(status.causes[0].line, line('return answer;'), 'not that of the statement that was left');
    const { result: mapped } = await core.evaluate(2, ['GET /mapped']);
    assert.strictEqual(mapped.causes[0].line, line('const row = await'), 'neither the getter nor the handler');
    const { result: wrapped } = await core.evaluate(3, ['GET /wrapped']);
    const [cause] = wrapped.causes;
    assert.deepStrictEqual([cause.file, cause.line], [`${core.folder}/app.cjs`, line('return { status: 200, name')]);
    assert.match(cause.message, /^TypeError: Cannot read properties of undefined/);
    const { result: chained } = await core.evaluate(4, ['GET /chained']);
    assert.strictEqual(chained.causes[0].line, line('return new Promise'), 'not the handler');
    const { result: refused } = await core.evaluate(5, ['GET /refused']);
    const { file, message, statement } = refused.causes[0];
    assert.deepStrictEqual([file, statement], ['', ''], 'nothing of the program has run since the call began');
    assert.match(message, /^TypeError: handlers\[req.url\] is not a function/);
  } finally {
    await core.stop();
  }
});
