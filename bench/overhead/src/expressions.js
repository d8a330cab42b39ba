'use strict';
/** A calculator with variables and functions: characters compared one by one, which is what parsers do all day. */

const FUNCTIONS = { min: Math.min, max: Math.max, abs: Math.abs, floor: Math.floor };

class Parser {
  constructor(text, variables) {
    this.text = text;
    this.at = 0;
    this.variables = variables;
  }

  program() {
    let result = 0;
    while (this.skipSpace() < this.text.length) {
      result = this.statement();
      if (this.peek() === ';') this.at += 1;
    }
    return result;
  }

  statement() {
    const start = this.at;
    const name = this.word();
    this.skipSpace();
    if (name !== '' && this.peek() === '=' && this.text[this.at + 1] !== '=') {
      this.at += 1;
      this.variables[name] = this.sum();
      return this.variables[name];
    }
    this.at = start;
    return this.sum();
  }

  sum() {
    let value = this.product();
    for (;;) {
      const operator = this.peek();
      if (operator !== '+' && operator !== '-') return value;
      this.at += 1;
      const right = this.product();
      value = operator === '+' ? value + right : value - right;
    }
  }

  product() {
    let value = this.factor();
    for (;;) {
      const operator = this.peek();
      if (operator !== '*' && operator !== '/') return value;
      this.at += 1;
      const right = this.factor();
      if (operator === '/' && right === 0) throw new RangeError(`division by zero at ${this.at}`);
      value = operator === '*' ? value * right : value / right;
    }
  }

  factor() {
    const first = this.peek();
    if (first === '-') {
      this.at += 1;
      return -this.factor();
    }
    if (first === '(') {
      this.at += 1;
      const value = this.sum();
      if (this.peek() !== ')') throw new SyntaxError(`) is missing at ${this.at}`);
      this.at += 1;
      return value;
    }
    if (first >= '0' && first <= '9') return this.number();
    const name = this.word();
    if (name === '') throw new SyntaxError(`nothing known at ${this.at}`);
    if (this.peek() !== '(') return this.variables[name] ?? 0;
    return this.call(name);
  }

  call(name) {
    this.at += 1;
    const values = [];
    while (this.peek() !== ')') {
      values.push(this.sum());
      if (this.peek() === ',') this.at += 1;
    }
    this.at += 1;
    return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name](...values) : 0;
  }

  number() {
    const start = this.at;
    while (this.at < this.text.length) {
      const char = this.text[this.at];
      if ((char < '0' || char > '9') && char !== '.') break;
      this.at += 1;
    }
    return Number(this.text.slice(start, this.at));
  }

  word() {
    this.skipSpace();
    const start = this.at;
    while (this.at < this.text.length) {
      const char = this.text[this.at];
      const isLetter = (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_';
      if (!isLetter) break;
      this.at += 1;
    }
    return this.text.slice(start, this.at);
  }

  peek() {
    this.skipSpace();
    return this.at < this.text.length ? this.text[this.at] : '';
  }

  skipSpace() {
    while (this.at < this.text.length) {
      const char = this.text[this.at];
      if (char !== ' ' && char !== '\n' && char !== '\t') break;
      this.at += 1;
    }
    return this.at;
  }
}

function evaluate(text) {
  return new Parser(text, {}).program();
}

module.exports = { evaluate };
