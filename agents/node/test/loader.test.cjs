'use strict';
/**
 * Loading, as whole processes: a program runs plain and with the loader, and must print and exit the same.
 * LOADER_TEST_NODE names another Node to test with.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, dirname, join } = require('node:path');

const NODE = process.env.LOADER_TEST_NODE ?? process.execPath;
const NODE_MAJOR = Number(spawnSync(NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0]);
const PRELOAD = join(__dirname, 'loader-fixtures', 'preload.cjs');

/** Makes a folder with these files and answers ways to run them. */
function makeProject(t, files) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'wimble-loader-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const cache = join(root, 'node_modules', '.cache');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const environment = {
    ...process.env,
    LOADER_TEST_ROOT: root,
    LOADER_TEST_CACHE: cache,
    NODE_OPTIONS: '',
    NODE_TEST_CONTEXT: '',
  };
  const run = (args, env) => spawnSync(NODE, args, { cwd: root, env, encoding: 'utf8', timeout: 20_000 });
  return {
    root,
    cache,
    plain: (...args) => withoutReports(run(args, environment)),
    loaded: (...args) => withoutReports(run(args, { ...environment, NODE_OPTIONS: `--require ${PRELOAD}` })),
    loadedWith: (extra, ...args) =>
      withoutReports(run(args, { ...environment, NODE_OPTIONS: `--require ${PRELOAD}`, ...extra })),
  };
}

/** Splits what preload.cjs has printed from what the program has printed. */
function withoutReports({ stdout, stderr, status, signal }) {
  const reports = [];
  const rest = stderr.split('\n').filter((line) => {
    if (!line.startsWith('SEEN')) return true;
    reports.push(JSON.parse(line.slice(4)));
    return false;
  });
  return { output: { stdout, stderr: rest.join('\n'), status, signal }, reports };
}

/** Runs plain and loaded, compares, and answers the loaded run's report of the main process. */
function runBoth(project, ...args) {
  const plain = project.plain(...args);
  const loaded = project.loaded(...args);
  assert.deepEqual(loaded.output, plain.output);
  return loaded;
}

/** Sorted: a module is registered before what it imports, a CommonJS file after it. */
const names = (report) => report.registered.map(({ path }) => basename(path)).sort();

test('CommonJS: files of the project are instrumented, packages are not', (t) => {
  const project = makeProject(t, {
    'main.js':
      '"use strict";\nconst { f } = require("./lib/f");\nconsole.log(f(1), require("pkg"), require.resolve("./lib/f").length > 0, module.children.length, __filename.length > 1, require.main === module, this === exports);',
    'lib/f.js': 'exports.f = (x) => x === 1 && !0;',
    'node_modules/pkg/index.js': 'module.exports = 1 === 1;',
  });
  const { reports } = runBoth(project, 'main.js');
  assert.deepEqual(names(reports[0]), ['f.js', 'main.js']);
  assert.equal(reports[0].registered[1].hash.length, 64);
  assert.ok(reports[0].probes > 5);
  assert.deepEqual(reports[0].failures, []);
});

test('the second start parses nothing', (t) => {
  const project = makeProject(t, { 'main.js': 'require("./b"); console.log(1 === 1)', 'b.js': 'console.log(!0)' });
  const first = runBoth(project, 'main.js').reports[0];
  const second = runBoth(project, 'main.js').reports[0];
  assert.equal(first.parsed, true);
  assert.equal(second.parsed, false);
  assert.deepEqual({ ...second, parsed: true }, first);
});

test('a changed file is instrumented anew', (t) => {
  const project = makeProject(t, { 'main.js': 'console.log(1 === 1)' });
  const before = project.loaded('main.js').reports[0];
  writeFileSync(join(project.root, 'main.js'), 'console.log(1 === 2, !1)');
  const after = runBoth(project, 'main.js').reports[0];
  assert.notEqual(after.registered[0].hash, before.registered[0].hash);
  assert.ok(after.registered[0].targets > before.registered[0].targets);
});

