'use strict';
/**
 * Determines from the text where an expression holds input of a call, as far as names tell: `req.query`, `ctx.headers`,
 * `await c.req.json()`, `new URL(req.url).searchParams`, and variables that are declared with such a value. Names may
 * deceive; then the search tries an input in vain.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */
/** @typedef {{argument: Node, path: string[], location: Location}} Asked */
/** @typedef {'' | 'query' | 'header' | 'cookie' | 'body' | 'file' | 'answer' | 'parsed' | 'element'} Location */
// `parsed` is what `JSON.parse` returns, which may be an answer or a content.

/** Names of properties and variables that hold input. @type {Map<string, Location>} */
const NAMES = new Map([
  ['query', 'query'],
  ['queries', 'query'],
  ['queryParams', 'query'],
  ['queryParameters', 'query'],
  ['queryStringParameters', 'query'],
  ['searchParams', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
  ['signedCookies', 'cookie'],
  ['body', 'body'],
  ['requestBody', 'body'],
  ['rawBody', 'body'],
  ['payload', 'body'],
  ['fields', 'body'],
  ['formData', 'body'],
  ['form', 'body'],
  ['files', 'file'],
  ['file', 'file'],
]);

/** Functions that return input. @type {Map<string, Location>} */
const FUNCTIONS = new Map([
  ['getQuery', 'query'],
  ['getValidatedQuery', 'query'],
  ['query', 'query'],
  ['queries', 'query'],
  ['headers', 'header'],
  ['getHeaders', 'header'],
  ['getRequestHeaders', 'header'],
  ['header', 'header'],
  ['cookies', 'cookie'],
  ['parseCookies', 'cookie'],
  ['getCookie', 'cookie'],
  ['readBody', 'body'],
  ['readValidatedBody', 'body'],
  ['readRawBody', 'body'],
  ['readFormData', 'body'],
  ['readMultipartFormData', 'file'],
  ['parseBody', 'body'],
  ['formData', 'body'],
  ['json', 'body'],
]);

/** Functions that read one input by its name, whatever their receiver. @type {Map<string, Location>} */
const READERS = new Map([
  ['header', 'header'],
  ['getHeader', 'header'],
  ['getRequestHeader', 'header'],
  ['cookie', 'cookie'],
  ['getCookie', 'cookie'],
  ['query', 'query'],
  ['queries', 'query'],
]);

/** Functions that read one member of their receiver, or of their first argument. */
const GETTERS = new Set(['get', 'getAll', 'has', 'hasOwn', 'hasOwnProperty']);
/** Those of them that return all values of one name. */
const LISTS = new Set(['queries', 'getAll']);
/** Variables that usually hold a request, whose `get` reads a header. */
const REQUESTS = new Set(['req', 'request', 'ctx', 'context']);
/** Variables that hold a request of hapi, whose `state` is its cookies; `ctx.state` of Koa is something else. */
const HAPI_REQUESTS = new Set(['req', 'request']);
/** Variables that usually hold a response: the program's own, or that of a service. */
const RESPONSES = new Set(['res', 'response']);
/**
 * Words in the name of a program's own function that takes a request and returns a part of it: `cookiesOf(request)`.
 */
const WORDS = new Map(
  /** @type {[string, Location][]} */ ([
    ['cookie', 'cookie'],
    ['cookies', 'cookie'],
    ['header', 'header'],
    ['headers', 'header'],
    ['query', 'query'],
    ['body', 'body'],
    ['json', 'body'],
    ['payload', 'body'],
    ['form', 'body'],
    ['fields', 'body'],
  ]),
);
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** Functions whose result has the members of an argument. */
const COPIES = new Set(['fromEntries', 'assign', 'pick', 'omit', 'cloneDeep', 'clone', 'entries', 'structuredClone']);
/** Methods of a promise that give what it gives. */
const SETTLING = new Set(['catch', 'finally']);
const CONTAINERS = new Set(['Map', 'URLSearchParams', 'Headers', 'Object']);
/** Functions that name the fields in which files are uploaded (multer, and Nest's interceptors around it). */
const UPLOADS = new Set(['single', 'array', 'FileInterceptor', 'FilesInterceptor']);
/** The same, with a list of `{ name }`. */
const UPLOAD_LISTS = new Set(['fields', 'FileFieldsInterceptor']);

const MAX_DEPTH = 6;

/** @param {Node} node @returns {Node} without what only encloses the value */
function inner(node) {
  for (;;) {
    if (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') node = node.expression;
    else if (node.type === 'AwaitExpression') node = node.argument;
    else if (node.type === 'SequenceExpression') node = node.expressions[node.expressions.length - 1];
    else return node;
  }
}

/** @param {Node} callee @returns {string} the last name of a callee: `json` of `c.req.json`; empty if it has none */
function lastName(callee) {
  const node = inner(callee);
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed ? (node.property.name ?? '') : '';
}

/**
 * @param {Node} expression
 * @param {Rewriter} rewriter
 * @param {number} [depth]
 * @returns {Location} empty: its names tell nothing
 */
function locationOf(expression, rewriter, depth = 0) {
  const node = inner(expression);
  if (depth > MAX_DEPTH) return '';
  switch (node.type) {
    case 'Identifier':
      return rewriter.inputNames.get(node.name) ?? NAMES.get(node.name) ?? '';
    case 'MemberExpression':
      return locationOfMember(node);
    case 'CallExpression':
    case 'NewExpression':
      return ofCall(node, rewriter, depth);
    default:
      return ofFirst(partsOf(node), rewriter, depth);
  }
}

/** @param {Node} member @returns {Location} */
function locationOfMember({ object, property, computed }) {
  if (computed) return '';
  // What a client of a service returns has the name of its own content; the program's own response has none.
  if (property.name === 'body' && RESPONSES.has(object.name)) return '';
  const isOfHapi = property.name === 'state' && HAPI_REQUESTS.has(object.name);
  return isOfHapi ? 'cookie' : (NAMES.get(property.name) ?? '');
}

/** @param {Node} node @returns {Node[]} the expressions whose value it may have, or whose members */
function partsOf(node) {
  if (node.type === 'LogicalExpression') return [node.left];
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate];
  if (node.type !== 'ObjectExpression') return [];
  return node.properties
    .filter((/** @type {Node} */ one) => one.type === 'SpreadElement')
    .map((/** @type {Node} */ one) => one.argument);
}

/**
 * @param {Node} node a call, or `new`
 * @param {Rewriter} rewriter
 * @param {number} depth
 * @returns {Location}
 */
function ofCall(node, rewriter, depth) {
  const name = lastName(node.callee);
  if (node.type === 'CallExpression') {
    const own = FUNCTIONS.get(name);
    // With arguments, `db.query(...)` and `res.json(...)` are something else.
    if (own !== undefined && (node.arguments.length === 0 || inner(node.callee).type === 'Identifier')) return own;
    // `await request.formData().catch(() => null)`
    if (SETTLING.has(name)) return locationOf(inner(node.callee).object ?? node.callee, rewriter, depth + 1);
    if (COPIES.has(name)) return ofFirst(node.arguments, rewriter, depth);
    return isOfRequest(node.arguments) ? ofWords(name) : '';
  }
  if (!CONTAINERS.has(name)) return '';
  const found = ofFirst(node.arguments, rewriter, depth);
  return found === '' && name === 'URLSearchParams' ? 'query' : found;
}

/** @param {Node[]} given @returns {boolean} whether a function gets a request, and nothing else */
function isOfRequest(given) {
  return given.length === 1 && given[0].type === 'Identifier' && REQUESTS.has(given[0].name);
}

/** @param {string} name @returns {Location} that a word of the name tells */
function ofWords(name) {
  for (const word of name.match(WORD) ?? []) {
    const found = WORDS.get(word.toLowerCase());
    if (found !== undefined) return found;
  }
  return '';
}

/**
 * @param {Node[]} nodes
 * @param {Rewriter} rewriter
 * @param {number} depth
 * @returns {Location} of the first one that has any
 */
function ofFirst(nodes, rewriter, depth) {
  for (const node of nodes) {
    const found = locationOf(node.type === 'SpreadElement' ? node.argument : node, rewriter, depth + 1);
    if (found !== '') return found;
  }
  return '';
}

/**
 * Notes a variable that is declared with input.
 * @param {Node} declarator
 * @param {Rewriter} rewriter
 */
function noteAlias({ id, init }, rewriter) {
  if (!init) return;
  const told = locationOf(init, rewriter) || locationOfAnswer(init);
  const location = told === 'parsed' ? 'answer' : told;
  if (location === '') return;
  if (id.type === 'Identifier') rewriter.inputNames.set(id.name, location);
  else if (location === 'answer' && id.type === 'ObjectPattern') noteMembers(id, rewriter);
}

/**
 * Notes a variable to which input is assigned: `let form; try { form = await request.formData() } catch {}`.
 * @param {Node} assignment
 * @param {Rewriter} rewriter
 */
function noteAssigned({ left, right }, rewriter) {
  const location = left.type === 'Identifier' ? locationOf(right, rewriter) : '';
  if (location !== '') rewriter.inputNames.set(left.name, location);
}

/** @param {Node} pattern of the answer of a service @param {Rewriter} rewriter */
function noteMembers(pattern, rewriter) {
  for (const { value } of pattern.properties) {
    if (value?.type === 'Identifier' && !NAMES.has(value.name)) rewriter.inputNames.set(value.name, 'answer');
  }
}

/** @param {Node} callee */
function isJsonParse(callee) {
  return callee.type === 'MemberExpression' && callee.object.name === 'JSON' && lastName(callee) === 'parse';
}

/**
 * What a call gives later, in `const { data } = await axios.get(url)`, and what is parsed, may be the answer of a
 * service; so may their members.
 * @param {Node} init of a variable or pattern
 * @returns {Location}
 */
function locationOfAnswer(init) {
  if (init.type === 'CallExpression' && isJsonParse(init.callee)) return 'parsed';
  let node = init;
  while (node.type !== 'AwaitExpression' && node.type !== 'CallExpression') {
    if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') node = node.expression;
    else return '';
  }
  if (node.type === 'AwaitExpression') return inner(node.argument).type === 'CallExpression' ? 'answer' : '';
  return lastName(node.callee) === 'parse' ? 'answer' : '';
}

/**
 * Returns what a call asks for by a literal name, if its names tell.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {Asked | undefined}
 */
function askedByCall(node, rewriter) {
  const callee = inner(node.callee);
  return callee.type === 'MemberExpression'
    ? (askedOfReceiver(callee, node.arguments, rewriter) ?? askedOfFirst(node, rewriter))
    : askedOfFirst(node, rewriter);
}

/**
 * @param {Node} callee a member
 * @param {Node[]} given
 * @param {Rewriter} rewriter
 * @returns {Asked | undefined}
 */
function askedOfReceiver(callee, given, rewriter) {
  const name = lastName(callee);
  if (isText(given[0])) {
    const location = READERS.get(name) ?? (GETTERS.has(name) ? ofReceiver(callee.object, rewriter) : '');
    if (location === '' || given.length !== 1) return undefined;
    const path = LISTS.has(name) ? [given[0].value, '0'] : [given[0].value];
    return { argument: given[0], path, location };
  }
  return undefined;
}

/**
 * Returns the names of fields in which a call lets files be uploaded.
 * @param {Node} node
 * @returns {Node[]} literals
 */
function uploadsOfCall(node) {
  const name = lastName(node.callee);
  const first = node.arguments[0];
  if (UPLOADS.has(name)) return isText(first) ? [first] : [];
  if (!UPLOAD_LISTS.has(name) || first?.type !== 'ArrayExpression') return [];
  return first.elements.flatMap((/** @type {Node | null} */ one) =>
    one?.type === 'ObjectExpression'
      ? one.properties.filter(isNameWithText).map((/** @type {Node} */ property) => property.value)
      : [],
  );
}

/** @param {Node} property of an object */
function isNameWithText({ type, computed, key, value }) {
  return type === 'Property' && !computed && (key.name ?? key.value) === 'name' && isText(value);
}

/**
 * `getHeader(event, 'x-tenant')`, `get(req.body, 'filter.mode')`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {Asked | undefined}
 */
function askedOfFirst(node, rewriter) {
  const name = lastName(node.callee);
  const given = node.arguments;
  if (given.length < 2 || !isText(given[1])) return undefined;
  const ofFunction = inner(node.callee).type === 'MemberExpression' ? undefined : READERS.get(name);
  if (ofFunction !== undefined) return { argument: given[1], path: [given[1].value], location: ofFunction };
  if (!GETTERS.has(name)) return undefined;
  const location = locationOf(given[0], rewriter);
  return location === '' ? undefined : { argument: given[1], path: given[1].value.split('.'), location };
}

/**
 * @param {Node} receiver
 * @param {Rewriter} rewriter
 * @returns {Location}
 */
function ofReceiver(receiver, rewriter) {
  const found = locationOf(receiver, rewriter);
  if (found !== '') return found;
  const node = inner(receiver);
  const name = node.type === 'MemberExpression' && !node.computed ? node.property.name : node.name;
  return REQUESTS.has(name) ? 'header' : '';
}

/** @param {Node | undefined} node */
function isText(node) {
  return node !== undefined && node.type === 'Literal' && typeof node.value === 'string' && node.value !== '';
}

module.exports = {
  NAMES,
  RESPONSES,
  askedByCall,
  inner,
  isJsonParse,
  isText,
  lastName,
  locationOf,
  locationOfAnswer,
  locationOfMember,
  noteAlias,
  noteAssigned,
  uploadsOfCall,
};
