'use strict';
/** What Node prints of an error that ends the process is what it prints of the plain program, to the byte. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { FakeCore } = require('./support/fake-core.cjs');

const PROGRAMS = {
  'at the top': "const a = 1; if (a === 1 && a > 0) throw new Error('top ' + a);",
  'in a function':
    "const list = [1];\nfunction f(x) {\n\tif (list.includes(x)) { throw Object.assign(new RangeError('in f'), { code: x }); }\n}\n{ f(0); f(list.length); }",
  'made elsewhere':
    "const error = new TypeError('made');\nconst g = (x) => { if (x) throw error; };\ntry { g(1); } catch (e) { if (e === error) throw e; }",
  'thrown by V8': 'const o = {};\nconst deep = o.a === 1 || o.b.c;',
  'of a method that is not there': 'const s = [1];\nif (s.length && s.includes(1) && s.starts(1)) s.push(2);',
  'of a tracked method that is not there': 'const o = { a: 1 };\nconst b = o.a === 1 && o.includes(1);',
  'of a function that is not there':
    'const isEmail = 1, JSON = { a: isEmail };\nlet parseInt = 3; const y = parseInt(JSON.a === 1);',
  'not constructed': 'const o = { URL: 1 };\nconst b = o.URL === 1 ? new o.URL(1) : 0;',
  'in a built-in function': 'const xs = [];\nconst y = xs.length === 0 && xs.reduce((a, b) => a && b);',
  'in a text that is read': "const t = '{x';\nconst y = t.length === 2 && JSON.parse(t);",
  later: "const a = 1;\nsetTimeout(() => { if (a === 1) throw new Error('later'); }, 1);",
  'in a promise': "const f = async (x) => { await null; if (x === 1) throw new Error('async'); };\nf(1);",
  'a text': "const a = 1;\nif (a === 1) throw 'text ' + a;",
  'an object': 'const a = 1;\nif (a === 1) throw { a, b: [a === 1] };',
  'a rejection without an error': 'const a = 1;\nif (a === 1) Promise.reject(5);',
  'by a library':
    "const { EventEmitter } = require('events');\nconst e = new EventEmitter(); const a = 1;\nif (a === 1) e.emit('error', new Error('emitted'));",
  'by a library that caught it':
    "const a = 1;\nconst fail = () => { null.x; };\ntry { if (a === 1) fail(); } catch (error) { require('events').prototype.emit.call({}, 'error', error); }",
  'with a cause': "const a = 1;\ntry { a.b.c; } catch (cause) { if (a === 1) throw new Error('outer', { cause }); }",
  'of a class':
    "class Mine extends Error { constructor(a) { super('mine'); this.name = 'Mine'; this.a = a === 1; } }\nconst a = 1; if (a === 1) throw new Mine(a);",
  frozen:
    "const a = 1; const error = new Error('frozen'); error.stack = 'kept'; Object.freeze(error);\nif (a === 1) throw error;",
  'with listeners':
    "const a = 1; let kept;\nprocess.on('exit', (code) => console.error('exit', code, Object.keys(kept)));\nprocess.on('uncaughtExceptionMonitor', (e) => { kept = e; });\nif (a === 1) throw new Error('monitored');",
  handled:
    "const a = 1;\nprocess.on('uncaughtException', (e) => console.error(e.message, Object.getOwnPropertyNames(e)));\nif (a === 1) throw new Error('handled');",
  'in a listener of exit': "const a = 1;\nprocess.on('exit', () => { if (a === 1) throw new Error('at exit'); });",
  'of what cannot be parsed': "const a = 1;\nif (a === 1) require('./broken.cjs');",
};
const MODULES = {
  'of a module, at the top': "const a = 1;\nif (a === 1) throw new Error('module');\nexport {};",
  'of a module, by V8': 'const a = 1;\nif (a === 1 && a.b.c) a();\nexport {};',
  'of a module, later':
    "import fs from 'node:fs';\nconst a = fs;\nsetTimeout(() => { if (a) throw new Error('later'); }, 1);",
  'of a module that cannot be parsed': "import './broken.mjs';\nconst a = 1;",
  'of a name that is not exported': "import { nothing } from './other.mjs';\nconst a = nothing;",
};

/**
 * One frame of a stack is the agent's, while it lasts: Node's own beside it are left out, and what Node adds about the
 * place that has emitted an error.
 * @param {string} printed
 */
function withoutTail(printed) {
  return printed.replace(/^ +at .*node:internal.*\n/gm, '').replace(/(Emitted 'error' event.*\n)(?: .*\n)+/, '$1');
}

/** @param {string} name @param {string} text */
async function stderrOf(name, text, agent, options) {
  const core = await FakeCore.start({
    [name]: text,
    'broken.cjs': 'const a = ;',
    'broken.mjs': 'let b = 1;\nlet b = ;',
    'other.mjs': 'export const some = 1;',
  });
  try {
    core.run([...options, name], { agent });
    const { code } = await core.closed;
    return code + withoutTail(core.output.stderr.replaceAll(core.folder, '/sut'));
  } finally {
    await core.stop();
  }
}

for (const [programs, name] of [
  [PROGRAMS, 'app.cjs'],
  [MODULES, 'app.mjs'],
]) {
  for (const [what, text] of Object.entries(programs)) {
    test(`an error ${what}`, async () => {
      for (const options of [[], ['--enable-source-maps']]) {
        const plain = await stderrOf(name, text, false, options);
        assert.equal(await stderrOf(name, text, true, options), plain, options.join());
      }
    });
  }
}
