'use strict';
/**
 * Prints what declarations say of the parameters of a library's functions, as JSON: name of an operation -> shapes. It
 * is a program of its own, started by the core, and never loads the library.
 *
 * Arguments: the folder of TypeScript, the folder from which the library is found, the module as imports name it, and
 * the name of the package. Declarations are those of the package, of `@types`, or JSDoc in its JavaScript.
 */

const { join } = require('node:path');

const [, , typescript, root, moduleName, packageName] = process.argv;
const ts = require(typescript);

const MAX_DEPTH = 3;
const MAX_MEMBERS = 40;
const MAX_METHODS = 100;
const MAX_VALUES = 60;
const MAX_LEVEL = 2;
const MAX_NAMES = 500;
const MAX_CHOICES = 8;
/** Class of the standard library -> kind of argument. @type {Record<string, string>} */
const CLASSES = {
  // @ts-expect-error: a name such as `toString` is none of a class
  __proto__: null,
  Date: 'Date',
  RegExp: 'RegExp',
  Map: 'Map',
  ReadonlyMap: 'Map',
  Set: 'Set',
  ReadonlySet: 'Set',
  Buffer: 'Buffer',
  Uint8Array: 'Buffer',
  Function: 'function',
  // Calls have no notation for symbols; like functions, no other value is a sensible argument in their place.
  Symbol: 'function',
  Array: 'array',
  ReadonlyArray: 'array',
  ArrayLike: 'array',
  Iterable: 'array',
  String: 'string',
  Number: 'number',
  Boolean: 'boolean',
};

/** @typedef {{ kinds: string[], values?: any[], is_closed?: boolean, members?: Record<string, Shape>, required?: string[], choices?: Shape[], items?: Shape, others?: Shape, places?: Shape[], is_optional?: boolean }} Shape */

