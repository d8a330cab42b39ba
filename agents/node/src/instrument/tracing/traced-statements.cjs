'use strict';
/** Writes statements with their traced expressions, by the type of the statement. */

const { isNamedByPlace, leaves, lexicalNames, varNames } = require('./name-scopes.cjs');
const { NONE, taken } = require('./pattern-shadows.cjs');
const { mergedSwitch } = require('./merged-switches.cjs');
const { calleeText, quoted } = require('../callees/callee-text.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} TracedText traced-text.cjs */
/** @typedef {(node: Node, writer: TracedText) => string} Writer */

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
  for (const declarator of node.declarations) {
    const [first, ...companions] = declared(declarator, writer);
    parts.push(writer.below(declarator, first), ...companions);
  }
  return writer.withLines(node, `${node.kind} ${parts.join(',')}`) + (writer.source(node).endsWith(';') ? ';' : '');
}

/** @param {Node} declarator @param {TracedText} writer @returns {string[]} */
function declared(declarator, writer) {
  const parts = declarationParts(declarator, writer);
  for (const { name } of leaves(declarator.id)) writer.names.bind(name);
  return parts;
}

/** @param {Node} declarator @param {TracedText} writer @returns {string[]} */
function declarationParts({ id, init }, writer) {
  if (id.type === 'Identifier') {
    const companion = writer.companionOf(id.name);
    if (init === null) return companion === NONE ? [id.name] : [id.name, companion];
    const { code, shadow } = writer.expression(init);
    const initialized = `${id.name}=${writer.below(init, code)}`;
    return companion === NONE ? [initialized] : [initialized, `${companion}=${shadow}`];
  }
  const whole = writer.temporary();
  const { code } = writer.expression(init);
  const companions = leaves(id)
    .filter(({ name }) => writer.companionOf(name) !== NONE)
    .map((leaf) => `${writer.companionOf(leaf.name)}=${taken(writer.handle, whole, leaf)}`);
  const value = writer.below(init, unnamed(init, code, writer));
  return [`${writer.pattern(id)}=(${whole}=${value})`, ...companions];
}

/** @param {Node} left of `for (... of ...)` @param {TracedText} writer */
function declaredHead(left, writer) {
  const [{ id, end }] = left.declarations;
  return writer.original.slice(left.start, id.start) + writer.pattern(id) + writer.original.slice(id.end, end);
}

/** @param {Node} node @param {string} code @param {TracedText} writer @returns {string} the code, where it is named */
function unnamed(node, code, { handle }) {
  return isNamedByPlace(node) ? `${handle}.v(${code},0)` : code;
}

/** @type {Writer} */
function expressionStatement(node, writer) {
  if (node.directive !== undefined) return writer.source(node);
  const code = writer.copied(node);
  return writer.lines.isParenthesized(code) && !writer.source(node).startsWith('(') ? `0,${code}` : code;
}

/** @type {Writer} */
function returned(node, writer) {
  if (node.argument === null) return writer.source(node);
  return `return ${writer.answer(node.argument)}${writer.original.slice(node.argument.end, node.end)}`;
}

/** @param {string} operator @returns {Writer} */
function tested(operator) {
  return (node, writer) => {
    if (node.type === 'ForStatement') return forLoop(node, writer);
    const merged = node.type === 'IfStatement' && !writer.isPlain ? writer.mergedIf(node) : undefined;
    if (merged !== undefined) return merged;
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
    const over = isTraced
      ? `${writer.handle}.it(${iterated},${shadow},${quoted(calleeText(node.right) ?? '')},${placeOf(node, writer)})`
      : iterated;
    const between = `${writer.original.slice(left.end, right.start)} `;
    const after = writer.original.slice(right.end, body.start);
    const companions = boundByLoop(left, writer, isTraced);
    for (const name of names.keys()) writer.names.bind(name);
    const inside = writer.text(body);
    const wrapped = companions === '' ? inside : `{${companions}${inside}}`;
    return writer.original.slice(node.start, left.start) + head + between + over + after + wrapped;
  });
}

/** @param {Node} loop @param {TracedText} writer */
const placeOf = (loop, writer) => JSON.stringify(`${writer.placeOf(loop.start)}:loop`);

/** @param {Node} left of a loop @param {TracedText} writer @param {boolean} isTraced @returns {string} */
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
  const write = () => {
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
  };
  const statement = writer.names.within(names, write, { isInOrder: false });
  return writer.isPlain ? statement : mergedSwitch(node, writer, { value, shadow }, statement);
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

module.exports = { STATEMENTS };
