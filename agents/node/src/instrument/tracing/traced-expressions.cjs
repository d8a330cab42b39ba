'use strict';
/**
 * Writes expressions so that each leaves its shadow. An expression becomes a pair of texts: its code, and the shadow,
 * which is `$.s` if the code leaves it there, the companion of a name, or `0` if there is none.
 *
 * Arguments are evaluated from left to right, so `$.b("+",A,$.s,B,$.s)` reads the shadow of A before B replaces it.
 * Operands are evaluated in place, never in a closure, so `await`, `yield`, `this` and `arguments` mean what they did.
 */

const { mergedIf } = require('./merged-branches.cjs');
const { isFunction, isNamedByPlace } = require('./name-scopes.cjs');
const { NONE } = require('./pattern-shadows.cjs');
const { TracedText } = require('./traced-text.cjs');
const { assignment, update } = require('./written-assignments.cjs');
const { arrayLiteral, objectLiteral, template } = require('./written-literals.cjs');
const { called, chain, constructed, hasOptional, member } = require('./written-members.cjs');
const { argument, unwrapped } = require('./written-operands.cjs');
const { binary, conditional, logical, unary } = require('./written-operators.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('./written-operands.cjs').Traced} Traced */
/** @typedef {import('./written-operands.cjs').Writer} Writer */

class Expressions extends TracedText {
  /**
   * @param {Node} node
   * @returns {Traced}
   */
  expression(node) {
    const write = this.isPlain ? undefined : WRITERS[node.type];
    const traced = write?.(node, this);
    if (traced !== undefined) return { ...traced, code: this.withLines(node, traced.code) };
    if (node.type === 'Identifier') {
      return { code: this.source(node), shadow: this.isPlain ? NONE : this.companionOf(node.name) };
    }
    if (node.type === 'Literal' || node.type === 'ThisExpression') return { code: this.source(node), shadow: NONE };
    return { code: this.below(node, isFunction(node) ? this.text(node) : this.copied(node)), shadow: NONE };
  }

  /** @param {Node} node @returns {string} arguments `value,shadow` */
  pair(node) {
    const { code, shadow } = this.expression(node);
    return `${argument(node, code)},${shadow}`;
  }

  /** @param {Node} node @returns {string} an operand that leaves its shadow in `$.s` */
  left(node) {
    const { code, shadow } = this.expression(node);
    return shadow === `${this.handle}.s` ? argument(node, code) : `${this.handle}.v(${argument(node, code)},${shadow})`;
  }

  /** @param {string} name @param {string} parameters @returns {Traced} */
  call(name, parameters) {
    return { code: `${this.handle}.${name}(${parameters})`, shadow: `${this.handle}.s` };
  }

  /**
   * @param {number} position
   * @param {string} operator
   * @param {Traced} traced
   * @returns {Traced} the same, and its outcome is recorded as a condition
   */
  condition(position, operator, { code, shadow }) {
    return this.call('c', `${this.place(position, operator)},${code},${shadow}`);
  }

  /** @param {number} position @param {string} operator */
  place(position, operator) {
    return JSON.stringify(`${this.placeOf(position)}:${operator}`);
  }

  /** @param {Node} node an IfStatement @returns {string | undefined} if it only chooses a value */
  mergedIf(node) {
    return mergedIf(node, this);
  }

  /** @param {Node} node @param {string} operator @returns {string} a test of a statement or `?:` */
  test(node, operator) {
    if (this.isPlain) return this.text(node);
    return this.condition(node.start, operator, unwrapped(node, this)).code;
  }

  /**
   * @param {Node} node a MemberExpression
   * @returns {{bind: string, use: string, shadow: string}} its object, which is used twice
   */
  object({ object: node, property, computed }) {
    // Evaluating a computed key may assign to the name.
    const isStable = !computed || property.type === 'Identifier' || property.type === 'Literal';
    if (node.type === 'ThisExpression') return { bind: 'this', use: 'this', shadow: NONE };
    if (node.type === 'Identifier' && isStable && this.names.isKnown(node.name)) {
      return { bind: this.source(node), use: this.source(node), shadow: this.companionOf(node.name) };
    }
    const name = this.temporary();
    const { code, shadow } = this.expression(node);
    const unnamed = isNamedByPlace(node) ? `${this.handle}.v(${code},0)` : argument(node, code);
    return { bind: `${name}=${unnamed}`, use: name, shadow };
  }

  /**
   * @param {Node} node a MemberExpression
   * @returns {{bind: string, use: string, shadow: string, access: string}} its key, which is used twice
   */
  key({ property, computed }) {
    if (!computed) {
      const name = JSON.stringify(property.type === 'PrivateIdentifier' ? `#${property.name}` : property.name);
      return {
        bind: name,
        use: name,
        shadow: NONE,
        access: `${this.lines.mark(property.start)}.${this.source(property)}`,
      };
    }
    const source = this.source(property);
    if (property.type === 'Literal') return { bind: source, use: source, shadow: NONE, access: `[${source}]` };
    const name = this.temporary();
    const { code, shadow } = this.expression(property);
    return { bind: `${name}=${argument(property, code)}`, use: name, shadow, access: `[${name}]` };
  }
}

/** @type {Writer} */
function sequence(node, writer) {
  const { expressions } = node;
  const last = expressions.at(-1);
  const write = (/** @type {Node} */ one) => (one === last ? writer.left(one) : writer.text(one));
  return { code: writer.eachOnItsLine(expressions, write).join(','), shadow: `${writer.handle}.s` };
}

/** @type {Writer} */
function yielded(node, writer) {
  if (node.delegate || node.argument === null) return undefined;
  return { code: `(yield ${writer.handle}.yielded(${writer.pair(node.argument)}))`, shadow: NONE };
}

/** @type {Writer} */
function awaited(node, writer) {
  const source = writer.temporary();
  const { code, shadow } = unwrapped(node.argument, writer);
  const bound = `${source}=${isNamedByPlace(node.argument) ? `(0,${code})` : code}`;
  return writer.call('awaited', `${bound},${shadow},await ${source}`);
}

/** @type {Writer} */
function parenthesized(node, writer) {
  const { code, shadow } = writer.expression(node.expression);
  return { code: `(${writer.below(node.expression, code)})`, shadow };
}

/** @type {Record<string, Writer>} */
const WRITERS = {
  ArrayExpression: arrayLiteral,
  AssignmentExpression: assignment,
  AwaitExpression: awaited,
  BinaryExpression: binary,
  CallExpression: (node, writer) => (writer.chainDepth > 0 && hasOptional(node) ? undefined : called(node, writer)),
  ChainExpression: chain,
  ConditionalExpression: conditional,
  LogicalExpression: logical,
  MemberExpression: (node, writer) => (hasOptional(node) ? undefined : member(node, writer)),
  NewExpression: constructed,
  ObjectExpression: objectLiteral,
  ParenthesizedExpression: parenthesized,
  SequenceExpression: sequence,
  TemplateLiteral: template,
  UnaryExpression: unary,
  UpdateExpression: update,
  YieldExpression: yielded,
};

module.exports = { Expressions };
