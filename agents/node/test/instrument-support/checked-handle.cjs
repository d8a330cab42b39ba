'use strict';
/**
 * A handle that does what PROBES.md says with truthness and receivers, records every call, and throws when a probe
 * does not fit the table: a wrong kind of target, or truthness that was not just set by the operand itself.
 */

const assert = require('node:assert/strict');
const { Assertion, isAssertion } = require('../../src/runtime/errors/assertions.cjs');
const { LeftOperand } = require('../../src/runtime/probes/left-operand.cjs');
const { expect } = require('../../src/runtime/methods/replaced-functions.cjs');
const { patternProbes } = require('../../src/runtime/probes/pattern-probes.cjs');
const { types } = require('node:util');

expect('ok');

const OPERATOR_OF = {
  eq3: '===',
  ne3: '!==',
  eq2: '==',
  ne2: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  in: 'in',
  io: 'instanceof',
};
const COMPARE = {
  eq3: (a, b) => a === b,
  ne3: (a, b) => a !== b,
  eq2: (a, b) => a == b,
  ne2: (a, b) => a != b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  in: (a, b) => a in b,
  io: (a, b) => a instanceof b,
};

function methodOf(receiver, name) {
  for (let holder = Object(receiver); holder !== null; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, name);
    if (property) return property;
  }
  return undefined;
}

/** Can its properties be read without anybody noticing? */
function isPlain(object) {
  return Array.isArray(object) && !types.isProxy(object);
}

/** What `$.mr` answers: the receiver, or a stand-in that throws what V8 would have thrown. */
function receiverOrStandIn(receiver, name, text, isOptional = false) {
  if (receiver === null || receiver === undefined) return receiver;
  const property = methodOf(receiver, name);
  if (isOptional && (property?.value ?? undefined) === undefined) return receiver;
  if (property && (property.get || typeof property.value === 'function')) return receiver;
  return {
    [name]: () => {
      throw new TypeError(`${text} is not a function`);
    },
  };
}

/** What reading NAME of null or undefined throws. */
function nullishReceiver(value, name) {
  return Object.defineProperty({}, name, { get: () => value[name] });
}

/** The same for a callee that is no method. */
function calleeOrStandIn(callee, text) {
  if (typeof callee === 'function' || callee === null || callee === undefined) return callee;
  return () => {
    throw new TypeError(`${text} is not a function`);
  };
}

function thrower(message) {
  return function () {
    throw new TypeError(message);
  };
}

function isConstructor(value) {
  try {
    return typeof value === 'function' && Boolean(new new Proxy(value, { construct: () => ({}) })());
  } catch {
    return false;
  }
}

class CheckedHandle {
  constructor(table) {
    this.table = table;
    this.calls = [];
    this.truth = undefined;
    this.hasEnded = false;
    this.hasStart = false;
    this.start = undefined;
    this.open = [];
    /** By name of the probe: the indexes at which it was found to fit. */
    this.fitting = {};
  }

  note(name, index, kind, detail) {
    this.calls.push(name + index);
    // Whether a probe fits the table cannot change from one run to the next: programs in loops come here a million
    // times.
    const known = (this.fitting[name] ??= new Set());
    if (known.has(index)) return;
    this.checkFit(name, index, kind, detail);
    known.add(index);
  }

  checkFit(name, index, kind, detail) {
    const target = this.table.targets[index];
    assert.ok(target, `${name}: no target ${index}`);
    assert.equal(target[0], kind, `${name}(${index})`);
    if (detail !== undefined) assert.equal(target[3], detail, `${name}(${index})`);
    if (kind === 'statement') assert.ok(this.table.lineOf.some(([statement]) => statement === index));
  }

  own(name, value) {
    if (this.truth !== Boolean(value)) assert.fail(`${name}: the operand did not set its truthness`);
    this.truth = undefined;
  }

  assertionOf(index) {
    return new Assertion('/sut/file.js', this.table.calls[index][3]);
  }

  logical(name, operator, hasOwn) {
    return (index, value) => {
      this.note(name, index, 'branch', `${operator} true`);
      if (hasOwn) this.own(name, value);
      this.truth = Boolean(value);
      return value;
    };
  }