test('torn, foreign and unwritable cache entries do no harm', (t) => {
  const project = makeProject(t, { 'main.js': 'console.log(1 === 1)', 'esm.mjs': 'console.log(1 === 1)' });
  for (const file of ['main.js', 'esm.mjs']) {
    const { registered, probes } = project.loaded(file).reports[0];
    for (const damage of [
      () => '',
      (text) => text.slice(0, -3),
      (text) => text.replace('===', '!=='),
      () => '{}',
      (text) => `x${text}`,
    ]) {
      for (const name of readdirSync(project.cache)) {
        const path = join(project.cache, name);
        writeFileSync(path, damage(readFileSync(path, 'utf8')));
      }
      assert.deepEqual(runBoth(project, file).reports[0].registered, registered);
    }
    for (const cache of [join(project.root, 'main.js'), join(project.root, 'main.js', 'below'), '']) {
      const run = project.loadedWith({ LOADER_TEST_CACHE: cache }, file);
      assert.equal(run.output.stdout, 'true\n');
      assert.equal(run.reports[0].probes, probes);
    }
  }
  assert.ok(readdirSync(project.cache).every((name) => !name.endsWith('.tmp')));
  assert.equal(statSync(project.cache).mode & 0o077, 0, 'code that is run must not be writable by others');
  chmodSync(project.cache, 0o500);
  assert.equal(runBoth(project, 'main.js').reports[0].failures.length, 0);
  chmodSync(project.cache, 0o700);
});

test('the entry in the cache is shared by processes that start together', (t) => {
  const project = makeProject(t, {
    'main.js':
      'const { spawn } = require("child_process"); for (let i = 0; i < 4; i++) spawn(process.execPath, [require.resolve("./child.js")], { stdio: ["ignore", "inherit", "ignore"] });',
    'child.js': `console.log(1 === 1);${'a => a === 1 && !a;\n'.repeat(500)}`,
  });
  assert.equal(runBoth(project, 'main.js').output.stdout, 'true\n'.repeat(4));
});

test('ES modules: cycles, live bindings, JSON, import.meta, dynamic import, CommonJS from ES modules', (t) => {
  const project = makeProject(t, {
    'main.mjs': `import { b, early, bump, count } from './b.mjs';
import def, { named } from './c.cjs';
import json from './j.json' with { type: 'json' };
import * as all from './default.mjs';
export function hoisted(x) { return x === 1 ? 'one' : 'other'; }
bump();
console.log(b, early, count, def, named, json, import.meta.url.endsWith('main.mjs'), all, all.default.name);
const again = await import('./c.cjs');
console.log(again.named === named, Object.keys(again), (await import('./count.mjs?other')).count);
await import('./throws.mjs').catch((error) => console.log(error.message));
await import('./missing.mjs').catch((error) => console.log(error.code));
await import('./broken.mjs').catch((error) => console.log(error.name, error.message));
console.log(Object.keys(globalThis));`,
    'b.mjs': `import { hoisted } from './main.mjs';
export const early = hoisted(1), b = 2 > 1;
export let count = 0;
export const bump = () => { count += 1; };`,
    'count.mjs': 'export const count = 1 === 1 ? 3 : 4;',
    'c.cjs': 'exports.named = 1 < 2; exports.other = require("./d.js"); console.log("once");',
    'd.js': 'module.exports = 4;',
    'default.mjs':
      'export default () => 1 === 1; export { default as again } from "./default.mjs"; export * from "./b.mjs";',
    'throws.mjs': 'if (1 === 1) throw new Error("thrown at line 1"); export default 1;',
    'broken.mjs': 'export default = 1 +;',
    'j.json': '{"x":1}',
  });
  const [report] = runBoth(project, 'main.mjs').reports;
  assert.deepEqual(names(report), ['b.mjs', 'c.cjs', 'count.mjs', 'd.js', 'default.mjs', 'main.mjs', 'throws.mjs']);
  assert.deepEqual(
    report.failures.map(({ path }) => basename(path)),
    ['broken.mjs'],
  );
  const [second] = runBoth(project, 'main.mjs').reports;
  assert.deepEqual(second.registered, report.registered);
});

