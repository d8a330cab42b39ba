'use strict';
/** Which functions and constructors of a library make the objects of a class or an interface, by their declarations. */

const { VALUE } = require('./exported-functions.cjs');

/** Functions for one class; an exported object is there already, and a constructor is what most users call. */
const MAX_MAKERS = 40;
/** Tags of comments that say that something is none of the users' business. */
const INTERNAL_TAGS = new Set(['private', 'protected', 'internal', 'ignore', 'hidden']);

/** Members that two types have in common if one is likely meant to be the other. */
const LEAST_SHARED = 2;
const BY_SYMBOL = '__@';
/** Of members whose names are symbols, such as `[Symbol.iterator]`: how TypeScript names them. */
const OF_JAVASCRIPT =
  /^__@(?:asyncIterator|iterator|toPrimitive|toStringTag|hasInstance|species|dispose|asyncDispose)@/;

/** @typedef {{ ts: any, checker: any, program: any, probe: any }} TypeScript what reads declarations */

class ObjectMakers {
  /** @param {TypeScript} typescript */
  constructor(typescript) {
    this.typescript = typescript;
    /** By the symbol of a class. @type {Map<any, string[]>} */
    this.bySymbol = new Map();
    /** The same, of interfaces without methods. @type {Map<any, string[]>} */
    this.ofData = new Map();
    /** A type of each of these. @type {Map<any, any>} */
    this.dataTypes = new Map();
    /**
     * What has a member whose name is a symbol of the library (`[brand]`), with all its members.
     * @type {{ name: string, members: Set<string> }[]}
     */
    this.marked = [];
  }

  /** @param {any} type that a function or constructor returns @param {string} name of it */
  note(type, name) {
    const symbol = this.symbolOf(type);
    if (this.hasMark(type)) {
      this.marked.push({ name, members: new Set(this.neededOf(type)) });
    }
    if (symbol === undefined) return;
    if (this.isOwn(symbol, type)) this.noteObject(symbol, type, name);
    else if (!this.isOfNode(symbol)) {
      add(this.namesOf(this.ofData, symbol), name);
      this.dataTypes.set(symbol, type);
    }
  }

  /**
   * An object of a class is one of each class that it extends, and of each interface that it implements: objects of an
   * abstract class come from those that extend it.
   * @param {any} symbol of the library
   * @param {any} type
   * @param {string} name of what makes its objects
   */
  noteObject(symbol, type, name) {
    const names = this.namesOf(this.bySymbol, symbol);
    if (names.includes(name)) return;
    add(names, name);
    for (const base of this.basesOf(symbol, type)) this.note(base, name);
  }

  /** @param {Map<any, string[]>} known @param {any} symbol @returns {string[]} */
  namesOf(known, symbol) {
    const names = known.get(symbol) || [];
    known.set(symbol, names);
    return names;
  }

  /**
   * @param {any} type
   * @returns {string[]} functions that return such data, as an interface without methods tells, or one that has at
   *   least the members of a type without a name
   */
  returning(type) {
    const { ts, checker } = this.typescript;
    const symbol = this.symbolOf(type);
    const known = this.ofData.get(symbol);
    if (known !== undefined || symbol === undefined || !(symbol.flags & ts.SymbolFlags.TypeLiteral)) return known || [];
    const needed = this.neededOf(type);
    if (needed.length < LEAST_SHARED) return [];
    const hasAll = (/** @type {any} */ one) =>
      needed.every((name) => checker.getPropertyOfType(one, name) !== undefined);
    const able = [...this.dataTypes].filter(([, one]) => hasAll(one));
    return able.flatMap(([data]) => this.ofData.get(data) || []).slice(0, MAX_MAKERS);
  }

  /** @param {any} symbol @param {any} type @returns {any[]} the types that it extends or implements */
  basesOf(symbol, type) {
    const { ts, checker } = this.typescript;
    if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return [];
    const clauses = (symbol.declarations || []).flatMap((/** @type {any} */ one) => [...(one.heritageClauses || [])]);
    const implemented = clauses
      .filter((/** @type {any} */ one) => one.token === ts.SyntaxKind.ImplementsKeyword)
      .flatMap((/** @type {any} */ one) => one.types.map((/** @type {any} */ name) => checker.getTypeAtLocation(name)));
    const target = type.target || type; // of `List<string>`, the type of `List`
    return [...(target.isClassOrInterface() ? checker.getBaseTypes(target) : []), ...implemented];
  }

  /** @param {any} type @returns {boolean} whether it has a member that only the library can name */
  hasMark(type) {
    return this.neededOf(type).some((name) => name.startsWith(BY_SYMBOL) && !OF_JAVASCRIPT.test(name));
  }