  handle() {
    const handle = {
      s: (index) => this.note('s', index, 'statement'),
      c: (index) => this.note('c', index, 'statement'),
      x: (index) => this.note('x', index, 'statement'),
      r: (index, value) => (this.note('r', index, 'statement'), value),
      t: (index, value) => (this.note('t', index, 'statement'), value),
      g: (error) => void this.calls.push(`g:${error?.message ?? error}`),
      fe: (index) => this.note('fe', index, 'function'),
      fc: (index) => this.note('fc', index, 'function'),
      fr: (index, value) => (this.note('fr', index, 'function'), value),
      ce: (index) => this.note('ce', index, 'catch'),
      li: (index) => (this.note('li', index, 'loop', 'entered true'), 1),
      lo: (index, isEntered) => (
        this.note('lo', index, 'loop', 'entered true'),
        assert.ok(Number.isInteger(isEntered) && isEntered >= 0)
      ),
      lp: (index, rounds, passed) => {
        assert.ok(Number.isInteger(rounds));
        this.note('lp', index, 'loop', 'entered true');
        this.note('lp', passed, 'branch', 'loop passed');
      },
      lb: (index, rounds) => (this.note('lb', index, 'branch', 'loop passed'), assert.ok(rounds >= 1)),
      qe: (index) => this.note('qe', index, 'ternary'),
      qc: (index, value) => (this.note('qc', index, 'ternary'), value),
      k: (index, value) => {
        this.note('k', index, 'branch');
        assert.match(this.table.targets[index][3], /^(if|while|do|for|\?:) true$/);
        return value;
      },
      n: (index, value) => (this.note('n', index, 'branch', '! true'), (this.truth = !value)),
      nh: (index, value) => (this.note('nh', index, 'branch', '! true'), this.own('nh', value), (this.truth = !value)),
      sw: (index, value) => {
        this.note('sw', index, 'case', 'case 0');
        assert.ok(Array.isArray(this.table.cases[index]));
        return value;
      },
      cs: (index, clause, value) => {
        this.note('cs', index, 'case');
        assert.deepEqual(this.table.cases[index][clause], { $expr: true });
        assert.equal(this.table.targets[index + clause][3], `case ${clause}`);
        return value;
      },
      kh: (index, value) => {
        this.note('kh', index, 'branch');
        assert.match(this.table.targets[index][3], /^(if|while|do|for|\?:) true$/);
        this.own('kh', value);
        return value;
      },
      b: (value) => ((this.truth = Boolean(value)), value),
      nu: (index, value) => {
        this.note('nu', index, 'branch');
        assert.match(this.table.targets[index][3], /^\?[?.] true$/);
        return value;
      },
      nq: (index, value) => {
        assert.equal(this.hasEnded, false, 'nq: nobody has asked whether the chain before has ended');
        this.hasEnded = value === null || value === undefined;
        return handle.nu(index, value);
      },
      en: (index, value) => {
        handle.nu(index, value);
        assert.equal(this.hasStart, false, 'en: nobody has taken the value of the chain before');
        if (value === null || value === undefined) {
          this.truth = false;
          return true;
        }
        this.hasStart = true;
        this.start = value;
        return false;
      },
      go: () => {
        assert.equal(this.hasStart, true, 'go: en has kept nothing');
        this.hasStart = false;
        return this.start;
      },
      mk: (receiver, name, text) => {
        const hasEnded = this.hasEnded;
        this.hasEnded = false;
        if (hasEnded) return assert.equal(receiver, undefined);
        return receiver === null || receiver === undefined
          ? nullishReceiver(receiver, name)
          : receiverOrStandIn(receiver, name, text);
      },
      of: (index, callee, text) => (this.note('of', index, 'branch', '?. true'), calleeOrStandIn(callee, text)),
      om: (index, receiver, name, text) => (
        this.note('om', index, 'branch', '?. true'),
        receiverOrStandIn(receiver, name, text, true)
      ),
      uw: (index) => (this.note('uw', index, 'branch'), 'token'),
      ue: (index) => this.note('ue', index, 'branch', '?? true'),
      oe: (index) => this.note('oe', index, 'branch', '|| true'),
      ae: (index) => this.note('ae', index, 'branch', '&& true'),
      mr: (index, receiver, text, isOptional) => {
        this.note('mr', index, 'method');
        const via = this.table.calls?.[index]?.[1];
        const name = via ? (via === 'reflect' ? 'apply' : via) : this.table.targets[index][3].split(' ')[0];
        const method = receiver === null || receiver === undefined ? undefined : methodOf(receiver, name);
        const isLeftOut =
          isOptional === 1 && (!method || (!method.get && (method.value === null || method.value === undefined)));
        return isLeftOut || text === '' ? receiver : receiverOrStandIn(receiver, name, text);
      },
      mf: (index, called, text) => (
        this.note('mf', index, 'method'),
        typeof called === 'function' ? called : thrower(`${text} is not a function`)
      ),
      af: (index, called) => (
        this.note('af', index, 'method', 'ok true'),
        isAssertion(called) ? this.assertionOf(index).standIn : called
      ),
      am: (index, receiver) => (
        this.note('am', index, 'method', 'ok true'),
        isAssertion(receiver?.ok) ? this.assertionOf(index).receiver : receiver
      ),
      nf: (index, called, text) => (
        this.note('nf', index, 'method'),
        isConstructor(called) ? called : thrower(`${text} is not a constructor`)
      ),
      sp: (separator) => separator,
      pm: (index, argument, receiver) => {
        this.note('pm', index, 'method');
        assert.notEqual(receiver, false, 'pw says that the receiver is wanted');
        return argument;
      },
      pw: () => true,
      pv: (object, name) => patternProbes.pv(object, name),
      px: (text, name) => patternProbes.px(text, name),
      ms: (index, ofClass, receiver, isStatic) => {
        this.note('ms', index, 'method');
        assert.equal(typeof ofClass, 'function');
        assert.ok(isStatic === undefined || isStatic === 1);
        return index;
      },
      br: (number, target, text) => receiverOrStandIn(target, 'bind', text),
      ba: (number, position, value) => value,
      bx: (number, value) => value,
      mc: (receiver, name, text) => receiverOrStandIn(receiver, name, text),
      cl: (index, left) => new LeftOperand(handle, index, left),
      kx: (index, value, object, key) => {
        this.note('kx', index, 'branch', 'key true');
        if (object !== null && object !== undefined && typeof key !== 'object') {
          assert.ok(value === undefined || !isPlain(object) || object[key] === value);
        }
        return value;
      },
      ko: (index, value) => (this.note('ko', index, 'branch', 'key true'), value),
      kk: (index, value) => (this.note('kk', index, 'branch', 'key true'), value),
      kv: (index, value) => (this.note('kv', index, 'branch', 'key true'), value),
      kq: (index) => (this.note('kq', index, 'branch', 'key true'), handle),
      v: (value) => value,
      xo: (_number, object) => object,
      xi: (_number, object) => object,
      xv: (_number, value) => value,
      xd: () => undefined,
      xc: () => undefined,
      xl: () => undefined,
      xu: (_number, value) => value,
      xw: (_number, value) => value,
      xs: (_number, value) => value,
      xp: (_number, names) => names,
      xk: () => undefined,
      xe: () => undefined,
      xf: () => undefined,
      xh: (value) => value,
      nr: (entry) => entry,
      nb: (base) => base,
      xa: (_number, name) => name,
      ua: (_number, value) => value,
      rl() {},
      tp: (_number, value) => value,
      pt: (_number, text) => text,
      pr: (_number, value) => value,
      ma: (index, value) => (this.note('ma', index, 'method'), value),
      mb: (index, value) => (this.note('mb', index, 'method'), value),
      md: (index, value) => (this.note('md', index, 'method'), value),
      my: (index, value) => handle.mx(index, value),
      mx: (index, value) => (this.note('mx', index, 'method'), (this.truth = Boolean(value)), value),
    };
    for (const [letter, operator] of [
      ['a', '&&'],
      ['o', '||'],
    ]) {
      for (const side of ['l', 'r']) {
        handle[letter + side] = this.logical(letter + side, operator, false);
        handle[`${letter + side}h`] = this.logical(`${letter + side}h`, operator, true);
      }
    }
    for (const [name, operator] of [
      ['ux', '??'],
      ['ox', '||'],
      ['ax', '&&'],
    ]) {
      handle[name] = (index, token, value) => {
        this.note(name, index, 'branch', `${operator} true`);
        assert.equal(token, 'token');
        this.truth = Boolean(value);
        return value;
      };
    }
    handle.cm = (index, number, outcome, left, right) => {
      const name = Object.keys(COMPARE)[number - 1];
      this.note(name, index, 'branch', `${OPERATOR_OF[name]} true`);
      if (Object(left) !== left && Object(right) !== right) assert.equal(outcome, COMPARE[name](left, right));
      return (this.truth = outcome);
    };
    for (const [name, compare] of Object.entries(COMPARE)) {
      handle[name] = (index, left, right) => {
        this.note(name, index, 'branch', `${OPERATOR_OF[name]} true`);
        const outcome = compare(left, right);
        this.truth = outcome;
        return outcome;
      };
    }
    return handle;
  }
}

module.exports = { CheckedHandle };
