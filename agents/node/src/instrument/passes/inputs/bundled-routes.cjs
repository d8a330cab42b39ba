'use strict';
/**
 * Routes of files, which the compiler of Nitro (and of Nuxt) writes into a bundle as a table:
 * `{ route: '/users/:id', handler: H, lazy: true, middleware: false, method: 'get' }` becomes `$.nr({ ... })`,
 * and the path below which it serves them, `app.use(config.app.baseURL, router.handler)`, `$.nb(config.app.baseURL)`.
 */

/** @typedef {import('../../texts/parse.cjs').Node} Node */

/** What each entry has besides its path; no minifier shortens names of members. */
const MEMBERS = ['handler', 'lazy', 'middleware'];

/** @param {Node} node @returns {boolean} */
function isRoute({ properties }) {
  /** @type {Map<unknown, Node>} */
  const members = new Map(properties.map((/** @type {Node} */ one) => [one.key?.name ?? one.key?.value, one.value]));
  return typeof members.get('route')?.value === 'string' && MEMBERS.every((name) => members.has(name));
}

/** @param {Node} node @param {string} name @returns {boolean} */
const isMember = ({ type, computed, property }, name) =>
  type === 'MemberExpression' && !computed && property.name === name;

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  ObjectExpression(node, rewriter) {
    if (isRoute(node) && !rewriter.isShown(node)) rewriter.wrap(node, `${rewriter.handle}.nr(`, ')');
  },

  CallExpression({ callee, arguments: [base, handler] }, rewriter) {
    const isBase = handler !== undefined && isMember(base, 'baseURL') && isMember(base.object, 'app');
    if (!isBase || !isMember(callee, 'use') || !isMember(handler, 'handler') || rewriter.isShown(base)) return;
    rewriter.wrap(base, `${rewriter.handle}.nb(`, ')');
  },
};
