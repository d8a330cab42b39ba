'use strict';
/**
 * Reads of members that may be inputs of a call: `R.NAME`, `R['NAME']` and `R[0]` become `$.xv(n,($.xo(n,R)).NAME)`,
 * where n numbers the reads of a file. Members of patterns are read as patterns.cjs says. A literal name in a call,
 * `req.get('NAME')`, becomes `$.xa(n,'NAME')`, and `pick(R, NAMES)` becomes `pick($.xs(n,R), $.xp(n,NAMES))`.
 * `for (E of R.NAME)` becomes `$.xl(n,R);for (E of R.NAME)`, and `const [A] = R.NAME` becomes
 * `$.xl(n,R);const [A] = R.NAME`. `(R.NAME || D).f(A)` becomes `(R.NAME || D).f(($.xl(n,R),A))`.
 * `Array.isArray(V)` becomes `Array.isArray($.xw(n,V))`, and `V instanceof Array` becomes `$.xw(n,V) instanceof Array`.
 *
 * Where V8 writes `R.NAME` into messages, the table notes `NAME` and `NEXT` of `R.NAME.NEXT`: an error tells `NEXT`.
 */

const { isBuiltIn } = require('../../names/built-in-methods.cjs');
const {
  askedByCall,
  inner,
  isText,
  lastName,
  locationOf,
  locationOfAnswer,
  noteAlias,
  noteAssigned,
  uploadsOfCall,
} = require('../../names/input-names.cjs');
const { ANY } = require('../../names/input-places.cjs');
const { handedOut, lookedFor } = require('../../names/selectors.cjs');
const { listOf } = require('../../names/file-scopes.cjs');
const { hasShortCircuit } = require('../../evaluation/short-circuits.cjs');
const { isInputMember } = require('../../evaluation/truthness.cjs');
const { valueName } = require('../../names/value-uses.cjs');
const { firstRead, rootOf, wrapPattern } = require('./patterns.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/**
 * @param {Node} member
 * @param {Node} whole
 * @param {Rewriter} rewriter
 */
function wrapRead(member, whole, rewriter) {
  const key = member.computed ? String(member.property.value) : member.property.name;
  const after = rewriter.readAfter.get(member);
  const read = rewriter.targets.addRead([key], locationOf(member.object, rewriter), undefined, after);
  rewriter.wrap(whole, rewriter.probe('xv', read), ')');
  // A text has characters, so an index of a text is always there, where the program may expect a list.
  const isIndex = member.computed && typeof member.property.value === 'number';
  // In parentheses, because V8 reports another column for a member of the result of a call.
  if (!member.optional) rewriter.wrap(member.object, '(', ')');
  rewriter.wrapArgument(member.object, rewriter.probe(isIndex ? 'xi' : 'xo', read));
}

/**
 * The links of `R?.NAME?.[0]`, from the last one on: each is a value of its own, since the next one allows it to be
 * missing. A link that does not, as in `R?.NAME.OTHER`, ends early together with what follows.
 * @param {Node} link
 * @param {Node} whole
 * @param {Rewriter} rewriter
 */
function wrapLinks(link, whole, rewriter) {
  if (link.type !== 'MemberExpression' || !link.optional) return;
  if (rewriter.isShown(link) || rewriter.targetsOfWrites.has(link)) return;
  if (isNamed(link)) wrapRead(link, whole, rewriter);
  wrapLinks(link.object, link.object, rewriter);
}

/** @param {Node} member @returns {boolean} whether it is read by a name or an index that stands in the text */
function isNamed({ computed, property }) {
  if (!computed) return property.type === 'Identifier';
  return isText(property) || (property.type === 'Literal' && Number.isInteger(property.value) && property.value >= 0);
}

/**
 * Notes for the object of a member, which is visited later, that the member is read of its value.
 * @param {Node} member
 * @param {Rewriter} rewriter
 */
function noteReadAfter(member, rewriter) {
  const { object, property, computed } = member;
  if (object.type !== 'MemberExpression' || member.optional || !isNamed(member) || rewriter.callees.has(member)) return;
  const name = String(computed ? property.value : property.name);
  if (!isBuiltIn(name)) rewriter.readAfter.set(object, [name, ...(rewriter.readAfter.get(member) ?? [])]);
}

/** @param {Node} node @returns {boolean} whether it is `R.NAME` */
function isNamedRead(node) {
  return node.type === 'MemberExpression' && !node.computed && !node.optional && node.property.type === 'Identifier';
}

/**
 * Looks at the list that a loop goes through before the loop does, since V8 writes it into a message. The loop has a
 * block around it (loops.cjs).
 * @param {Node} node `for (... of R.NAME)` or `for (... of R.NAME || D)`
 * @param {Rewriter} rewriter
 */
function handleLoop(node, rewriter) {
  if (rewriter.labelled.has(node)) return;
  const probe = listProbe(listOf(node.right), node.left, rewriter);
  if (probe !== '') rewriter.wrap(node, probe, '');
}

/**
 * @param {Node} declarator `[A] = R.NAME` or `[A] = R.NAME ?? D`
 * @param {Node} declaration in which it stands: none of its names is bound before
 * @param {Rewriter} rewriter
 * @returns {string} the probe that looks at the list; empty: there is none
 */
function lookedAt({ id, init }, declaration, rewriter) {
  if (!init || id.type !== 'ArrayPattern' || !rewriter.listed.has(declaration)) return '';
  return listProbe(listOf(init), declaration, rewriter);
}

/**
 * @param {Node} member
 * @param {Node} binding whose names are not bound yet
 * @param {Rewriter} rewriter
 * @returns {string}
 */
function listProbe(member, binding, rewriter) {
  if (member.type !== 'MemberExpression' || member.computed || member.optional) return '';
  const root = rootOf(member.object, binding, rewriter);
  if (root === undefined || member.property.type !== 'Identifier') return '';
  const read = rewriter.targets.addRead([member.property.name], locationOf(member.object, rewriter), root.path);
  return `${rewriter.handle}.xl(${read},${root.name});`;
}

/**
 * `(R.NAME || D).method(A)`, where V8 writes the callee into messages: R is looked at before A, which comes after it.
 * @param {Node} call
 * @param {Rewriter} rewriter
 */
function wrapDefaulted({ callee, optional, arguments: given }, rewriter) {
  const isMethod = callee.type === 'MemberExpression' && !callee.optional && !optional;
  if (!isMethod || given.length === 0 || given[0].type === 'SpreadElement') return;
  const member = listOf(callee.object);
  if (member === inner(callee.object) || !rewriter.isShown(member)) return;
  const probe = listProbe(member, given[0], rewriter);
  if (probe !== '') rewriter.wrap(given[0], `(${probe.slice(0, -1)},`, ')');
}

/**
 * `pick(R, NAMES)`: what the program takes of its input.
 * @param {Node} call
 * @param {Rewriter} rewriter
 */
function wrapPick({ callee, optional, arguments: given }, rewriter) {
  if (optional || given.length < 2 || lastName(callee) !== 'pick') return;
  const location = given[0].type === 'SpreadElement' ? '' : locationOf(given[0], rewriter);
  if (location === '') return;
  const read = rewriter.targets.addRead([], location);
  rewriter.wrapArgument(given[0], rewriter.probe('xs', read));
  for (let at = 1; at < given.length; at++) {
    if (given[at].type !== 'SpreadElement') rewriter.wrapArgument(given[at], rewriter.probe('xp', read));
  }
}

/**
 * `Array.isArray(V)`: an answer, or the content of a request, may have to be a list itself.
 * @param {Node} call
 * @param {Rewriter} rewriter
 */
function wrapListQuestion({ callee, optional, arguments: given }, rewriter) {
  if (!optional && given.length === 1 && lastName(callee) === 'isArray') wrapListAsked(given[0], rewriter);
}

/** @param {Node} value @param {Rewriter} rewriter */
function wrapListAsked(value, rewriter) {
  const name = valueName(value);
  const location = locationOf(value, rewriter) === 'body' ? 'body' : '';
  if (name === '' && location === '') return;
  rewriter.wrapArgument(value, rewriter.probe('xw', rewriter.targets.addRead([name], location)));
}

/**
 * What is destructured, in a pattern or assignment, is a member itself: V8 names only the first member of the pattern.
 * @param {Node} pattern
 * @param {Node} value
 * @param {Rewriter} rewriter
 */
function noteDestructured(pattern, value, rewriter) {
  const first = isNamedRead(value) ? firstRead(pattern) : undefined;
  if (first !== undefined) rewriter.targets.addUnprobedRead(value.end, value.property.name, first);
}

/**
 * Within a chain, as in `R?.NAME[KEY]`, no probe stands before the last read either.
 * @param {Node} member
 * @param {Rewriter} rewriter
 */
function noteUnprobed(member, rewriter) {
  const { object, property, computed } = member;
  if (member.optional || object.type !== 'MemberExpression' || object.computed || !isNamed(object)) return;
  const isOfChain = hasShortCircuit(object);
  if (!isOfChain && (!isNamed(member) || isInputMember(object, rewriter))) return;
  const name = computed ? String(property.value) : property.name;
  rewriter.targets.addUnprobedRead(property.start, object.property.name, isNamed(member) ? name : ANY);
}

/** @type {(field: string) => import('../../rewriter.cjs').Handler} */
const list = (field) => (node, rewriter) => {
  for (const statement of node[field]) if (statement.type === 'VariableDeclaration') rewriter.listed.add(statement);
};

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  MemberExpression(node, rewriter) {
    noteReadAfter(node, rewriter);
    if (isInputMember(node, rewriter)) wrapRead(node, node, rewriter);
    noteUnprobed(node, rewriter);
  },
  ChainExpression(node, rewriter) {
    if (!rewriter.isShown(node) && !rewriter.callees.has(node)) wrapLinks(node.expression, node, rewriter);
  },
  Program: list('body'),
  BlockStatement: list('body'),
  StaticBlock: list('body'),
  SwitchCase: list('consequent'),
  VariableDeclaration(node, rewriter) {
    let after = '';
    let before = '';
    for (const declarator of node.declarations) {
      noteAlias(declarator, rewriter);
      before += lookedAt(declarator, node, rewriter);
      const { id, init } = declarator;
      if (init) noteDestructured(id, init, rewriter);
      if (init) after += wrapPattern(id, init, locationOf(init, rewriter) || locationOfAnswer(init), rewriter);
    }
    if (!rewriter.listed.has(node)) return;
    if (before !== '') rewriter.wrap(node, before, '');
    if (after !== '') rewriter.wrap(node, '', rewriter.text[node.end - 1] === ';' ? after : `;${after.slice(0, -1)}`);
  },
  ForOfStatement: handleLoop,
  AssignmentExpression(node, rewriter) {
    if (node.operator === '=') noteAssigned(node, rewriter);
    if (node.operator === '=') noteDestructured(node.left, node.right, rewriter);
    if (node.operator === '=' && node.left.type === 'ObjectPattern') {
      wrapPattern(node.left, null, locationOf(node.right, rewriter), rewriter);
    }
  },
  CallExpression(node, rewriter) {
    wrapDefaulted(node, rewriter);
    wrapListQuestion(node, rewriter);
    for (const name of uploadsOfCall(node)) {
      const upload = rewriter.targets.addRead([name.value], 'file', ['upload']);
      rewriter.wrapArgument(name, rewriter.probe('xa', upload));
    }
    const handed = handedOut(node);
    const looked = handed ?? lookedFor(node);
    if (looked !== undefined) {
      const element = rewriter.targets.addRead(looked.path, handed ? 'piece' : 'element');
      rewriter.wrapArgument(looked.argument, rewriter.probe('xa', element));
    }
    const asked = looked === undefined ? askedByCall(node, rewriter) : undefined;
    wrapPick(node, rewriter);
    if (asked === undefined) return;
    const read = rewriter.targets.addRead(asked.path, asked.location);
    rewriter.wrapArgument(asked.argument, rewriter.probe('xa', read));
  },
  BinaryExpression(node, rewriter) {
    if (node.operator === 'instanceof' && node.right.name === 'Array' && !rewriter.isShown(node)) {
      wrapListAsked(node.left, rewriter);
    }
    if (node.operator !== 'in' || !isText(node.left) || rewriter.isShown(node)) return;
    const location = locationOf(node.right, rewriter);
    if (location === '') return;
    rewriter.wrapArgument(node.left, rewriter.probe('xa', rewriter.targets.addRead([node.left.value], location)));
  },
};
