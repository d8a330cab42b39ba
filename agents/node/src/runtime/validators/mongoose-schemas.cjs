'use strict';
/** Schemas of Mongoose that are applied to input (`new Model(req.body)`, `Model.create(req.body)`) as JSON Schema. */

const { hasOwn, indexOf, slice, startsWith } = require('../../base/intrinsics.cjs');
const { contains } = require('../../base/lists.cjs');
const {
  elements,
  enumeration,
  keysOf,
  merged,
  node,
  optional,
  patternOf,
  read,
  required,
} = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** @type {Record<string, Record<string, unknown>>} */
const TYPES = {
  String: { type: 'string' },
  Number: { type: 'number' },
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date-time' },
  ObjectId: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  ObjectID: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  Decimal128: { type: 'number' },
  Map: { type: 'object' },
  BigInt: { type: 'integer' },
  Int32: { type: 'integer' },
  Double: { type: 'number' },
  UUID: { type: 'string', format: 'uuid' },
};

/**
 * @param {any} schema
 * @param {Translation} t
 * @returns {Node}
 */
function modelSchema(schema, t) {
  const paths = read(schema, 'paths');
  const result = node({ type: 'object', properties: node(), required: [] });
  const names = keysOf(paths);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    // `_id` and `__v` are made by Mongoose; `map.$*` stands for the values of a map.
    if (startsWith(name, '_') || indexOf(name, '$') >= 0) continue;
    const { '~optional': isOptional, ...member } = pathSchema(read(paths, name), t);
    place(result, name, node(member), isOptional !== true);
  }
  return result;
}

/**
 * @param {Node} root
 * @param {string} path dotted
 * @param {Node} member
 * @param {boolean} isRequired
 */
function place(root, path, member, isRequired) {
  let at = root;
  let from = 0;
  for (let dot = indexOf(path, '.'); dot >= 0; dot = indexOf(path, '.', from)) {
    at = nested(at, slice(path, from, dot), isRequired);
    from = dot + 1;
  }
  const name = slice(path, from);
  at.properties[name] = member;
  if (isRequired) at.required[at.required.length] = name;
}

/**
 * @param {Node} owner
 * @param {string} name
 * @param {boolean} isRequired
 * @returns {Node}
 */
function nested(owner, name, isRequired) {
  const known = owner.properties[name];
  const result = known ?? node({ type: 'object', properties: node(), required: [] });
  owner.properties[name] = result;
  if (isRequired && !contains(owner.required, name)) owner.required[owner.required.length] = name;
  return result;
}

/**
 * @param {any} path
 * @param {Translation} t
 */
function pathSchema(path, t) {
  const instance = read(path, 'instance');
  const inner = read(path, 'schema');
  let result = node(typeof instance === 'string' && hasOwn(TYPES, instance) ? TYPES[instance] : undefined);
  if (instance === 'Array' || instance === 'DocumentArray') {
    const items =
      inner === undefined ? elementSchema(read(path, 'caster') ?? read(path, 'embeddedSchemaType'), t) : t.child(inner);
    result = node({ type: 'array', items });
  } else if (inner !== undefined) result = t.child(inner);
  const validators = elements(read(path, 'validators'));
  for (let index = 0; index < validators.length; index++) {
    result = merged(result, validatorRule(validators[index], result));
  }
  const options = read(path, 'options');
  const hasDefault = read(path, 'defaultValue') !== undefined && instance !== 'Array';
  const isRequired = read(path, 'isRequired') === true && typeof read(options, 'required') !== 'function';
  return isRequired && !hasDefault ? filled(result) : optional(result);
}

/**
 * @param {any} caster
 * @param {Translation} t
 */
function elementSchema(caster, t) {
  return caster === undefined ? node() : required(pathSchema(caster, t));
}

/** @param {Node} inner */
function filled(inner) {
  const result = required(inner);
  if (result.type === 'string' && result.pattern === undefined && result.minLength === undefined) result.minLength = 1;
  return result;
}

/**
 * @param {any} validator
 * @param {Node} known
 * @returns {Node}
 */
function validatorRule(validator, known) {
  const type = read(validator, 'type');
  const value = typeof type === 'string' ? read(validator, type) : undefined;
  if (type === 'enum') return enumeration(elements(read(validator, 'enumValues')));
  if (type === 'regexp') return patternOf(read(validator, 'regexp'));
  if (typeof value !== 'number') return node();
  if (type === 'minlength') return node({ minLength: value });
  if (type === 'maxlength') return node({ maxLength: value });
  if (known.type !== 'number') return node();
  return type === 'min' ? node({ minimum: value }) : type === 'max' ? node({ maximum: value }) : node();
}

module.exports = { modelSchema };
