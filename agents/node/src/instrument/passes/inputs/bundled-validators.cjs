'use strict';
/**
 * Validation libraries within a bundle, where their files cannot be told from the program's: the call that applies a
 * schema is known by names that no bundler shortens.
 *
 * zod 4: `S._zod.run({value:V,issues:[]},C)` becomes `$.va('zod',S._zod.run(...),S,V)`; zod 3:
 * `this._parseSync({data:V,path:P,parent:C})` becomes `$.va('zod3',...,this,V)`; valibot:
 * `S['~run']({value:V},f(C))` becomes `$.va('valibot',...,S,V)`. S and V are names.
 */

/** @typedef {import('../../texts/parse.cjs').Node} Node */

/**
 * @param {Node | undefined} node
 * @param {string} name
 * @returns {Node | undefined} the value of a member of an object
 */
function valueOf(node, name) {
  const properties = node?.type === 'ObjectExpression' ? node.properties : [];
  return properties.find((/** @type {Node} */ one) => (one.key?.name ?? one.key?.value) === name)?.value;
}

/** @param {Node} node @returns {string} */
const nameOf = ({ computed, property }) => (computed ? property.value : property.name) ?? '';

/** @param {Node | undefined} node */
const isName = (node) => node?.type === 'Identifier';

/** @typedef {{ library: string, schema: string, value: Node | undefined } | undefined} Applied */

/** @param {Node} object of `.run` @param {Node} first @returns {Applied} */
function zod4({ type, object, ...member }, first) {
  const isCore = type === 'MemberExpression' && nameOf(/** @type {any} */ (member)) === '_zod' && isName(object);
  const isWhole = valueOf(first, 'issues')?.type === 'ArrayExpression';
  return isCore && isWhole ? { library: 'zod', schema: object.name, value: valueOf(first, 'value') } : undefined;
}

/** @param {Node} object of `._parse` @param {Node} first @returns {Applied} */
function zod3(object, first) {
  return object.type === 'ThisExpression'
    ? { library: 'zod3', schema: 'this', value: valueOf(first, 'data') }
    : undefined;
}

/** @param {Node} object of `['~run']` @param {Node} first @param {Node | undefined} second @returns {Applied} */
function valibot(object, first, second) {
  // Members of a schema are run with the configuration of the whole.
  const isWhole = isName(object) && second?.type === 'CallExpression';
  return isWhole ? { library: 'valibot', schema: object.name, value: valueOf(first, 'value') } : undefined;
}

/** @type {Map<string, (object: Node, first: Node, second: Node | undefined) => Applied>} */
const BY_NAME = new Map([
  ['run', zod4],
  ['_parse', zod3],
  ['_parseSync', zod3],
  ['~run', valibot],
]);

/** @param {Node} call @returns {Applied} */
function appliedBy({ callee, arguments: given, optional }) {
  if (optional || callee.type !== 'MemberExpression' || callee.optional || given.length === 0) return undefined;
  return BY_NAME.get(nameOf(callee))?.(callee.object, given[0], given[1]);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CallExpression(node, rewriter) {
    const found = appliedBy(node);
    if (found?.value?.type !== 'Identifier' || rewriter.isShown(node)) return;
    const { library, schema, value } = found;
    rewriter.wrap(node, `${rewriter.handle}.va('${library}',`, `,${schema},${value.name})`);
  },
};
