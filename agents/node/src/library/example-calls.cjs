'use strict';
/**
 * Reads from example code the calls with known arguments: of functions by their last name, of classes, of methods. And
 * from what documentation shows beside calls: values, and texts of the kind that the package reads.
 */

const { parse } = require('../instrument/texts/parse.cjs');
const { UNKNOWN, joined, constructed, called, ofMethod } = require('./example-values.cjs');

const MAX_CALLS = 400;
const MAX_CHARS = 3_000;
const MAX_DEPTH = 6;
const MAX_VALUES = 60;
const MAX_TEXTS = 60;
/** Blocks with texts of another language, such as the one that the package parses. */
const MAX_BLOCK_CHARS = 1_500;
/** Names, calls and what they are members of: code about the package, not a text that it reads. */
const IS_CODE = /^[\w$]*[A-Za-z_$][\w$]*(?:[.#][\w$]+)*(?:\(.*\)?)?;?$/;
const PROMPT = /^[ \t]*(?:>|\$|node>)[ \t]+/gm;
const COMMANDS = /^(?:\$ |(?:npm|npx|yarn|pnpm|node|bower|git|cd|curl) )/;
const QUOTED = /^(['"])((?:(?!\1)[^\\])*)\1$/;
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
    /** Texts that are shown by themselves. @type {Set<string>} */
    this.texts = new Set();
    /** Objects and arrays that are shown by themselves. @type {any[]} */
    this.shown = [];
    /** Values of variables, also of blocks before. @type {Map<string, any>} */
    this.values = new Map();
    /** Names of what the examples import as a whole. */
    this.own = new Set([camelCased(packageName), lastPart(packageName)]);
  }

  /** @param {string} code */
  read(code) {
    if (this.readValue(code)) this.readText(code);
    else for (const node of parsed(code.replace(PROMPT, ''))) this.walk(node);
  }

  /** @param {string} code @returns {boolean} whether it is an object or an array, and no program */
  readValue(code) {
    if (!/^\s*[[{]/.test(code)) return false;
    const body = statements('(' + code + '\n)');
    const value = body === null || body.length !== 1 ? UNKNOWN : this.value(body[0].expression, 0);
    if (value === UNKNOWN || typeof value !== 'object' || value === null) return false;
    if (holdsNamed(value)) return true;
    if (Object.keys(value).length > 0 && this.shown.length < MAX_VALUES && JSON.stringify(value).length <= MAX_CHARS) {
      this.shown.push(value);
    }
    return true;
  }

  /** @param {string} text of a block in another language than the package's own */
  readText(text) {
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.length > MAX_BLOCK_CHARS || COMMANDS.test(trimmed)) return;
    if (this.texts.size < MAX_TEXTS) this.texts.add(text);
  }

  /** @param {string} code of a block without a language, which is a text of another one if it is no program */
  readBlock(code) {
    this.read(code);
    if (statements(code.replace(PROMPT, '')) === null) this.readText(code);
  }

  /** @param {string} code within a line of documentation */
  readInline(code) {
    const quoted = QUOTED.exec(code);
    if (quoted !== null) this.readText(quoted[2]);
    else if (IS_CODE.test(code)) this.readCall(code);
    else if (!this.readValue(code)) this.readText(code);
  }

  /** @param {string} code */
  readCall(code) {
    if (code.includes('(')) for (const node of statements(code) || []) this.walk(node);
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
    const values = nodes.map((one) => this.argument(one));
    while (values.length > 0 && values[values.length - 1] === UNKNOWN) values.pop();
    return values.includes(UNKNOWN) || (values.length === 0 && nodes.length > 0) ? null : values;
  }

  /** @param {any} node */
  argument(node) {
    const value = this.value(node, 0);
    // Documentation shows the data once, and then calls that use it under a name.
    const isData = value === UNKNOWN && node.type === 'Identifier' && this.shown.length > 0;
    return isData ? this.shown[this.shown.length - 1] : value;
  }

  /** @param {any} node @param {number} depth @returns {any} as in protocol/README.md, "Values of calls" */
  value(node, depth) {
    if (depth > MAX_DEPTH) return UNKNOWN;
    switch (node.type) {
      case 'Literal':
        return literal(node);
      case 'ParenthesizedExpression':
        return this.value(node.expression, depth);
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
        return this.computed(node, depth);
    }
  }

  /** @param {any} node @param {number} depth @returns {any} */
  computed(node, depth) {
    switch (node.type) {
      case 'TemplateLiteral':
        return this.template(node, depth);
      case 'UnaryExpression':
        return this.unary(node, depth);
      case 'BinaryExpression':
        return this.joined(node, depth);
      case 'NewExpression':
      case 'CallExpression':
        return this.made(node, depth);
      case 'MemberExpression':
        return this.constant(node);
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
    if (operator === '+' && typeof value === 'number') return value;
    return operator === '!' && typeof value === 'number' ? !value : UNKNOWN;
  }

  /** @param {any} node @param {number} depth */
  joined({ operator, left, right }, depth) {
    return joined(operator, this.value(left, depth + 1), this.value(right, depth + 1));
  }

  /** @param {any} node @param {number} depth */
  template({ quasis, expressions }, depth) {
    let text = quasis[0].value.cooked;
    for (const [index, one] of expressions.entries()) {
      const value = this.value(one, depth + 1);
      if (typeof value !== 'string' && typeof value !== 'number') return UNKNOWN;
      text += value + quasis[index + 1].value.cooked;
    }
    return text;
  }

  /**
   * @param {any} node a call, or `new`
   * @param {number} depth
   * @returns {any} what it makes: by a built-in function, or by one of the package, whose name is settled later
   */
  made(node, depth) {
    const { callee } = node;
    const values = node.arguments.map((/** @type {any} */ one) => this.value(one, depth + 1));
    if (values.includes(UNKNOWN)) return UNKNOWN;
    const name = dotted(callee);
    const isNew = node.type === 'NewExpression';
    if (name !== '') {
      const built = isNew ? constructed(name, values) : called(name, values);
      if (built !== UNKNOWN) return built;
    }
    if (!isNew && callee.type === 'MemberExpression' && !callee.computed) {
      const owner = this.value(callee.object, depth + 1);
      if (typeof owner === 'string' || Array.isArray(owner)) return ofMethod(owner, callee.property.name, values);
    }
    return name === '' ? UNKNOWN : { $made: [(isNew ? 'new ' : '') + this.withinPackage(name), ...values] };
  }

  /** @param {any} node a member */
  constant(node) {
    const name = dotted(node);
    return name === '' ? UNKNOWN : { $constant: this.withinPackage(name) };
  }

  /** @param {string} name with dots @returns {string} without the name of the package */
  withinPackage(name) {
    const [first, ...others] = name.split('.');
    return this.own.has(first) ? others.join('.') : name;
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
      // What else it holds is still worth a call.
      if (member !== UNKNOWN) members[key.type === 'Identifier' ? key.name : String(key.value)] = member;
    }
    return Object.keys(members).length === 0 && properties.length > 0 ? UNKNOWN : members;
  }
}

/** @param {any} callee @returns {{ name: string | undefined, isMember: boolean }} */
function calledName(callee) {
  if (callee.type === 'MemberExpression' && !callee.computed) return { name: callee.property.name, isMember: true };
  return { name: callee.type === 'Identifier' ? callee.name : undefined, isMember: false };
}

/** @param {any} node @returns {string} `a.b.c`; empty for anything else */
function dotted(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return '';
  const owner = dotted(node.object);
  return owner === '' ? '' : `${owner}.${node.property.name}`;
}

/** @param {any} value @returns {boolean} whether it holds something of the package, by its name */
function holdsNamed(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => key === '$made' || key === '$constant' || holdsNamed(one));
}

/** @param {any} node */
function literal(node) {
  if (node.regex !== undefined) return { $regexp: [node.regex.pattern, node.regex.flags] };
  return typeof node.bigint === 'string' ? { $bigint: node.bigint } : node.value;
}

/**
 * @param {string} code
 * @returns {any[]} statements: of the whole, or else of the parts that are programs
 */
function parsed(code) {
  const whole = statements(code);
  if (whole !== null) return whole;
  const body = [];
  for (const part of code.split(/\n[ \t]*\n/)) {
    const found = statements(part);
    if (found !== null) body.push(...found);
    else for (const line of part.split('\n')) body.push(...(statements(line) || []));
  }
  return body;
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