test('a package of type module, and CommonJS that imports it', (t) => {
  const project = makeProject(t, {
    'package.json': '{"type": "module"}',
    'main.js': 'import "./other.js"; console.log(await Promise.resolve(1) === 1);',
    'other.js': 'export const x = !1; console.log("other", import.meta.filename?.length > 0);',
    'start.cjs': 'console.log(1 === 1); setTimeout(() => import("./main.js"), 10);',
    'function.cjs': 'new Function("path", "return import(path)"); require("./lazy.cjs")()',
    'lazy.cjs': 'module.exports = () => import("./other.js")',
  });
  assert.deepEqual(names(runBoth(project, 'main.js').reports[0]), ['main.js', 'other.js']);
  assert.deepEqual(names(runBoth(project, 'start.cjs').reports[0]), ['main.js', 'other.js', 'start.cjs']);
  assert.deepEqual(names(runBoth(project, 'function.cjs').reports[0]), ['function.cjs', 'lazy.cjs', 'other.js']);
});

test('require of an ES module', (t) => {
  const project = makeProject(t, {
    'main.cjs':
      'try { console.log(require("./m.mjs").x, require("./m.mjs").f(1)); } catch (error) { console.log(error.code); }',
    'm.mjs': 'import { y } from "./n.mjs"; export const x = y === 1; export const f = (err) => !err;',
    'n.mjs': 'export const y = 1;',
  });
  const run = project.loaded('--no-warnings', 'main.cjs');
  assert.deepEqual(run.output, project.plain('--no-warnings', 'main.cjs').output);
  if (run.output.stdout.startsWith('true')) assert.deepEqual(names(run.reports[0]), ['m.mjs', 'main.cjs', 'n.mjs']);
});

test('the graph of a required ES module: cycles, CommonJS, modules of other kinds, and programs that patch or read', (t) => {
  const project = makeProject(t, {
    'main.cjs': `const fs = require("node:fs"); const { openSync } = fs; const opened = [];
fs.openSync = function openSync(file, ...rest) { opened.push(String(file).split("/").pop()); return Reflect.apply(openSync_, fs, [file, ...rest]) };
const openSync_ = openSync; const patched = fs.openSync;
try { const m = require("./a.mjs"); console.log(m.a(), m.b(), m.text === fs.readFileSync("./b.mjs", "utf8"), m.own === String(fs.readFileSync("./c.mjs")));
console.log(fs.openSync === patched, Object.keys(require.cache).filter((file) => file.startsWith(__dirname)).length, m.url.endsWith("/b.mjs"), opened.includes("d.cjs"));
m.late.then((late) => console.log(late.e === 5)); } catch (error) { console.log(error.code); }`,
    'a.mjs': `import { b, url } from "./b.mjs"; import { text, own } from "./c.mjs"; import d from "./d.cjs"; import { f } from "./plain/f.js"; import { g } from "./typed/g.js";
export const a = () => b() === "b" && d.d === 4 && f === 6 && g === 7; export { b, text, own, url }; export const late = import("./e.mjs");`,
    'b.mjs':
      'import { a } from "./a.mjs"; export const b = () => (typeof a === "function" ? "b" : "?"); export const url = import.meta.url;',
    'c.mjs': `import { readFileSync } from "node:fs";
export const text = readFileSync(new URL("./b.mjs", import.meta.url), "utf8"); export const own = String(readFileSync(new URL(import.meta.url)));`,
    'd.cjs': 'exports.d = 4;',
    'e.mjs': 'export const e = 5;',
    'plain/package.json': '{}',
    'plain/f.js': 'export const f = 6;',
    'typed/package.json': '{"type": "module"}',
    'typed/g.js': 'export const g = 7;',
    'broken.cjs':
      'for (const file of ["./wrong.mjs", "./thrown.mjs", "./wrong.mjs"]) try { require(file) } catch (error) { console.log(error.message, require("node:fs").openSync.name) }',
    'wrong.mjs': 'import "./syntax.mjs";',
    'syntax.mjs': 'const = 1;',
    'thrown.mjs': 'import "./throws.mjs";',
    'throws.mjs': 'throw new Error("thrown");',
  });
  const run = project.loaded('--no-warnings', 'main.cjs');
  assert.deepEqual(run.output, project.plain('--no-warnings', 'main.cjs').output);
  const files = ['a.mjs', 'b.mjs', 'c.mjs', 'd.cjs', 'e.mjs', 'f.js', 'g.js', 'main.cjs'];
  if (run.output.stdout.startsWith('true')) assert.deepEqual(names(run.reports[0]), files);
  assert.deepEqual(project.loaded('broken.cjs').output.stdout, project.plain('broken.cjs').output.stdout);
});

