'use strict';
/**
 * Corrects the message that Node prints for an error that ends the process. Node prints the line in which V8 saw the
 * error thrown, which is a line of the instrumented text. The user's line is printed instead, and the columns in the
 * stack become those of the user's text. This is done after the last listener of `exit` has run, so that only Node uses
 * the error afterwards.
 *
 * Law: unless an error was certainly thrown in an instrumented text, Node's message is not changed, because then it has
 * the right line.
 */

const {
  createContext,
  defineProperty,
  endsWith,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  isNativeError,
  isProxy,
  lastIndexOf,
  reflectApply,
  regExpExec,
  runInContext,
  slice,
  stackGetter,
  stackSetter,
  writeSync,
} = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { mappedStack, topPlace, withoutAgentLines } = require('../../base/error-stacks.cjs');

const STDERR = 2;
/**
 * Node prints no line if V8's line contains this text; the instrumenter writes it after each `throw`
 * (passes/statements.cjs).
 */
const NO_LINE = '/*node-do-not-add-exception-line*/';
const MAKES_ERROR = /^(?:new\b|[\w$.]*(?:Error|Exception)\s*\()/;
const NOT_CONSTRUCTED = ' is not a constructor';
const CALLEE_BEFORE = /[\w$]+$/;
const LINE_WITH_HEADER = /^(.*:\d+\n)(.*?)(import{h as \$wmb\d*_?}from"data:text[^"]*";).*\n([ \t]*)(?=\^+\n)/;
const MAX_CAUSES = 10;
/** The longest line that V8 underlines. */
const MAX_UNDERLINE = 1020;

/**
 * The texts of the instrumented files (loader/source-texts.cjs).
 * @typedef {object} Sources
 * @property {(path: string) => string | null} textOf the original text
 * @property {(path: string) => string | null} runningTextOf the instrumented text
 * @property {(path: string) => string} shownNameOf as V8 names the text
 * @property {(path: string) => boolean} isShownMapped whether Node shows the sources of this text instead of it
 * @property {(path: string, line: number, column: number) => number} columnOf the column in the original text, or -1
 */
/** @typedef {typeof import('./latest-throw.cjs').latest} Throw */
/**
 * @typedef {{ error: unknown, isRejection: boolean, thrown: Throw }} FatalError `thrown`: the latest throw before it
 */
/** @typedef {{file: string, line: number, column: number}} Place line and column from 1 */

/**
 * @param {FatalError} fatal
 * @param {Sources} sources
 */
function tidyFatalError(fatal, sources) {
  const { error, isRejection } = fatal;
  const isError = isNativeError(error) && !isProxy(error);
  const thrown = isRejection ? null : thrownAt(fatal, sources);
  const shown = thrown === null && isError ? failedAt(fatal, sources) : thrown;
  if (isError) {
    if (shown !== null) keepNodesLineOut(/** @type {object} */ (error));
    tidyStacks(/** @type {object} */ (error), sources);
  }
  if (shown !== null) writeSync(STDERR, isError ? shown + '\n' : '\n' + shown);
}

/**
 * @param {FatalError} fatal
 * @param {Sources} sources
 * @returns {string | null} the line of the `throw` statement that threw it, as Node prints it
 */
function thrownAt({ error, thrown }, sources) {
  const { path } = thrown;
  if (path === '' || thrown.value !== error) return null;
  const code = sources.runningTextOf(path);
  const at = code === null ? -1 : positionOfThrow(code, thrown.statement);
  if (code === null || at < 0) return null;
  const start = lastIndexOf(code, '\n', at) + 1;
  return lineAt({ file: path, line: linesBefore(code, start) + 1, column: at - start + 1 }, sources);
}

/**
 * @param {string} code
 * @param {number} statement
 * @returns {number} -1 where it is not found
 */
function positionOfThrow(code, statement) {
  const probe = '.t(' + statement + ',';
  for (let at = indexOf(code, probe); at >= 0; at = indexOf(code, probe, at + 1)) {
    const mark = lastIndexOf(code, NO_LINE, at);
    const start = mark < 0 ? -1 : lastIndexOf(code, 'throw', mark);
    if (start >= 0 && regExpExec(/^throw[^;]*\*\/\$wmb\d*_?$/, slice(code, start, at)) !== null) return start;
  }
  return -1;
}

/**
 * @param {FatalError} fatal a rejection is shown at the place where its stack begins, whoever has created it
 * @param {Sources} sources
 * @returns {string | null} the line in which V8 threw it
 */
function failedAt({ error, isRejection, thrown }, sources) {
  if (error === thrown.value && !isRejection) return null;
  const stack = readData(/** @type {object} */ (error), 'stack');
  const top = typeof stack === 'string' ? topPlace(stack) : null;
  const text = top === null ? null : sources.textOf(top.file);
  const place = top === null ? null : placeIn(top, sources);
  if (top === null || text === null || place === null) return null;
  return isRejection || !isMadeAt(place, text, error) ? lineAt(top, sources) : null;
}

/**
 * Returns whether the program has created this error itself, at this place. If so, it may have been thrown anywhere.
 * @param {Place} place
 * @param {string} text
 * @param {unknown} error
 */
function isMadeAt(place, text, error) {
  if (regExpExec(MAKES_ERROR, slice(lineOf(text, place.line), place.column - 1)) === null) return false;
  const message = readData(/** @type {object} */ (error), 'message');
  return !(typeof message === 'string' && endsWith(message, NOT_CONSTRUCTED));
}

/**
 * @param {Place} place in a text as it runs
 * @param {Sources} sources
 * @returns {string | null} as Node prints it
 */
function lineAt(place, sources) {
  const text = sources.textOf(place.file);
  const own = placeIn(place, sources);
  if (text === null || own === null || sources.isShownMapped(place.file)) return null;
  const line = lineOf(text, own.line);
  return (
    sources.shownNameOf(place.file) + ':' + own.line + '\n' + line + '\n' + underlined(line, own.column - 1, '^') + '\n'
  );
}

/**
 * @param {string} line
 * @param {number} start
 * @param {string} mark
 */
function underlined(line, start, mark) {
  let blank = '';
  for (let index = 0; index < start && index < MAX_UNDERLINE; index++) blank += line[index] === '\t' ? '\t' : ' ';
  return blank.length < MAX_UNDERLINE ? blank + mark : blank;
}

/**
 * @param {Place} place in a text as it runs
 * @param {Sources} sources
 * @returns {Place | null} in the user's text; null if the file is not instrumented, or the place cannot be determined
 */
function placeIn({ file, line, column }, sources) {
  const original = sources.columnOf(file, line, column - 1);
  if (original < 0) return null;
  const text = lineOf(/** @type {string} */ (sources.textOf(file)), line);
  // V8 places the call of a name at the name, and a call of a probe's result at its parenthesis.
  const callee = text[original] === '(' ? regExpExec(CALLEE_BEFORE, slice(text, 0, original)) : null;
  return { file, line, column: (callee === null ? original : callee.index) + 1 };
}

/** @param {string} text @param {number} line from 1 */
function lineOf(text, line) {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = indexOf(text, '\n', start);
    if (end < 0) return '';
    start = end + 1;
  }
  const end = indexOf(text, '\n', start);
  const whole = slice(text, start, end < 0 ? text.length : end);
  return endsWith(whole, '\r') ? slice(whole, 0, -1) : whole;
}

