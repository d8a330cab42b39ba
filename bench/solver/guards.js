'use strict';
/**
 * Conditions that no gradient leads to: each guard throws an error of its name when its inputs satisfy it. The inputs
 * stand in the query (GET) or in a JSON body (POST).
 */

const { createHash } = require('node:crypto');

const digitsOf = (text) => [...text].map(Number);

function luhn(number) {
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    let digit = Number(number[number.length - 1 - i]);
    if (i % 2 === 1) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 === 0;
}

function mod97(text) {
  let rest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 65) rest = (rest * 100 + code - 55) % 97;
    else rest = (rest * 10 + code - 48) % 97;
  }
  return rest;
}

const guards = {
  quadratic({ x, y }) {
    return x * x - 3 * y === 1009;
  },
  pythagoras({ a, b, c }) {
    if (!(a > 0 && b > a && c > b)) return false;
    return a * a + b * b === c * c;
  },
  'luhn-number'({ card }) {
    return /^4\d{15}$/.test(card) && luhn(card);
  },
  'iban-number'({ iban }) {
    if (!/^[A-Z]{2}\d{2}[A-Z0-9]{12}$/.test(iban)) return false;
    return mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
  },
  'ean-number'({ code }) {
    if (code.length !== 13 || !/^\d+$/.test(code)) return false;
    const digits = digitsOf(code);
    const sum = digits.slice(0, 12).reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
    return (10 - (sum % 10)) % 10 === digits[12];
  },
  'checksum-loop'({ token }) {
    let sum = 7;
    for (const char of token) sum = (sum * 31 + char.charCodeAt(0)) % 1000003;
    return sum === 424242;
  },
  'bit-mask'({ flags }) {
    if (!Number.isInteger(flags) || flags < 0) return false;
    return (flags & 0xff) === 0x5a && ((flags >> 8) & 0xf) === 3 && flags > 9000;
  },
  'built-text'({ name }) {
    let built = '';
    for (let i = name.length - 1; i >= 0; i--) built += name[i].toUpperCase();
    return built === 'REVLOS';
  },
  'two-patterns'({ key }) {
    return /^[a-f]{3}\d+x$/.test(key) && /(12|34)x$/.test(key) && key.length === 9 && !/[ace]/.test(key);
  },
  palindrome({ word }) {
    if (word.length !== 9) return false;
    for (let i = 0; i < 4; i++) if (word[i] !== word[word.length - 1 - i]) return false;
    return word[0] === 'q' && word[4] !== 'q' && word[1] !== word[2];
  },
  'base-conversion'({ id }) {
    return parseInt(id, 36) === 1234567;
  },
  'small-hash'({ secret }) {
    let hash = 0;
    for (let i = 0; i < secret.length; i++) hash = ((hash << 5) - hash + secret.charCodeAt(i)) | 0;
    return hash === 3556498;
  },
  'state-machine'({ input }) {
    let state = 'start';
    for (const char of input) {
      switch (state) {
        case 'start':
          state = char === '<' ? 'open' : 'start';
          break;
        case 'open':
          state = char === '%' ? 'code' : 'start';
          break;
        case 'code':
          state = char === '%' ? 'close' : 'code';
          break;
        default:
          state = char === '>' ? 'end' : 'code';
      }
    }
    return state === 'end';
  },
  'date-arithmetic'({ day, month, year }) {
    if (!(month >= 3 && month <= 12 && day >= 1 && day <= 28 && year >= 1900 && year < 2100)) return false;
    const weekday = (day + Math.floor((13 * (month + 1)) / 5) + year + Math.floor(year / 4)) % 7;
    return weekday === 6 && day === 13 && (year * 12 + month) % 97 === 5;
  },
  'sorted-order'({ a, b, c, d }) {
    return a < b && b < c && c < d && a + b + c + d === 400 && a * 4 === b && c - b === 31;
  },
  'nested-parse'({ range }) {
    const parts = range.split('-');
    if (parts.length !== 2) return false;
    const [from, to] = parts.map((part) => Number(part));
    return to - from === 1234 && from % 17 === 3 && from > 100;
  },
  'coded-letters'({ text }) {
    if (text.length !== 5) return false;
    let sum = 0;
    for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i) * (i + 1);
    return sum === 1500 && text.startsWith('k');
  },
  'sum-of-two'({ left, right }) {
    return Number(left) + Number(right) === 98765 && Number(left) - Number(right) === 4321;
  },
  'hashed-text'({ text }) {
    return createHash('sha256').update(text).digest('hex').startsWith('00000');
  },
};

module.exports = { guards };