test('a module whose type Node has to detect', (t) => {
  const project = makeProject(t, {
    'main.js': 'import { x } from "./x.js";\nconsole.log(x === 1);',
    'x.js': 'export const x = 1;',
    'start.cjs': 'import("./x.js").then((m) => console.log(m.x), (error) => console.log(error.name));',
  });
  for (const file of ['main.js', 'start.cjs']) {
    const plain = project.plain('--no-warnings', file);
    const loaded = project.loaded('--no-warnings', file);
    assert.deepEqual(loaded.output, plain.output);
    if (plain.output.status === 0 && plain.output.stdout !== 'SyntaxError\n') {
      assert.ok(names(loaded.reports[0]).includes('x.js'), file);
    }
  }
});

test('a syntax error is the one that V8 makes of the original text', (t) => {
  const project = makeProject(t, {
    'main.js': '"use strict";\nconsole.log("runs");\nrequire("./broken");',
    'broken.js': 'const a = 1 === 1;\nconst b = ;\n',
    // The parser takes it, V8 does not.
    'late.js': 'const a = 1 === 1;\nconst b = /(?<n>a)/v;\nlabel: { break nowhere }\n',
    'catches.js':
      'for (const name of ["broken", "late"]) try { require("./" + name) } catch (error) { console.log(error.name, error.message, error.stack.split("\\n").slice(0, 5)) }',
    'thrown.js': 'try { require("./throws") } catch (error) { console.log(error.message) }',
    'throws.js': 'console.log("effect"); throw new SyntaxError("mine")',
  });
  runBoth(project, 'catches.js');
  runBoth(project, 'thrown.js');
  const run = project.loaded('main.js');
  const plain = project.plain('main.js');
  assert.equal(run.output.status, plain.output.status);
  assert.deepEqual(run.output.stderr.split('\n').slice(0, 6), plain.output.stderr.split('\n').slice(0, 6));
  assert.deepEqual(
    run.reports[0].failures.map(({ path }) => basename(path)),
    ['broken.js'],
  );
});

test('uncaught errors keep message, line and exit code', (t) => {
  const project = makeProject(t, {
    'main.js': '// first\nfunction f(x) {\n  if (x === 1) throw new Error("boom");\n}\nf(1);\n',
    'main.mjs': '\n\nconst f = (x) => x.y.z;\nawait null;\nf({ y: null });\n',
  });
  for (const file of ['main.js', 'main.mjs']) {
    const [plain, loaded] = [project.plain(file), project.loaded(file)];
    assert.equal(loaded.output.status, plain.output.status);
    // The line of source before it is printed by the agent (errors-fatal-errors.test.cjs), which is not there.
    const frames = (run) =>
      run.output.stderr.replace(/^[^]*?(?=\w*Error: )/, '').match(/(?:main\.m?js:\d+|Error: .*)/g);
    assert.deepEqual(frames(loaded), frames(plain));
  }
});

test('source maps stay the last line', (t) => {
  const map = Buffer.from(JSON.stringify({ version: 3, sources: ['orig.ts'], names: [], mappings: ';;AASA' })).toString(
    'base64',
  );
  const text = `"use strict";\nconst x = 1 === 1;\nconsole.log(new Error("e").stack.split("\\n")[1].match(/[\\w.]+:\\d+/)[0]);\n//# sourceMappingURL=data:application/json;base64,${map}`;
  const project = makeProject(t, { 'main.js': text, 'main.mjs': text.replace('"use strict";', '') });
  for (const file of ['main.js', 'main.mjs']) {
    assert.match(runBoth(project, '--enable-source-maps', file).output.stdout, /orig\.ts:10/);
  }
});

