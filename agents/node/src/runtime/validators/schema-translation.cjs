'use strict';
/**
 * The translation of one schema object of a library into JSON Schema (2020-12).
 *
 * Law: only data properties are read, so that no code of the program runs. The result is bounded; recursive schemas
 * become references.
 */

const {
  Map,
  ObjectCreate,
  ObjectKeys,
  isArray,
  isDate,
  isFinite,
  isProxy,
  isRegExp,
  isSet,
  mapGet,
  mapSet,
  nextValue,
  setValues,
} = require('../../base/intrinsics.cjs');
const { isPlainArray, ownData, readData } = require('../../base/data-properties.cjs');
const { regexParts } = require('../methods/string-methods.cjs');

/** Schemas of one translation; what exceeds it allows any value. */
const MAX_NODES = 1500;
const MAX_DEPTH = 24;
/** Values of an enumeration. */
const MAX_VALUES = 200;
/** Members of an object, and checks of a value. */
const MAX_MEMBERS = 200;
const MAX_TEXT = 500;
/** Depth of structures in defaults and enumerations. */
const MAX_DATA_DEPTH = 4;

/** A JSON Schema. `~optional` says that its member may be left out. @typedef {Record<string, any>} Node */
/** @typedef {(schema: any, translation: Translation) => Node} Translate */

class Translation {
  /** @param {Translate} translate one schema, without what its members demand */
  constructor(translate) {
    this.translate = translate;
    this.nodes = 0;
    this.depth = 0;
    /** Whether a part could not be read yet, and may be later. */
    this.isPartial = false;
    /**
     * Schemas that are being translated, with the names of those that occur in themselves.
     * @type {Map<object, string>}
     */
    this.open = new Map();
    /** The schema that is being translated, at `depth - 1`, after those that contain it. @type {object[]} */
    this.ancestors = [];
    this.names = 0;
    this.definitions = node();
  }

  /**
   * @param {unknown} schema
   * @returns {Node}
   */
  whole(schema) {
    const result = this.child(schema);
    return ObjectKeys(this.definitions).length === 0 ? result : merged(result, node({ $defs: this.definitions }));
  }

  /**
   * @param {unknown} schema of a member, an element or an alternative
   * @returns {Node} allows any value if it is no schema that can be read
   */
  child(schema) {
    if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || isProxy(schema)) {
      return node();
    }
    const name = mapGet(this.open, schema);
    if (name !== undefined) return node({ $ref: '#/$defs/' + this.named(schema, name) });
    if (this.nodes++ >= MAX_NODES || this.depth >= MAX_DEPTH) return node();
    this.ancestors[this.depth++] = schema;
    mapSet(this.open, schema, '');
    const result = this.translate(schema, this);
    const own = mapGet(this.open, schema);
    mapSet(this.open, schema, /** @type {any} */ (undefined));
    this.depth--;
    if (own === undefined || own === '') return result;
    const optional = result['~optional'];
    this.definitions[own] = result;
    const reference = node({ $ref: '#/$defs/' + own });
    if (optional === true) reference['~optional'] = true;
    return reference;
  }

  /**
   * @param {object} schema
   * @param {string} name
   */
  named(schema, name) {
    if (name !== '') return name;
    this.names++;
    const given = 'S' + this.names;
    mapSet(this.open, schema, given);
    return given;
  }

  /** Notes that a part is unknown as long as the library has not resolved it. */
  unresolved() {
    this.isPartial = true;
    return node();
  }
}

/**
 * @param {Node} [members]
 * @returns {Node} an object without a prototype, so that no setter of the program runs
 */
function node(members) {
  const result = ObjectCreate(null);
  if (members === undefined) return result;
  const names = ObjectKeys(members);
  for (let index = 0; index < names.length; index++) result[names[index]] = members[names[index]];
  return result;
}

/**
 * @param {Node} first
 * @param {Node} second whose keywords replace those of the first
 * @returns {Node}
 */
function merged(first, second) {
  const result = node(first);
  const names = ObjectKeys(second);
  for (let index = 0; index < names.length; index++) result[names[index]] = second[names[index]];
  return result;
}

/** @param {Node} inner */
const optional = (inner) => merged(inner, node({ '~optional': true }));

/** @param {Node} inner */
function required(inner) {
  const result = node(inner);
  delete result['~optional'];
  return result;
}

/** @param {Node} inner */
function nullable(inner) {
  if (ObjectKeys(inner).length === 0) return inner;
  const { '~optional': isOptional, ...plain } = inner;
  const result = node({ anyOf: [node(plain), node({ type: 'null' })] });
  return isOptional === true ? optional(result) : result;
}

/**
 * @param {Node} inner
 * @param {unknown} value
 */
