'use strict';
/**
 * Writes statements and functions with their traced expressions. Text between them is copied.
 *
 * Code that has no body to declare variables in (default values of parameters, initialisers of fields) is plain: it is
 * copied without tracing, except for the functions in it.
 */

const { childFields } = require('../child-nodes.cjs');
const { NameScopes, isNamedByPlace, leaves, lexicalNames, varNames } = require('./name-scopes.cjs');

/** @typedef {import('../parse.cjs').Node} Node */

const NONE = '0';
const WORD_END = /[\w$\u0080-\uffff]$/;
const WORD_START = /^[\w$\u0080-\uffff]/;

class Statements {
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
    this.names = new NameScopes();
    this.isPlain = false;
    this.chainDepth = 0;
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

  /** @param {Node} node @param {string} code @returns {string} with as many lines as the node has */
  withLines(node, code) {
    const missing = countLines(this.source(node)) - countLines(code);
    if (missing <= 0) return code;
    const last = code.endsWith(')') ? code.length - 1 : code.length;
    return code.slice(0, last) + '\n'.repeat(missing) + code.slice(last);
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
    return `${this.original.slice(0, position)}${separator}${header}${temporaries}${code}`;
  }

  /** @param {Node} node a function @returns {string} */
  functionText(node) {
    const { body, params } = node;
    const parameters = params.flatMap((/** @type {Node} */ param) => leaves(param));
    const names = new Map(parameters.map((/** @type {{name: string}} */ { name }) => [name, true]));
    if (node.id && node.type === 'FunctionExpression' && !names.has(node.id.name)) names.set(node.id.name, false);
    const hidden = new Map([...names.keys()].map((name) => [name, false]));
    const head = this.names.within(hidden, () => this.headText(node));
    return head + this.names.within(names, () => this.bodyText(body, this.prologue(node)));
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
      const [code, temporaries] = this.withTemporaries(new Map(), () => this.left(body));
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

  /** @param {Node} _node @returns {string} */
  left(_node) {
    throw new Error('traced-expressions.cjs has it');
  }

  /** @param {Node} _node @param {string} _operator @returns {string} */
  test(_node, _operator) {
    throw new Error('traced-expressions.cjs has it');
  }

  /** @param {Node} node a function @returns {string} declarations of the companions of its parameters */
  prologue({ params, body, generator, type }) {
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
    if (parts.length === 0) return '';
    return `var ${frame}=${generator ? NONE : `${handle}.enter()`},${parts.join(',')};`;
  }
}

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
  NewExpression: { callee: 'plain' },
  ObjectPattern: { properties: 'target' },
  PropertyDefinition: { value: 'plain' },
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

/** @param {string} text */
const countLines = (text) => text.split(/\r\n?|[\n\u2028\u2029]/).length;

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

/** @typedef {(node: Node, writer: Statements) => string} Writer */

/** @type {Writer} */
const functionText = (node, writer) => writer.functionText(node);

/** @type {Writer} */
function block(node, writer) {
  return writer.names.within(lexicalNames(node.body), () => writer.copied(node));
}

/** @type {Writer} */
function declaration(node, writer) {
  if (writer.isPlain) return writer.copied(node);
  /** @type {string[]} */
  const parts = [];
  for (const declarator of node.declarations) parts.push(...declared(declarator, writer));
  return writer.withLines(node, `${node.kind} ${parts.join(',')}`) + (writer.source(node).endsWith(';') ? ';' : '');
}

/** @param {Node} declarator @param {Statements} writer @returns {string[]} */
function declared({ id, init }, writer) {
  if (id.type === 'Identifier') {
    const companion = writer.companionOf(id.name);
    if (init === null) return companion === NONE ? [id.name] : [id.name, companion];
    const { code, shadow } = writer.expression(init);
    return companion === NONE ? [`${id.name}=${code}`] : [`${id.name}=${code}`, `${companion}=${shadow}`];
  }
  const whole = writer.temporary();
  const { code } = writer.expression(init);
  const companions = leaves(id)
    .filter(({ name }) => writer.companionOf(name) !== NONE)
    .map((leaf) => `${writer.companionOf(leaf.name)}=${taken(writer.handle, whole, leaf)}`);
  return [`${writer.pattern(id)}=(${whole}=${unnamed(init, code, writer)})`, ...companions];
}

/** @param {Node} left of `for (... of ...)` @param {Statements} writer */
function declaredHead(left, writer) {
  const [{ id, end }] = left.declarations;
  return writer.original.slice(left.start, id.start) + writer.pattern(id) + writer.original.slice(id.end, end);
}

/** @param {Node} node @param {string} code @param {Statements} writer @returns {string} the code, where it is named */
function unnamed(node, code, { handle }) {
  return isNamedByPlace(node) ? `${handle}.v(${code},0)` : code;
}

/** @param {string} handle @param {string} whole what the pattern took apart @param {import('./name-scopes.cjs').Leaf} leaf */
function taken(handle, whole, { name, key, outer }) {
  let from = outer === null || key === null ? NONE : whole;
  if (from !== NONE && outer !== null && outer.length > 0) from = `${handle}.at(${whole},${JSON.stringify(outer)})`;
  return `${handle}.d(${from},${JSON.stringify(key)},${name})`;
}

/** @type {Writer} */
function expressionStatement(node, writer) {
  if (node.directive !== undefined) return writer.source(node);
  const code = writer.copied(node);
  return code.startsWith('(') && !writer.source(node).startsWith('(') ? `0,${code}` : code;
}

/** @type {Writer} */
function returned(node, writer) {
  if (node.argument === null) return writer.source(node);
  return `return ${writer.left(node.argument)}${writer.original.slice(node.argument.end, node.end)}`;
}

/** @param {string} operator @returns {Writer} */
function tested(operator) {
  return (node, writer) => {
    if (node.type === 'ForStatement') return forLoop(node, writer);
    const { test } = node;
    const before = writer.copiedRange({ ...node, test: null }, node.start, test.start);
    const code = writer.test(test, operator);
    return before + code + writer.copiedRange({ ...node, test: null }, test.end, node.end);
  };
}

/** @type {Writer} */
function forLoop(node, writer) {
  const { init, test, update, body } = node;
  const names = init?.type === 'VariableDeclaration' && init.kind !== 'var' ? lexicalNames([init]) : new Map();
  return writer.names.within(names, () => {
    let at = node.start;
    let code = '';
    const parts = [
      [init, () => writer.text(init)],
      [test, () => writer.test(test, 'for')],
      [update, () => writer.text(update)],
      [body, () => writer.text(body)],
    ];
    for (const [part, write] of parts) {
      if (!part) continue;
      code += writer.original.slice(at, part.start) + write();
      at = part.end;
    }
    return code;
  });
}

/** @type {Writer} */
function loopOver(node, writer) {
  const { left, right, body, type } = node;
  const isDeclared = left.type === 'VariableDeclaration';
  const isBlock = isDeclared && left.kind !== 'var';
  const names = isBlock ? lexicalNames([left]) : new Map();
  return writer.names.within(names, () => {
    const head = isDeclared ? declaredHead(left, writer) : writer.target(left);
    const { code: iterated, shadow } = writer.expression(right);
    const isTraced = type === 'ForOfStatement' && !node.await;
    const over = isTraced ? `${writer.handle}.it(${iterated},${shadow})` : iterated;
    const between = `${writer.original.slice(left.end, right.start)} `;
    const after = writer.original.slice(right.end, body.start);
    const companions = boundByLoop(left, writer, isTraced);
    const inside = writer.text(body);
    const wrapped = companions === '' ? inside : `{${companions}${inside}\n}`;
    return writer.original.slice(node.start, left.start) + head + between + over + after + oneLine(wrapped, inside);
  });
}

/** @param {string} wrapped @param {string} inside @returns {string} without the added line, if there is no comment */
const oneLine = (wrapped, inside) => (/[;}]$/.test(inside) ? wrapped.replace(/\n\}$/, '}') : wrapped);

