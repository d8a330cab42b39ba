'use strict';
/**
 * Prints what declarations say of a library, as JSON: `shapes` of parameters by name of the operation, those of each of
 * its `overloads`, `makers` of the objects of each class, and what is `hidden` from users. It is a program of its own,
 * started by the core, and never loads the library.
 *
 * Arguments: the folder of TypeScript, the folder from which the library is found, the module as imports name it, and
 * the name of the package. Declarations are those of the package, of `@types`, or JSDoc in its JavaScript.
 */

const { join } = require('node:path');
const { SET } = require('./src/library/callable-members.cjs');
const { DeclaredShapes, CLASSES, union } = require('./src/library/declared-shapes.cjs');
const { VALUE } = require('./src/library/exported-functions.cjs');
const { ObjectMakers, isHiddenConstructor, isInternal } = require('./src/library/object-makers.cjs');

const [, , typescript, root, moduleName, packageName] = process.argv;
const ts = require(typescript);

const MAX_METHODS = 100;
/** Functions that return one type, whose results are described: 300 static methods may return a matrix with 250. */
const MAX_OF_TYPE = 8;
const MAX_LEVEL = 2;
const MAX_NAMES = 500;
const MAX_OVERLOADS = 12;
const READ_ONLY = ts.ModifierFlags.Readonly;
const PROBE = join(root, '.wimble-probe.ts');
/** Packages that can only be imported have no declarations for `require`. */
const TEXT = [
  `import library = require(${JSON.stringify(moduleName)});`,
  'export const value = library;',
  `import * as names from ${JSON.stringify(moduleName)};`,
  'export const all = names;',
].join('\n');
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
const makers = new ObjectMakers({ ts, checker, program, probe });
const declared = new DeclaredShapes({ ts, checker, program, probe }, makers);
/** @type {Record<string, import('./src/library/declared-shapes.cjs').Shape[]>} */
const found = {};
/**
 * Of operations with several signatures, each of them.
 * @type {Record<string, { shapes: import('./src/library/declared-shapes.cjs').Shape[], is_rest: boolean }[]>}
 */
const overloads = {};
/** Operations that no user may call. @type {Set<string>} */
const hidden = new Set();
/** Name of a class -> what makes its objects. @type {Record<string, string[]>} */
const makersByClass = {};
/** All that the declarations name, whatever it is. @type {Set<string>} */
const names = new Set();
/** Members of what functions return that are declared as something else than functions. @type {Set<string>} */
const data = new Set();
/** Functions whose results are described, by the type that they return. @type {Map<any, number>} */
const described = new Map();
/** What leads to a type: two names may have one type, such as a class and `default`. @type {any[]} */
const within = [];
const isComplete = listLibrary();
process.stdout.write(
  JSON.stringify({
    shapes: found,
    overloads,
    makers: makersByClass,
    hidden: [...hidden],
    data: [...data],
    names: isComplete ? [...names] : [],
  }),
);

/**
 * Notes the makers of all objects, and then the shapes, which name them.
 * @returns {boolean} whether somebody has written declarations, which name all that users may call
 */
function listLibrary() {
  const [required, imported] = [probe.statements[1], probe.statements[3]].map((statement) =>
    checker.getTypeAtLocation(statement.declarationList.declarations[0].name),
  );
  const library = required.flags & ts.TypeFlags.Any ? imported : required;
  const main = checker.getPropertyOfType(library, 'default');
  const isCallable = library.getCallSignatures().length + library.getConstructSignatures().length > 0;
  for (const visit of [noteMakers, noteShapes]) {
    // A CommonJS module may be its default export itself, whatever its declarations say; and a namespace has it as one.
    if (main !== undefined && !isCallable) list(typeOf(main), [], 0, visit);
    if (main === undefined && isCallable) list(library, ['default'], 0, visit);
    list(library, [], 0, visit);
  }
  const { declarations = [] } = library.getSymbol() || {};
  return declarations.some((/** @type {any} */ one) => one.getSourceFile().isDeclarationFile);
}

