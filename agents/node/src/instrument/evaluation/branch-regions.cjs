'use strict';
/**
 * Determines which part of a text runs only after which outcome. `wimble explain` derives from it how much an uncovered
 * branch blocks, and what blocks it. This walks the tree once more after the passes, and does not change the text.
 *
 * The table gets `regions` ([target, line, column, end line, end column]) and `functions` ([name, line, column, end
 * line, end column, part] of each body; `part` names the source if a map leads to several). A guard clause (`if (a)
 * return;`) guards the rest of its list of statements.
 */

const { childFields } = require('./child-nodes.cjs');
const { LOOPS_OVER } = require('./statement-kinds.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */
/** @typedef {import('../target-table.cjs').Region} Region */
/** @typedef {import('../target-table.cjs').FunctionBody} FunctionBody */
/** @typedef {[line: number, column: number, endLine: number, endColumn: number]} Span */

const MAX_NAME_LENGTH = 80;
/** Statements after which the next one of the list does not run. */
const LEAVING = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement']);
const LISTS = new Map([
  ['BlockStatement', 'body'],
  ['Program', 'body'],
  ['StaticBlock', 'body'],
  ['SwitchCase', 'consequent'],
]);
/** Conditions of these nodes have a target of their own if the condition has no truthness of its own. */
const CONDITIONALS = new Map([
  ['IfStatement', 'if'],
  ['ConditionalExpression', '?:'],
  ['WhileStatement', 'while'],
  ['ForStatement', 'for'],
]);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** @param {Node} statement @returns {boolean} whether no later statement of its list runs */
function leaves(statement) {
  if (statement.type === 'BlockStatement') {
    return statement.body.length > 0 && leaves(statement.body[statement.body.length - 1]);
  }
  if (statement.type === 'IfStatement') {
    return statement.alternate !== null && leaves(statement.consequent) && leaves(statement.alternate);
  }
  return LEAVING.has(statement.type);
}

/**
 * @param {Node | null} node
 * @returns {string} the name that a function assigned there would get; empty: unknown
 */
function nameOf(node) {
  if (!node) return '';
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  if (node.type === 'MemberExpression') return node.computed ? nameOf(node.object) : nameOf(node.property);
  return node.type === 'Literal' ? String(node.value) : '';
}

/** @param {Node} node @returns {Node} the part of a condition whose value is the condition's */
function decidingPart(node) {
  if (node.type === 'ParenthesizedExpression') return decidingPart(node.expression);
  if (node.type === 'SequenceExpression') return decidingPart(node.expressions[node.expressions.length - 1]);
  return node.type === 'AssignmentExpression' && node.operator === '=' ? decidingPart(node.right) : node;
}

class RegionFinder {
  /** @param {Rewriter} rewriter after its walk */
  constructor(rewriter) {
    this.rewriter = rewriter;
    this.targets = rewriter.targets;
    /** @type {Region[]} */
    this.regions = [];
    /** @type {FunctionBody[]} */
    this.functions = [];
  }

  /** @param {Node} node whose parts may run after one outcome only */
  guardParts(node) {
    const word = CONDITIONALS.get(node.type);
    if (word !== undefined) this.guardBodies(node, word);
    else if (node.type === 'LogicalExpression') this.guardRight(node);
    else if (node.type === 'SwitchStatement') this.guardClauses(node);
    else if (LOOPS_OVER.has(node.type)) {
      this.add(this.find([node.start, node.right.start], 'entered true'), node.body);
    } else if (node.type === 'CatchClause') this.add(this.find([node.start, node.body.start], ''), node.body);
  }

  /**
   * @param {Node} node
   * @param {string} name that a function gets from its place
   */
  visit(node, name = '') {
    const list = LISTS.get(node.type);
    if (list !== undefined) this.guardRests(node[list]);
    if (FUNCTIONS.has(node.type)) this.addFunction(node, name);
    else this.guardParts(node);
    for (const field of childFields(node.type)) {
      const child = node[field];
      const inner = this.nameFor(node, field, name);
      if (Array.isArray(child)) {
        for (const element of child) if (element) this.visit(element, inner);
      } else if (child) this.visit(child, inner);
    }
  }

  /**
   * @param {Node} node
   * @param {string} field
   * @param {string} name
   */
  nameFor(node, field, name) {
    switch (node.type) {
      case 'VariableDeclarator':
        return field === 'init' ? nameOf(node.id) : '';
      case 'AssignmentExpression':
        return field === 'right' ? nameOf(node.left) : '';
      case 'Property':
      case 'PropertyDefinition':
      case 'MethodDefinition':
        return field === 'value' ? nameOf(node.key) : '';
      case 'ParenthesizedExpression':
        return name;
      default:
        return '';
    }
  }

  /**
   * Adds the statements after a guard clause, which run only if the clause did not leave.
   * @param {Node[]} statements
   */
  guardRests(statements) {
    for (let index = 0; index + 1 < statements.length; index += 1) {
      const statement = statements[index];
      const [next, last] = [statements[index + 1], statements[statements.length - 1]];
      if (LOOPS_OVER.has(statement.type)) this.add(this.find([statement.start], 'loop passed'), next, last);
      if (statement.type !== 'IfStatement') continue;
      const [whenTrue, whenFalse] = this.outcomes(statement.test, 'if');
      if (leaves(statement.consequent)) this.add(whenFalse, next, last);
      if (statement.alternate && leaves(statement.alternate)) this.add(whenTrue, next, last);
    }
  }

  /**
   * @param {Node} node
   * @param {string} word
   */
  guardBodies(node, word) {
    if (!node.test) return;
    const [whenTrue, whenFalse] = this.outcomes(node.test, word);
    this.add(whenTrue, node.consequent ?? node.body);
    if (node.alternate) this.add(whenFalse, node.alternate);
  }

  /** @param {Node} node */
  guardRight(node) {
    const { operator, left, right } = node;
    if (operator === '??') return this.add(this.find([this.rewriter.operatorStart(node)], '?? true'), right);
    const [whenTrue, whenFalse] = this.outcomes(left, null);
    this.add(operator === '&&' ? whenTrue : whenFalse, right);
  }

  /** @param {Node} node */
  guardClauses({ cases }) {
    for (const [number, { start, consequent }] of cases.entries()) {
      if (consequent.length > 0) {
        this.add(this.find([start], `case ${number}`), consequent[0], consequent[consequent.length - 1]);
      }
    }
  }

  /**
   * @param {Node} node
   * @param {string} name
   */
  addFunction(node, name) {
    const place = this.spanOf(node.body, node.body);
    if (place === null) return;
    const part = this.partOf(place.source);
    if (part >= 0) this.functions.push([(node.id?.name ?? name).slice(0, MAX_NAME_LENGTH), ...place.span, part]);
  }

  /**
   * Returns the targets of the deciding expression: the condition's own, else those of the outermost probe in it.
   * @param {Node} test
   * @param {string | null} word of the statement around the condition
   * @returns {[whenTrue: number | undefined, whenFalse: number | undefined]}
   */
  outcomes(test, word) {
    const node = decidingPart(test);
    let first = word === null ? undefined : this.find([test.start, node.start], `${word} true`);
    if (
      first === undefined &&
      (node.type === 'BinaryExpression' || (node.type === 'LogicalExpression' && node.operator !== '??'))
    ) {
      first = this.find([this.rewriter.operatorStart(node), node.right.start], `${node.operator} true`);
    } else if (first === undefined && node.type === 'UnaryExpression') {
      first = this.find([node.start], `${node.operator} true`);
    } else if (first === undefined && node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { property } = node.callee;
      first = this.find([property.start], `${property.name} true`);
    }
    return first === undefined ? [undefined, undefined] : [first, first + 1];
  }

  /**
   * @param {number[]} positions where it may have been registered
   * @param {string} detail its first one
   */
  find(positions, detail) {
    for (const position of positions) {
      const index = this.targets.byPosition.get(`${position} ${detail}`);
      if (index !== undefined) return index;
    }
    return undefined;
  }

  /**
   * @param {number | undefined} target
   * @param {Node} first
   * @param {Node} [last]
   */
  add(target, first, last = first) {
    const place = target === undefined ? null : this.spanOf(first, last);
    if (target !== undefined && place !== null) this.regions.push([target, ...place.span]);
  }

  /**
   * @param {Node} first
   * @param {Node} last
   * @returns {{ source: string, span: Span } | null} null: a compiler has combined it from several sources
   */
  spanOf(first, last) {
    const start = this.targets.placeOf(first.start);
    const end = this.targets.placeOf(last.end);
    if (start.source !== end.source || end.line < start.line) return null;
    return { source: start.source, span: [start.line, start.column, end.line, end.column] };
  }

  /** @param {string} source @returns {number} the first part of the table in that source; -1: none */
  partOf(source) {
    const { parts } = this.targets.table;
    return parts === undefined ? 0 : parts.findIndex(([, path]) => path === source);
  }
}

/**
 * @param {Node} program
 * @param {Rewriter} rewriter that has walked it
 */
function addRegions(program, rewriter) {
  const finder = new RegionFinder(rewriter);
  finder.visit(program);
  const { table } = rewriter.targets;
  if (finder.regions.length > 0) table.regions = finder.regions;
  if (finder.functions.length > 0) table.functions = finder.functions;
}

module.exports = { addRegions };
