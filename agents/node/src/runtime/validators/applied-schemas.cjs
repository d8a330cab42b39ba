'use strict';
/**
 * What the validation libraries have applied to values in this evaluation: for each application the schema, described
 * once as JSON Schema, the value, and whether it was valid.
 *
 * Law: nothing here throws into the program; a schema that cannot be read is not described.
 */

const { WeakMap, defineProperty, indexOf, isProxy, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { RawJson, encode } = require('../../base/json-text.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { bundledValidations } = require('../calls/bundled-validations.cjs');
const { noteThrown, recorder, runningRecord } = require('../calls/recorder.cjs');
const { placeOf } = require('../answers/parsed-answers.cjs');
const { isLate } = require('../calls/async-attribution.cjs');
const { classSchema, hasErrors, isRuledClass, rulesOptions, sourceOf } = require('./class-validator-schemas.cjs');
const { contextSchema, noteListLimits, placesOf } = require('./express-validator-schemas.cjs');
const { checked, checkedOne, made } = require('./demanded-claims.cjs');
const { oldJoiSchema } = require('./joi-before-16.cjs');
const { codecSchema } = require('./io-ts-schemas.cjs');
const { joiSchema } = require('./joi-schemas.cjs');
const { modelSchema } = require('./mongoose-schemas.cjs');
const { pipePlace, pipeSchema, placeInPipe } = require('./nest-pipe-schemas.cjs');
const { plainSchema, referencesIn, referencesOf } = require('./plain-schemas.cjs');
const { Translation, read } = require('./schema-translation.cjs');
const { noteMade, noteMaker, structSchema } = require('./superstruct-schemas.cjs');
const { snapshot } = require('./value-snapshots.cjs');
const { checkOf, checkSchema } = require('./text-rules.cjs');
const { valibotSchema } = require('./valibot-schemas.cjs');
const { APPLIED, ENTERED, GENERATED, HANDLED, LEFT, generatedText } = require('./watched-texts.cjs');
const { yupSchema } = require('./yup-schemas.cjs');
const { noteLazy, zod3Schema } = require('./zod3-schemas.cjs');
const { zodSchema } = require('./zod-schemas.cjs');

/** Applications that are kept: of one call, and of an evaluation. */
const MAX_PER_CALL = 24;
const MAX_APPLICATIONS = 120;
/** Schemas that are described in the life of the process. */
const MAX_SCHEMAS = 500;
/** Longer descriptions are not sent, in UTF-16 units. */
const MAX_DESCRIPTION = 200_000;

/** @typedef {import('./schema-translation.cjs').Translate} Translate */
/**
 * @typedef {object} Described
 * @property {number} id as in messages; 0: it could not be described
 * @property {boolean} isPartial
 * @property {number} uses since it was described
 * @property {string} text
 */
/**
 * @typedef {object} Application
 * @property {number} schema
 * @property {number} call
 * @property {string[]} place part of the call, and members in it; empty: not known
 * @property {boolean | null} isValid null: not known
 * @property {string} value JSON; empty: none
 */

/** Library -> translation of its schemas. @type {Record<string, (schema: any) => Translate>} */
const TRANSLATORS = {
  __proto__: /** @type {any} */ (null),
  zod: () => zodSchema,
  zod3: () => zod3Schema,
  joi: () => joiSchema,
  'old-joi': () => oldJoiSchema,
  yup: () => yupSchema,
  valibot: () => valibotSchema,
  superstruct: () => structSchema,
  'io-ts': () => codecSchema,
  ajv: (validate) => ajvSchema(validate),
  'json-schema': (schema) => plainSchema(referencesIn(schema)),
  'class-validator': () => classSchema,
  'express-validator': () => contextSchema,
  nest: () => pipeSchema,
  mongoose: () => modelSchema,
  validator: () => checkSchema,
};
/** Names of libraries in messages, where they differ. @type {Record<string, string>} */
const SHOWN = { __proto__: /** @type {any} */ (null), zod3: 'zod', 'old-joi': 'joi', 'json-schema': 'typebox' };

/** @type {WeakMap<object, Described>} */
const described = new WeakMap();
let count = 0;
/** Messages that are not sent yet. @type {object[]} */
let descriptions = [];
/** @type {Application[]} */
let applications = [];

/** @param {any} validate a validator that ajv has compiled @returns {Translate} */
function ajvSchema(validate) {
  const copy = plainSchema(referencesOf(validate));
  return (schema, t) => copy(schema === validate ? read(validate, 'schema') : schema, t);
}

/**
 * @param {string} library
 * @param {object} key that stands for the schema
 * @param {any} schema
 * @returns {number} the schema's number in messages; 0: it is not described
 */
function describe(library, key, schema) {
  const known = weakMapGet(described, key);
  if (known !== undefined) {
    known.uses++;
    // The library resolves parts when it meets them first.
    if (!known.isPartial || (known.uses & (known.uses - 1)) !== 0) return known.id;
  } else if (count >= MAX_SCHEMAS) return 0;
  const own = known ?? { id: 0, isPartial: false, uses: 0, text: '' };
  weakMapSet(described, key, own);
  const translation = new Translation(TRANSLATORS[library](schema));
  const text = encode(translation.whole(schema));
  own.isPartial = translation.isPartial;
  if (text === own.text || text === '{}' || text.length > MAX_DESCRIPTION) return own.id;
  own.text = text;
  own.id = ++count;
  descriptions[descriptions.length] = {
    type: 'schema',
    id: own.id,
    library: SHOWN[library] ?? library,
    schema: new RawJson(text),
  };
  return own.id;
}

/**
 * Notes that a schema was applied in the running call.
 * @param {string} library
 * @param {any} schema
 * @param {unknown} value
 * @param {boolean | null} isValid
 * @param {{ place?: string[], key?: object, source?: any }} [more] the place if it is known, an object that stands for
 *   the schema, and what the value was made of
 * @returns {Application | null}
 */
function note(library, schema, value, isValid, { place, key = schema, source = value } = {}) {
  const record = mayNote();
  if (record === null || (typeof key !== 'object' && typeof key !== 'function') || key === null || isProxy(key)) {
    return null;
  }
  const id = describe(library, key, schema);
  if (id === 0 || isFull(record.call)) return null;
  const application = {
    schema: id,
    call: record.call,
    place: place ?? partOf(record, source),
    isValid,
    value: snapshot(value),
  };
  applications[applications.length] = application;
  return application;
}

/** @param {number} call @returns {boolean} whether no more applications of the call are kept */
function isFull(call) {
  let ofCall = 0;
  for (let index = applications.length - 1; index >= 0; index--) if (applications[index].call === call) ofCall++;
  return ofCall >= MAX_PER_CALL;
}

/** @returns {import('../calls/recorder.cjs').CallRecord | null} null if applications are not noted now */
function mayNote() {
  if (recorder.record === null || applications.length >= MAX_APPLICATIONS || isLate()) return null;
  return runningRecord();
}

/** Members of a request under which frameworks keep parsed input -> names of parts in messages. */
const PARTS = [
  ['body', 'body'],
  ['query', 'query'],
  ['params', 'path'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
];

/**
 * @param {import('../calls/recorder.cjs').CallRecord} record
 * @param {unknown} value
 * @returns {string[]} the part of the request, or of the answer of a service, that it is; empty: not known
 */
function partOf({ response }, value) {
  const piped = placeInPipe(value);
  if (piped !== undefined) return piped;
  const answered = placeOf(value);
  if (answered !== undefined) return ['answer', '' + answered.ids[0], ...answered.path];
  if (typeof value !== 'object' || value === null || typeof response !== 'object' || response === null) return [];
  const request = isProxy(response) ? undefined : ownData(response, 'req');
  if (typeof request !== 'object' || request === null || isProxy(request)) return [];
  for (let index = 0; index < PARTS.length; index++) {
    if (ownData(request, PARTS[index][0]) === value) return [PARTS[index][1]];
  }
  return [];
}

/** What is special about the applications of some libraries. @type {Record<string, (args: ArrayLike<any>) => void>} */
const SPECIAL = {
  __proto__: /** @type {any} */ (null),
  'class-validator'(args) {
    const object = args[1];
    if (!isRuledClass(object)) return;
    const schema = rulesOptions(object, args[4]);
    note('class-validator', schema, object, !hasErrors(args[3]), { source: sourceOf(object) });
  },
  'express-validator'(args) {
    const context = args[1];
    const places = placesOf(context, args[2]);
    for (let index = 0; index < places.length; index++) {
      const { key, value, place } = places[index];
      note('express-validator', context, value, args[3], { place, key });
    }
  },
  claims: checked,
  claim: checkedOne,
  validator(args) {
    const check = typeof args[2] === 'string' ? checkOf(args[1], args[4]) : null;
    if (check !== null) note('validator', check, args[2], null);
  },
  nest(args) {
    const place = pipePlace(args[4]);
    if (place !== null) note('nest', { pipe: args[1], kind: args[5] }, args[2], args[3], { place, key: args[1] });
  },
  mongoose(args) {
    const value = args[2];
    if (typeof value !== 'object' || value === null) return;
    const constructor = read(args[1], 'constructor');
    const schema = read(args[1], '$__schema') ?? read(constructor, 'schema');
    if (typeof schema === 'object' && schema !== null) note('mongoose', schema, value, null);
  },
};

/**
 * What is noted while schemas are made, also outside of calls.
 * @type {Record<string, (args: ArrayLike<any>) => void>}
 */
const MAKING = {
  __proto__: /** @type {any} */ (null),
  'claims-made': made,
  'express-validator-list': (args) => noteListLimits(args[1], args[2]),
  'zod3-lazy': (args) => noteLazy(args[1], args[2]),
  'superstruct-maker': (args) => noteMaker(args[1], args[2]),
  'superstruct-made': (args) => noteMade(args[1]),
};

/** Called by inserted code: (library, schema, value, outcome, ...more). */
function applied() {
  try {
    const making = MAKING[arguments[0]];
    if (making !== undefined) return making(arguments);
    if (recorder.record === null) return undefined;
    const special = SPECIAL[arguments[0]];
    if (special !== undefined) special(arguments);
    else note(arguments[0], arguments[1], arguments[2], arguments[3]);
    return undefined;
  } catch {
    return undefined; // the schema has another structure than known
  }
}

/**
 * Called by a validator of ajv when it starts: it may change the value, so that this is the time to read it.
 * @param {string} library
 * @param {any} validate
 * @param {unknown} value
 * @returns {Application | null}
 */
function entered(library, validate, value) {
  if (recorder.record === null) return null;
  try {
    const schema = read(validate, 'schema');
    const id = read(schema, '$id');
    if (typeof id === 'string' && indexOf(id, '//json-schema.org/') >= 0) return null;
    return note(library, validate, value, null);
  } catch {
    return null;
  }
}

/**
 * @param {Application} application
 * @param {boolean | null} isValid
 */
function left(application, isValid) {
  application.isValid = isValid;
}

/** Makes the functions available to the inserted code of this realm. */
function publishApplied() {
  /** @type {Record<string, Function>} */
  const functions = {
    [APPLIED]: applied,
    [ENTERED]: entered,
    [LEFT]: left,
    [GENERATED]: generatedText,
    [HANDLED]: noteThrown,
  };
  for (const name in functions) {
    defineProperty(globalThis, name, {
      value: functions[name],
      enumerable: false,
      writable: false,
      configurable: false,
    });
  }
}

bundledValidations.note = applied;

/** @returns {object[]} messages that describe schemas; each is returned once */
function takeDescriptions() {
  if (descriptions.length === 0) return descriptions;
  const taken = descriptions;
  descriptions = [];
  return taken;
}

/** @returns {{ validations?: RawJson[] }} fields of a result */
function takeApplications() {
  if (applications.length === 0) return {};
  const taken = [];
  for (let index = 0; index < applications.length; index++) {
    const { schema, call, place, isValid, value } = applications[index];
    const fields = { schema, call, place, valid: isValid, value: new RawJson(value === '' ? 'null' : value) };
    if (value === '') fields.value = new RawJson('{"$undefined":true}');
    taken[index] = new RawJson(encode(fields));
  }
  applications = [];
  return { validations: taken };
}

module.exports = { applied, entered, left, publishApplied, takeApplications, takeDescriptions };