const PROBE = join(root, '.wimble-probe.ts');
const TEXT = `import library = require(${JSON.stringify(moduleName)});\nexport const value = library;\n`;
const options = {
  allowJs: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  maxNodeModuleJsDepth: 3,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  types: [],
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.getSourceFile = (/** @type {string} */ name, /** @type {any[]} */ ...more) =>
  name === PROBE ? ts.createSourceFile(name, TEXT, options.target) : getSourceFile.call(host, name, ...more);
host.fileExists = (/** @type {string} */ name) => name === PROBE || fileExists.call(host, name);
host.readFile = (/** @type {string} */ name) => (name === PROBE ? TEXT : readFile.call(host, name));

const program = ts.createProgram([PROBE], options, host);
const checker = program.getTypeChecker();
const probe = program.getSourceFile(PROBE);
/** @type {Record<string, Shape[]>} */
const found = {};
/** What leads to a type: two names may have one type, such as a class and `default`. @type {any[]} */
const within = [];
list(checker.getTypeAtLocation(probe.statements[1].declarationList.declarations[0].name), [], 0);
process.stdout.write(JSON.stringify(found));

/** @param {any} type @param {string[]} path @param {number} level */
function list(type, path, level) {
  if (within.includes(type)) return;
  const name = path.length === 0 ? packageName : path.join('.');
  note(name, type.getCallSignatures());
  note('new ' + name, type.getConstructSignatures());
  for (const signature of type.getCallSignatures().slice(0, 1)) noteResult(name, signature.getReturnType());
  for (const signature of type.getConstructSignatures().slice(0, 1)) {
    const instance = signature.getReturnType();
    for (const member of checker.getPropertiesOfType(instance)) {
      note(name + '#' + member.name, checker.getTypeOfSymbolAtLocation(member, probe).getCallSignatures());
    }
  }
  if (level >= MAX_LEVEL) return;
  within.push(type);
  for (const member of checker.getPropertiesOfType(type).slice(0, MAX_NAMES)) {
    if (member.name === 'prototype' || member.name.startsWith('_')) continue;
    list(checker.getTypeOfSymbolAtLocation(member, probe), [...path, member.name], level + 1);
  }
  within.pop();
}

/**
 * Methods of what a function returns; if it is a class as well, they are those of its objects.
 * @param {string} name
 * @param {any} type
 */
function noteResult(name, type) {
  const symbol = type.getSymbol();
  if (!(type.flags & ts.TypeFlags.Object) || checker.isTupleType(type) || (symbol && CLASSES[symbol.name])) return;
  for (const member of checker.getPropertiesOfType(type).slice(0, MAX_METHODS)) {
    const signatures = checker.getTypeOfSymbolAtLocation(member, probe).getCallSignatures();
    note(name + '#' + member.name, signatures);
    note(name + '()#' + member.name, signatures);
  }
}

/** @param {string} name @param {any[]} signatures */
function note(name, signatures) {
  if (signatures.length === 0) return;
  /** @type {Shape[]} */
  const shapes = [];
  const least = Math.min(...signatures.map((signature) => signature.parameters.length));
  for (const signature of signatures) {
    signature.parameters.forEach((/** @type {any} */ parameter, /** @type {number} */ index) => {
      const shape = ofParameter(parameter);
      if (index >= least) shape.is_optional = true;
      shapes[index] = shapes[index] === undefined ? shape : union(shapes[index], shape);
    });
  }
  found[name] = shapes;
}

/** @param {any} parameter @returns {Shape} */
function ofParameter(parameter) {
  const declaration = parameter.valueDeclaration;
  const type = checker.getTypeOfSymbolAtLocation(parameter, probe);
  if (declaration === undefined || !ts.isParameter(declaration)) return shapeOf(type, 0);
  if (declaration.dotDotDotToken !== undefined) {
    const [element] = checker.getTypeArguments(type);
    return element === undefined ? { kinds: [] } : { ...shapeOf(element, 0), is_optional: true };
  }
  const shape = shapeOf(type, 0);
  if (checker.isOptionalParameter(declaration)) shape.is_optional = true;
  return shape;
}

/** @param {any} type @param {number} depth @returns {Shape} */
function shapeOf(type, depth) {
  const { flags } = type;
  const F = ts.TypeFlags;
  if (flags & (F.Any | F.Unknown | F.Never)) return { kinds: [] };
  if (type.isUnion()) return ofUnion(type.types, depth);
  if (flags & F.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint === undefined || constraint === type ? { kinds: [] } : shapeOf(constraint, depth);
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) {
    return { kinds: [type.isStringLiteral() ? 'string' : 'number'], values: [type.value], is_closed: true };
  }
  // `boolean` is a union of both.
  if (flags & F.BooleanLiteral) return { kinds: ['boolean'], values: [checker.typeToString(type) === 'true'] };
  for (const [flag, kind] of /** @type {[number, string][]} */ ([
    [F.StringLike, 'string'],
    [F.NumberLike, 'number'],
    [F.BooleanLike, 'boolean'],
    [F.BigIntLike, 'bigint'],
    [F.Undefined | F.Void, 'undefined'],
    [F.Null, 'null'],
    [F.ESSymbolLike, 'function'],
  ])) {
    if (flags & flag) return { kinds: [kind] };
  }
  return flags & (F.Object | F.Intersection | F.NonPrimitive) ? ofObject(type, depth) : { kinds: [] };
}

/** @param {any[]} types @param {number} depth @returns {Shape} */
function ofUnion(types, depth) {
  /** @type {Shape | null} */
  let all = null;
  const objects = [];
  for (const one of types.slice(0, MAX_VALUES)) {
    const shape = shapeOf(one, depth);
    if (shape.kinds.length === 0) return { kinds: [] };
    if (shape.members !== undefined && shape.choices === undefined) objects.push(shape);
    all = all === null ? shape : union(all, shape);
  }
  if (all === null) return { kinds: [] };
  // The members of one alternative do not fit another.
  return objects.length > 1 ? { ...all, choices: objects.slice(0, MAX_CHOICES) } : all;
}

/** @param {Shape} first @param {Shape} second @returns {Shape} */
function union(first, second) {
  const shape = { ...second, ...first };
  shape.kinds = [...new Set([...first.kinds, ...second.kinds])];
  shape.values = [...new Set([...(first.values || []), ...(second.values || [])])];
  // A type of literals stays one beside others, such as `'a' | 'b' | null`.
  const isOpen = (/** @type {Shape} */ one) =>
    one.is_closed !== true && one.kinds.some((kind) => kind === 'string' || kind === 'number');
  shape.is_closed = shape.values.length > 0 && !isOpen(first) && !isOpen(second);
  shape.is_optional = first.is_optional === true || second.is_optional === true;
  if (first.members !== undefined || second.members !== undefined) {
    shape.members = { ...second.members, ...first.members };
    shape.required = (first.required || []).filter((name) => (second.required || []).includes(name));
    if (first.members === undefined) shape.required = second.required;
    if (second.members === undefined) shape.required = first.required;
    shape.others = first.others || second.others;
  }
  return shape;
}

/** @param {any} element type @param {number} depth @returns {Shape} */
function arrayOf(element, depth) {
  const hasItems = element !== undefined && depth < MAX_DEPTH;
  return hasItems ? { kinds: ['array'], items: shapeOf(element, depth + 1) } : { kinds: ['array'] };
}

/** @param {any} type @param {number} depth @returns {Shape} */
function ofObject(type, depth) {
  if (checker.isTupleType(type)) {
    return {
      kinds: ['array'],
      places: checker.getTypeArguments(type).map((/** @type {any} */ one) => shapeOf(one, depth + 1)),
    };
  }
  const symbol = type.getSymbol();
  const kind = symbol === undefined ? undefined : CLASSES[symbol.name];
  if (kind === 'array') return arrayOf(checker.getTypeArguments(type)[0], depth);
  if (kind !== undefined) return { kinds: [kind] };
  if (type.getCallSignatures().length + type.getConstructSignatures().length > 0) return { kinds: ['function'] };
  // Such as `interface List extends Array<string>`.
  const item = type.getNumberIndexType();
  if (item !== undefined && checker.getPropertyOfType(type, 'push') !== undefined) return arrayOf(item, depth);
  return depth < MAX_DEPTH ? ofMembers(type, depth) : { kinds: ['object'] };
}

/** @param {any} type @param {number} depth @returns {Shape} */
function ofMembers(type, depth) {
  /** @type {Record<string, Shape>} */
  const members = {};
  const required = [];
  for (const member of checker.getPropertiesOfType(type).slice(0, MAX_MEMBERS)) {
    if (member.name.startsWith('__@')) continue;
    members[member.name] = shapeOf(checker.getTypeOfSymbolAtLocation(member, probe), depth + 1);
    if (!(member.flags & ts.SymbolFlags.Optional)) required.push(member.name);
  }
  const others = type.getStringIndexType();
  return { kinds: ['object'], members, required, ...(others && { others: shapeOf(others, depth + 1) }) };
}
