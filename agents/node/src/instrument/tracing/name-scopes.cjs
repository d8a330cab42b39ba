'use strict';
/** Which names have a companion variable that holds the shadow of their value, by scope. */

/** @typedef {import('../texts/parse.cjs').Node} Node */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const CLASSES = new Set(['ClassDeclaration', 'ClassExpression']);

/** Anonymous functions and classes take their name from the place at which they stand. */
const NAMED_BY_PLACE = new Set([...FUNCTIONS, 'ClassExpression']);

/** @param {Node} node @returns {Node} without parentheses */
function inner(node) {
  let at = node;
  while (at.type === 'ParenthesizedExpression') at = at.expression;
  return at;
}

/** @param {Node} node */
const isFunction = (node) => FUNCTIONS.has(node.type);

/** @param {Node} node */
const isNamedByPlace = (node) => NAMED_BY_PLACE.has(inner(node).type) && !inner(node).id;

/** Scopes from the outermost to the innermost; each maps a name to whether it has a companion. */
class NameScopes {
  constructor() {
    /** @type {Map<string, boolean>[]} */
    this.stack = [];
    /**
     * Of each scope, the names that have their value wherever the text that is written now runs.
     * @type {(Set<string> | null)[]}
     */
    this.bound = [];
    /** The number of scopes outside of the function declaration that is written. */
    this.outside = 0;
  }

  /**
   * @template T
   * @param {Map<string, boolean>} names
   * @param {() => T} make
   * @param {{isInOrder: boolean}} [order] whether what stands later in the scope runs later
   * @returns {T}
   */
  within(names, make, { isInOrder } = { isInOrder: true }) {
    this.stack.push(names);
    this.bound.push(isInOrder ? new Set() : null);
    try {
      return make();
    } finally {
      this.stack.pop();
      this.bound.pop();
    }
  }

  /** @template T @param {() => T} make @returns {T} what is made within a function declaration */
  withinFunction(make) {
    const before = this.outside;
    this.outside = this.stack.length;
    try {
      return make();
    } finally {
      this.outside = before;
    }
  }

  /** @param {string} name that has got its value */
  bind(name) {
    const index = this.indexOf(name);
    this.bound[index]?.add(name);
  }

  /** @param {string} name @returns {boolean} whether it has its value wherever this text runs */
  isBound(name) {
    const index = this.indexOf(name);
    return index >= this.outside && this.bound[index]?.has(name) === true;
  }

  /** @param {string} name @returns {number} of the innermost scope that declares it */
  indexOf(name) {
    for (let index = this.stack.length - 1; index >= 0; index -= 1) if (this.stack[index].has(name)) return index;
    return -1;
  }

  /** @param {string} name */
  hasCompanion(name) {
    return this.found(name) === true;
  }

  /** @param {string} name @returns {boolean} whether it is a variable, and not perhaps a getter of the global object */
  isKnown(name) {
    return this.found(name) !== undefined;
  }

  /** @param {string} name */
  found(name) {
    return this.stack[this.indexOf(name)]?.get(name);
  }
}

/**
 * `first`: the index from which on it has the other elements of a list.
 * @typedef {{name: string, key: string | null, outer: string[] | null, first: number | null}} Leaf
 */

/**
 * @param {Node | null} pattern
 * @returns {Leaf[]} its variables, with the key that each takes from its object, and the keys that lead to this object
 */
function leaves(pattern) {
  /** @type {Leaf[]} */
  const found = [];
  /** @param {Node | null} node @param {(string | null)[]} keys @param {number | null} first */
  const visit = (node, keys, first = null) => {
    switch (node?.type) {
      case 'Identifier': {
        const outer = keys.slice(0, -1);
        const isKnown = outer.every((key) => key !== null);
        found.push({
          name: node.name,
          key: keys.at(-1) ?? null,
          outer: isKnown ? /** @type {string[]} */ (outer) : null,
          first,
        });
        break;
      }
      case 'AssignmentPattern':
        visit(node.left, keys);
        break;
      case 'RestElement':
        visit(node.argument, [...keys, null], first);
        break;
      case 'ArrayPattern':
        node.elements.forEach((/** @type {Node | null} */ element, /** @type {number} */ at) =>
          element?.type === 'RestElement' ? visit(element, keys, at) : visit(element, [...keys, `${at}`]),
        );
        break;
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') visit(property, keys);
          else visit(property.value, [...keys, keyOf(property)]);
        }
        break;
      default:
    }
  };
  visit(pattern, []);
  return found;
}

/** @param {Node} property @returns {string | null} */
function keyOf({ key, computed }) {
  if (key.type === 'Identifier' && !computed) return key.name;
  return key.type === 'Literal' && !computed ? String(key.value) : null;
}

/** @param {Node} declaration @param {Map<string, boolean>} names @param {boolean} hasCompanions */
function addDeclared(declaration, names, hasCompanions) {
  for (const { id } of declaration.declarations) for (const { name } of leaves(id)) names.set(name, hasCompanions);
}

/**
 * @param {Node[]} statements of a block
 * @returns {Map<string, boolean>} names that the block itself declares
 */
function lexicalNames(statements) {
  /** @type {Map<string, boolean>} */
  const names = new Map();
  for (const statement of statements) {
    const isExported = statement.type.startsWith('Export');
    const node = isExported ? statement.declaration : statement;
    if (node?.type === 'VariableDeclaration' && node.kind !== 'var') addDeclared(node, names, !isExported);
    else if (node?.id && (FUNCTIONS.has(node.type) || CLASSES.has(node.type))) names.set(node.id.name, false);
    if (statement.type === 'ImportDeclaration') {
      for (const { local } of statement.specifiers) names.set(local.name, false);
    }
  }
  return names;
}

/**
 * @param {Node} body
 * @returns {Map<string, boolean>} names that `var` declares anywhere in a function or file
 */
function varNames(body) {
  /** @type {Map<string, boolean>} */
  const names = new Map();
  const visit = (/** @type {any} */ node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var') addDeclared(node, names, true);
    if (node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration') {
      addDeclared(node.declaration, names, false);
      return;
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === 'string' && !FUNCTIONS.has(child.type) && !CLASSES.has(child.type)) visit(child);
      }
    }
  };
  visit(body);
  return names;
}

module.exports = { NameScopes, inner, isFunction, isNamedByPlace, leaves, lexicalNames, varNames };
