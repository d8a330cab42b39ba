'use strict';
/**
 * Writes calls so that the text itself makes them: a function of the agent between the caller and what it calls would
 * be seen in stacks. The handle begins a call, `Reflect.apply` makes it (which has no frame), and the handle finishes
 * it.
 *
 * A frame shows the line of the call, which is where `$.r` stands: on the line of the function's name, as in the
 * original.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {{code: string, shadow: string}} Traced */
/**
 * @typedef {{bind: string, use: string | null, shadow: string, key?: string}} Head the object and its shadow; null: a
 *   function alone. key: evaluates a key that takes several lines
 */

/**
 * @param {Expressions} writer
 * @param {{how: string, name: string, position: number, head: Head, rest: string, at: number}} call how the handle
 *   begins it, what V8 calls its function, the place of its condition, what follows its head, and where V8 says that it
 *   stands
 * @returns {Traced}
 */
function writtenCall(writer, { how, name, position, head, rest, at }) {
  /** @param {string} first */
  const made = (first) =>
    writer.condition(
      position,
      '()',
      writer.call('q', writer.lines.mark(at) + begunAndMade(writer, 'r', `${how}(${name},[${first}${rest}])`)),
    );
  const isAlone = isName(head.bind) && head.key === undefined;
  if (isAlone) return made(head.use === null ? head.bind : `${head.bind},${head.shadow}`);
  // What is called is evaluated before, so that chains of calls do not nest.
  const { bound, first } = boundBefore(head, writer);
  const { code, shadow } = made(first);
  return { code: `(${bound},${head.key === undefined ? '' : `${head.key},`}${code})`, shadow };
}

/**
 * @param {Expressions} writer
 * @param {string} apply
 * @param {string} begun the call of the handle
 * @returns {string} result and record. The record is taken after the arguments: V8 names functions in an assigned
 *   expression after the variable.
 */
function begunAndMade(writer, apply, begun) {
  const { handle } = writer;
  const record = writer.temporary();
  const taken = `(${record}=${handle}.call)`;
  const given = apply === 'r' ? `${taken}.self,${record}.values` : `${taken}.values`;
  return `${handle}.${apply}(${handle}.${begun}.called,${given}),${record}`;
}

/** @param {string} code */
const isName = (code) => /^[\w$\u0080-\uffff]+$/.test(code);

/**
 * @param {Head} head
 * @param {Expressions} writer
 * @returns {{bound: string, first: string}} evaluates it, and shows it
 */
function boundBefore({ bind, use, shadow }, writer) {
  if (use !== null && shadow !== `${writer.handle}.s`) return { bound: bind, first: `${use},${shadow}` };
  const kept = writer.temporary();
  // An assigned function would get the name of the variable.
  if (use === null) return { bound: `${kept}=${writer.handle}.v(${bind},0)`, first: kept };
  return { bound: `${bind},${kept}=${shadow}`, first: `${use},${kept}` };
}

/**
 * @param {Expressions} writer
 * @param {string} name what V8 calls the constructor
 * @param {string} parts constructor, arguments and their shadows
 * @returns {Traced}
 */
function writtenConstruction(writer, name, parts) {
  return writer.call('made', begunAndMade(writer, 'rc', `nw(${name},[${parts}])`));
}

/**
 * @param {Node} node a CallExpression
 * @returns {number} where V8 says that it stands
 */
function positionOfCall({ callee }) {
  const named = callee.type === 'MemberExpression' && !callee.computed ? callee.property : callee;
  return named.type === 'Identifier' || named.type === 'PrivateIdentifier' ? named.start : callee.end;
}

module.exports = { positionOfCall, writtenCall, writtenConstruction };
