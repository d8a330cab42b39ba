'use strict';
/**
 * Texts of validation libraries in which one expression is inserted where the outcome of a validation is known. It
 * passes schema, value and outcome to the agent. In Hono, one passes the error that a handler has thrown.
 *
 * A replaced function would have a frame on the stack while the program's own refinements run; an inserted expression
 * has returned by then. Lines are kept, and functions show their original text (base/function-text.cjs).
 *
 * Law: this file has no state and reads nothing of the process: it runs in Node's thread for hooks as well.
 */

const { endsWith, hasOwn, indexOf, lastIndexOf, regExpExec, slice, startsWith } = require('../../base/intrinsics.cjs');
const { HIDDEN_END, HIDDEN_START } = require('../../base/function-text.cjs');
const { installedPackage } = require('../../base/own-files.cjs');
const { TRPC_HONO, TRPC_SERVER } = require('../../routes/trpc-texts.cjs');

/** Names of the functions of the global object that inserted code calls; they do not exist in other realms. */
const APPLIED = '__wimble_applied__';
const ENTERED = '__wimble_entered__';
const LEFT = '__wimble_left__';
const GENERATED = '__wimble_generated__';
const HANDLED = '__wimble_handled__';

/** @param {string} code */
const hidden = (code) => HIDDEN_START + code + HIDDEN_END;

/**
 * @param {string} library
 * @param {string} schema expressions in the scope of the place
 * @param {string} value
 * @param {string} isValid
 * @param {string} [more] further arguments
 */
const applied = (library, schema, value, isValid, more = '') =>
  `typeof ${APPLIED}==='function'&&${APPLIED}('${library}',${schema},${value},${isValid}${more === '' ? '' : ',' + more})`;

/**
 * A replacement of all matches in a text; `$1`, `$2` are groups of the pattern.
 * @typedef {[pattern: RegExp, text: string]} Insertion
 */