/** @param {any} symbol */
function typeOf(symbol) {
  return checker.getTypeOfSymbolAtLocation(symbol, probe);
}

/**
 * @param {any} type
 * @param {string[]} path
 * @param {number} level
 * @param {(type: any, name: string) => void} visit
 */
function list(type, path, level, visit) {
  if (within.includes(type) || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return;
  visit(type, path.length === 0 ? packageName : path.join('.'));
  if (level >= MAX_LEVEL) return;
  within.push(type);
  for (const member of checker.getPropertiesOfType(type).slice(0, MAX_NAMES)) {
    if (member.name === 'prototype' || member.name.startsWith('_')) continue;
    names.add([...path, member.name].join('.'));
    if (isInternal(ts, member.valueDeclaration)) hidden.add([...path, member.name].join('.'));
    list(typeOf(member), [...path, member.name], level + 1, visit);
  }
  within.pop();
}

/** @param {any} type @param {string} name */
function noteMakers(type, name) {
  if (hidden.has(name)) return;
  const isValue = type.getCallSignatures().length + type.getConstructSignatures().length === 0;
  if (isValue && name !== packageName) makers.note(type, VALUE + name);
  for (const signature of type.getCallSignatures()) makers.note(signature.getReturnType(), name);
  const signatures = type.getConstructSignatures();
  if (signatures.length === 0) return;
  if (isHiddenConstructor(ts, type)) hidden.add('new ' + name);
  else makers.note(signatures[0].getReturnType(), 'new ' + name);
}

/** @param {any} type @param {string} name */
function noteShapes(type, name) {
  note(name, type.getCallSignatures());
  for (const signature of type.getCallSignatures().slice(0, 1)) {
    const returned = signature.getReturnType();
    noteResult(name, checker.getAwaitedType(returned) || returned);
  }
  const signatures = type.getConstructSignatures();
  if (signatures.length === 0) return;
  // A class of the library may have a constructor that its declaration leaves out: `class Refused extends Error`.
  note('new ' + name, signatures.filter(isOfLibrary));
  const instance = signatures[0].getReturnType();
  makersByClass[name] = makers.known(instance);
  for (const member of checker.getPropertiesOfType(instance)) {
    names.add(name + '#' + member.name);
    if (isInternal(ts, member.valueDeclaration)) hidden.add(name + '#' + member.name);
    note(name + '#' + member.name, typeOf(member).getCallSignatures());
    noteSetter(name + '#' + member.name + SET, member);
  }
}

/** @param {string} name @param {any} member of a class */
function noteSetter(name, member) {
  const isMethod = typeOf(member).getCallSignatures().length > 0;
  if (isMethod || !member.valueDeclaration || ts.getCombinedModifierFlags(member.valueDeclaration) & READ_ONLY) return;
  names.add(name);
  found[name] = [declared.shapeOf(typeOf(member), 0)];
}

/** @param {any} signature @returns {boolean} whether JavaScript itself does not have it */
function isOfLibrary({ declaration }) {
  return declaration === undefined || !program.isSourceFileDefaultLibrary(declaration.getSourceFile());
}

/**
 * Methods of what a function returns; if it is a class as well, they are those of its objects.
 * @param {string} name
 * @param {any} type
 */
function noteResult(name, type) {
  const symbol = type.getSymbol();
  if (!(type.flags & ts.TypeFlags.Object) || checker.isTupleType(type) || (symbol && CLASSES[symbol.name])) return;
  const count = described.get(type) || 0;
  if (count >= MAX_OF_TYPE) return;
  described.set(type, count + 1);
  for (const member of checker.getPropertiesOfType(type).slice(0, MAX_METHODS)) {
    const signatures = typeOf(member).getCallSignatures();
    names.add(name + '()#' + member.name);
    if (isData(typeOf(member))) data.add(name + '()#' + member.name);
    note(name + '#' + member.name, signatures);
    note(name + '()#' + member.name, signatures);
  }
}

/** @param {any} type @returns {boolean} whether nobody who reads it would call what has it */
function isData(type) {
  const { Any, Unknown, TypeParameter, Never } = ts.TypeFlags;
  const parts = type.isUnion() ? type.types : [type];
  const mayBeFunction = (/** @type {any} */ one) =>
    one.flags & (Any | Unknown | TypeParameter | Never) || one.getCallSignatures().length > 0 || isFunctionClass(one);
  return !parts.some(mayBeFunction);
}

/** @param {any} type @returns {boolean} whether it is `Function`, or any object: `{}`, `object` */
function isFunctionClass(type) {
  const symbol = type.getSymbol();
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) !== 0;
  if (symbol && CLASSES[symbol.name] === 'function') return true;
  return isObject && checker.getPropertiesOfType(type).length === 0;
}

