'use strict';
/** Reads calls with known arguments from example code: of functions by their last name, of classes, of methods. */

const { parse } = require('../instrument/parse.cjs');

const MAX_CALLS = 400;
const MAX_CHARS = 3_000;
const MAX_DEPTH = 6;
/** What stands for a value that an example computes. */
const UNKNOWN = Symbol('unknown');
/** The package itself, as the name of what is called. */
const ITSELF = '';

/** @typedef {{ name: string, is_new: boolean, is_method: boolean, arguments: any[] }} ExampleCall */

class ExampleCalls {
  /** @param {string} packageName */
  constructor(packageName) {
    this.packageName = packageName;
    /** @type {ExampleCall[]} */
    this.found = [];
    this.seen = new Set();
    /** Values of variables. @type {Map<string, any>} */
    this.values = new Map();
    /** Names of what the examples import as a whole. */
    this.own = new Set([camelCased(packageName), lastPart(packageName)]);
  }

  /** @param {string} code */
  read(code) {
    const { body, values } = parsed(code.replace(/^[ \t]*(?:>|\$|node>)[ \t]+/gm, ''));
    this.values = values;
    for (const node of body) this.walk(node);
  }

  /** @param {any} node */
  walk(node) {
    if (node === null || typeof node !== 'object' || this.found.length >= MAX_CALLS) return;
    if (Array.isArray(node)) {
      for (const one of node) this.walk(one);
      return;
    }
    if (node.type === 'VariableDeclarator') this.note(node);
    else if (node.type === 'ImportDefaultSpecifier' || node.type === 'ImportNamespaceSpecifier') {
      this.own.add(node.local.name);
    }
    for (const key of Object.keys(node)) if (key !== 'type') this.walk(node[key]);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.add(node);
  }

  /** @param {any} node a declarator */
  note({ id, init }) {
    if (id.type !== 'Identifier' || init === null) return;
    const isImport =
      init.type === 'CallExpression' && init.callee.name === 'require' && init.arguments[0]?.value === this.packageName;
    if (isImport) this.own.add(id.name);
    const value = this.value(init, 0);
    if (value !== UNKNOWN) this.values.set(id.name, value);
  }

  /** @param {any} node */
  add(node) {
    const { name, isMember } = calledName(node.callee);
    const values = this.given(node.arguments);
    if (name === undefined || name === 'require' || values === null) return;
    const call = {
      name: !isMember && this.own.has(name) ? ITSELF : name,
      is_new: node.type === 'NewExpression',
      is_method: isMember,
      arguments: values,
    };
    const text = JSON.stringify(call);
    if (text.length > MAX_CHARS || this.seen.has(text)) return;
    this.seen.add(text);
    this.found.push(call);
  }

  /** @param {any[]} nodes @returns {any[] | null} without unknown ones at the end; null: the call cannot be repeated */
  given(nodes) {
    const values = nodes.map((one) => this.value(one, 0));
    while (values.length > 0 && values[values.length - 1] === UNKNOWN) values.pop();
    return values.includes(UNKNOWN) || (values.length === 0 && nodes.length > 0) ? null : values;
  }

  /** @param {any} node @param {number} depth @returns {any} as in protocol/README.md, "Values of calls" */
  value(node, depth) {
    if (depth > MAX_DEPTH) return UNKNOWN;
    switch (node.type) {
      case 'Literal':
        return literal(node);
      case 'TemplateLiteral':
        return node.expressions.length === 0 ? node.quasis[0].value.cooked : UNKNOWN;
      case 'ParenthesizedExpression':
        return this.value(node.expression, depth);
      case 'UnaryExpression':
        return this.unary(node, depth);
      case 'BinaryExpression':
        return this.joined(node, depth);
      case 'Identifier':
        return this.named(node.name);
      case 'ArrayExpression':
        return this.list(node.elements, depth);
      case 'ObjectExpression':
        return this.object(node.properties, depth);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { $function: 'identity' };
      default:
        return UNKNOWN;
    }
  }

  /** @param {string} name */
  named(name) {
    if (name === 'undefined') return { $undefined: true };
    if (name === 'NaN' || name === 'Infinity') return { $number: name };
    return this.values.has(name) ? this.values.get(name) : UNKNOWN;
  }

  /** @param {any} node @param {number} depth */
  unary({ operator, argument }, depth) {
    const value = this.value(argument, depth + 1);
    if (operator === '-' && typeof value === 'number') return -value;
    return operator === '!' && typeof value === 'number' ? !value : UNKNOWN;
  }

  /** @param {any} node @param {number} depth */
  joined({ operator, left, right }, depth) {
    const [first, second] = [this.value(left, depth + 1), this.value(right, depth + 1)];
    return operator === '+' && typeof first === 'string' && typeof second === 'string' ? first + second : UNKNOWN;
  }

  /** @param {any[]} elements @param {number} depth */
  list(elements, depth) {
    const values = elements.map((one) => (one === null ? UNKNOWN : this.value(one, depth + 1)));
    return values.includes(UNKNOWN) ? UNKNOWN : values;
  }

  /** @param {any[]} properties @param {number} depth */
  object(properties, depth) {
    /** @type {Record<string, any>} */
    const members = {};
    for (const { type, computed, key, value } of properties) {
      if (type !== 'Property' || computed) return UNKNOWN;
      const member = this.value(value, depth + 1);
      if (member === UNKNOWN) return UNKNOWN;
      members[key.type === 'Identifier' ? key.name : String(key.value)] = member;
    }
    return members;
  }
}

/** @param {any} callee @returns {{ name: string | undefined, isMember: boolean }} */
function calledName(callee) {
  if (callee.type === 'MemberExpression' && !callee.computed) return { name: callee.property.name, isMember: true };
  return { name: callee.type === 'Identifier' ? callee.name : undefined, isMember: false };
}

/** @param {any} node */
function literal(node) {
  if (node.regex !== undefined) return { $regexp: [node.regex.pattern, node.regex.flags] };
  return typeof node.bigint === 'string' ? { $bigint: node.bigint } : node.value;
}

/**
 * @param {string} code
 * @returns {{ body: any[], values: Map<string, any> }} statements: of the whole, or else of the parts that are programs
 */
function parsed(code) {
  const whole = statements(code);
  const values = new Map();
  if (whole !== null) return { body: whole, values };
  const body = [];
  for (const part of code.split(/\n[ \t]*\n/)) {
    const found = statements(part);
    if (found !== null) body.push(...found);
    else for (const line of part.split('\n')) body.push(...(statements(line) || []));
  }
  return { body, values };
}

/** @param {string} code @returns {any[] | null} */
function statements(code) {
  for (const isModule of [true, false]) {
    try {
      return /** @type {any} */ (parse(code, isModule)).body;
    } catch {
      // It is of the other kind, or no program.
    }
  }
  return null;
}

/** @param {string} name */
const lastPart = (name) => name.slice(name.lastIndexOf('/') + 1);

/** @param {string} name */
const camelCased = (name) =>
  lastPart(name).replace(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, next = '') => next.toUpperCase());

module.exports = { ExampleCalls };