/** @param {Node} left of a loop @param {Statements} writer @param {boolean} isTraced @returns {string} */
function boundByLoop(left, writer, isTraced) {
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
  if (pattern.type === 'MemberExpression') return '';
  const keyword = left.type === 'VariableDeclaration' ? `${left.kind === 'const' ? 'let' : left.kind} ` : '';
  const parts = leaves(pattern)
    .filter(({ name }) => writer.companionOf(name) !== NONE)
    .map((leaf) => {
      const isWhole = pattern.type === 'Identifier' && isTraced;
      const shadow = isWhole ? `${writer.handle}.s` : taken(writer.handle, `${writer.handle}.element`, leaf);
      return `${writer.companionOf(leaf.name)}=${shadow}`;
    });
  return parts.length === 0 ? '' : `${keyword}${parts.join(',')};`;
}

/** @type {Writer} */
function switchStatement(node, writer) {
  const { discriminant, cases } = node;
  const names = lexicalNames(cases.flatMap((/** @type {Node} */ one) => one.consequent));
  const { handle } = writer;
  const value = writer.temporary();
  const shadow = writer.temporary();
  const tracedValue = writer.expression(discriminant);
  let code = `${writer.original.slice(node.start, discriminant.start)}${value}=${unnamed(discriminant, `(${tracedValue.code})`, writer)},${shadow}=${tracedValue.shadow},true`;
  let at = discriminant.end;
  return writer.names.within(names, () => {
    for (const [number, clause] of cases.entries()) {
      code += writer.original.slice(at, clause.start);
      if (clause.test === null) code += writer.copied(clause);
      else {
        const test = writer.expression(clause.test);
        const compared = `${handle}.b("===",${value},${shadow},(${test.code}),${test.shadow})`;
        const place = JSON.stringify(`${writer.placeOf(clause.start)}:case ${number}`);
        code += `case ${handle}.c(${place},${compared},${handle}.s)`;
        code += writer.copiedRange({ ...clause, test: null }, clause.test.end, clause.end);
      }
      at = clause.end;
    }
    return code + writer.original.slice(at, node.end);
  });
}

