'use strict';
/**
 * Reads of members in patterns that may be inputs of a call: `{ NAME } = R` becomes `{ NAME=$.xd(n,R) } = R`, and
 * `{ NAME = D } = R` becomes `{ NAME = ($.xd(n,R),D) } = R`, without R if it may not be evaluated again. The same holds
 * for `R ?? {}` and `R || {}` in place of R. The first member of a pattern is looked at by `$.xc(n,NAME,R);` after the
 * declaration. A member of a pattern within another one is read by the whole path from R.
 *
 * Where no variable holds what is destructured (an element of a list, an argument), `$.xe(n,k)` and `$.xf(n,NAME,k)`
 * stand in place of these, k being the number of what was kept before (given-values.cjs).
 */

const { NAMES } = require('../../names/input-names.cjs');
const { ITERATOR } = require('../../names/input-places.cjs');
const { listOf } = require('../../names/file-scopes.cjs');
const { isAnonymousFunction } = require('../../evaluation/truthness.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/**
 * @param {Node} pattern
 * @param {Node | null} init the value that is destructured; null: it is not known
 * @param {import('../../names/input-names.cjs').Location} location of that value
 * @param {Rewriter} rewriter
 * @returns {string} probes that have to run once the names are bound
 */
function wrapPattern(pattern, init, location, rewriter) {
  if (pattern.type !== 'ObjectPattern') return '';
  const root = init === null ? undefined : rootOf(listOf(init), pattern, rewriter);
  return wrapMembers(pattern, { root, location, above: [] }, rewriter);
}

/**
 * What is destructured: the variable with which it begins, if it is known, what it holds, and the names of the members
 * from there to the pattern: `slot` for `at` in `{ slot: { at } } = req.body`.
 * @typedef {object} Destructured
 * @property {{ name: string, path: string[] } | undefined} root
 * @property {number} [kept] the number of what was kept and is destructured, where no variable holds it
 * @property {import('../../names/input-names.cjs').Location} location
 * @property {string[]} above
 */

/**
 * @param {Node} pattern of an object
 * @param {Destructured} from
 * @param {Rewriter} rewriter
 * @returns {string}
 */
function wrapMembers(pattern, from, rewriter) {
  const { root, kept, location, above } = from;
  const isKnown = location !== '' || root !== undefined || kept !== undefined;
  let after = '';
  for (const property of pattern.properties) {
    const key = keyOf(property);
    if (key === undefined) continue;
    const target = withoutDefault(property.value);
    const first = firstRead(target);
    if (first !== undefined) rewriter.targets.addUnprobedRead(property.start, key, first);
    if (target.type === 'ObjectPattern') {
      after += wrapMembers(target, isKnown ? within(from, key) : ofName(key), rewriter);
    } else if (target.type === 'ArrayPattern') {
      after += wrapElements(target, isKnown ? within(from, key) : ofName(key), rewriter);
    } else if (isKnown && target.type === 'Identifier') {
      const read = rewriter.targets.addRead([...above, key], location, root?.path);
      const isFirst = property === pattern.properties[0];
      after += observe(property, isFirst, read, sourceOf(from), rewriter);
    }
  }
  return after;
}

/**
 * The elements of a list within a pattern: V8 writes nothing of them, so all are looked at once their names are bound.
 * @param {Node} pattern of a list
 * @param {Destructured} from
 * @param {Rewriter} rewriter
 * @returns {string}
 */
function wrapElements(pattern, from, rewriter) {
  const { root, kept, location, above } = from;
  if (location === '' && root === undefined && kept === undefined) return '';
  let after = '';
  for (const [at, element] of pattern.elements.entries()) {
    const target = element === null ? undefined : withoutDefault(element);
    const path = [...above, String(at)];
    if (target?.type === 'ObjectPattern') after += wrapMembers(target, { ...from, above: path }, rewriter);
    else if (target?.type === 'ArrayPattern') after += wrapElements(target, { ...from, above: path }, rewriter);
    else if (target?.type === 'Identifier') {
      after += lookAfter(rewriter.targets.addRead(path, location, root?.path), target.name, sourceOf(from), rewriter);
    }
  }
  return after;
}

/**
 * @typedef {{ source: string, isKept: boolean }} Source the variable that holds what is destructured, or the number of
 *   what was kept, after a comma; or empty
 */

/** @param {Destructured} from @returns {Source} */
function sourceOf({ root, kept }) {
  const source = kept === undefined ? (root === undefined ? '' : `,${root.name}`) : `,${kept}`;
  return { source, isKept: kept !== undefined };
}

/**
 * @param {number} read
 * @param {string} name of a variable that is bound
 * @param {Source} from
 * @param {Rewriter} rewriter
 * @returns {string} the probe that looks at it
 */
function lookAfter(read, name, { source, isKept }, rewriter) {
  return `${rewriter.handle}.${isKept ? 'xf' : 'xc'}(${read},${name}${source});`;
}

/** @param {Destructured} from @param {string} key @returns {Destructured} */
function within(from, key) {
  const isOther = NAMES.has(key) && (from.above.length > 0 || from.location === '');
  return isOther ? ofName(key) : { ...from, above: [...from.above, key] };
}

/** @param {string} key @returns {Destructured} what a member of this name holds, whatever it is read from */
function ofName(key) {
  return { root: undefined, location: NAMES.get(key) ?? '', above: [] };
}

/** @param {Node} pattern @returns {string | undefined} the member of a value that is read first to destructure it */
function firstRead(pattern) {
  if (pattern.type === 'ArrayPattern') return ITERATOR;
  return pattern.type === 'ObjectPattern' && pattern.properties.length > 0 ? keyOf(pattern.properties[0]) : undefined;
}

/**
 * @param {Node} property of a pattern
 * @param {boolean} isFirst
 * @param {number} read
 * @param {Source} from
 * @param {Rewriter} rewriter
 * @returns {string} the probe, if it has to run once the names are bound
 */
function observe(property, isFirst, read, from, rewriter) {
  // If nothing can be destructured, V8 names the first member, but not if it has a default.
  if (isFirst && property.value.type === 'Identifier') return lookAfter(read, property.value.name, from, rewriter);
  const { source, isKept } = from;
  wrapDefault(property, `${rewriter.handle}.${isKept ? 'xe' : 'xd'}(${read}${source})`, rewriter);
  return '';
}

/** @param {Node} property of a pattern @returns {string | undefined} */
function keyOf({ type, computed, key }) {
  if (type !== 'Property' || computed) return undefined;
  const name = key.name ?? key.value;
  return typeof name === 'string' ? name : undefined;
}

/** @param {Node} node in a pattern */
function withoutDefault(node) {
  return node.type === 'AssignmentPattern' ? node.left : node;
}

/**
 * @param {Node} property of a pattern
 * @param {string} probe
 * @param {Rewriter} rewriter
 */
function wrapDefault({ value }, probe, rewriter) {
  if (value.type !== 'AssignmentPattern') rewriter.wrap(value, '', `=${probe}`);
  else if (!isAnonymousFunction(value.right)) rewriter.wrap(value.right, `(${probe},`, ')');
}

/**
 * Returns the variable with which a plain path begins, and the names that follow: `req` and `query` of `req.query`.
 * @param {Node} init
 * @param {Node} pattern none of its names may be that of the variable
 * @param {Rewriter} rewriter
 * @returns {{name: string, path: string[]} | undefined}
 */
function rootOf(init, pattern, rewriter) {
  const path = [];
  let node = init.type === 'ChainExpression' ? init.expression : init;
  while (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier') {
    path.unshift(node.property.name);
    node = node.object;
  }
  // A variable of another file may be a getter.
  if (node.type !== 'Identifier' || !rewriter.isDeclared(node) || namesIn(pattern).includes(node.name)) {
    return undefined;
  }
  return { name: node.name, path };
}

/** @param {Node} pattern @returns {string[]} */
function namesIn(pattern) {
  switch (pattern?.type) {
    case 'VariableDeclaration':
      return pattern.declarations.flatMap((/** @type {Node} */ one) => namesIn(one.id));
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((/** @type {Node} */ one) => namesIn(one.value ?? one.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    default:
      return [];
  }
}

module.exports = { firstRead, namesIn, rootOf, withoutDefault, wrapMembers, wrapPattern };
