'use strict';
/**
 * Writes expressions so that each leaves its shadow. An expression becomes a pair of texts: its code, and the shadow,
 * which is `$.s` if the code leaves it there, the companion of a name, or `0` if there is none.
 *
 * Arguments are evaluated from left to right, so `$.b("+",A,$.s,B,$.s)` reads the shadow of A before B replaces it.
 * Operands are evaluated in place, never in a closure, so `await`, `yield`, `this` and `arguments` mean what they did.
 */

const { nameOf } = require('../callees/callee-text.cjs');
const { mergedConditional, mergedIf, mergedLogical } = require('./merged-branches.cjs');
const { inner, isFunction, isNamedByPlace } = require('./name-scopes.cjs');
const { TracedText } = require('./traced-text.cjs');
const { positionOfCall, writtenCall, writtenConstruction } = require('./written-calls.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {{code: string, shadow: string}} Traced */

const NONE = '0';
const COMPARISONS = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=']);
const SIGNS = new Set(['-', '+', '~', '!']);

class Expressions extends TracedText {
  /**
   * @param {Node} node
   * @returns {Traced}
   */
  expression(node) {
    const write = this.isPlain ? undefined : WRITERS[node.type];
    const traced = write?.(node, this);
    if (traced !== undefined) return { ...traced, code: this.withLines(node, traced.code) };
    if (node.type === 'Identifier') {
      return { code: this.source(node), shadow: this.isPlain ? NONE : this.companionOf(node.name) };
    }
    if (node.type === 'Literal' || node.type === 'ThisExpression') return { code: this.source(node), shadow: NONE };
    return { code: this.below(node, isFunction(node) ? this.text(node) : this.copied(node)), shadow: NONE };
  }

  /** @param {Node} node @returns {string} arguments `value,shadow` */
  pair(node) {
    const { code, shadow } = this.expression(node);
    return `${argument(node, code)},${shadow}`;
  }

  /** @param {Node} node @returns {string} an operand that leaves its shadow in `$.s` */
  left(node) {
    const { code, shadow } = this.expression(node);
    return shadow === `${this.handle}.s` ? argument(node, code) : `${this.handle}.v(${argument(node, code)},${shadow})`;
  }

  /** @param {string} name @param {string} parameters @returns {Traced} */
  call(name, parameters) {
    return { code: `${this.handle}.${name}(${parameters})`, shadow: `${this.handle}.s` };
  }

  /**
   * @param {number} position
   * @param {string} operator
   * @param {Traced} traced
   * @returns {Traced} the same, and its outcome is recorded as a condition
   */
  condition(position, operator, { code, shadow }) {
    return this.call('c', `${this.place(position, operator)},${code},${shadow}`);
  }

  /** @param {number} position @param {string} operator */
  place(position, operator) {
    return JSON.stringify(`${this.placeOf(position)}:${operator}`);
  }

  /** @param {Node} node an IfStatement @returns {string | undefined} if it only chooses a value */
  mergedIf(node) {
    return mergedIf(node, this);
  }

  /** @param {Node} node @param {string} operator @returns {string} a test of a statement or `?:` */
  test(node, operator) {
    if (this.isPlain) return this.text(node);
    return this.condition(node.start, operator, unwrapped(node, this)).code;
  }

  /**
   * @param {Node} node a MemberExpression
   * @returns {{bind: string, use: string, shadow: string}} its object, which is used twice
   */
  object({ object: node, property, computed }) {
    // Evaluating a computed key may assign to the name.
    const isStable = !computed || property.type === 'Identifier' || property.type === 'Literal';
    if (node.type === 'ThisExpression') return { bind: 'this', use: 'this', shadow: NONE };
    if (node.type === 'Identifier' && isStable && this.names.isKnown(node.name)) {
      return { bind: this.source(node), use: this.source(node), shadow: this.companionOf(node.name) };
    }
    const name = this.temporary();
    const { code, shadow } = this.expression(node);
    const unnamed = isNamedByPlace(node) ? `${this.handle}.v(${code},0)` : argument(node, code);
    return { bind: `${name}=${unnamed}`, use: name, shadow };
  }

  /**
   * @param {Node} node a MemberExpression
   * @returns {{bind: string, use: string, shadow: string, access: string}} its key, which is used twice
   */
  key({ property, computed }) {
    if (!computed) {
      const name = JSON.stringify(property.type === 'PrivateIdentifier' ? `#${property.name}` : property.name);
      return {
        bind: name,
        use: name,
        shadow: NONE,
        access: `${this.lines.mark(property.start)}.${this.source(property)}`,
      };
    }
    const source = this.source(property);
    if (property.type === 'Literal') return { bind: source, use: source, shadow: NONE, access: `[${source}]` };
    const name = this.temporary();
    const { code, shadow } = this.expression(property);
    return { bind: `${name}=${argument(property, code)}`, use: name, shadow, access: `[${name}]` };
  }
}

/** @param {Node} node @param {string} code @returns {string} the code as an argument of a call */
function argument(node, code) {
  return node.type === 'SequenceExpression' || node.type === 'YieldExpression' ? `(${code})` : code;
}

/** @param {Node} node @param {Expressions} writer @returns {Traced} */
function unwrapped(node, writer) {
  const { code, shadow } = writer.expression(node);
  return { code: argument(node, code), shadow };
}

/** @param {Node} node a callee or an object */
const isSuper = (node) => node.type === 'Super';

/** @typedef {(node: Node, writer: Expressions) => Traced | undefined} Writer undefined: as it is */

/** @type {Writer} */
function binary(node, writer) {
  const { operator, left, right } = node;
  if (left.type === 'PrivateIdentifier' || operator === 'instanceof') return undefined;
  const position = writer.operatorStart(node);
  const operands = `${writer.pair(left)},${writer.below(right, writer.pair(right))}`;
  if (operator === 'in') return writer.condition(position, 'in', writer.call('i', operands));
  const result = writer.call('b', `${JSON.stringify(operator)},${operands}`);
  return COMPARISONS.has(operator) ? writer.condition(position, operator, result) : result;
}

/** @type {Writer} */
function logical(node, writer) {
  const { operator, left, right } = node;
  if (isNamedByPlace(right) && inner(right).type === 'ClassExpression') return undefined;
  const depth = depthOf(left);
  if (depth >= MAX_WRITTEN_OPERANDS) return undefined;
  const shown = unwrapped(left, writer);
  const position = writer.operatorStart(node);
  if (operator === '??') {
    const tested = writer.call('v', `${shown.code},${shown.shadow}`);
    const other = writer.below(right, writer.left(right));
    return { code: `(${tested.code}??${other})`, shadow: `${writer.handle}.s` };
  }
  const merged = depth < MAX_MERGED_OPERANDS ? mergedLogical(node, writer, { shown, position }) : undefined;
  const whole = merged || wholeLogical(node, writer, { shown, position });
  return depth < MAX_TRACED_OPERANDS ? writer.condition(position, operator, whole) : whole;
}

/**
 * @param {Node} node
 * @param {Expressions} writer
 * @param {{shown: Traced, position: number}} left operand, and where the operator stands
 * @returns {Traced} The left operand decides whether the right one is evaluated; the outcome of the target is that of
 *   both.
 */
function wholeLogical({ operator, right }, writer, { shown, position }) {
  const tested = writer.condition(position, `${operator} left`, shown);
  const other = writer.below(right, writer.left(right));
  return { code: `(${tested.code}${operator}${other})`, shadow: `${writer.handle}.s` };
}

/** Of a chain of logical operators, more of which would nest deeper than parsers can read. */
const MAX_WRITTEN_OPERANDS = 100;
/** The same of those whose outcome as a whole is a condition, too. */
const MAX_TRACED_OPERANDS = 30;
/** The same of those that are one value. */
const MAX_MERGED_OPERANDS = 6;

/** @param {Node} node @returns {number} how many logical operators are nested in left operands, at most the maximum */
function depthOf(node) {
  let depth = 0;
  while (inner(node).type === 'LogicalExpression' && depth < MAX_WRITTEN_OPERANDS) {
    node = inner(node).left;
    depth += 1;
  }
  return depth;
}

/** @type {Writer} */
function conditional(node, writer) {
  const merged = mergedConditional(node, writer);
  if (merged !== undefined) return merged;
  const { test, consequent, alternate } = node;
  const tested = writer.test(test, '?:');
  const one = writer.below(consequent, writer.left(consequent));
  const other = writer.below(alternate, writer.left(alternate));
  return { code: `(${tested}?${one}:${other})`, shadow: `${writer.handle}.s` };
}

/** @type {Writer} */
function unary(node, writer) {
  const { operator, argument: operand } = node;
  if (operator === 'typeof' && inner(operand).type !== 'Identifier') {
    return { code: `(typeof ${writer.expression(operand).code})`, shadow: NONE };
  }
  if (operator === 'delete') return { code: `delete ${writer.target(operand)}`, shadow: NONE };
  if (!SIGNS.has(operator)) return undefined;
  const result = writer.call('u', `${JSON.stringify(operator)},${writer.pair(operand)}`);
  return operator === '!' ? writer.condition(node.start, '!', result) : result;
}

/** @type {Writer} */
function update(node, writer) {
  const { argument: operand, operator, prefix } = node;
  if (operand.type !== 'Identifier') return undefined;
  const companion = writer.companionOf(operand.name);
  if (companion === NONE) return undefined;
  const { name } = operand;
  const old = writer.temporary();
  const shadow = writer.temporary();
  const step = `${name}=${writer.handle}.n(${old},${shadow},${operator === '++' ? 1 : -1}),${companion}=${writer.handle}.s`;
  const bound = `${old}=${writer.handle}.numeric(${name}),${shadow}=${companion}`;
  return prefix ? writer.call('last', `${bound},${step}`) : writer.call('first', `${bound},${step}`);
}

/** @type {Writer} */
function assignment(node, writer) {
  const { left } = node;
  if (left.type === 'Identifier') return assignedName(node, writer);
  return left.type === 'MemberExpression' && !isSuper(left.object) ? assignedMember(node, writer) : undefined;
}

/** @type {Writer} */
function assignedName({ operator, left, right }, writer) {
  const companion = writer.companionOf(left.name);
  if (companion === NONE || isNamedByPlace(right)) return undefined;
  const { handle } = writer;
  if (operator === '=') {
    const { code, shadow } = unwrapped(right, writer);
    return writer.call('last', `${left.name}=${writer.below(right, code)},${companion}=${shadow}`);
  }
  if (operator === '&&=' || operator === '||=' || operator === '??=') return undefined;
  const operands = `${left.name},${companion},${writer.pair(right)}`;
  const computed = `${handle}.b(${JSON.stringify(operator.slice(0, -1))},${operands})`;
  return writer.call('last', `${left.name}=${computed},${companion}=${handle}.s`);
}

/** @type {Writer} */
function assignedMember({ operator, left, right }, writer) {
  if (operator === '&&=' || operator === '||=' || operator === '??=') return undefined;
  const { handle } = writer;
  if (operator === '=' && isNamedByPlace(right)) {
    // V8 names a function in stacks after the text around it.
    return { code: `(${writer.plain(() => writer.copied(left))}=${writer.text(right)})`, shadow: NONE };
  }
  const { bind, use } = writer.object(left);
  const key = writer.key(left);
  const place = `${use}${key.access}`;
  if (operator === '=') {
    const { code, shadow } = unwrapped(right, writer);
    const assigned = `${place}=${writer.below(right, code)}`;
    return writer.call('set', `${bind},${key.bind},${key.shadow},${assigned},${shadow}`);
  }
  const keyShadow = key.shadow === NONE ? NONE : writer.temporary();
  const bound = keyShadow === NONE ? NONE : `${keyShadow}=${key.shadow}`;
  const old = `${handle}.m(${use},0,${key.use},${keyShadow},${place})`;
  const computed = `${handle}.b(${JSON.stringify(operator.slice(0, -1))},${old},${handle}.s,${writer.pair(right)})`;
  return writer.call('set', `${bind},${key.bind},${bound},${place}=${computed},${handle}.s`);
}

/** @type {Writer} */
function member(node, writer) {
  if (isSuper(node.object) || node.optional || node.object.type === 'MetaProperty') return undefined;
  const { bind, use, shadow } = writer.object(node);
  const key = writer.key(node);
  return writer.call('m', `${bind},${shadow},${key.bind},${key.shadow},${use}${key.access}`);
}

/** @type {Writer} */
function chain(node, writer) {
  if (isSimpleChain(node.expression)) {
    /** @type {string[]} */
    const guards = [];
    const { code, shadow } = linked(node.expression, writer, guards);
    const { handle } = writer;
    const value = `${handle}.v(${code},${shadow})`;
    return { code: `(${guards.join('||')}?${handle}.v(void 0,0):${value})`, shadow: `${handle}.s` };
  }
  writer.chainDepth += 1;
  try {
    return { code: writer.copied(node), shadow: NONE };
  } finally {
    writer.chainDepth -= 1;
  }
}

/** @param {Node} node a link of a chain @returns {boolean} whether the object of each call is known */
function isSimpleChain(node) {
  if (!hasOptional(node)) return true;
  if (node.type === 'MemberExpression') {
    return !isSuper(node.object) && node.property.type !== 'PrivateIdentifier' && isSimpleChain(node.object);
  }
  const { callee, optional } = node;
  if (callee.type === 'Identifier') return optional && !NATIVE_CALLS.has(callee.name);
  return callee.type === 'MemberExpression' && !isSuper(callee.object) && isLinkable(callee);
}

/** @param {Node} callee a MemberExpression */
const isLinkable = ({ object, property }) => property.type !== 'PrivateIdentifier' && isSimpleChain(object);

/**
 * @param {Node} node a link of a chain
 * @param {Expressions} writer
 * @param {string[]} guards conditions, in their order, under which the chain ends with undefined
 * @returns {Traced}
 */
function linked(node, writer, guards) {
  if (!hasOptional(node)) return writer.expression(node);
  if (node.type === 'CallExpression') {
    if (node.optional) return optionalCall(node, writer, guards);
    const { use, shadow, key } = link(node.callee, writer, guards);
    return methodCall(node, writer, { bind: use, use, shadow }, key);
  }
  const { use, shadow, key } = link(node, writer, guards);
  return writer.call('m', `${use},${shadow},${key.bind},${key.shadow},${use}${key.access}`);
}

/**
 * @param {Node} node a MemberExpression of a chain
 * @param {Expressions} writer
 * @param {string[]} guards
 */
function link(node, writer, guards) {
  const [name, shadow] = [writer.temporary(), writer.temporary()];
  const object = linked(node.object, writer, guards);
  const bound = `${name}=${argument(node.object, object.code)},${shadow}=${object.shadow}`;
  // The object is evaluated before what follows in the chain, whether or not it may be missing.
  guards.push(node.optional ? `(${bound},${name}===null||${name}===void 0)` : `(${bound},false)`);
  return { use: name, shadow, key: writer.key(node) };
}

/**
 * @param {Node} node a CallExpression that is not made if there is no function
 * @param {Expressions} writer
 * @param {string[]} guards
 * @returns {Traced}
 */
function optionalCall(node, writer, guards) {
  const { callee } = node;
  const taken = writer.temporary();
  const guard = (/** @type {string} */ code) => `(${taken}=${code},${taken}===null||${taken}===void 0)`;
  const how = { name: nameOf(callee), at: positionOfCall(node) };
  if (callee.type === 'Identifier') {
    guards.push(guard(writer.source(callee)));
    const head = { bind: taken, use: null, shadow: NONE };
    return writtenCall(writer, { ...how, how: 'f', position: callee.start, head, rest: args(node, writer) });
  }
  const { use, shadow, key } = link(callee, writer, guards);
  guards.push(`(${key.bind},${guard(`${use}${key.access}`)})`);
  const rest = `,${key.use},${taken}${args(node, writer)}`;
  const position = callee.property.start;
  return writtenCall(writer, { ...how, how: 'mc', position, head: { bind: use, use, shadow }, rest });
}

/** @param {Node} node @returns {boolean} */
function hasOptional(node) {
  if (node.type === 'MemberExpression') return node.optional || hasOptional(node.object);
  return node.type === 'CallExpression' ? node.optional || hasOptional(node.callee) : false;
}

/** @param {Node} node a call @param {Expressions} writer @returns {string} `value,shadow` of each argument */
function args({ arguments: list }, writer) {
  const write = (/** @type {Node} */ one) =>
    `,${isSpread(one) ? spread(one, 'spreadArguments', writer) : writer.pair(one)}`;
  return writer.eachOnItsLine(list, write).join('');
}

/**
 * @param {Node} node a SpreadElement
 * @param {string} how
 * @param {Expressions} writer
 * @returns {string} elements and shadows
 */
const spread = (node, how, writer) => `...${writer.handle}.${how}(${writer.pair(node.argument)})`;

/** @type {Writer} */
function called(node, writer) {
  const { callee } = node;
  if (node.optional || hasOptional(node) || isSuper(callee)) return undefined;
  if (callee.type === 'MemberExpression') {
    if (isSuper(callee.object)) return undefined;
    return methodCall(node, writer, writer.object(callee), writer.key(callee));
  }
  if (callee.type === 'Identifier' && NATIVE_CALLS.has(callee.name)) return undefined;
  if (inner(callee).type === 'MemberExpression' || inner(callee).type === 'ChainExpression') return undefined;
  const { code } = unwrapped(callee, writer);
  const head = { bind: code, use: null, shadow: NONE };
  const rest = args(node, writer);
  const how = { how: 'f', name: nameOf(callee) };
  return writtenCall(writer, { ...how, position: callee.start, head, rest, at: positionOfCall(node) });
}

/**
 * @param {Node} node a CallExpression
 * @param {Expressions} writer
 * @param {{bind: string, use: string, shadow: string}} head the object
 * @param {{bind: string, use: string, access: string}} key
 * @returns {Traced}
 */
function methodCall(node, writer, head, key) {
  const { property, computed } = node.callee;
  const how = { how: 'mc', name: nameOf(node.callee), position: property.start, at: positionOfCall(node) };
  const isAbove = computed && key.bind !== key.use && !writer.lines.areOne(property.start, property.end);
  const rest = `,${isAbove ? key.use : key.bind},${head.use}${key.access}${args(node, writer)}`;
  return writtenCall(writer, { ...how, head: isAbove ? { ...head, key: key.bind } : head, rest });
}

/** Calls that mean something else when they are made from another function. */
const NATIVE_CALLS = new Set(['eval', 'require']);

/** @param {Node} node */
const isSpread = (node) => node.type === 'SpreadElement';

/** @type {Writer} */
function constructed(node, writer) {
  const { callee } = node;
  if (node.arguments.length === 0) return undefined;
  return writtenConstruction(writer, nameOf(callee), `${unwrapped(callee, writer).code}${args(node, writer)}`);
}

/** @type {Writer} */
function template(node, writer) {
  const { expressions, quasis } = node;
  if (expressions.length === 0) return undefined;
  const texts = quasis.map((/** @type {Node} */ quasi) => JSON.stringify(quasi.value.cooked)).join(',');
  const { handle } = writer;
  const parts = expressions
    .map((/** @type {Node} */ one) => `${handle}.text(${writer.pair(one)}),${handle}.s`)
    .join(',');
  return writer.call('template', `[${texts}],[${parts}]`);
}

/** @type {Writer} */
function sequence(node, writer) {
  const { expressions } = node;
  const last = expressions.at(-1);
  const write = (/** @type {Node} */ one) => (one === last ? writer.left(one) : writer.text(one));
  return { code: writer.eachOnItsLine(expressions, write).join(','), shadow: `${writer.handle}.s` };
}

/** @type {Writer} */
function yielded(node, writer) {
  if (node.delegate || node.argument === null) return undefined;
  return { code: `(yield ${writer.handle}.yielded(${writer.pair(node.argument)}))`, shadow: NONE };
}

/** @type {Writer} */
function awaited(node, writer) {
  const source = writer.temporary();
  const { code, shadow } = unwrapped(node.argument, writer);
  const bound = `${source}=${isNamedByPlace(node.argument) ? `(0,${code})` : code}`;
  return writer.call('awaited', `${bound},${shadow},await ${source}`);
}

/** @type {Writer} */
function parenthesized(node, writer) {
  const { code, shadow } = writer.expression(node.expression);
  return { code: `(${writer.below(node.expression, code)})`, shadow };
}

/** @type {Writer} */
function objectLiteral(node, writer) {
  const { properties } = node;
  if (properties.every((/** @type {Node} */ one) => !isSpread(one) && !isTracedProperty(one))) return undefined;
  const list = writer.temporary();
  const { handle } = writer;
  const parts = writer.eachOnItsLine(properties, (/** @type {Node} */ property) => {
    if (isSpread(property)) return `...${handle}.source(${list},${argument(property, writer.text(property.argument))})`;
    if (!isTracedProperty(property)) return writer.text(property);
    const { key, value } = property;
    const name = key.type === 'Identifier' ? JSON.stringify(key.name) : writer.source(key);
    return `${writer.source(key)}:${handle}.kept(${list},${name},${writer.pair(value)})`;
  });
  return { code: `${handle}.literal(${list}=${handle}.list(),{${parts.join(',')}})`, shadow: NONE };
}

/** @param {Node} property */
function isTracedProperty(property) {
  if (property.type !== 'Property' || property.computed || property.method || property.kind !== 'init') return false;
  if (property.key.name === '__proto__' || property.key.value === '__proto__') return false;
  const value = inner(property.value);
  return !isNamedByPlace(value) && value.type !== 'Literal';
}

/** @type {Writer} */
function arrayLiteral(node, writer) {
  const { elements } = node;
  const isWorth = elements.some((/** @type {Node | null} */ one) => one !== null && inner(one).type !== 'Literal');
  if (!isWorth || elements.length > MAX_TRACED_ELEMENTS) return undefined;
  const { handle } = writer;
  if (elements.some((/** @type {Node | null} */ one) => one !== null && isSpread(one))) {
    return spreadArray(node, writer);
  }
  const list = writer.temporary();
  const parts = writer.eachOnItsLine(elements, (/** @type {Node | null} */ one, index) => {
    if (one === null) return '';
    return inner(one).type === 'Literal' ? writer.text(one) : `${handle}.kept(${list},${index},${writer.pair(one)})`;
  });
  const trailing = elements.at(-1) === null ? ',' : '';
  return { code: `${handle}.literal(${list}=${handle}.list(),[${parts.join(',')}${trailing}])`, shadow: NONE };
}

/** @param {Node} node an ArrayExpression @param {Expressions} writer @returns {Traced | undefined} */
function spreadArray({ elements }, writer) {
  const { handle } = writer;
  const [first] = elements;
  if (elements.length === 1 && first !== null) {
    return { code: `${handle}.spreadArray([...${handle}.spread(${writer.pair(first.argument)})])`, shadow: NONE };
  }
  if (elements.includes(null)) return undefined;
  const parts = writer.eachOnItsLine(elements, (/** @type {Node} */ one) =>
    isSpread(one) ? spread(one, 'spreadElements', writer) : writer.pair(one),
  );
  return { code: `${handle}.array([${parts.join(',')}])`, shadow: NONE };
}

const MAX_TRACED_ELEMENTS = 200;

/** @type {Record<string, Writer>} */
const WRITERS = {
  ArrayExpression: arrayLiteral,
  AssignmentExpression: assignment,
  AwaitExpression: awaited,
  BinaryExpression: binary,
  CallExpression: (node, writer) => (writer.chainDepth > 0 && hasOptional(node) ? undefined : called(node, writer)),
  ChainExpression: chain,
  ConditionalExpression: conditional,
  LogicalExpression: logical,
  MemberExpression: (node, writer) => (hasOptional(node) ? undefined : member(node, writer)),
  NewExpression: constructed,
  ObjectExpression: objectLiteral,
  ParenthesizedExpression: parenthesized,
  SequenceExpression: sequence,
  TemplateLiteral: template,
  UnaryExpression: unary,
  UpdateExpression: update,
  YieldExpression: yielded,
};

module.exports = { Expressions };