test('workers and children load the preload on their own', (t) => {
  const project = makeProject(t, {
    'main.js': `const { Worker, isMainThread } = require("worker_threads"); const { fork } = require("child_process");
if (isMainThread) { new Worker(__filename).on("exit", () => new Worker(new URL("file://" + __dirname + "/w.mjs")).on("exit", () => fork("./child.mjs"))) } else console.log("worker", 1 === 1);`,
    'w.mjs': 'import { x } from "./x.mjs"; console.log("worker module", x === 1)',
    'x.mjs': 'export const x = 1;',
    'child.mjs': 'import { x } from "./x.mjs"; console.log("child", x === 1)',
  });
  const { reports } = runBoth(project, 'main.js');
  const all = reports.map((report) => names(report).join());
  assert.ok(all.includes('main.js') && all.includes('w.mjs,x.mjs') && all.includes('child.mjs,x.mjs'), all.join(' | '));
  assert.deepEqual(
    reports.flatMap((report) => report.failures),
    [],
  );
});

test('code given on the command line, standard input and the REPL stay alone', (t) => {
  const project = makeProject(t, { 'x.mjs': 'export const x = 1 === 1;', 'y.js': 'module.exports = !0' });
  runBoth(project, '-e', 'console.log(require("./y.js"), 1 === 1)');
  const { reports } = runBoth(project, '--input-type=module', '-e', 'import { x } from "./x.mjs"; console.log(x)');
  assert.deepEqual(names(reports[0]), ['x.mjs']);
  runBoth(project, '-p', '1 === 1');
});

test('hooks of the program itself keep working, and their output is what is instrumented', (t) => {
  const project = makeProject(t, {
    'require-hook.cjs': `const Module = require("module"); const original = Module._extensions[".js"];
Module._extensions[".ts"] = Module._extensions[".js"] = function (module, filename) {
  const compile = module._compile; module._compile = function (code, name) { return compile.call(this, code.replaceAll(": number", ""), name) }; original(module, filename);
};
console.log(Module.prototype._compile.length >= 2, JSON.stringify(Module.prototype._compile.name), Object.keys(Module.prototype).includes("_compile"));`,
    'main.js': 'require("./require-hook.cjs"); const x = require("./typed.js"); console.log(x(1));',
    'typed.js': 'module.exports = function (a: number) { return a === 1 };',
    'hooks.mjs': `export async function load(url, context, next) { const r = await next(url, { ...context, format: "module" });
if (!url.endsWith(".ts")) return next(url, context); return { ...r, format: "module", source: String(r.source).replaceAll(": number", "") } }
export async function resolve(specifier, context, next) { return specifier === "virtual" ? { url: new URL("./typed.ts", import.meta.url).href, format: "module", shortCircuit: true } : next(specifier, context) }`,
    'register.mjs': 'import { register } from "node:module"; register("./hooks.mjs", import.meta.url);',
    'register.cjs':
      'require("node:module").register("./hooks.mjs", require("node:url").pathToFileURL(__filename)); import("virtual").then((m) => console.log(m.f(1)));',
    'sync.mjs': `import * as node from "node:module"; const strip = (r) => ({ ...r, format: "module", source: String(r.source).replaceAll(": number", "") });
if (node.registerHooks) node.registerHooks({ resolve: (s, c, next) => s === "virtual" ? { url: new URL("./typed.ts", import.meta.url).href, format: "module", shortCircuit: true } : next(s, c), load: (url, c, next) => url.endsWith(".ts") ? strip(next(url, { ...c, format: "module" })) : next(url, c) });
else node.register("./hooks.mjs", import.meta.url);`,
    'typed.ts': 'export const f = (a: number) => a === 1 && !0;\nconsole.log(f(2));',
    'import.mjs': 'import { f } from "virtual"; console.log(f(1));',
  });
  assert.deepEqual(names(runBoth(project, 'main.js').reports[0]), ['main.js', 'require-hook.cjs', 'typed.js']);
  for (const args of [
    ['--import', './register.mjs', 'import.mjs'],
    ['register.cjs'],
    ['--import', './sync.mjs', 'import.mjs'],
  ]) {
    const run = runBoth(project, '--no-warnings', ...args);
    const report = run.reports.find(({ registered }) => registered.length > 0);
    assert.ok(names(report).includes('typed.ts'), JSON.stringify(report));
    assert.deepEqual(report.failures, []);
  }
});