/** @param {string} name @param {any[]} signatures */
function note(name, signatures) {
  if (signatures.length === 0) return;
  /** @type {import('./src/library/declared-shapes.cjs').Shape[]} */
  const shapes = [];
  const lists = signatures.map((signature) => signature.parameters.flatMap(ofParameters));
  if (lists.length > 1) {
    overloads[name] = lists.slice(0, MAX_OVERLOADS).map((shapes, index) => ({
      shapes: shapes.map((/** @type {import('./src/library/declared-shapes.cjs').Shape} */ one) => ({ ...one })),
      is_rest: hasRest(signatures[index]),
    }));
  }
  const least = Math.min(...lists.map((list) => list.length));
  for (const list of lists) {
    list.forEach(
      (/** @type {import('./src/library/declared-shapes.cjs').Shape} */ shape, /** @type {number} */ index) => {
        if (index >= least) shape.is_optional = true;
        shapes[index] = shapes[index] === undefined ? shape : union(shapes[index], shape);
      },
    );
  }
  found[name] = shapes;
}

/** @param {any} signature @returns {boolean} whether its last parameter takes any number of arguments */
function hasRest({ parameters }) {
  const last = parameters[parameters.length - 1];
  return last !== undefined && isRest(last) && !checker.isTupleType(listOf(last));
}

/** @param {any} parameter */
function isRest({ valueDeclaration }) {
  return (
    valueDeclaration !== undefined && ts.isParameter(valueDeclaration) && valueDeclaration.dotDotDotToken !== undefined
  );
}

/** @param {any} parameter @returns {any} its type; of `(...parts: R)`, what `R` extends */
function listOf(parameter) {
  const type = typeOf(parameter);
  return (type.flags & ts.TypeFlags.TypeParameter && checker.getBaseConstraintOfType(type)) || type;
}

/**
 * @param {any} parameter
 * @returns {import('./src/library/declared-shapes.cjs').Shape[]} several, of `(...[first, second]: [string, number])`
 */
function ofParameters(parameter) {
  const type = listOf(parameter);
  if (!isRest(parameter) || !checker.isTupleType(type)) return [ofParameter(parameter)];
  const { Required } = ts.ElementFlags;
  return checker.getTypeArguments(type).map((/** @type {any} */ one, /** @type {number} */ index) => ({
    ...declared.shapeOf(one, 0),
    ...(type.target.elementFlags[index] & Required ? {} : { is_optional: true }),
  }));
}

/** @param {any} parameter @returns {import('./src/library/declared-shapes.cjs').Shape} */
function ofParameter(parameter) {
  const declaration = parameter.valueDeclaration;
  const type = typeOf(parameter);
  if (declaration === undefined || !ts.isParameter(declaration)) return declared.shapeOf(type, 0);
  if (declaration.dotDotDotToken !== undefined) {
    const [element] = checker.getTypeArguments(listOf(parameter));
    return element === undefined ? { kinds: [] } : { ...declared.shapeOf(element, 0), is_optional: true };
  }
  const shape = declared.shapeOf(type, 0);
  if (checker.isOptionalParameter(declaration)) shape.is_optional = true;
  return shape;
}
