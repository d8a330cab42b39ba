'use strict';
/**
 * The fields of a node with children that are *evaluated or executed*, in the order of the text.
 *
 * Fields that are omitted on purpose are never visited and so never probed: names, labels, targets of assignments
 * (patterns only lead to their default values and computed keys), and the body of `with`, in which a name may refer to
 * anything.
 */

/** @type {Record<string, readonly string[]>} */
const CHILDREN = {
  ArrayExpression: ['elements'],
  ArrayPattern: ['elements'],
  ArrowFunctionExpression: ['params', 'body'],
  AssignmentExpression: ['left', 'right'],
  AssignmentPattern: ['left', 'right'],
  AwaitExpression: ['argument'],
  BinaryExpression: ['left', 'right'],
  BlockStatement: ['body'],
  CallExpression: ['callee', 'arguments'],
  CatchClause: ['param', 'body'],
  ChainExpression: ['expression'],
  ClassBody: ['body'],
  ClassDeclaration: ['superClass', 'body'],
  ClassExpression: ['superClass', 'body'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  DoWhileStatement: ['body', 'test'],
  ExportDefaultDeclaration: ['declaration'],
  ExportNamedDeclaration: ['declaration'],
  ExpressionStatement: ['expression'],
  ForInStatement: ['left', 'right', 'body'],
  ForOfStatement: ['left', 'right', 'body'],
  ForStatement: ['init', 'test', 'update', 'body'],
  FunctionDeclaration: ['params', 'body'],
  FunctionExpression: ['params', 'body'],
  IfStatement: ['test', 'consequent', 'alternate'],
  ImportExpression: ['source', 'options'],
  LabeledStatement: ['body'],
  LogicalExpression: ['left', 'right'],
  MemberExpression: ['object', 'property'],
  MethodDefinition: ['key', 'value'],
  NewExpression: ['callee', 'arguments'],
  ObjectExpression: ['properties'],
  ObjectPattern: ['properties'],
  ParenthesizedExpression: ['expression'],
  Program: ['body'],
  Property: ['key', 'value'],
  PropertyDefinition: ['key', 'value'],
  RestElement: ['argument'],
  ReturnStatement: ['argument'],
  SequenceExpression: ['expressions'],
  SpreadElement: ['argument'],
  StaticBlock: ['body'],
  SwitchCase: ['test', 'consequent'],
  SwitchStatement: ['discriminant', 'cases'],
  TaggedTemplateExpression: ['tag', 'quasi'],
  TemplateLiteral: ['expressions'],
  ThrowStatement: ['argument'],
  TryStatement: ['block', 'handler', 'finalizer'],
  UnaryExpression: ['argument'],
  UpdateExpression: ['argument'],
  VariableDeclaration: ['declarations'],
  VariableDeclarator: ['id', 'init'],
  WhileStatement: ['test', 'body'],
  WithStatement: ['object'],
  YieldExpression: ['argument'],
};

const NONE = Object.freeze(/** @type {string[]} */ ([]));

/** @param {string} type of a node */
function childFields(type) {
  return CHILDREN[type] ?? NONE;
}

module.exports = { childFields };
