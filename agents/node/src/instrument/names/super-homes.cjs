'use strict';
/**
 * The home of each `super.NAME(...)` in a class with a name: the name of the class, from which the object can be
 * determined in which `super` looks up the method. The binding of a class's own name inside of the class is constant,
 * so reading it has no effect; if an inner scope declares the same name, there is no home.
 */

const { childFields } = require('../evaluation/child-nodes.cjs');
const { declaredBy } = require('./file-scopes.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/**
 * @typedef {{name: string, isStatic: boolean}} Home a class, and whether `super` starts at the prototype of the class
 *   (static) or of its `prototype` property
 */

const CLASSES = new Set(['ClassDeclaration', 'ClassExpression']);

/**
 * @param {Node} node
 * @param {string} field
 * @returns {Node[]}
 */
const childrenIn = (node, field) => [node[field]].flat().filter(Boolean);

/** @param {Node} node `super.NAME(...)` */
const isSuperCall = (node) => node.type === 'CallExpression' && node.callee.object?.type === 'Super';

/**
 * @param {Node} program
 * @returns {Map<Node, Home>} by call
 */
function superHomes(program) {
  /** @type {Map<Node, Home>} */
  const homes = new Map();
  const visit = (/** @type {Node} */ node, /** @type {Home | undefined} */ outer) => {
    const home = outer !== undefined && declaredBy(node)?.has(outer.name) ? undefined : outer;
    if (home !== undefined && isSuperCall(node)) homes.set(node, home);
    for (const field of childFields(node.type)) {
      const inner = hasHomeOfItsOwn(node, field) ? undefined : home;
      for (const child of childrenIn(node, field)) visit(child, inner);
    }
    if (CLASSES.has(node.type)) for (const element of node.body.body) visitElement(element, node.id?.name, visit);
  };
  visit(program, undefined);
  return homes;
}

/**
 * @param {Node} node
 * @param {string} field of it
 */
function hasHomeOfItsOwn(node, field) {
  if (node.type === 'ClassBody') return true;
  return node.type === 'Property' && field === 'value' && (node.method || node.kind !== 'init');
}

/**
 * Visits the parts of a class element that run inside the class; its computed key runs outside.
 * @param {Node} element
 * @param {string | undefined} name of the class
 * @param {(node: Node, home: Home) => void} visit
 */
function visitElement(element, name, visit) {
  if (name === undefined) return;
  if (element.type === 'StaticBlock') visit(element, { name, isStatic: true });
  else if (element.value) visit(element.value, { name, isStatic: element.static });
}

module.exports = { superHomes };