function withDefault(inner, value) {
  const json = asJson(value, 0);
  return optional(json === undefined ? inner : merged(inner, node({ default: json })));
}

/**
 * @param {unknown[]} values
 * @returns {Node}
 */
function enumeration(values) {
  const known = [];
  for (let index = 0; index < values.length && known.length < MAX_VALUES; index++) {
    const json = asJson(values[index], 0);
    if (json !== undefined) known[known.length] = json;
  }
  return known.length === 0 ? node() : node({ enum: known });
}

/** @param {string} name of a member @returns {Node} the value of the member of that name beside it, as ajv writes it */
const sameAs = (name) => node({ const: node({ $data: `1/${name}` }) });

/**
 * The members of an object: those that are not optional are required.
 * @param {string[]} names
 * @param {(name: string) => Node} translate
 * @returns {Node}
 */
function objectOf(names, translate) {
  const properties = node();
  /** @type {string[]} */
  const demanded = [];
  for (let index = 0; index < names.length && index < MAX_MEMBERS; index++) {
    const name = names[index];
    const { '~optional': isOptional, ...member } = translate(name);
    properties[name] = node(member);
    if (isOptional !== true) demanded[demanded.length] = name;
  }
  return demanded.length === 0
    ? node({ type: 'object', properties })
    : node({ type: 'object', properties, required: demanded });
}

/**
 * @param {unknown} value of the program
 * @param {number} depth
 * @returns {any} the same as plain data; undefined if JSON cannot represent it
 */
function asJson(value, depth) {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value.length > MAX_TEXT ? undefined : value;
    case 'number':
      return isFinite(value) ? value : undefined;
    case 'object':
      if (value === null) return null;
      return depth > MAX_DATA_DEPTH || isProxy(value) || isDate(value) || isRegExp(value)
        ? undefined
        : structureAsJson(value, depth);
    default:
      return undefined;
  }
}

/**
 * @param {object} value no proxy
 * @param {number} depth
 * @returns {any}
 */
function structureAsJson(value, depth) {
  if (isArray(value)) {
    const list = [];
    for (let index = 0; index < value.length && index < MAX_MEMBERS; index++) {
      const element = asJson(ownData(value, '' + index), depth + 1);
      list[list.length] = element === undefined ? null : element;
    }
    return list;
  }
  const result = node();
  const names = ObjectKeys(value);
  for (let index = 0; index < names.length && index < MAX_MEMBERS; index++) {
    const member = asJson(ownData(value, names[index]), depth + 1);
    if (member !== undefined) result[names[index]] = member;
  }
  return result;
}

/**
 * @param {unknown} regex of the program
 * @returns {Node} `pattern`; flags only allow more texts, so that they are omitted
 */
function patternOf(regex) {
  if (typeof regex === 'string') return node({ pattern: regex });
  const parts = isRegExp(regex) && !isProxy(regex) ? regexParts(regex) : null;
  return parts === null || parts.source.length > 2000 ? node() : node({ pattern: parts.source });
}

/**
 * Adds a requirement; a second pattern is added as a further schema, since an object has one keyword of a name.
 * @param {Node} target
 * @param {Node} added
 */
function demand(target, added) {
  const names = ObjectKeys(added);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (target[name] === undefined || target[name] === added[name]) target[name] = added[name];
    else if (name === 'pattern' || name === 'format') {
      const all = (target.allOf ??= []);
      all[all.length] = node({ [name]: added[name] });
    } else target[name] = added[name];
  }
}

/**
 * @param {unknown} list of the program
 * @returns {unknown[]} its elements, at most MAX_MEMBERS
 */
function elements(list) {
  /** @type {unknown[]} */
  const found = [];
  if (!isPlainArray(list)) return found;
  for (let index = 0; index < list.length && index < MAX_MEMBERS; index++) found[index] = ownData(list, '' + index);
  return found;
}

/**
 * @param {unknown} set of the program
 * @returns {unknown[]}
 */
function elementsOfSet(set) {
  /** @type {unknown[]} */
  const found = [];
  if (!isSet(set) || isProxy(set)) return found;
  const values = setValues(set);
  for (let next = nextValue(values); !next.done && found.length < MAX_VALUES; next = nextValue(values)) {
    found[found.length] = next.value;
  }
  return found;
}

/**
 * @param {unknown} object of the program
 * @param {string} name
 * @returns {any} undefined if there is no such data property
 */
function read(object, name) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null || isProxy(object)) {
    return undefined;
  }
  return readData(object, name);
}

/** @param {unknown} object of the program @returns {string[]} */
function keysOf(object) {
  return typeof object === 'object' && object !== null && !isProxy(object) ? ObjectKeys(object) : [];
}

module.exports = {
  Translation,
  asJson,
  demand,
  elements,
  elementsOfSet,
  enumeration,
  keysOf,
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
};
