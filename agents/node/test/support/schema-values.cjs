'use strict';
/** Random values that meet a JSON Schema of the forms that the agent writes, and copies of them that break one rule. */

const FORMATS = {
  email: () => 'ab@example.com',
  uri: () => 'https://example.com/a',
  uuid: () => '6372099a-5627-422c-84c5-475d7b3e5daa',
  'date-time': () => '2024-03-01T10:00:00Z',
  date: () => '2024-03-01',
  ipv4: () => '10.0.0.1',
  hostname: () => 'a.example.com',
};

/** A repeatable source of numbers below 1. */
function randomSource(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

class Values {
  constructor(root, random) {
    this.root = root;
    this.random = random;
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  resolved(schema) {
    if (typeof schema.$ref !== 'string') return schema;
    return schema.$ref
      .split('/')
      .slice(1)
      .reduce((at, name) => at[name], this.root);
  }

  /** A value that meets the schema. */
  of(given, depth = 0) {
    if (given === true) return 'any';
    let schema = this.resolved(given);
    const any = schema.anyOf ?? schema.oneOf;
    if (any !== undefined) schema = { ...schema, ...this.resolved(this.pick(any)), anyOf: undefined, oneOf: undefined };
    for (const part of schema.allOf ?? []) schema = together(schema, this.resolved(part));
    if (schema.anyOf ?? schema.oneOf) return this.of(schema, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.pick(schema.enum);
    return this.ofType(schema, depth);
  }

  ofType(schema, depth) {
    switch (schema.type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.array(schema, depth);
      case 'string':
        return this.text(schema);
      case 'integer':
      case 'number':
        return this.number(schema);
      case 'boolean':
        return this.random() < 0.5;
      case 'null':
        return null;
      default:
        return 'any';
    }
  }

  object(schema, depth) {
    const members = Object.entries(schema.properties ?? {}).filter(
      ([name]) => schema.required?.includes(name) || (depth < 4 && this.random() < 0.6),
    );
    const result = Object.fromEntries(members.map(([name, member]) => [name, this.of(member, depth + 1)]));
    if (schema.properties === undefined && typeof schema.additionalProperties === 'object') {
      result.some = this.of(schema.additionalProperties, depth + 1);
    }
    return result;
  }

  array(schema, depth) {
    if (schema.prefixItems) return schema.prefixItems.map((item) => this.of(item, depth + 1));
    const least = schema.minItems ?? 0;
    const most = Math.min(schema.maxItems ?? least + 2, depth > 3 ? least : least + 2);
    const length = least + Math.floor(this.random() * (most - least + 1));
    return Array.from({ length }, () => this.of(schema.items ?? true, depth + 1));
  }

  text({ minLength = 0, maxLength = minLength + 4, format, pattern }) {
    if (format !== undefined) return FORMATS[format]();
    if (pattern !== undefined) return this.matching(pattern);
    const length = minLength + Math.floor(this.random() * (maxLength - minLength + 1));
    return 'abcdefghijklmnopqrstuvwxyz'.repeat(4).slice(0, length);
  }

  /** Texts of patterns that consist of classes, characters and `{n}`. */
  matching(pattern) {
    return pattern.replace(/^\^|\$$/g, '').replace(/(\[[^\]]+\]|\\?.)(?:\{(\d+)(?:,\d*)?\}|\+)?/g, (_, atom, count) => {
      const one = atom[0] === '[' ? atom[1] : atom.replace('\\', '');
      return one.repeat(Number(count ?? 1));
    });
  }

  number(schema) {
    const { multipleOf = schema.type === 'integer' ? 1 : 0.5 } = schema;
    const low = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + multipleOf);
    const high = schema.maximum ?? (schema.exclusiveMaximum === undefined ? low + 20 : schema.exclusiveMaximum - 0.5);
    const steps = Math.floor((high - low) / multipleOf);
    const first = Math.ceil(low / multipleOf) * multipleOf;
    return first + Math.floor(this.random() * Math.max(1, steps)) * multipleOf;
  }
}

/** What meets both schemas, if they are about different members. */
function together(first, second) {
  return {
    ...first,
    ...second,
    properties: { ...first.properties, ...second.properties },
    required: [...(first.required ?? []), ...(second.required ?? [])],
    allOf: undefined,
  };
}

/** Copies of an object, each with one member replaced, left out or added. */
function broken(value) {
  const copies = [{ ...value, unknownMember: 1 }];
  for (const name of Object.keys(value)) {
    const { [name]: own, ...rest } = value;
    copies.push(rest);
    for (const other of [null, 1e9, -1e9, 0.123, '', 'x'.repeat(300), '~', true, [], {}]) {
      copies.push({ ...rest, [name]: other });
    }
    if (Array.isArray(own)) copies.push({ ...rest, [name]: [...own, ...own, ...own, ...own] });
    if (own !== null && typeof own === 'object' && !Array.isArray(own)) {
      for (const inner of broken(own)) copies.push({ ...rest, [name]: inner });
    }
  }
  return copies;
}

module.exports = { Values, broken, randomSource };
