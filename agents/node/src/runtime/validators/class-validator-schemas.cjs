'use strict';
/** Classes with decorators of class-validator, and of class-transformer for their nested classes, as JSON Schema. */

const {
  WeakMap,
  getPrototypeOf,
  isProxy,
  reflectApply,
  regExpExec,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { demandsOf } = require('../../databases/models/class-validator.cjs');
const { originalFunctionText } = require('../../base/function-text.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { demand, elements, keysOf, merged, node, objectOf, optional, read } = require('./schema-translation.cjs');
const { shortName, textRule } = require('./text-rules.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */
/**
 * A class with the options of its validation.
 * @typedef {{ target: Function, isStrict: boolean, isLenient: boolean }} Ruled
 */

const MAX_PARENTS = 10;
/** A function that only names a class: `() => Address`, `() => address_dto_1.AddressDto`. */
const NAMES_A_CLASS = /^\(\w*\) ?=> ?[\w$]+(?:\.[\w$]+)?$/;

/**
 * Class -> property -> function that returns the class of its value.
 * @type {WeakMap<object, Record<string, Function>>}
 */
const nestedTypes = new WeakMap();
/** @type {WeakMap<object, Ruled[]>} */
const ruled = new WeakMap();

const watchTypes = (/** @type {any} */ exports) => {
  tapMethod(exports.MetadataStorage.prototype, 'addTypeMetadata', (_, args) => {
    const metadata = args[0];
    const target = read(metadata, 'target');
    const property = read(metadata, 'propertyName');
    const type = read(metadata, 'typeFunction');
    if (typeof target !== 'function' || typeof property !== 'string' || typeof type !== 'function') return;
    const known = weakMapGet(nestedTypes, target) ?? { __proto__: /** @type {any} */ (null) };
    known[property] = type;
    weakMapSet(nestedTypes, target, known);
  });
};

/** An object of a class -> the plain one that it was made of. @type {WeakMap<object, object>} */
const sources = new WeakMap();

const watchTransformer = (/** @type {any} */ exports) => {
  const { prototype } = exports.ClassTransformer;
  tapMethod(prototype, 'plainToInstance', ignore, noteSource);
  tapMethod(prototype, 'plainToClass', ignore, noteSource); // before 0.3.2
};

const ignore = () => {};

/** @param {any} _ @param {ArrayLike<any>} args class and plain object @param {any} made */
function noteSource(_, args, made) {
  const plain = args[1];
  const isMade = typeof made === 'object' && made !== null && typeof plain === 'object' && plain !== null;
  if (isMade && !isProxy(made)) weakMapSet(sources, made, plain);
}

/**
 * @param {any} object
 * @returns {any} the plain object that it was made of, or itself
 */
const sourceOf = (object) => weakMapGet(sources, object) ?? object;

/** @type {Record<string, (exports: any) => void>} */
const watchClassTransformer = {
  'cjs/MetadataStorage.js': watchTypes,
  'esm2015/MetadataStorage.js': watchTypes,
  'esm5/MetadataStorage.js': watchTypes,
  'cjs/ClassTransformer.js': watchTransformer,
  'esm2015/ClassTransformer.js': watchTransformer,
  'esm5/ClassTransformer.js': watchTransformer,
  'ClassTransformer.js': watchTransformer,
};

/** @param {unknown} object @returns {boolean} whether its class, or one that it extends, has rules */
function isRuledClass(object) {
  return rulesOf(read(object, 'constructor')).length > 0;
}

/** @param {unknown} target @returns {any[]} the rules of a class and of those that it extends */
function rulesOf(target) {
  const found = [];
  let owner = /** @type {any} */ (target);
  for (let depth = 0; depth < MAX_PARENTS && typeof owner === 'function' && !isProxy(owner); depth++) {
    const own = demandsOf(owner);
    for (let index = 0; index < own.length; index++) found[found.length] = own[index];
    owner = getPrototypeOf(owner);
  }
  return found;
}

/**
 * @param {object} object
 * @param {unknown} options of the validation
 * @returns {Ruled} the same object for the same class and options
 */
function rulesOptions(object, options) {
  const target = read(object, 'constructor');
  const isStrict = read(options, 'forbidNonWhitelisted') === true && read(options, 'whitelist') === true;
  const isLenient =
    read(options, 'skipMissingProperties') === true || read(options, 'skipUndefinedProperties') === true;
  return ruledClass(target, isStrict, isLenient);
}

/**
 * @param {Function} target
 * @param {boolean} isStrict
 * @param {boolean} isLenient
 * @returns {Ruled}
 */
function ruledClass(target, isStrict, isLenient) {
  const known = weakMapGet(ruled, target) ?? [];
  for (let index = 0; index < known.length; index++) {
    if (known[index].isStrict === isStrict && known[index].isLenient === isLenient) return known[index];
  }
  const made = { target, isStrict, isLenient };
  known[known.length] = made;
  weakMapSet(ruled, target, known);
  return made;
}

/**
 * @param {any} errors that the library has found, empty ones too
 * @returns {boolean}
 */
function hasErrors(errors) {
  const list = elements(errors);
  for (let index = 0; index < list.length; index++) {
    if (keysOf(read(list[index], 'constraints')).length > 0 || hasErrors(read(list[index], 'children'))) return true;
  }
  return false;
}

/**
 * @param {Ruled} schema
 * @param {Translation} t
 * @returns {Node}
 */
function classSchema(schema, t) {
  const rules = rulesOf(schema.target);
  /** @type {Record<string, any[]>} */
  const byProperty = { __proto__: /** @type {any} */ (null) };
  for (let index = 0; index < rules.length; index++) {
    const property = read(rules[index], 'propertyName');
    if (typeof property !== 'string') continue;
    const list = (byProperty[property] ??= []);
    list[list.length] = rules[index];
  }
  const result = objectOf(keysOf(byProperty), (name) => propertySchema(byProperty[name], name, schema, t));
  if (schema.isStrict) result.additionalProperties = false;
  return result;
}

/**
 * @param {any[]} rules of one property
 * @param {string} name
 * @param {Ruled} owner
 * @param {Translation} t
 */
function propertySchema(rules, name, owner, t) {
  let isOptional = owner.isLenient;
  let isList = false;
  let isNested = false;
  const own = node();
  const each = node();
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index];
    const isOfEach = read(rule, 'each') === true;
    isList ||= isOfEach;
    switch (read(rule, 'type')) {
      case 'conditionalValidation':
      case 'whitelistValidation':
        isOptional = true;
        break;
      case 'nestedValidation':
        isNested = true;
        break;
      default:
        addRule(isOfEach ? each : own, rule);
    }
  }
  isList ||= own.type === 'array';
  const inner = isNested ? nestedSchema(owner, name, t) : null;
  const result = isList ? merged(own, node({ type: 'array', items: inner ?? each })) : merged(inner ?? node(), own);
  return isOptional ? optional(result) : result;
}

/**
 * @param {Node} target
 * @param {any} rule
 */
function addRule(target, rule) {
  const name = read(rule, 'name') ?? read(rule, 'type');
  if (typeof name === 'string') add(target, name, elements(read(rule, 'constraints')));
}

/**
 * @param {Ruled} owner
 * @param {string} name of a property
 * @param {Translation} t
 */
function nestedSchema(owner, name, t) {
  let target = /** @type {any} */ (owner.target);
  for (let depth = 0; depth < MAX_PARENTS && typeof target === 'function'; depth++) {
    const type = weakMapGet(nestedTypes, target)?.[name];
    if (type !== undefined) {
      const nested = namedClass(type);
      return nested === null ? node({ type: 'object' }) : t.child(ruledClass(nested, owner.isStrict, owner.isLenient));
    }
    target = getPrototypeOf(target);
  }
  return node({ type: 'object' });
}

/**
 * @param {Function} type
 * @returns {Function | null} what it returns, if it only names it
 */
function namedClass(type) {
  if (isProxy(type) || regExpExec(NAMES_A_CLASS, originalFunctionText(type)) === null) return null;
  try {
    const found = reflectApply(type, undefined, []);
    return typeof found === 'function' && !isProxy(found) ? found : null;
  } catch {
    return null; // the class does not exist yet
  }
}

/** Checks of types. @type {Record<string, Record<string, unknown>>} */
const TYPES = {
  __proto__: /** @type {any} */ (null),
  string: { type: 'string' },
  number: { type: 'number' },
  int: { type: 'integer' },
  boolean: { type: 'boolean' },
  array: { type: 'array' },
  object: { type: 'object' },
  notemptyobject: { type: 'object', minProperties: 1 },
  date: { type: 'string', format: 'date-time' },
  positive: { type: 'number', exclusiveMinimum: 0 },
  negative: { type: 'number', exclusiveMaximum: 0 },
  latitude: { type: 'number', minimum: -90, maximum: 90 },
  longitude: { type: 'number', minimum: -180, maximum: 180 },
  port: { type: 'string', pattern: '^[1-9][0-9]{3}$' },
  arraynotempty: { type: 'array', minItems: 1 },
  arrayunique: { type: 'array', uniqueItems: true },
  isdefined: {},
};
/** Checks with one number. @type {Record<string, string>} */
const LIMITS = {
  __proto__: /** @type {any} */ (null),
  min: 'minimum',
  max: 'maximum',
  arrayminsize: 'minItems',
  arraymaxsize: 'maxItems',
  divisibleby: 'multipleOf',
};

/**
 * @param {Node} target
 * @param {string} name of a rule
 * @param {unknown[]} args
 */
function add(target, name, args) {
  const short = shortName(name);
  if (TYPES[short] !== undefined) addType(target, node(TYPES[short]));
  else if (LIMITS[short] !== undefined) addLimit(target, LIMITS[short], args[0]);
  else if (short === 'notempty') {
    if (target.type === undefined || target.type === 'string') target.minLength = 1;
  } else {
    const rule = textRule(name, args);
    if (rule === null) return;
    demand(target, rule.enum !== undefined || rule.type !== undefined ? rule : merged(node({ type: 'string' }), rule));
  }
}

/**
 * @param {Node} target
 * @param {Node} type
 */
function addType(target, type) {
  // An integer is a number as well.
  if (type.type === 'number' && target.type === 'integer') delete type.type;
  demand(target, type);
}

/**
 * @param {Node} target
 * @param {string} keyword
 * @param {unknown} limit
 */
function addLimit(target, keyword, limit) {
  if (typeof limit === 'number') demand(target, node({ [keyword]: limit }));
  const isOfList = keyword === 'minItems' || keyword === 'maxItems';
  if (!isOfList && target.type === undefined) target.type = 'number';
}

module.exports = { classSchema, hasErrors, isRuledClass, rulesOptions, sourceOf, watchClassTransformer };
