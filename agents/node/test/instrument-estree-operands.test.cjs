'use strict';
/**
 * `await` and `yield` as each operand of each kind of expression and statement: same values, same order, same errors.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { BINARY } = require('./instrument-support/estree.cjs');
const { firstDifference } = require('./instrument-support/differences.cjs');

/** `A`, `B`, `C` are the operands. Expressions. */
const EXPRESSIONS = [
  ...BINARY.map((operator) => `A ${operator} B`),
  ...['&&', '||', '??'].flatMap((operator) => [
    `A ${operator} B`,
    `(A ${operator} B) ${operator} C`,
    `!(A ${operator} B)`,
  ]),
  ...['!', 'typeof ', 'void ', '-', '~', 'delete '].map((operator) => `${operator}A`),
  'A ? B : C',
  '[A, B, ...C]',
  '({ [A]: B, ...C })',
  '({ get [A]() { return 1 }, f() {}, b: B }).b',
  'f(A, B, ...C)',
  'new F(A, B)',
  'o[A]',
  'A[B]',
  'A?.[B]',
  'A?.x',
  'A.x',
  'A.x.y',
  'o[A](B)',
  'o.m(A, B)',
  'A.m(B)',
  'A?.m?.(B)',
  'A?.x.m(B)',
  'A?.x.includes(B)',
  'A?.x.y.m(B).z',
  'A?.x?.m(B)',
  'o?.[A].includes(B)',
  'A?.[B].includes(C)',
  'x = A?.x.includes(B) === C',
  'A.includes(B)',
  '(x = C, A.includes(B, ...x))',
  'A.startsWith(B)',
  '/a/.test(A)',
  'A.match(/a/)',
  'x = A',
  'x += A',
  'x ||= A',
  'x &&= A',
  'x ??= A',
  'o[A] = B',
  'o[A] += B',
  'o[A] ??= B',
  '(A).x = B',
  'o[A]++',
  '`a${A}b${B}`',
  'tag`a${A}b${B}`',
  'delete o[A]',
  '(A, B)',
  'class extends (A, F) { static [B] = 1; [C]() {} }',
  'import(A).catch((e) => e.code)',
  '({ a: x = A } = B)',
  '[x = A] = B',
  '[o[A]] = [B]',
  '({ [A]: x } = B)',
  '((a = 1) => a)(A)',
  'super_(A)',
  'new (A)(B)',
  '(A)(B)',
  'A in o',
  'A instanceof F',
  'A === B && C',
  'A < B || C',
  '(A === B ? A : B) === C',
  '!A === B',
  'o[A] === o[B]',
  'o?.[A]?.[B]',
  '[...A, ...B]',
  '{}[A]',
  'new.target ?? A',
  'Object.hasOwn(o, A)',
  'o.n[A]?.x',
];

const STATEMENTS = [
  'if (A) log(B); else log(C);',
  'if (A === B) log(1);',
  'while (A) { log(B); break }',
  'let n = 0; do log(A); while (n++ < 1 && B);',
  'for (x = A; B; C) break;',
  'for (const x of A) log(x, B);',
  'for (const x in A) log(x, B);',
  'for (x of [1, 2]) { if (A) continue; log(B) }',
  'switch (A) { case B: log("b"); case C: log("c"); break; default: log("d") }',
  'switch (log("d"), A) { default: log("d"); case 1: log(1) }',
  'throw A;',
  'try { throw A } catch ({ message = B }) { log(message, C) } finally { log(A) }',
  'try { return A } finally { log(B) }',
  'const { a = A, [B]: b, ...r } = C; log(a, b, r);',
  'const [a = A, ...b] = B; log(a, b);',
  'return A;',
  'return A && B;',
  'l: { log(A); break l }',
  'var v = A, w = B; log(v, w);',
  '{ let f = () => 1; log(A, f()) }',
  'class Q { static p = log("p"); [A] = 1 } log(B, Object.keys(new Q()));',
  'let z; ({ z = A } = {}); log(z);',
];

const VALUES = [
  '0',
  '1',
  '"a"',
  '""',
  'null',
  'undefined',
  '[1, "a"]',
  '{ x: { y: 2 }, m(v) { return v }, a: 3 }',
  '["includes", "x"]',
  'F',
];

/** Which operand is suspended, and how; the others log that they are evaluated. */
function* bodies(/** @type {string} */ template, /** @type {string} */ suspending) {
  for (const suspended of ['A', 'B', 'C']) {
    if (!new RegExp(`\\b${suspended}\\b`).test(template)) continue;
    yield template.replace(/\b[ABC]\b/g, (name) =>
      name === suspended ? `(${suspending} p("${name}", ${name}_))` : `log("${name}", ${name}_)`,
    );
  }
}

const PRELUDE = 'const F = function F(v) { this.v = v }, f = (...v) => v, tag = (s, ...v) => [s.raw, v], super_ = f;';
const LOCALS = 'let x = 0; const o = { x: 1, a: 2, 1: 3, m(...v) { return [this === o, v] }, n: { a: { x: 5 } } };';

/** Each set of values runs through each body; the values rotate, so that neighbours differ. */
function programOf(/** @type {string} */ template, /** @type {'await' | 'yield'} */ suspending) {
  const isExpression = EXPRESSIONS.includes(template);
  const kind = suspending === 'await' ? 'async function' : 'function*';
  const functions = [...bodies(template, suspending)].map(
    (body) =>
      `${kind} (A_, B_, C_) { ${LOCALS} ${isExpression ? `const r = (${body}); log(r); return r === 5` : body} }`,
  );
  const values = `[${VALUES.join(', ')}]`;
  const run =
    suspending === 'await'
      ? 'const p = (name, value) => (log(name), Promise.resolve(value)); module.exports = async () => { for (const g of all) for (let i = 0; i < values.length; i++) try { log(await g(...pick(i))) } catch (e) { log(e?.name, e?.message, typeof e) } }'
      : 'const p = (name, value) => (log(name), value); for (const g of all) for (let i = 0; i < values.length; i++) attempt(() => { const it = g(...pick(i)); let step = it.next(); for (let n = 0; !step.done && n < 9; n++) step = it.next(step.value); return step.value })';
  return `${PRELUDE} const values = ${values}; const pick = (i) => [values[i], values[(i * 3 + 1) % values.length], values[(i * 7 + 2) % values.length]]; const all = [${functions.join(', ')}]; ${run}`;
}

for (const suspending of /** @type {const} */ (['await', 'yield'])) {
  test(`${suspending} as each operand`, async () => {
    for (const template of [...EXPRESSIONS, ...STATEMENTS]) {
      assert.equal((await firstDifference(programOf(template, suspending))).difference, null, template);
    }
  });
}