  /** @param {any} type @returns {string[]} names of the members that are always there */
  neededOf(type) {
    const { ts, checker } = this.typescript;
    const needed = checker
      .getPropertiesOfType(type)
      .filter((/** @type {any} */ one) => !(one.flags & ts.SymbolFlags.Optional));
    return needed.map((/** @type {any} */ one) => one.name);
  }

  /** @param {any} type @returns {string[]} names of what makes its objects, if it is a class of the library */
  known(type) {
    const makers = this.bySymbol.get(this.symbolOf(type));
    if (makers !== undefined || !this.hasMark(type)) return makers || [];
    // Such as a part of an interface, of which each object of that is one.
    const needed = this.neededOf(type);
    const able = this.marked.filter(({ members }) => needed.every((name) => members.has(name)));
    /** @type {string[]} */
    const names = [];
    for (const { name } of able) add(names, name);
    return names;
  }

  /** @param {any} type @returns {any} the symbol of a type, or of all its parts but `null` and `undefined` */
  symbolOf(type) {
    if (!type.isUnion()) return this.symbolOfPart(type);
    const { Undefined, Null } = this.typescript.ts.TypeFlags;
    const parts = type.types.filter((/** @type {any} */ one) => !(one.flags & (Undefined | Null)));
    const symbols = new Set(parts.map((/** @type {any} */ one) => this.symbolOfPart(one)));
    return symbols.size === 1 ? [...symbols][0] : undefined;
  }

  /** @param {any} type @returns {any} of an object type with a name (`type Sheet = { ... }`), the symbol of the name */
  symbolOfPart(type) {
    const symbol = type.getSymbol();
    const isNamed = symbol !== undefined && symbol.flags & this.typescript.ts.SymbolFlags.TypeLiteral;
    return isNamed && type.aliasSymbol !== undefined ? type.aliasSymbol : symbol;
  }

  /** @param {any} symbol @returns {boolean} whether JavaScript or Node declares it */
  isOfNode(symbol) {
    const { program } = this.typescript;
    return (symbol.declarations || []).some((/** @type {any} */ declaration) => {
      const file = declaration.getSourceFile();
      return program.isSourceFileDefaultLibrary(file) || file.fileName.includes('/@types/node/');
    });
  }

  /** @param {any} symbol @param {any} type */
  isOwn(symbol, type) {
    const { ts, checker, probe } = this.typescript;
    const { Class, Interface, TypeAlias } = ts.SymbolFlags;
    if (!(symbol.flags & (Class | Interface | TypeAlias)) || this.isOfNode(symbol)) return false;
    // Programs ask for a class by `instanceof`, also for one that only holds data.
    if (symbol.flags & ts.SymbolFlags.Class) return true;
    const members = checker.getPropertiesOfType(type);
    // One without members that a program can name is not for users to look into.
    return (
      members.every(isNamedBySymbol) ||
      members.some(
        (/** @type {any} */ member) => checker.getTypeOfSymbolAtLocation(member, probe).getCallSignatures().length > 0,
      )
    );
  }
}

/** @param {string[]} names of makers @param {string} name */
function add(names, name) {
  const isLeftOut = names.length >= MAX_MAKERS && !name.startsWith(VALUE) && !name.startsWith('new ');
  if (!isLeftOut && !names.includes(name)) names.push(name);
}

/** @param {any} member @returns {boolean} whether its name is a symbol: `[brand]`, `[Symbol.iterator]` */
function isNamedBySymbol(member) {
  return member.name.startsWith(BY_SYMBOL);
}

/**
 * @param {any} ts
 * @param {any} declaration of a member, a function or a constructor; undefined if there is none
 * @returns {boolean} whether it says that users may not call it
 */
function isInternal(ts, declaration) {
  if (declaration === undefined) return false;
  const { Private, Protected } = ts.ModifierFlags;
  if (ts.getCombinedModifierFlags(declaration) & (Private | Protected)) return true;
  return ts
    .getJSDocTags(declaration)
    .some(
      (/** @type {any} */ tag) =>
        INTERNAL_TAGS.has(tag.tagName.text) ||
        (tag.tagName.text === 'access' && /^(?:private|protected)/.test(tag.comment)),
    );
}

/**
 * @param {any} ts
 * @param {any} type with signatures of constructors
 * @returns {boolean} whether no program may make its objects by `new`
 */
function isHiddenConstructor(ts, type) {
  const declarations = type.getConstructSignatures().map((/** @type {any} */ one) => one.declaration);
  const owner = type.getSymbol()?.valueDeclaration;
  const isAbstract = owner !== undefined && !!(ts.getCombinedModifierFlags(owner) & ts.ModifierFlags.Abstract);
  return isAbstract || (declarations.length > 0 && declarations.every((/** @type {any} */ one) => isInternal(ts, one)));
}

module.exports = { ObjectMakers, isInternal, isHiddenConstructor, isNamedBySymbol };