/** @param {string} text @param {number} end */
function linesBefore(text, end) {
  let count = 0;
  for (let at = indexOf(text, '\n'); at >= 0 && at < end; at = indexOf(text, '\n', at + 1)) count++;
  return count;
}

/**
 * Prevents Node from printing the line before the stack. Node omits the line if the error is marked as having it in its
 * stack, as errors are that have left a script of `vm`.
 * @param {object} error
 */
function keepNodesLineOut(error) {
  const stack = ownStack(error);
  if (stack === null) return;
  try {
    runInContext('throw error', createContext({ error }));
  } catch {
    setStack(error, stack);
  }
}

/**
 * Corrects the stacks of an error and of its causes, which Node prints, too.
 * @param {object} error
 * @param {Sources} sources
 */
function tidyStacks(error, sources) {
  /** @type {unknown} */
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && isNativeError(each) && !isProxy(each); depth++) {
    tidyStack(each, sources);
    each = ownData(each, 'cause');
  }
}

/**
 * @param {object} error
 * @param {Sources} sources
 */
function tidyStack(error, sources) {
  const stack = ownStack(error);
  if (stack === null) return;
  const mapped = mappedStack(withoutAgentLines(stack), (file, line, column) => {
    const place = placeIn({ file, line, column }, sources);
    return place === null ? null : { ...place, file: sources.shownNameOf(file) };
  });
  const shown = withoutHeader(mapped);
  if (shown !== stack) setStack(error, shown);
}

/**
 * Removes a line that Node writes into the stack itself if modules do not fit together: the line of an import, to which
 * only the header has been added.
 * @param {string} stack
 */
function withoutHeader(stack) {
  const head = regExpExec(LINE_WITH_HEADER, stack);
  if (head === null) return stack;
  const start = head[4].length - (head[4].length > head[2].length ? head[3].length : 0);
  const line =
    head[2] + slice(stack, head[1].length + head[2].length + head[3].length, head[0].length - head[4].length - 1);
  return head[1] + line + '\n' + underlined(line, start, '') + slice(stack, head[0].length);
}

/** @param {object} error @returns {string | null} null if it has no stack made by V8, or one that cannot be set */
function ownStack(error) {
  const descriptor = getOwnPropertyDescriptor(error, 'stack');
  if (
    descriptor !== undefined &&
    !(stackGetter !== undefined && descriptor.get === stackGetter) &&
    !(hasOwn(descriptor, 'value') && descriptor.writable)
  ) {
    return null;
  }
  const stack = readData(error, 'stack');
  return typeof stack === 'string' ? stack : null;
}

/** @param {object} error @param {string} stack */
function setStack(error, stack) {
  if (stackSetter !== undefined) reflectApply(stackSetter, error, [stack]);
  else defineProperty(error, 'stack', { value: stack, writable: true, configurable: true, enumerable: false });
}

module.exports = { tidyFatalError };