/** zod 4 and zod/mini: the parsing functions of the core. @type {Insertion[]} */
const ZOD_4 = [
  [
    /(\bif \(|\breturn )(result\.issues\.length)\b/g,
    `$1${hidden(applied('zod', 'schema', 'value', '!result.issues.length') + ',')}$2`,
  ],
];
/** @type {Insertion[]} */
const ZOD_3 = [
  [/\breturn (handleResult\(ctx, result\);)/g, `return ${hidden(applied('zod3', 'this', 'data', "result.status==='valid'") + ',')}$1`],
  [/(\bconst lazySchema = this\._def\.getter\(\);)/g, `$1${hidden(applied('zod3-lazy', 'this', 'lazySchema', 'null') + ';')}`],
]; // prettier-ignore
/** @type {Insertion[]} */
const JOI = [
  [/(\bconst result = internals\.entry\(value, schema, settings\);)/g, `$1${hidden(applied('joi', 'schema', 'value', '!result.error') + ';')}`],
]; // prettier-ignore
/** joi up to version 15. @type {Insertion[]} */
const OLD_JOI = [
  [/(\bconst errors = Errors\.process\(result\.errors, value\);)/g, `$1${hidden(applied('old-joi', 'this', 'value', '!errors') + ';')}`],
]; // prettier-ignore
/** @type {Insertion[]} */
const YUP = [
  [/\bif \((errors\.length)\) (reject|throw)/g, `if (${hidden(applied('yup', 'schema', 'value', '!errors.length') + ',')}$1) $2`],
  [/\bif \((ValidationError\.isError\(error\))\) (error\.value = parsed;)/g, `if (${hidden(applied('yup', 'schema', 'value', 'false') + ',')}$1) $2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const OLD_YUP = [
  [/\bif \((err)\) (reject\(err\);|throw err;)/g, `if (${hidden(applied('yup', 'schema', 'arguments[0]', '!err') + ',')}$1) $2`],
]; // prettier-ignore
/** The text of a compiled validator, before it is compiled. @type {Insertion[]} */
const AJV = [
  [/\b(const|var) (makeValidate = new Function\()/g, `${hidden(`sourceCode=typeof ${GENERATED}==='function'?${GENERATED}(sourceCode):sourceCode;`)}$1 $2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const VALIBOT = [
  [/(\bconst dataset = (?:await )?schema(?:\["~run"\]|\._run)\([^]*?\);)(?=\n)/g, `$1${hidden(applied('valibot', 'schema', 'input', '!dataset.issues') + ';')}`],
  [/\breturn (!schema(?:\["~run"\]|\._run)\(\{[^\n]*\.issues;)/g, `return ${hidden(applied('valibot', 'schema', 'input', 'null') + ',')}$1`],
]; // prettier-ignore
/** @type {Insertion[]} */
const CLASS_VALIDATOR = [
  [/(\breturn )(executor\.stripEmptyErrors\(validationErrors\);)/g, `$1${hidden(applied('class-validator', 'object', 'object', 'validationErrors', 'options') + ',')}$2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const EXPRESS_VALIDATOR = [
  [/(\breturn )(new ResultWithContext(?:Impl)?\(context\);\n {4}\}\n\})/g, `$1${hidden(applied('express-validator', 'context', 'req', '!context._errors.length') + ',')}$2`],
]; // prettier-ignore
/** The limits of a list are known to a closure only. @type {Insertion[]} */
const EXPRESS_VALIDATOR_LISTS = [
  [/(\bisArray\(options(?: = \{\})?\) \{\s+)(return this\.custom\(value => Array\.isArray\(value\) &&)/g, `$1${hidden(applied('express-validator-list', 'this.builder', 'options', 'null') + ';')}$2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const SUPERSTRUCT = [
  [/(\bconst tuple = shiftIterator\(tuples\);)/g, `$1${hidden(applied('superstruct', 'struct', 'value', '!tuple[0]') + ';')}`],
]; // prettier-ignore
/** @type {Insertion[]} */
const IO_TS = [
  [/\b(return this\.validate\(i, \[\{ key: '', type: this)/g, `${hidden(applied('io-ts', 'this', 'i', 'null') + ';')}$1`],
]; // prettier-ignore
/** Functions of superstruct whose structs tell what they were called with. */
const MAKERS = ['optional', 'nullable', 'refine', 'coerce', 'union', 'tuple', 'record', 'intersection', 'dynamic', 'lazy', 'deprecated', 'min', 'max', 'size', 'pattern', 'nonempty', 'empty', 'defaulted', 'trimmed']; // prettier-ignore
const STRUCTS =
  /\n *function (\w+)\(|\breturn new Struct\(\{|\breturn (?:refine|coerce)\(|\n *constructor\(props\) \{/g;

/**
 * Inserts, in front of each struct that a function of superstruct makes, the function's name and arguments.
 * @param {string} text
 */
function makersText(text) {
  let result = '';
  let end = 0;
  let name = '';
  STRUCTS.lastIndex = 0;
  for (let match = regExpExec(STRUCTS, text); match !== null; match = regExpExec(STRUCTS, text)) {
    if (match[1] !== undefined) {
      name = match[1];
      continue;
    }
    const isConstructor = endsWith(match[0], '{') && match[0][0] === '\n';
    const isKnown = isOneOf(MAKERS, name);
    if (!isConstructor && !isKnown) continue;
    const at = isConstructor ? match.index + match[0].length : match.index;
    const call = isConstructor
      ? applied('superstruct-made', 'this', 'null', 'null')
      : applied('superstruct-maker', `'${name}'`, 'arguments', 'null');
    result += slice(text, end, at) + hidden(call + ';');
    end = at;
  }
  return result + slice(text, end);
}

/**
 * @param {string[]} names
 * @param {string} name
 */
function isOneOf(names, name) {
  for (let index = 0; index < names.length; index++) if (names[index] === name) return true;
  return false;
}

/** @type {Insertion[]} */
const TYPEBOX_COMPILER = [
  [/(\n {4}Check\(value\) \{\n {8}return )(this\.checkFunc\(value\);)/g, `$1${hidden(applied('json-schema', 'this.schema', 'value', 'null') + ',')}$2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const TYPEBOX_CHECK = [
  [/(\nfunction Check\(\.\.\.args\) \{\n {4}return )(args\.length)/g, `$1${hidden(applied('json-schema', 'args[0]', 'args[args.length-1]', 'null') + ',')}$2`],
  [/(\nexport function Check\(\.\.\.args\) \{\n {4}return )(args\.length)/g, `$1${hidden(applied('json-schema', 'args[0]', 'args[args.length-1]', 'null') + ',')}$2`],
]; // prettier-ignore
/** The package `typebox`, which goes on from version 1. @type {Insertion[]} */
const TYPEBOX_1_VALIDATOR = [
  [/(\n {4}Check\(value\) \{\n {8}return )(this\.evaluateResult\.Check\(value\);)/g, `$1${hidden(applied('json-schema', 'this.buildResult.Schema()', 'value', 'null') + ',')}$2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const TYPEBOX_1_CHECK = [
  [/(\nexport function Check\(\.\.\.args\) \{)/g, `$1${hidden(applied('json-schema', 'args[args.length-2]', 'args[args.length-1]', 'null') + ';')}`],
]; // prettier-ignore
/** @type {Insertion[]} */
const MONGOOSE = [
  [/(\nfunction Document\(obj, fields, (?:skipId, )?options[^)]*\) \{)/g, `$1${hidden(applied('mongoose', 'this', 'obj', 'null') + ';')}`],
]; // prettier-ignore

const handled = hidden(`typeof ${HANDLED}==='function'&&${HANDLED}(err);`);
/** Where errors reach `onError` or the default handler, without and with middleware. @type {Insertion[]} */
const HONO = [[/(\bhandleError\(err, c\) \{)/g, `$1${handled}`]];
/** @type {Insertion[]} */
const HONO_COMPOSE = [[/(\bcatch \(err\) \{)/g, `$1${handled}`]];

/** Checks of tokens (demanded-claims.cjs). @type {Insertion[]} */
const JSONWEBTOKEN = [
  [/(\n {2}options = Object\.assign\(\{\}, options\);)/g, `$1${hidden(applied('claims', 'options', 'null', 'null') + ';')}`],
]; // prettier-ignore
/** @type {Insertion[]} */
const JOSE = [
  [/(\bconst \{ requiredClaims = \[\], issuer, subject, audience, maxTokenAge \} = options\b)/g, `${hidden(applied('claims', 'options', 'null', 'null') + ';')}$1`],
]; // prettier-ignore
/** @type {Insertion[]} */
const AUTH0 = [
  [/(\bconst defaultValidators = \(issuer, audience, [^)]*\) => \()(\{)/g, `$1${hidden(applied('claims', '{issuer,audience}', 'null', 'null') + ',')}$2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const FAST_JWT = [
  [/(\n {2})(if \(allowedAud\) \{\n {4}validators\.push)/g, `$1${hidden(applied('claims-made', '{issuer:allowedIss,audience:allowedAud,subject:allowedSub}', 'null', 'null') + ';')}$2`],
]; // prettier-ignore
/** @type {Insertion[]} */
const FAST_JWT_CHECK = [...FAST_JWT, [/(\nfunction verifyToken\([^]*?\)\s*\{)(?=\n)/g, `$1${hidden(applied('claims', 'null', 'null', 'null') + ';')}`]]; // prettier-ignore
/** @type {Insertion[]} */
const AWS_JWT = [
  [/(\bfunction assertString(?:Equals|ArrayContainsString|ArraysOverlap)\(name, actual, expected, errorConstructor = [\w.]+\) \{)/g, `$1${hidden(applied('claim', 'name', 'expected', 'null') + ';')}`],
]; // prettier-ignore
/** @type {Insertion[]} */
const GOOGLE_AUTH = [
  [/(\basync verifySignedJwtWithCertsAsync\(jwt, certs, requiredAudience, issuers, maxExpiry\) \{)/g, `$1${hidden(applied('claims', '{audience:requiredAudience,issuer:issuers}', 'null', 'null') + ';')}`],
]; // prettier-ignore

/** @param {string} name of a pipe of Nest @returns {Insertion[]} */
const pipe = (name) => [
  [/(\n {4}(?:async )?transform\(value(?:, metadata)?\) \{)/g, `$1${hidden(applied('nest', 'this', 'value', 'null', `arguments[1],'${name}'`) + ';')}`],
]; // prettier-ignore

/** Functions of the package `validator`, each in a file of its name. @type {Insertion[]} */
const VALIDATOR = [
  [/(\n(?:export default )?function (is[A-Z]\w*|matches|equals|contains)\(str\b[^)]*\) \{)/g, `$1${hidden(applied('validator', "'$2'", 'str', 'null', 'arguments') + ';')}`],
]; // prettier-ignore
/**
 * Packages whose files have names that change with the version, or are many.
 * @type {Record<string, { file: RegExp, insertions: Insertion[] }>}
 */
const BY_PATTERN = {
  jose: { file: /\/lib\/jwt_claims_set\.js$/, insertions: JOSE },
  validator: { file: /\/lib\/(?:is[A-Z]\w*|matches|equals|contains)\.js$/, insertions: VALIDATOR },
  '@trpc/server': { file: /\/dist\/[^]*\.[cm]?js$/, insertions: TRPC_SERVER },
  '@hono/trpc-server': { file: /\/dist\/[^]*\.[cm]?js$/, insertions: TRPC_HONO },
};

/** Package -> end of a file's path in it -> insertions. @type {Record<string, Record<string, Insertion[]>>} */
const WATCHED = {
  zod: {
    'v4/core/parse.js': ZOD_4,
    'v4/core/parse.cjs': ZOD_4,
    'v3/types.js': ZOD_3,
    'v3/types.cjs': ZOD_3,
    'lib/types.js': ZOD_3,
    'lib/index.mjs': ZOD_3,
  },
  '@zod/core': { 'dist/parse.js': ZOD_4 },
  joi: { 'lib/validator.js': JOI, 'lib/types/any/index.js': OLD_JOI },
  '@hapi/joi': { 'lib/validator.js': JOI, 'lib/types/any/index.js': OLD_JOI },
  '@hapi/validate': { 'lib/validator.js': JOI },
  yup: { 'index.js': YUP, 'index.esm.js': YUP, 'lib/schema.js': OLD_YUP, 'es/schema.js': OLD_YUP },
  ajv: { 'dist/compile/index.js': AJV, 'lib/compile/index.js': AJV },
  valibot: {
    'dist/index.js': VALIBOT,
    'dist/index.cjs': VALIBOT,
    'dist/index.mjs': VALIBOT,
  },
  'class-validator': {
    'cjs/validation/Validator.js': CLASS_VALIDATOR,
    'esm2015/validation/Validator.js': CLASS_VALIDATOR,
    'esm5/validation/Validator.js': CLASS_VALIDATOR,
  },
  'express-validator': {
    'lib/chain/context-runner-impl.js': EXPRESS_VALIDATOR,
    'src/chain/context-runner-impl.js': EXPRESS_VALIDATOR,
    'lib/chain/validators-impl.js': EXPRESS_VALIDATOR_LISTS,
    'src/chain/validators-impl.js': EXPRESS_VALIDATOR_LISTS,
  },
  superstruct: { 'dist/index.cjs': SUPERSTRUCT, 'dist/index.mjs': SUPERSTRUCT, 'lib/index.cjs': SUPERSTRUCT, 'lib/index.mjs': SUPERSTRUCT },
  'io-ts': { 'lib/index.js': IO_TS, 'es6/index.js': IO_TS },
  '@sinclair/typebox': {
    'build/cjs/compiler/compiler.js': TYPEBOX_COMPILER,
    'build/esm/compiler/compiler.mjs': TYPEBOX_COMPILER,
    'build/cjs/value/check/check.js': TYPEBOX_CHECK,
    'build/esm/value/check/check.mjs': TYPEBOX_CHECK,
  },
  typebox: {
    'build/compile/validator.mjs': TYPEBOX_1_VALIDATOR,
    'build/value/check/check.mjs': TYPEBOX_1_CHECK,
  },
  mongoose: { 'lib/document.js': MONGOOSE },
  jsonwebtoken: { 'verify.js': JSONWEBTOKEN },
  'express-oauth2-jwt-bearer': { 'dist/index.js': AUTH0 },
  'fast-jwt': { 'src/verifier.js': FAST_JWT_CHECK },
  'aws-jwt-verify': { 'dist/cjs/assert.js': AWS_JWT, 'dist/esm/assert.js': AWS_JWT },
  'google-auth-library': { 'build/src/auth/oauth2client.js': GOOGLE_AUTH },
  hono: {
    'dist/hono-base.js': HONO,
    'dist/cjs/hono-base.js': HONO,
    'dist/compose.js': HONO_COMPOSE,
    'dist/cjs/compose.js': HONO_COMPOSE,
  },
  '@nestjs/common': {
    'pipes/parse-int.pipe.js': pipe('int'),
    'pipes/parse-float.pipe.js': pipe('float'),
    'pipes/parse-bool.pipe.js': pipe('bool'),
    'pipes/parse-uuid.pipe.js': pipe('uuid'),
    'pipes/parse-enum.pipe.js': pipe('enum'),
    'pipes/parse-date.pipe.js': pipe('date'),
  },
}; // prettier-ignore

/** @param {string} path */
function insertionsFor(path) {
  const owner = installedPackage(path);
  if (owner === null) return null;
  if (hasOwn(BY_PATTERN, owner.name)) {
    const watched = BY_PATTERN[owner.name];
    return regExpExec(watched.file, path) === null ? null : watched.insertions;
  }
  if (!hasOwn(WATCHED, owner.name)) return null;
  const files = WATCHED[owner.name];
  for (const file in files) if (endsWith(path, owner.folder + '/' + file)) return files[file];
  return null;
}

/** @param {string} path of a file @returns {boolean} whether its package has watched files */
function isOfWatched(path) {
  const owner = installedPackage(path);
  return owner !== null && (hasOwn(BY_PATTERN, owner.name) || hasOwn(WATCHED, owner.name));
}

/** @param {string} path of a file */
function isWatched(path) {
  return insertionsFor(path) !== null;
}

/**
 * @param {string} text of a file that Node compiles
 * @param {string} path absolute
 * @returns {string} the text, with the insertions if it is a known file of a library
 */
function watchedText(text, path) {
  const insertions = insertionsFor(path);
  if (insertions === null || indexOf(text, HIDDEN_START) >= 0) return text;
  let watched = text;
  for (let index = 0; index < insertions.length; index++) {
    watched = replaced(watched, insertions[index][0], insertions[index][1]);
  }
  return insertions === SUPERSTRUCT ? makersText(watched) : watched;
}

/**
 * `String.prototype.replace` calls methods of the pattern that the program may have replaced.
 * @param {string} text
 * @param {RegExp} pattern global, without empty matches
 * @param {string} template in which `$1` and `$2` stand for groups
 */
function replaced(text, pattern, template) {
  let result = '';
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = regExpExec(pattern, text); match !== null; match = regExpExec(pattern, text)) {
    result += slice(text, end, match.index) + filled(template, match);
    end = match.index + match[0].length;
  }
  return result + slice(text, end);
}

/**
 * @param {string} template
 * @param {RegExpExecArray} match
 */
function filled(template, match) {
  let result = '';
  for (let index = 0; index < template.length; index++) {
    const group = template[index] === '$' ? template[index + 1] : '';
    if (group === '1' || group === '2') {
      result += match[group === '1' ? 1 : 2];
      index++;
    } else result += template[index];
  }
  return result;
}

/**
 * Names of packages with watched files, in the form of the loader's announced files.
 * @type {Record<string, string[]>}
 */
const watchedPackages = { __proto__: /** @type {any} */ (null) };
for (const name in WATCHED) watchedPackages[name] = [];
for (const name in BY_PATTERN) watchedPackages[name] = [];

const HEAD_8 = /return (async )?function (\w+)\(data, ?(\{[^()]*\}=\{\}|\w+)\)\{/;
const HEAD_6 = /var (validate) = (async )?\(?function\(data, dataPath[^)]*\) ?\{/;

/**
 * @param {string} source of a validator that ajv has generated
 * @returns {string} the text that calls the agent at its start and, whatever its outcome, at its end
 */
function generatedText(source) {
  const head = regExpExec(HEAD_8, source) ?? regExpExec(HEAD_6, source);
  if (head === null) return source;
  const isNew = startsWith(head[0], 'return');
  const name = isNew ? head[2] : head[1];
  const isAsync = (isNew ? head[1] : head[2]) !== undefined;
  const start = head.index + head[0].length;
  const end = isNew ? source.length - 1 : lastIndexOf(source, '}; return validate;');
  if (end < start || source[end] !== '}') return source;
  const isTop = isNew ? "(typeof instancePath==='undefined'||instancePath==='')" : '!dataPath';
  const entry = `var __wimble_a__=typeof ${ENTERED}==='function'&&${isTop}?${ENTERED}('ajv',${name},data):null;try{`;
  const exit = `}finally{if(__wimble_a__!==null)${LEFT}(__wimble_a__,${isAsync ? 'null' : name + '.errors===null'})}`;
  return slice(source, 0, start) + hidden(entry) + slice(source, start, end) + hidden(exit) + slice(source, end);
}

module.exports = {
  APPLIED,
  ENTERED,
  GENERATED,
  HANDLED,
  LEFT,
  generatedText,
  isOfWatched,
  isWatched,
  watchedPackages,
  watchedText,
};
