'use strict';
/**
 * Writes functions and patterns with their traced expressions and statements. Text between them is copied.
 *
 * Code that has no body to declare variables in (default values of parameters, initialisers of fields) is plain: it is
 * copied without tracing, except for the functions in it.
 */

const { childFields } = require('../evaluation/child-nodes.cjs');
const { LineMarks } = require('./line-marks.cjs');
const { NameScopes, leaves, lexicalNames, varNames } = require('./name-scopes.cjs');
const { NONE, taken } = require('./pattern-shadows.cjs');
const { STATEMENTS } = require('./traced-statements.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */

const WORD_END = /[\w$\u0080-\uffff]$/;
const WORD_START = /^[\w$\u0080-\uffff]/;

class TracedText {
  /**
   * @param {string} text
   * @param {object} parts
   * @param {string} parts.handle
   * @param {(position: number) => string} parts.placeOf
   */
  constructor(text, { handle, placeOf }) {
    this.original = text;
    this.handle = handle;
    this.placeOf = placeOf;
    this.lines = new LineMarks(text, handle);
    this.names = new NameScopes();
    this.isPlain = false;
    this.chainDepth = 0;
    /** Whether what is written is the body of an async function, which is no generator. */
    this.isAsync = false;
    /** The number of temporary variables of the function that is written. */
    this.nTemporaries = 0;
  }

  // ---- texts --------------------------------------------------------------------------------------------------------

  /** @param {Node} node */
  source(node) {
    return this.original.slice(node.start, node.end);
  }

  /** @param {Node} node @returns {string} */
  text(node) {
    const write = STATEMENTS[node.type];
    if (write !== undefined) return write(node, this);
    return this.expression(node).code;
  }

  /**
   * @param {Node} _node
   * @returns {{code: string, shadow: string}}
   */
  expression(_node) {
    throw new Error('traced-expressions.cjs has it');
  }

  /** @param {Node} node @returns {string} the node's own text with its children written */
  copied(node) {
    return this.copiedRange(node, node.start, node.end);
  }

  /** @param {Node} node @param {number} start @param {number} end */
  copiedRange(node, start, end) {
    let code = '';
    let at = start;
    for (const [child, field] of childrenOf(node)) {
      if (child.start < at || child.end > end) continue; // `{ a }` has one text for key and value
      code += this.original.slice(at, child.start);
      const written = this.childText(node, child, field);
      // `typeof!x`, `yield(x)`
      code += WORD_END.test(code) && WORD_START.test(written) ? ` ${written}` : written;
      at = child.end;
    }
    return code + this.original.slice(at, end);
  }

  /** @param {Node} node @param {Node} child @param {string} field */
  childText(node, child, field) {
    const role = ROLES[node.type]?.[field];
    if (role === 'target') return this.target(child);
    if (role === 'copied') return this.copied(child);
    return role === 'plain' ? this.plain(() => this.text(child)) : this.text(child);
  }

  /** @param {Node} node @returns {string} what is assigned to, or called with its object as `this` */
  target(node) {
    switch (node.type) {
      case 'ParenthesizedExpression':
        return `(${this.target(node.expression)})`;
      case 'MemberExpression':
      case 'ChainExpression':
      case 'CallExpression':
        return node.type === 'CallExpression' ? this.text(node) : this.copied(node);
      case 'Identifier':
        return this.source(node);
      case 'Property':
        return this.patternProperty(node);
      default:
        return node.type.endsWith('Pattern') || node.type === 'RestElement' ? this.copied(node) : this.text(node);
    }
  }

  /** @param {Node} node of an ObjectPattern @returns {string} */
  patternProperty({ start, end, key, value, computed, shorthand }) {
    if (shorthand) return this.target(value);
    const keyText = computed ? this.text(key) : this.source(key);
    const between = this.original.slice(key.end, value.start);
    return (
      this.original.slice(start, key.start) +
      keyText +
      between +
      this.target(value) +
      this.original.slice(value.end, end)
    );
  }

  /**
   * @param {Node} pattern
   * @returns {string} a pattern that declares names; their companions do not exist yet when its default values run
   */
  pattern(pattern) {
    const names = new Map(leaves(pattern).map(({ name }) => [name, false]));
    return this.plain(() => this.names.within(names, () => this.target(pattern)));
  }

  /** @template T @param {() => T} write @returns {T} */
  plain(write) {
    const before = this.isPlain;
    this.isPlain = true;
    try {
      return write();
    } finally {
      this.isPlain = before;
    }
  }

  /** @param {Node} node @param {string} code @returns {string} from the node's first line to its last */
  withLines(node, code) {
    const last = code.endsWith(')') ? code.length - 1 : code.length;
    return this.below(node, code.slice(0, last)) + this.lines.mark(node.end) + code.slice(last);
  }

  /**
   * @template {Node | null} Part
   * @param {Part[]} parts of a list, from left to right
   * @param {(part: Part, index: number) => string} write
   * @returns {string[]} the code of each, on the line where the part is
   */
  eachOnItsLine(parts, write) {
    return parts.map((part, index) => (part === null ? write(part, index) : this.below(part, write(part, index))));
  }

  /** @param {Node} node @param {string} code of the node @returns {string} on its line */
  below(node, code) {
    return this.lines.mark(node.start) + code;
  }

  /** @param {Node} node with `left`, `operator` and `right` @returns {number} the operator's position */
  operatorStart(node) {
    let at = node.left.end;
    for (;;) {
      const rest = this.original.slice(at, node.right.start);
      const blank = /^(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)/.exec(rest);
      if (blank === null) return at;
      at += blank[0].length;
    }
  }

  // ---- names --------------------------------------------------------------------------------------------------------

  /** @param {string} name */
  companion(name) {
    return `${this.handle}$${name}`;
  }

  /** @param {string} name @returns {string} the companion; `0` if there is none */
  companionOf(name) {
    return this.names.hasCompanion(name) ? this.companion(name) : NONE;
  }

  temporary() {
    this.nTemporaries += 1;
    return `${this.handle}${this.nTemporaries - 1}`;
  }

  /**
   * @param {Map<string, boolean>} names that `var` declares
   * @param {() => string} write
   * @returns {[code: string, declaration: string]}
   */
  withTemporaries(names, write) {
    const [before, wasPlain] = [this.nTemporaries, this.isPlain];
    this.nTemporaries = 0;
    this.isPlain = false;
    try {
      const code = write();
      const list = Array.from({ length: this.nTemporaries }, (_, number) => `${this.handle}${number}`);
      const companions = [...names].filter(([, has]) => has).map(([name]) => this.companion(name));
      const temporaries = list.length === 0 ? '' : `let ${list.join(',')};`;
      return [code, temporaries + (companions.length === 0 ? '' : `var ${companions.join(',')};`)];
    } finally {
      this.nTemporaries = before;
      this.isPlain = wasPlain;
    }
  }

  // ---- files and functions ------------------------------------------------------------------------------------------

  /** @param {Node} node @param {string} header that binds the handle @returns {string} */
  program(node, header) {
    if (node.body.length === 0) return this.original;
    const hoisted = varNames(node);
    const names = new Map([...hoisted, ...lexicalNames(node.body)]);
    const first = node.body[0].start;
    const position = headPosition(node.body, first);
    const [code, temporaries] = this.withTemporaries(hoisted, () =>
      this.names.within(names, () => this.copiedRange(node, position, this.original.length)),
    );
    const separator = position > first ? ';' : '';
    return this.lines.placed(`${this.original.slice(0, position)}${separator}${header}${temporaries}${code}`);
  }

  /** @param {Node} node a function @returns {string} */
  functionText(node) {
    const { body, params } = node;
    const parameters = params.flatMap((/** @type {Node} */ param) => leaves(param));
    const names = new Map(parameters.map((/** @type {{name: string}} */ { name }) => [name, true]));
    if (node.id && node.type === 'FunctionExpression' && !names.has(node.id.name)) names.set(node.id.name, false);
    const hidden = new Map([...names.keys()].map((name) => [name, false]));
    const head = this.names.within(hidden, () => this.headText(node));
    const write = () =>
      this.names.within(names, () => {
        for (const { name } of parameters) this.names.bind(name);
        return head + this.withinAsync(node, () => this.bodyText(body, this.prologue(node)));
      });
    // A declaration may be called before what stands above it has run.
    return node.type === 'FunctionDeclaration' ? this.names.withinFunction(write) : write();
  }

  /** @template Text @param {Node} node a function @param {() => Text} write its body */
  withinAsync({ async, generator }, write) {
    const before = this.isAsync;
    this.isAsync = async && !generator;
    const code = write();
    this.isAsync = before;
    return code;
  }

  /** @param {Node} node a function @returns {string} its text before the body */
  headText({ start, params, body }) {
    let code = '';
    let at = start;
    for (const param of params) {
      code += this.original.slice(at, param.start) + this.plain(() => this.target(param));
      at = param.end;
    }
    return code + this.original.slice(at, body.start);
  }

  /** @param {Node} body @param {string} prologue */
  bodyText(body, prologue) {
    if (body.type !== 'BlockStatement') {
      const [code, temporaries] = this.withTemporaries(new Map(), () => this.answer(body));
      return `{${temporaries}${prologue}return ${code}}`;
    }
    const hoisted = varNames(body);
    const names = new Map([...hoisted, ...lexicalNames(body.body)]);
    const position = headPosition(body.body, body.start + 1);
    const [code, temporaries] = this.withTemporaries(hoisted, () =>
      this.names.within(names, () => this.copiedRange(body, position, body.end)),
    );
    const separator = position > body.start + 1 ? ';' : '';
    return `${this.original.slice(body.start, position)}${separator}${temporaries}${prologue}${code}`;
  }

  /** @param {Node} node what a function returns @returns {string} */
  answer(node) {
    const code = this.left(node);
    return this.isAsync ? `${this.handle}.settled(${this.handle}g,${code})` : code;
  }

  /** @param {Node} _node @returns {string} */
  left(_node) {
    throw new Error('traced-expressions.cjs has it');
  }

  /** @param {Node} _node @param {string} _operator @returns {string} */
  test(_node, _operator) {
    throw new Error('traced-expressions.cjs has it');
  }

  /** @param {Node} _node @returns {string | undefined} */
  mergedIf(_node) {
    throw new Error('traced-expressions.cjs has it');
  }

  /** @param {Node} node a function @returns {string} declarations of the companions of its parameters */
  prologue({ params, body, type }) {
    const { handle } = this;
    const frame = `${handle}g`;
    /** @type {string[]} */
    const parts = [];
    params.forEach((/** @type {Node} */ param, /** @type {number} */ index) => {
      const plain = param.type === 'AssignmentPattern' ? param.left : param;
      if (plain.type === 'Identifier') {
        parts.push(`${this.companion(plain.name)}=${handle}.p(${frame},${index},${plain.name})`);
      } else if (plain.type === 'RestElement' && plain.argument.type === 'Identifier') {
        parts.push(`${this.companion(plain.argument.name)}=${handle}.rest(${frame},${index},${plain.argument.name})`);
      } else {
        const given = `${handle}.given(${frame},${index})`;
        for (const leaf of leaves(plain)) parts.push(`${this.companion(leaf.name)}=${taken(handle, given, leaf)}`);
      }
    });
    if (type !== 'ArrowFunctionExpression' && usesArguments(body)) {
      parts.push(`${handle}a=${handle}.rest(${frame},0,arguments)`);
    }
    if (parts.length === 0 && !this.isAsync) return '';
    return `var ${[`${frame}=${handle}.enter()`, ...parts].join(',')};`;
  }
}

/** V8 does not look for a failed call there: it writes `undefined is not a function`, as a call of ours would not. */
const COMPUTED_KEY = 'plain';

/** How the child of a node is written if it is not an expression that is evaluated. @type {any} */
const ROLES = {
  AssignmentExpression: { left: 'target' },
  AssignmentPattern: { left: 'target' },
  ArrayPattern: { elements: 'target' },
  CallExpression: { callee: 'target' },
  CatchClause: { param: 'target' },
  ChainExpression: { expression: 'target' },
  ForInStatement: { left: 'target' },
  ForOfStatement: { left: 'target' },
  MethodDefinition: { key: COMPUTED_KEY },
  NewExpression: { callee: 'plain' },
  ObjectPattern: { properties: 'target' },
  Property: { key: COMPUTED_KEY },
  PropertyDefinition: { key: COMPUTED_KEY, value: 'plain' },
  RestElement: { argument: 'target' },
  TaggedTemplateExpression: { tag: 'target', quasi: 'copied' },
  UpdateExpression: { argument: 'target' },
  VariableDeclarator: { id: 'target' },
};

/** @param {Node} node @returns {[Node, string][]} in the order of the text, each with its field */
function childrenOf(node) {
  /** @type {[Node, string][]} */
  const children = [];
  for (const field of childFields(node.type)) {
    if (field === 'property' && !node.computed) continue;
    if (field === 'key' && !node.computed) continue;
    for (const child of Array.isArray(node[field]) ? node[field] : [node[field]]) {
      if (child) children.push([child, field]);
    }
  }
  return children;
}

/** @param {Node[]} statements @param {number} start @returns {number} where the directives end */
function headPosition(statements, start) {
  let position = start;
  for (const statement of statements) {
    if (statement.directive === undefined) break;
    position = statement.end;
  }
  return position;
}

/** @param {Node} body of a function @returns {boolean} whether it reads `arguments` of its own */
function usesArguments(body) {
  let isUsed = false;
  const visit = (/** @type {any} */ node) => {
    if (isUsed || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression') return;
    if (node.type === 'Identifier' && node.name === 'arguments') isUsed = true;
    for (const [child] of childrenOf(node)) visit(child);
  };
  visit(body);
  return isUsed;
}

module.exports = { TracedText };