test('a module loaded again keeps its targets', (t) => {
  const project = makeProject(t, {
    'main.js': 'require("./x"); delete require.cache[require.resolve("./x")]; require("./x"); console.log(1)',
    'x.js': 'console.log(1 === 1)',
  });
  assert.deepEqual(names(runBoth(project, 'main.js').reports[0]), ['main.js', 'x.js']);
});

test('the global object shows nothing of us to enumeration, and what we left cannot be replaced', (t) => {
  const project = makeProject(t, {
    'main.js':
      'for (const k in globalThis) console.log(k); console.log(Object.keys(globalThis).length, Reflect.ownKeys(globalThis).filter((k) => Object.prototype.propertyIsEnumerable.call(globalThis, k)).length)',
    'hostile.js': 'globalThis.__wimble_open__ = null; delete globalThis.__wimble_open__; require("./x.js")',
    'x.js': 'console.log(1 === 1)',
  });
  runBoth(project, 'main.js');
  runBoth(project, 'hostile.js');
});

test('what may import is told from what only speaks of it', () => {
  const { mayImport } = require('../src/loader/modules.cjs');
  for (const text of [
    'import("x")',
    'a = () => {import ("x")}',
    'x /* y */ && import(z)',
    'new Function("return import(x)")',
    `${'a;'.repeat(500)}"/*";import(x)`,
    '/* import(1) */\nimport(2)',
  ]) {
    assert.equal(mayImport(text), true, text);
  }
  for (const text of [
    '',
    "/** @type {import('.')} */\nmodule.exports = 1",
    ' * @param {import("x").Y} y',
    '// import(x)',
    'reimport(x)',
    'f(); /* import(x) */',
  ]) {
    assert.equal(mayImport(text), false, text);
  }
});

test('line ends, byte order marks, hashbangs, JSON, and files that are no JavaScript', (t) => {
  const project = makeProject(t, {
    'main.js':
      '#!/usr/bin/env node\r\n"use strict";\r\nconst a = require("./bom");\r\nconsole.log(a === 1,\r\n  new Error("x").stack.split("\\n")[1].replace(/:\\d+\\)/, ")"), require("./data.json"), require("./bom-data.json"));\r\ntry { require("./none") } catch (e) { console.log(e.code) }\r\nfor (const name of ["./bad", "./bad.json", "./bad-crlf"]) try { require(name) } catch (e) { console.log(e.name, e.message, e.stack.split("\\n").slice(0, 4)) }\r\n(function () { console.log(`a\r\nb`.length) })()',
    'bom.js': '\ufeffmodule.exports = 1 === 1 ? 1 : 2;',
    'data.json': '{"x": [1]}',
    'bom-data.json': '\ufeff{"y": 2}',
    'bad.json': '{"y": }',
    'bad.js': '#!/usr/bin/env node\nlet x = 1 === 1;\n  let x = 2;\n',
    'bad-crlf.js': 'var a = 1;\r\nvar b = "no end\r\n";',
    'main.mjs':
      '\ufeff#!not a hashbang after a mark'.slice(0, 1) +
      'import { x } from "./crlf.mjs";\r\nconsole.log(x === 1, import.meta.url.slice(-8), typeof import.meta.resolve, import.meta.resolve("./crlf.mjs").slice(-9));',
    'crlf.mjs':
      '#!/usr/bin/env node\r\nexport const x = 1;\r\nconsole.log(new Error("y").stack.split("\\n")[1].replace(/:\\d+$/, ""));',
  });
  assert.deepEqual(names(runBoth(project, 'main.js').reports[0]), ['bom.js', 'main.js']);
  assert.deepEqual(names(runBoth(project, 'main.mjs').reports[0]), ['crlf.mjs', 'main.mjs']);
});

