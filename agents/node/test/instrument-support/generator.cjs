'use strict';
/**
 * Random programs, each from its seed: CommonJS texts that `log` their effects. Their values have types, so that most
 * of what they do succeeds; now and then a value is of another type, so that errors are thrown too. Every loop ends.
 */

const MAX_DEPTH = 3;

/** Numbers in [0, 1), the same for a seed. */
function randomOf(/** @type {number} */ seed) {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where code stands decides what it may contain. */
const PLAIN = { canAwait: false, canYield: false, canReturn: false, loops: /** @type {string[]} */ ([]) };

class Generator {
  constructor(/** @type {number} */ seed) {
    this.random = randomOf(seed);
    this.nNames = 0;
    /** @type {Record<string, string[]>} names in scope, by type */
    this.scope = { number: ['n0'], string: ['s0'], boolean: ['b0'], array: ['a0'], object: ['o0'] };
  }

  /** @template T @param {readonly T[]} options @returns {T} */
  one(options) {
    return options[Math.floor(this.random() * options.length)];
  }

  chance(/** @type {number} */ share) {
    return this.random() < share;
  }

  fresh(/** @type {string} */ prefix) {
    this.nNames += 1;
    return `${prefix}${this.nNames}`;
  }

  type() {
    return this.one(['number', 'string', 'boolean', 'array', 'object']);
  }

  /** Runs `make` with names that are forgotten afterwards. @param {() => string} make */
  inScope(make) {
    const saved = this.scope;
    this.scope = Object.fromEntries(Object.entries(saved).map(([type, names]) => [type, [...names]]));
    const text = make();
    this.scope = saved;
    return text;
  }

  /**
   * @param {string} type
   * @param {typeof PLAIN} place
   * @param {number} depth
   * @returns {string} safe as an operand
   */
  value(type, place, depth) {
    const wanted = this.chance(0.03) ? this.type() : type;
    if (depth >= MAX_DEPTH || this.chance(0.15)) return this.leaf(wanted);
    const text = this.compound(wanted, place, depth + 1);
    if (this.chance(0.15)) return `log(${text})`;
    if (place.canAwait && this.chance(0.12)) return `(await ${text})`;
    if (place.canYield && this.chance(0.1)) return `((yield ${text}), ${this.leaf(wanted)})`;
    return text;
  }

  leaf(/** @type {string} */ type) {
    if (this.chance(0.6)) return this.one(this.scope[type]);
    return (
      {
        number: () => this.one(['0', '1', '-1', '2', '7', '100', 'NaN', '-0', '2.5']),
        string: () => this.one(['""', '"a"', '"ab"', '"key"', '"1"', '`x`', '"zz"']),
        boolean: () => this.one(['true', 'false']),
        array: () => this.one(['[]', '[1]', '["a", "ab"]', '[3, 1, 2]', '[null, undefined]']),
        object: () =>
          this.one([
            '{ key: 1 }',
            '{ a: "ab", key: [1] }',
            '{}',
            '{ get key() { return log("get") } }',
            '{ f(x) { return x } }',
          ]).replace(/^.*$/, '($&)'),
      }[type]?.() ?? 'undefined'
    );
  }

  /**
   * @param {string} type
   * @param {typeof PLAIN} place
   * @param {number} depth
   */
  compound(type, place, depth) {
    const n = () => this.value('number', place, depth);
    const s = () => this.value('string', place, depth);
    const b = () => this.value('boolean', place, depth);
    const a = () => this.value('array', place, depth);
    const o = () => this.value('object', place, depth);
    const same = () => this.value(type, place, depth);
    const any = () => this.value(this.type(), place, depth);
    const key = () => this.one([s, n, () => '"key"', () => '"f"', () => `String(${any()})`])();
    const inner = { ...PLAIN };
    const innerSame = () => this.value(type, inner, depth);
    const innerAny = () => this.value(this.type(), inner, depth);
    const innerString = () => this.value('string', inner, depth);
    const common = [
      () => `(${b()} ? ${same()} : ${same()})`,
      () => `(${any()}, ${same()})`,
      () => `(${same()} && ${same()})`,
      () => `(${same()} || ${same()})`,
      () => `(${this.one(['null', 'undefined', same()])} ?? ${same()})`,
      () => `(${this.one(this.scope[type])} ${this.one(['=', '=', '??=', '||=', '&&='])} ${same()})`,
      () => `((${this.one(['x', 'err', '{ length }', '[x]'])}) => ${innerSame()})(${this.one([a, s])()})`,
      () => this.inScope(() => `(() => { ${this.block(inner, depth)} return ${this.value(type, inner, depth)} })()`),
      () => `(${o()})[${key()}]`,
      () => `${this.one(this.scope.object)}[${this.one(this.scope.string)}]`,
      () => `${this.one(this.scope.array)}[${this.one(this.scope.number)}]`,
      () => `${this.one(this.scope.object)}?.[${key()}]`,
      () =>
        `${this.one(this.scope[this.type()])}?.at(${n()})${this.one(['.length', '?.length', '.at(0)', '?.at(0).x'])}`,
      () => `${this.one(this.scope.object)}?.${this.one(['f', 'key', 'nope'])}${this.one(['', '?'])}.at(${any()}).key`,
      () => `(${o()})?.${this.one(['key', 'f', 'a', 'nope'])}`,
      () =>
        `new (class { #p = ${innerSame()}; get p() { return this.#p } static { log("static") } m() { return #p in this && this.p } })().${this.one(['p', 'm()'])}`,
    ];
    /** @type {Record<string, (() => string)[]>} */
    const own = {
      number: [
        () => `((${n()}) ${this.one(['+', '-', '*', '%', '&', '|', '>>', '**'])} (${n()}))`,
        () => `(${a()}).length`,
        () => `(${s()}).${this.one(['length', 'indexOf("a")', 'charCodeAt(0)'])}`,
        () => `${this.one(this.scope.number)}${this.one(['++', '--'])}`,
        () => `Number(${any()})`,
        () => `-(${n()})`,
      ],
      string: [
        () => `(${s()} + ${any()})`,
        () => `\`\${${s()}}-\${${any()}}\``,
        () => `(${s()}).${this.one(['trim()', 'slice(1)', 'toUpperCase()', 'at(0)', `concat(${s()})`, 'split("")'])}`,
        () => `typeof ${any()}`,
        () => `String(${any()})`,
        () => `String.raw\`a\${${n()}}\\n\``,
      ],
      boolean: [
        () => `(${any()} ${this.one(['===', '!==', '==', '!='])} ${any()})`,
        () => `(${n()} ${this.one(['<', '<=', '>', '>='])} ${n()})`,
        () => `(${s()} ${this.one(['<', '>=', '==='])} ${s()})`,
        () => `!(${any()})`,
        () => `(String(${s()}) in ${o()})`,
        () => `(${any()} instanceof ${this.one(['Object', 'Array', 'Map'])})`,
        () => `(${this.one([s, a])()}).includes(${this.one([s, n])()})`,
        () => `(${s()}).${this.one(['startsWith', 'endsWith'])}(${s()})`,
        () => `/^a+${this.one(['', '$', '|z'])}/.test(${s()})`,
        () => `Object.hasOwn(${o()}, ${s()})`,
        () => `new Set(${a()}).has(${any()})`,
        () => `delete (${o()})[${key()}]`,
        () =>
          `new (class A extends Array { includes(x) { return super.includes(x, ${innerAny()}) || (() => super.at(-1))() } })(...${a()}).includes(${any()})`,
        () =>
          `(() => { const starts = (${innerString()}).startsWith.bind(${innerString()}), has = Object.hasOwn.call.bind(Object.hasOwn, ${innerAny()}); return starts(${innerAny()}) || has(${innerAny()}, ${innerString()}) })()`,
      ],
      array: [
        () => `[${any()}, ...${a()}, ${any()}]`,
        () =>
          `(${a()}).${this.one(['map', 'filter', 'flatMap'])}((x, i) => ${this.inScope(() => this.value(this.type(), inner, depth))})`,
        () => `(${a()}).${this.one(['slice(1)', 'concat(1)', 'reverse()'])}`,
        () => `Object.${this.one(['keys', 'values', 'entries'])}(${o()})`,
        () => `[...(function* () { ${this.inScope(() => this.block({ ...PLAIN, canYield: true }, depth))} })()]`,
      ],
      object: [
        () => `({ ${this.fresh('p')}: ${any()}, [${s()}]: ${any()}, ...${o()} })`,
        () =>
          `({ key: ${any()}, f(x = ${innerAny()}) { return this.key }, get g() { return ${this.inScope(() => this.value(this.type(), inner, depth))} } })`,
        () => `Object.assign(${o()}, { a: ${any()} })`,
        () =>
          `new (class A extends (class { constructor(...r) { this.r = r } m() { return 1 } }) { constructor() { super(${innerAny()}); this.k = super.m() === ${innerAny()} } })()`,
      ],
    };
    return this.one(this.chance(0.4) ? common : own[type])();
  }

  /**
   * @param {typeof PLAIN} place
   * @param {number} depth
   */
  block(place, depth) {
    const count = 1 + Math.floor(this.random() * (depth > 2 ? 2 : 4));
    const separator = this.one([' ', '\n', '; ', ' /* c */ ']);
    return Array.from({ length: count }, () => this.statement(place, depth + 1)).join(separator);
  }

  /**
   * @param {typeof PLAIN} place
   * @param {number} depth
   * @returns {string}
   */
  statement(place, depth) {
    const any = () => this.value(this.type(), place, depth);
    const body = (/** @type {Partial<typeof PLAIN>} */ more = {}) =>
      this.inScope(() => `{ ${this.block({ ...place, ...more }, depth)} }`);
    const simple = [
      () => `log(${any()});`,
      () => this.declaration(place, depth),
      () =>
        `${this.one(this.scope.object)}[${this.value('string', place, depth)}] ${this.one(['=', '+=', '??='])} ${any()};`,
      () => `{ const { key: q = ${any()}, ...rest } = ${this.value('object', place, depth)}; log(q, rest) }`,
      () => `throwing(() => { ${this.inScope(() => this.block(PLAIN, depth))} });`,
    ];
    if (place.canReturn) simple.push(() => (this.chance(0.3) ? `return ${any()};` : ';'));
    if (place.loops.length > 0) simple.push(() => `${this.one(['break', 'continue'])} ${this.one(place.loops)};`);
    if (depth > MAX_DEPTH) return this.one(simple.slice(0, 2))();
    const label = this.fresh('l');
    const loops = { loops: [...place.loops, label] };
    const i = this.fresh('i');
    return this.one([
      ...simple,
      () => `if (${any()}) ${this.one([() => body(), () => simple[0]()])()} else ${body()}`,
      () => `${label}: for (let ${i} = 0; ${i} < 3; ${i}++) ${body(loops)}`,
      () => `${label}: for (const ${i} of ${this.value('array', place, depth)}) ${body(loops)}`,
      () =>
        `${label}: for (const ${i} in ${this.value('object', place, depth)}) { if (log(${i}) === "key") continue ${label}; ${this.inScope(() => this.block({ ...place, ...loops }, depth))} }`,
      () => `{ let ${i} = 3; ${label}: while (${i}-- > 0 && ${any()}) ${body(loops)} }`,
      () => `{ let ${i} = 0; ${label}: do ${body(loops)} while (${i}++ < 2 && ${any()}) }`,
      () =>
        `switch (${any()}) { case ${any()}: ${this.inScope(() => this.statement({ ...place }, depth + 1))} case "ab": log(1); break; default: log(2); case ${any()}: log(3) }`,
      () =>
        `try ${body()} catch (${this.one(['e', 'err', '{ message }'])}) { log("caught") ${this.one(['', '; throw new RangeError("again")'])} } finally ${body({ loops: [], canReturn: false })}`,
      () =>
        `throwing(function ${this.fresh('f')}(err, x = ${this.leaf(this.type())}) { ${this.inScope(() => this.block({ ...PLAIN, canReturn: true }, depth))} });`,
      () =>
        `later.push((async () => { ${this.inScope(() => this.block({ ...PLAIN, canAwait: true, canReturn: true }, depth))} })());`,
      () =>
        `for (const v of (function* () { ${this.inScope(() => this.block({ ...PLAIN, canYield: true, canReturn: true }, depth))} })()) log(v);`,
    ])();
  }

  /**
   * @param {typeof PLAIN} place
   * @param {number} depth
   */
  declaration(place, depth) {
    const type = this.type();
    const name = this.fresh('v');
    const text = `${this.one(['let', 'var', 'let'])} ${name} = ${this.value(type, place, depth)};`;
    this.scope[type].push(name);
    return text;
  }

  program() {
    const statements = Array.from({ length: 4 }, () => this.inScope(() => this.statement(PLAIN, 0)));
    return `${this.one(['', '"use strict";\n'])}let n0 = 1, s0 = "key", b0 = true, a0 = [1, "a"], o0 = { key: 2, f(x) { return x } }; const later = []; later.push = (p) => (p.catch(() => {}), Array.prototype.push.call(later, p));
const throwing = (f) => { try { log(f("err")) } catch (e) { attempt(() => { throw e }) } };
${statements.map((statement) => `throwing(() => {\n${statement}\n});`).join('\n')}
module.exports = async () => (await Promise.allSettled(later)).map(({ status, value, reason }) => [status, typeof value, reason?.message]);`;
  }
}

/** @param {number} seed @returns {string} */
function generateProgram(seed) {
  return new Generator(seed).program();
}

module.exports = { generateProgram };
