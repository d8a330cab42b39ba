'use strict';
/**
 * Determines which names of a file refer to modules, and which to functions that are worth a probe, from the
 * declarations at its top level: `import { isEmail } from 'validator'`, `const { timingSafeEqual } = crypto`, `const
 * has = Object.prototype.hasOwnProperty`; and from results of `bind` anywhere: `const starts =
 * text.startsWith.bind(text)`.
 *
 * A name may refer to something else in an inner scope. That only costs a check of the function that is called.
 */

const { childFields } = require('../evaluation/child-nodes.cjs');
const { PACKAGES, argumentsOfFunction } = require('../callees/tracked-names.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/**
 * @typedef {{name: string, origin: string | undefined, isBound: boolean}} FunctionBinding origin: the package, if an ES
 *   module imports a known one
 */

class Bindings {
  constructor() {
    /** @type {Map<string, FunctionBinding>} by local name */
    this.functions = new Map();
    /** @type {Map<string, string>} local name -> the imported or required module */
    this.modules = new Map();
  }

  /**
   * @param {Node} program
   * @param {string} text
   */
  read(program, text) {
    for (const statement of program.body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type === 'ImportDeclaration') this.readImport(declaration);
      else if (declaration?.type === 'VariableDeclaration') {
        for (const { id, init } of declaration.declarations) if (init) this.readVariable(id, init);
      }
    }
    if (text.includes('.bind(')) this.readBound(program);
  }

  /** @param {Node} node */
  readBound(node) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      const name = this.boundName(node.init);
      if (name !== undefined) this.addFunction(node.id.name, name, undefined, true);
    }
    for (const field of childFields(node.type)) {
      for (const child of [node[field]].flat()) if (child) this.readBound(child);
    }
  }

  /** @param {Node} declaration */
  readImport({ source, specifiers }) {
    const module = String(source.value);
    const origin = PACKAGES.has(packageOf(module)) ? packageOf(module) : undefined;
    for (const { type, imported, local } of specifiers) {
      const name = imported?.name ?? imported?.value;
      if (type === 'ImportSpecifier' && !isAssertItself(module, name)) this.addFunction(local.name, name, origin);
      else this.addModule(local.name, module, origin);
    }
  }

  /**
   * @param {Node} id
   * @param {Node} init
   */
  readVariable(id, init) {
    const module = requiredModule(init);
    if (id.type === 'ObjectPattern') for (const property of id.properties) this.readProperty(property, module);
    if (id.type !== 'Identifier') return;
    if (module !== undefined) return this.addModule(id.name, module, undefined);
    if (init.type === 'MemberExpression' && !init.computed) this.addFunction(id.name, init.property.name, undefined);
  }

  /**
   * @param {Node} property of a pattern
   * @param {string | undefined} module that the pattern destructures
   */
  readProperty({ type, key, value, computed }, module) {
    const target = value?.type === 'AssignmentPattern' ? value.left : value;
    if (type !== 'Property' || computed || target.type !== 'Identifier') return;
    const name = key.name ?? key.value;
    if (module !== undefined && isAssertItself(module, name)) this.addModule(target.name, module, undefined);
    else this.addFunction(target.name, name, undefined);
  }

  /** @param {Node} init `X.NAME.bind(R)`, `X.call.bind(Y.NAME)` @returns {string | undefined} NAME */
  boundName({ type, callee, arguments: given }) {
    if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.property.name !== 'bind') {
      return undefined;
    }
    const { object } = callee;
    const target = isCallOrApply(object) ? given[0] : object;
    if (target?.type === 'Identifier') return this.functions.get(target.name)?.name ?? target.name;
    return target?.type === 'MemberExpression' && !target.computed ? target.property.name : undefined;
  }

  /**
   * @param {string} local
   * @param {string} name
   * @param {string | undefined} origin
   * @param {boolean} [isBound]
   */
  addFunction(local, name, origin, isBound = false) {
    if (name !== 'default' && argumentsOfFunction(name) !== undefined) {
      this.functions.set(local, { name, origin, isBound });
    }
  }

  /**
   * @param {string} local
   * @param {string} module
   * @param {string | undefined} origin
   */
  addModule(local, module, origin) {
    this.modules.set(local, module);
    const name = lastPart(module);
    if (isAssert(module)) this.functions.set(local, { name: 'ok', origin: undefined, isBound: false });
    else this.addFunction(local, name, origin);
  }
}

/** @param {string} module */
function isAssert(module) {
  return /^(node:)?assert(\/strict)?$/.test(module);
}

/**
 * Returns whether a module of assertions exports itself, or its strict form, under this name.
 * @param {string} module
 * @param {string} name
 */
function isAssertItself(module, name) {
  return isAssert(module) && (name === 'strict' || name === 'default');
}

/** @param {string} module `@scope/name/lib/file.js` @returns {string} */
function packageOf(module) {
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

/** @param {string} module `validator/lib/isEmail.js` @returns {string} `isEmail` */
function lastPart(module) {
  return module.slice(module.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '');
}

/** @param {Node} node `X.call` or `X.apply` */
function isCallOrApply(node) {
  if (node.type !== 'MemberExpression' || node.computed) return false;
  return node.property.name === 'call' || node.property.name === 'apply';
}

/**
 * @param {Node} init `require('x')`, also inside of a compiler's helper: `__importDefault(require('x'))`
 * @returns {string | undefined}
 */
function requiredModule(init) {
  if (init.type === 'MemberExpression' && !init.computed) {
    const module = requiredModule(init.object);
    return module !== undefined && isAssertItself(module, init.property.name) ? module : undefined;
  }
  if (init.type !== 'CallExpression' || init.arguments.length === 0) return undefined;
  const [argument] = init.arguments;
  if (init.callee.type === 'Identifier' && init.callee.name === 'require') {
    return argument.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
  }
  return argument.type === 'CallExpression' ? requiredModule(argument) : undefined;
}

module.exports = { Bindings, isAssert, isAssertItself, packageOf, lastPart };