test('require as programs bend it: cache, createRequire, resolve, wrappers, vm, and files without an extension', (t) => {
  const project = makeProject(t, {
    'main.js': `const Module = require('module'); const vm = require('vm'); const path = require('path');
const first = require('./counter'); first.count === 1 && first.bump();
delete require.cache[require.resolve('./counter')];
console.log(require('./counter') === first, require('./counter').count, first.count);
require.cache[require.resolve('./counter')].exports = { mocked: true }; console.log(require('./counter'));
const own = Module.createRequire(path.join(__dirname, 'lib', 'x.js')); console.log(own('./y'), own.resolve('./y').endsWith('y.js'));
console.log(new vm.Script('1 === 1 && !0').runInThisContext(), vm.runInNewContext('a === 2', { a: 2 }), require('./plain'), Module.wrap('x').length, module.paths.length > 0, require.main === module, module.children.length);
const made = new Module('/virtual.js'); made._compile('exports.z = 1 === 1', '/virtual.js'); console.log(made.exports);
console.log(process.execArgv, process.argv.length, Object.keys(process.env).filter((name) => /^NODE_OPTIONS/.test(name)).length);`,
    'counter.js': 'let count = 0; count += 1; module.exports = { get count() { return count }, bump() { count++ } };',
    'lib/y.js': 'module.exports = "y" === "y";',
    plain: 'module.exports = 7 > 1;',
    'esm/package.json': '{"type":"module"}',
    'esm/start':
      'import { createRequire } from "node:module"; import fs from "node:fs"; const require = createRequire(import.meta.url); console.log(require("../counter.js").count, await import("../lib/y.js"), typeof require.resolve);',
  });
  assert.deepEqual(
    names(runBoth(project, 'main.js').reports[0]),
    ['counter.js', 'main.js', 'plain', 'virtual.js', 'y.js'].filter((name) => name !== 'virtual.js'),
  );
  assert.deepEqual(names(runBoth(project, 'esm/start').reports[0]), ['counter.js', 'start', 'y.js']);
});

test('links: a package of a workspace is loaded from its real place', (t) => {
  const project = makeProject(t, {
    'packages/api/main.js':
      'const { twice } = require("@org/shared"); console.log(twice(2) === 4, require.resolve("@org/shared").includes("node_modules"), module.paths.length > 1);',
    'packages/shared/package.json': '{"name":"@org/shared","main":"index.js"}',
    'packages/shared/index.js': 'exports.twice = (x) => (x === 0 ? 0 : 2 * x);',
  });
  mkdirSync(join(project.root, 'node_modules', '@org'), { recursive: true });
  symlinkSync(join(project.root, 'packages', 'shared'), join(project.root, 'node_modules', '@org', 'shared'));
  assert.deepEqual(names(runBoth(project, 'packages/api/main.js').reports[0]), ['index.js', 'main.js']);
  // With links kept, it is a package like others.
  assert.deepEqual(names(runBoth(project, '--preserve-symlinks', 'packages/api/main.js').reports[0]), ['main.js']);
});

test('a file of five megabytes', (t) => {
  const body = 'function f(a, b) {\n  if (a === b && !a) return a > 1 ? b : a;\n  return a < b;\n}\n';
  const row = '{ id: 1, name: "some name", tags: ["a", "b"], nested: { price: 1.5, isThere: true } },\n';
  const text = `${body.repeat(1000)}const rows = [\n${row.repeat(Math.ceil(5e6 / row.length))}];\nconsole.log(f(1, 2), rows.length);`;
  const project = makeProject(t, { 'main.js': text });
  const { reports } = runBoth(project, 'main.js');
  assert.deepEqual(names(reports[0]), ['main.js']);
});

test('the version of Node under test', () => assert.ok(NODE_MAJOR >= 20));
