'use strict';
/**
 * Writes a `switch` whose clauses only assign to a few names, or leave it for good (`return`, `throw`), so that each
 * name is afterwards an expression over all clauses that do not leave: `case 'N': y++; break; case 'S': y--; break;`.
 */

const { assignedInTurn } = require('./assigned-values.cjs');
const { formersOf, pure } = require('./merged-branches.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {{tests: Node[], hasDefault: boolean, values: Map<string, Node> | null}} Group clauses with one body */

const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement']);
/** The name of what is switched on, which no program can have. */
const SWITCHED = '#switched';
const MAX_CLAUSES = 12;

/**
 * @param {Node} node a SwitchStatement
 * @param {Expressions} writer
 * @param {{value: string, shadow: string}} switched where the value is kept that is switched on
 * @param {string} code the statement without what is done here
 * @returns {string} the statement; as it is if its clauses may do anything else
 */
function mergedSwitch(node, writer, { value, shadow }, code) {
  const groups = groupsOf(node, writer);
  if (groups === null) return code;
  const kept = groups.filter(({ values }) => values !== null);
  const formers = formersOf(new Set(kept.flatMap(({ values }) => [.../** @type {any} */ (values).keys()])), writer);
  const known = new Map([...formers, [SWITCHED, { code: value, shadow, isMerging: '' }]]);
  /** @type {{name: string, made: any}[]} */
  const merged = [...formers.keys()].map((name) => ({ name, made: pure(chosenBy(kept, name), writer, known) }));
  const isWanted = kept.some(({ hasDefault }) => hasDefault) || !groups.some(({ hasDefault }) => hasDefault);
  const stays = isWanted ? null : pure(anyOf(kept), writer, known);
  if (merged.length === 0 || merged.some(({ made }) => made === null) || (!isWanted && stays === null)) return code;
  const [isMerging, length, made] = [writer.temporary(), writer.temporary(), writer.temporary()];
  const saved = [...formers].map(
    ([name, former]) => `${former.code}=${name},${former.shadow}=${writer.companionOf(name)}`,
  );
  const parts = merged.map(({ name, made: one }) => `[${name},${writer.companionOf(name)},${one.code},${one.shadow}]`);
  const staying = stays === null ? 'null' : `[${stays.code},${stays.shadow}]`;
  const sites = kept.flatMap(({ tests }) => tests.map((test) => siteOf(node, test, writer)));
  const call = `${writer.handle}.switched(${length},[${sites.join(',')}],[${parts.join(',')}],${staying})`;
  const taken = merged.map(({ name }, index) => `${writer.companionOf(name)}=${made}[${index}];`);
  const after = `if(${isMerging}=${writer.handle}.isMerging(${value},${shadow})){${made}=${call};${taken.join('')}}`;
  return `{${saved.join(',')},${length}=${writer.handle}.path.length;${code};${after}}`;
}

/** @param {Node} node @param {Node} test @param {Expressions} writer @returns {string} of the condition in the path */
function siteOf(node, test, writer) {
  const number = node.cases.findIndex((/** @type {Node} */ one) => one.test === test);
  return JSON.stringify(`${writer.placeOf(node.cases[number].start)}:case ${number}`);
}

/** @param {Node} node @param {Expressions} writer @returns {Group[] | null} */
function groupsOf({ cases }, writer) {
  if (cases.length > MAX_CLAUSES) return null;
  /** @type {Group[]} */
  const groups = [];
  /** @type {Node[]} */
  let open = [];
  for (const [index, clause] of cases.entries()) {
    open.push(clause);
    if (clause.consequent.length === 0 && index < cases.length - 1) continue;
    const values = valuesOf(clause.consequent, index === cases.length - 1, writer);
    if (values === undefined) return null;
    const tests = open.map(({ test }) => test).filter((test) => test !== null);
    if (tests.some(({ type }) => type !== 'Literal')) return null;
    groups.push({ tests, hasDefault: tests.length < open.length, values });
    open = [];
  }
  return groups;
}

/**
 * @param {Node[]} statements of a clause
 * @param {boolean} isLast
 * @param {Expressions} writer
 * @returns {Map<string, Node> | null | undefined} what it assigns; null if it leaves; undefined if neither is all
 */
function valuesOf(statements, isLast, writer) {
  const isBlock = statements.length === 1 && statements[0].type === 'BlockStatement';
  const body = isBlock ? statements[0].body : statements;
  const end = body[body.length - 1];
  if (end !== undefined && LEAVES.has(end.type)) return body.some(mayBreak) ? undefined : null;
  const isBroken = end !== undefined && end.type === 'BreakStatement' && end.label === null;
  if (!isBroken && !isLast) return undefined;
  return assignedInTurn(isBroken ? body.slice(0, -1) : body, writer, new Map()) ?? undefined;
}

/** @param {any} node @returns {boolean} whether a `break` is within the statement */
function mayBreak(node) {
  if (node === null || typeof node !== 'object') return false;
  return node.type === 'BreakStatement' || Object.values(node).some(mayBreak);
}

/** @param {Node} test @returns {any} */
const isThis = (test) => ({
  type: 'BinaryExpression',
  operator: '===',
  left: { type: 'Identifier', name: SWITCHED },
  right: test,
});

/** @param {Group[]} groups @param {string} name @returns {any} the value that a name has after any of the groups */
function chosenBy(groups, name) {
  const old = { type: 'Identifier', name };
  const others = groups.find(({ hasDefault }) => hasDefault);
  /** @type {any} */
  let value = others?.values?.get(name) ?? old;
  for (const { tests, values } of groups) {
    const consequent = values?.get(name) ?? old;
    for (const test of tests) {
      value = { type: 'ConditionalExpression', test: isThis(test), consequent, alternate: value };
    }
  }
  return value;
}

/** @param {Group[]} groups @returns {any} whether one of the clauses is the one that is chosen */
function anyOf(groups) {
  /** @type {any[]} */
  const tests = groups.flatMap((group) => group.tests.map(isThis));
  /** @type {any} */
  let value = { type: 'Literal', value: false };
  for (const test of tests) {
    value = { type: 'ConditionalExpression', test, consequent: { type: 'Literal', value: true }, alternate: value };
  }
  return value;
}

module.exports = { mergedSwitch };