/** @type {Writer} */
function caught(node, writer) {
  const names = new Map(leaves(node.param).map(({ name }) => [name, false]));
  return writer.names.within(names, () => writer.copied(node));
}

/** @type {Writer} */
function staticBlock(node, writer) {
  const hoisted = varNames(node);
  const names = new Map([...hoisted, ...lexicalNames(node.body)]);
  const start = writer.original.indexOf('{', node.start) + 1;
  const [code, temporaries] = writer.withTemporaries(hoisted, () =>
    writer.names.within(names, () => writer.copiedRange(node, start, node.end)),
  );
  return writer.original.slice(node.start, start) + temporaries + code;
}

/** @type {Writer} */
const untouched = (node, writer) => writer.source(node);

/** @type {Record<string, Writer>} */
const STATEMENTS = {
  ArrowFunctionExpression: functionText,
  BlockStatement: block,
  CatchClause: caught,
  DoWhileStatement: tested('do'),
  ExpressionStatement: expressionStatement,
  ForInStatement: loopOver,
  ForOfStatement: loopOver,
  ForStatement: tested('for'),
  FunctionDeclaration: functionText,
  FunctionExpression: functionText,
  IfStatement: tested('if'),
  ReturnStatement: returned,
  StaticBlock: staticBlock,
  SwitchStatement: switchStatement,
  VariableDeclaration: declaration,
  WhileStatement: tested('while'),
  WithStatement: untouched,
};

module.exports = { Statements };
