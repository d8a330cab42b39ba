'use strict';
/** Schemas of joi (from version 16 on, `@hapi/joi` and `@hapi/validate`) as JSON Schema. */

const {
  elements,
  elementsOfSet,
  enumeration,
  merged,
  node,
  nullable,
  objectOf,
  optional,
  patternOf,
  read,
  required,
  sameAs,
  withDefault,
} = require('./schema-translation.cjs');
const { addLimit, date, number, string } = require('./joi-rules.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/**
 * @param {any} schema
 * @param {Translation} t
 * @returns {Node}
 */
function joiSchema(schema, t) {
  const flags = read(schema, '_flags');
  const terms = read(schema, '$_terms');
  const rules = elements(read(schema, '_rules'));
  const base = byType(read(schema, 'type'), { rules, flags, terms }, t);
  const valids = read(schema, '_valids');
  const isOneOf = read(flags, 'only') === true;
  const values = withValues(base, elementsOfSet(read(valids, '_values')), isOneOf);
  const twin = isOneOf ? twinOf(elementsOfSet(read(valids, '_refs'))) : null;
  return withPresence(withWhens(twin === null ? values : merged(values, sameAs(twin)), terms, t), flags);
}

/**
 * @param {any[]} references to other values, one of which is the value
 * @returns {string | null} the member beside this one that has the same value
 */
function twinOf(references) {
  const reference = references[0];
  const path = elements(read(reference, 'path'));
  const isPlain = read(reference, 'adjust') === null && read(reference, 'map') === null;
  const isBeside = references.length === 1 && path.length === 1 && read(reference, 'ancestor') === 1;
  return isPlain && isBeside && read(reference, 'type') === 'value' ? '' + path[0] : null;
}

/**
 * @param {unknown} type
 * @param {{ rules: unknown[], flags: any, terms: any }} parts
 * @param {Translation} t
 * @returns {Node}
 */
function byType(type, { rules, flags, terms }, t) {
  switch (type) {
    case 'string':
      return string(rules);
    case 'number':
      return number(rules);
    case 'boolean':
      return node({ type: 'boolean' });
    case 'date':
      return date(flags);
    case 'binary':
      return node({ type: 'string' });
    case 'array':
      return array(rules, terms, t);
    case 'object':
      return object(rules, flags, terms, t);
    case 'alternatives':
      return alternatives(terms, t);
    case 'link':
      return link(terms, t);
    default:
      return node();
  }
}

/**
 * @param {Node} base
 * @param {unknown[]} values
 * @param {boolean} areOnlyOnes
 */
function withValues(base, values, areOnlyOnes) {
  if (areOnlyOnes) return values.length === 0 ? base : enumeration(values);
  let result = base;
  const others = [];
  for (let index = 0; index < values.length; index++) {
    if (values[index] === null) result = nullable(result);
    else others[others.length] = values[index];
  }
  const { enum: known } = enumeration(others);
  return known === undefined ? result : node({ anyOf: [result, node({ enum: known })] });
}

/**
 * Conditions on other members: one of the alternatives holds.
 * @param {Node} base
 * @param {any} terms
 * @param {Translation} t
 */
function withWhens(base, terms, t) {
  const whens = elements(read(terms, 'whens'));
  if (whens.length === 0) return base;
  const anyOf = [base];
  for (let index = 0; index < whens.length; index++) {
    const outcomes = ['then', 'otherwise'];
    for (let at = 0; at < outcomes.length; at++) {
      const schema = read(whens[index], outcomes[at]);
      if (schema !== undefined) anyOf[anyOf.length] = merged(base, t.child(schema));
    }
  }
  return optional(node({ anyOf }));
}

/**
 * @param {Node} base
 * @param {any} flags
 */
function withPresence(base, flags) {
  const presence = read(flags, 'presence');
  if (presence === 'forbidden') return optional(node({ not: node() }));
  const value = read(flags, 'default');
  if (value !== undefined) return withDefault(base, typeof value === 'object' ? undefined : value);
  return presence === 'required' ? required(base) : optional(base);
}

/**
 * The schema around this one that a link leads to, by its `id` (`#node`), from the outermost one (`/`) or upwards.
 * @param {any} terms
 * @param {Translation} t
 */
function link(terms, t) {
  const reference = read(elements(read(terms, 'link'))[0], 'ref');
  const path = elements(read(reference, 'path'));
  const isLocal = read(reference, 'type') === 'local';
  if (path.length !== (isLocal ? 1 : 0)) return node();
  const last = t.depth - 1;
  const ancestor = read(reference, 'ancestor');
  if (!isLocal) return t.child(t.ancestors[ancestor === 'root' ? 0 : last - ancestor]);
  for (let index = last - 1; index >= 0; index--) {
    const around = t.ancestors[index];
    if (read(read(around, '_flags'), 'id') === path[0]) return t.child(around);
    const shared = elements(read(read(around, '$_terms'), 'shared'));
    for (let at = 0; at < shared.length; at++) {
      if (read(read(shared[at], '_flags'), 'id') === path[0]) return t.child(shared[at]);
    }
  }
  return node();
}

/**
 * @param {unknown[]} rules
 * @param {any} terms
 * @param {Translation} t
 */
function array(rules, terms, t) {
  const result = node({ type: 'array' });
  for (let index = 0; index < rules.length; index++) {
    if (!addLimit(result, 'array', rules[index]) && read(rules[index], 'name') === 'unique') result.uniqueItems = true;
  }
  return withItems(result, { items: elements(read(terms, 'items')), ordered: elements(read(terms, 'ordered')) }, t);
}

/**
 * @param {Node} result of a list
 * @param {{ items: unknown[], ordered: unknown[] }} parts
 * @param {Translation} t
 */
function withItems(result, { items, ordered }, t) {
  const kinds = [];
  let isAnyRequired = false;
  for (let index = 0; index < items.length; index++) {
    const { '~optional': isOptional, ...item } = t.child(items[index]);
    if (isOptional !== true) isAnyRequired = true;
    if (item.not === undefined) kinds[kinds.length] = node(item);
  }
  if (ordered.length > 0) {
    const prefixItems = [];
    for (let index = 0; index < ordered.length; index++) prefixItems[index] = t.child(ordered[index]);
    result.prefixItems = prefixItems;
    result.items = kinds.length === 0 ? false : kinds.length === 1 ? kinds[0] : node({ anyOf: kinds });
  } else if (kinds.length > 0) result.items = kinds.length === 1 ? kinds[0] : node({ anyOf: kinds });
  if (isAnyRequired && result.minItems === undefined) result.minItems = 1;
  return result;
}

/**
 * @param {unknown[]} rules
 * @param {any} flags
 * @param {any} terms
 * @param {Translation} t
 */
function object(rules, flags, terms, t) {
  const keys = elements(read(terms, 'keys'));
  const patterns = elements(read(terms, 'patterns'));
  const result = keys.length === 0 ? node({ type: 'object' }) : members(keys, t);
  if (patterns.length > 0) result.patternProperties = patterned(patterns, t);
  const isOpen = read(flags, 'unknown') === true || read(terms, 'keys') === null || read(terms, 'keys') === undefined;
  if (!isOpen) result.additionalProperties = false;
  for (let index = 0; index < rules.length; index++) {
    addLimit(result, 'object', rules[index]);
  }
  return withDependencies(result, elements(read(terms, 'dependencies')));
}

/**
 * @param {unknown[]} patterns
 * @param {Translation} t
 */
function patterned(patterns, t) {
  const result = node();
  for (let index = 0; index < patterns.length; index++) {
    const { pattern } = patternOf(read(patterns[index], 'regex'));
    if (pattern !== undefined) result[pattern] = t.child(read(patterns[index], 'rule'));
  }
  return result;
}

/**
 * @param {unknown[]} keys
 * @param {Translation} t
 */
function members(keys, t) {
  /** @type {string[]} */
  const names = [];
  for (let index = 0; index < keys.length; index++) names[index] = '' + read(keys[index], 'key');
  let at = 0;
  return objectOf(names, () => t.child(read(keys[at++], 'schema')));
}

/**
 * @param {Node} result of an object
 * @param {unknown[]} dependencies
 */
function withDependencies(result, dependencies) {
  for (let index = 0; index < dependencies.length; index++) {
    const dependency = dependencies[index];
    const peers = [];
    const listed = elements(read(dependency, 'peers'));
    for (let at = 0; at < listed.length; at++) {
      const name = typeof listed[at] === 'string' ? listed[at] : read(listed[at], 'key');
      if (typeof name === 'string') peers[peers.length] = name;
    }
    const schema = dependencySchema(
      read(dependency, 'rel') ?? read(dependency, 'type'),
      read(dependency, 'key'),
      peers,
    );
    if (schema === null) continue;
    const all = (result.allOf ??= []);
    all[all.length] = schema;
  }
  return result;
}

/** @param {string} name */
const present = (name) => node({ required: [name] });

/**
 * @param {unknown} relation
 * @param {unknown} key
 * @param {any[]} peers
 * @returns {Node | null}
 */
function dependencySchema(relation, key, peers) {
  const each = [];
  for (let index = 0; index < peers.length; index++) each[index] = present(peers[index]);
  if (each.length === 0) return null;
  const mainName = typeof key === 'string' ? key : read(key, 'key');
  switch (relation) {
    case 'and':
      return node({ anyOf: [node({ required: peers }), node({ not: node({ anyOf: each }) })] });
    case 'or':
      return node({ anyOf: each });
    case 'xor':
      return node({ oneOf: each });
    case 'oxor': {
      each[each.length] = node({ not: node({ anyOf: [...eachOf(peers)] }) });
      return node({ oneOf: each });
    }
    case 'nand':
      return node({ not: node({ required: peers }) });
    case 'with':
      return typeof mainName === 'string' ? node({ dependentRequired: node({ [mainName]: peers }) }) : null;
    case 'without':
      return typeof mainName === 'string'
        ? node({ not: node({ allOf: [present(mainName), node({ anyOf: each })] }) })
        : null;
    default:
      return null;
  }
}

/** @param {string[]} peers */
function eachOf(peers) {
  const each = [];
  for (let index = 0; index < peers.length; index++) each[index] = present(peers[index]);
  return each;
}

/**
 * @param {any} terms
 * @param {Translation} t
 */
function alternatives(terms, t) {
  const matches = elements(read(terms, 'matches'));
  /** @type {Node[]} */
  const anyOf = [];
  const add = (/** @type {unknown} */ schema) => {
    if (schema === undefined || schema === null) return;
    anyOf[anyOf.length] = required(t.child(schema));
  };
  for (let index = 0; index < matches.length; index++) {
    add(read(matches[index], 'schema'));
    add(read(matches[index], 'then'));
    add(read(matches[index], 'otherwise'));
    const cases = elements(read(matches[index], 'switch'));
    for (let at = 0; at < cases.length; at++) add(read(cases[at], 'then'));
  }
  return anyOf.length === 0 ? node() : node({ anyOf });
}

module.exports = { alternatives, array, byType, joiSchema, object, withPresence, withValues };
