'use strict';
/**
 * Runs a CommonJS text as Node would, and tells everything that a program can notice: effects in order, result,
 * exception.
 */

const vm = require('node:vm');
const { inspect } = require('node:util');
const { functionTexts } = require('../../src/instrument/texts/original-functions.cjs');
const { instrument } = require('../../src/instrument/instrument.cjs');
const { CheckedHandle } = require('./checked-handle.cjs');

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', 'log', 'attempt', '__wimble_open__'];

function describe(value) {
  if (typeof value === 'function') return `[${value.name}/${value.length}]`;
  // Promises carry numbers of their own where hooks watch them, as in tests.
  return inspect(value, { depth: 8, breakLength: Infinity }).replace(
    /,? \[?Symbol\((?:async|trigger_async)_id_symbol\)\]?: \d+/g,
    '',
  );
}

/** Columns move, lines do not. */
function linesOf(error) {
  return [...String(error.stack).matchAll(/\/sut\/file\.js:(\d+)/g)].map(([, line]) => line).join(' ');
}

function describeThrown(error) {
  if (error instanceof RangeError && /call stack/.test(error.message)) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message} at ${linesOf(error)}` : describe(error);
}

async function observe(code, open) {
  const effects = [];
  const log = (...values) => {
    effects.push(values.map(describe).join(' '));
    return values.at(-1);
  };
  /** Logs what a function answers or throws. */
  const attempt = (tried) => {
    try {
      log(tried());
    } catch (error) {
      effects.push(`throws ${describeThrown(error)}`);
    }
  };
  const module = { exports: {} };
  let outcome;
  try {
    const body = vm.compileFunction(code, PARAMETERS, { filename: '/sut/file.js' });
    const returned = body.call(
      module.exports,
      module.exports,
      require,
      module,
      '/sut/file.js',
      '/sut',
      log,
      attempt,
      open,
    );
    const exported =
      typeof module.exports === 'function' && module.exports.call ? await module.exports() : await module.exports;
    outcome = `${describe(returned)} / ${describe(exported)}`;
  } catch (error) {
    outcome = `throws ${describeThrown(error)}`;
  }
  // Left-over promises still count as effects.
  await new Promise((resolve) => setImmediate(resolve));
  return { effects, outcome };
}

/**
 * Functions tell their original text, as the agent has it.
 * @param {Map<string, string>} texts instrumented -> original
 */
function answerTexts(texts) {
  const { toString } = Function.prototype;
  const answering = {
    toString() {
      const own = toString.call(this);
      return texts.get(own) ?? own;
    },
  };
  Function.prototype.toString = answering.toString;
  return () => {
    Function.prototype.toString = toString;
  };
}

/**
 * @param {string} text
 * @param {(table: object) => object} [makeHandle] instead of the checked one
 */
async function observeBoth(text, makeHandle) {
  const { code, table } = instrument(text, { path: '/sut/file.js', isModule: false });
  const checked = new CheckedHandle(table);
  const original = await observe(text, undefined);
  const restore = answerTexts(functionTexts(code, text, false));
  const rewritten = await observe(code, () => (makeHandle ? makeHandle(table) : checked.handle())).finally(restore);
  return { original, rewritten, code, table, probes: checked.calls };
}

module.exports = { answerTexts, observe, observeBoth };
