'use strict';
/**
 * Translates types of TypeScript to shapes of arguments, as `argument_shape.Shape` of the core.
 *
 * An object of a class of the library is made by the library: its shape names the functions that return one.
 */

const { isNamedBySymbol } = require('./object-makers.cjs');

const MAX_DEPTH = 3;
const MAX_MEMBERS = 80;
const MAX_VALUES = 60;
const MAX_CHOICES = 24;
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

/**
 * @typedef {{ kinds: string[], values?: any[], is_closed?: boolean, is_cut?: boolean, members?: Record<string, Shape>,
 *   required?: string[], needed?: string[], choices?: Shape[], items?: Shape, makers?: string[], others?: Shape,
 *   places?: Shape[], is_optional?: boolean }} Shape
 */

class DeclaredShapes {
  /**
   * @param {import('./object-makers.cjs').TypeScript} typescript
   * @param {import('./object-makers.cjs').ObjectMakers} makers
   */
  constructor(typescript, makers) {
    this.typescript = typescript;
    this.makers = makers;
  }

  /** @param {any} type @param {number} depth @returns {Shape} */
  shapeOf(type, depth) {
    const { ts, checker } = this.typescript;
    const { flags } = type;
    const F = ts.TypeFlags;
    if (flags & (F.Any | F.Unknown | F.Never)) return { kinds: [] };
    if (type.isUnion()) return this.ofUnion(type.types, depth);
    if (flags & F.TypeParameter) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint === undefined || constraint === type ? { kinds: [] } : this.shapeOf(constraint, depth);
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
    return flags & (F.Object | F.Intersection | F.NonPrimitive) ? this.ofObject(type, depth) : { kinds: [] };
  }

  /** @param {any[]} types @param {number} depth @returns {Shape} */
  ofUnion(types, depth) {
    /** @type {Shape | null} */
    let all = null;
    const objects = [];
    for (const one of types.slice(0, MAX_VALUES)) {
      const shape = this.shapeOf(one, depth);
      if (shape.kinds.length === 0) return { kinds: [] };
      if (shape.members !== undefined && shape.choices === undefined) objects.push(shape);
      all = all === null ? shape : union(all, shape);
    }
    if (all === null) return { kinds: [] };
    // The members of one alternative do not fit another.
    return objects.length > 1 ? { ...all, choices: objects.slice(0, MAX_CHOICES) } : all;
  }

  /** @param {any} element type @param {number} depth @returns {Shape} */
  arrayOf(element, depth) {
    const hasItems = element !== undefined && depth < MAX_DEPTH;
    return hasItems ? { kinds: ['array'], items: this.shapeOf(element, depth + 1) } : { kinds: ['array'] };
  }

  /** @param {any} type @param {number} depth @returns {Shape} */
  ofTuple(type, depth) {
    const { ts, checker } = this.typescript;
    const shapes = checker.getTypeArguments(type).map((/** @type {any} */ one) => this.shapeOf(one, depth + 1));
    const { elementFlags, minLength } = type.target;
    if (!elementFlags.some((/** @type {number} */ one) => one & ts.ElementFlags.Variable)) {
      return { kinds: ['array'], places: shapes };
    }
    // `[Point, ...Point[]]` has at least one, and any number of others.
    const needed = minLength > 0 ? { needed: [String(minLength - 1)] } : {};
    return { kinds: ['array'], items: shapes.reduce(union), ...needed };
  }

  /** @param {any} type @param {number} depth @returns {Shape} */
  ofObject(type, depth) {
    const { checker } = this.typescript;
    if (checker.isTupleType(type)) return this.ofTuple(type, depth);
    const symbol = type.getSymbol();
    const kind = symbol === undefined ? undefined : CLASSES[symbol.name];
    if (kind === 'array') return this.arrayOf(checker.getTypeArguments(type)[0], depth);
    if (kind !== undefined) return { kinds: [kind] };
    if (type.getCallSignatures().length + type.getConstructSignatures().length > 0) return { kinds: ['function'] };
    // Such as `interface List extends Array<string>`.
    const item = type.getNumberIndexType();
    if (item !== undefined && checker.getPropertyOfType(type, 'push') !== undefined) return this.arrayOf(item, depth);
    // Who needs such an object gets it from the library.
    const makers = this.makers.known(type);
    if (makers.length > 0) return { kinds: ['instance'], makers };
    const shape = depth < MAX_DEPTH ? this.ofMembers(type, depth) : { kinds: ['object'], is_cut: true };
    const returning = this.makers.returning(type);
    return returning.length === 0 ? shape : { ...shape, kinds: ['object', 'instance'], makers: returning };
  }

  /** @param {any} type @param {number} depth @returns {Shape} */
  ofMembers(type, depth) {
    const { ts, checker, probe } = this.typescript;
    /** @type {Record<string, Shape>} */
    const members = {};
    const required = [];
    for (const member of checker.getPropertiesOfType(type).slice(0, MAX_MEMBERS)) {
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      if (isNamedBySymbol(member)) {
        // A mark that only the library sets: nobody can write such an object.
        if (!isOptional) return { kinds: ['object'], is_cut: true };
        continue;
      }
      members[member.name] = this.shapeOf(checker.getTypeOfSymbolAtLocation(member, probe), depth + 1);
      if (!isOptional) required.push(member.name);
    }
    const others = type.getStringIndexType() || this.ofAnyMember(type);
    return { kinds: ['object'], members, required, ...(others && { others: this.shapeOf(others, depth + 1) }) };
  }

  /** @param {any} type @returns {any} of `{ [K in keyof S]: State }`, whatever `S` is, the type of its members */
  ofAnyMember(type) {
    const { ts, checker } = this.typescript;
    const isMapped = (type.objectFlags & ts.ObjectFlags.Mapped) !== 0 && checker.getPropertiesOfType(type).length === 0;
    const node = isMapped ? type.declaration?.type : undefined;
    return node === undefined ? undefined : checker.getTypeFromTypeNode(node);
  }
}

/** @param {Shape} first @param {Shape} second @returns {Shape} */
function union(first, second) {
  const shape = { ...second, ...first };
  shape.kinds = both(first.kinds, second.kinds);
  shape.values = both(first.values, second.values);
  // A type of literals stays one beside others, such as `'a' | 'b' | null`.
  const isOpen = (/** @type {Shape} */ one) =>
    one.is_closed !== true && one.kinds.some((kind) => kind === 'string' || kind === 'number');
  shape.is_closed = shape.values.length > 0 && !isOpen(first) && !isOpen(second);
  shape.is_optional = first.is_optional === true || second.is_optional === true;
  if (first.makers || second.makers) shape.makers = both(first.makers, second.makers);
  return first.members === undefined || second.members === undefined ? shape : { ...shape, ...joined(first, second) };
}

/** @param {any[] | undefined} first @param {any[] | undefined} second */
function both(first, second) {
  return [...new Set([...(first || []), ...(second || [])])];
}

/** @param {Shape} first @param {Shape} second two kinds of objects @returns {Partial<Shape>} what is known of both */
function joined(first, second) {
  return {
    members: { ...second.members, ...first.members },
    required: (first.required || []).filter((name) => (second.required || []).includes(name)),
    others: first.others || second.others,
  };
}

module.exports = { DeclaredShapes, CLASSES, union };
