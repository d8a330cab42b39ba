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

const ROTATIONS = ['0123456789', '1234067895', '2340178956', '3401289567', '4012395678'].concat(
  ['5987604321', '6598710432', '7659821043', '8765932104', '9876543210'],
);
const SHUFFLES = ['0123456789', '1576283094', '5803796142', '8916043527', '9453126870', '4286573901', '2793806415', '7046913258'];

function verhoeff(number) {
  let check = 0;
  number
    .split('')
    .reverse()
    .map((digit) => parseInt(digit, 10))
    .forEach((digit, index) => {
      check = Number(ROTATIONS[check][Number(SHUFFLES[index % 8][digit])]);
    });
  return check === 0;
}

const NUMERALS = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function valueOfNumeral(text) {
  let total = 0;
  for (let i = 0; i < text.length; i++) {
    const now = NUMERALS[text[i]];
    const next = NUMERALS[text[i + 1]] || 0;
    total += now < next ? -now : now;
  }
  return total;
}

function crc8(bytes) {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff;
  }
  return crc;
}

function* digitsFromTheEnd(number) {
  for (let rest = number; rest > 0; rest = Math.floor(rest / 10)) yield rest % 10;
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
  'insurance-number'({ insurance }) {
    const plain = insurance.replace(/\s+/g, '').toUpperCase();
    if (!/^[A-Z]{2}\d{2}[A-Z0-9]{6,20}$/.test(plain)) return false;
    const digits = (plain.slice(4) + plain.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
    return BigInt(digits) % 97n === 1n;
  },
  'verhoeff-number'({ member }) {
    return /^[2-9]\d{11}$/.test(member) && verhoeff(member);
  },
  numeral({ chapter }) {
    return /^[IVXLCDM]+$/.test(chapter) && valueOfNumeral(chapter) === 1994;
  },
  'cyclic-check'({ frame }) {
    if (!/^[0-9a-f]{10}$/i.test(frame)) return false;
    const bytes = Uint8Array.from(frame.match(/../g).map((pair) => parseInt(pair, 16)));
    return crc8(bytes.subarray(0, 4)) === bytes[4] && bytes[0] === 0x42;
  },
  'weighted-bits'({ coded }) {
    if (!/^[01]{4,20}$/.test(coded) || coded.includes('11')) return false;
    const weights = [1, 2];
    while (weights.length < coded.length) weights.push(weights.at(-1) + weights.at(-2));
    const bits = coded.split('').reverse();
    return bits.reduce((sum, bit, index) => (bit === '1' ? sum + weights[index] : sum), 0) === 100;
  },
  'sum-of-bytes'({ packet }) {
    const bytes = new TextEncoder().encode(packet);
    if (bytes.length < 5) return false;
    const sum = bytes.subarray(0, -1).reduce((total, byte) => (total + byte) & 0x7f, 0);
    return sum === bytes[bytes.length - 1];
  },
  'counted-letters'({ one, other }) {
    if (one.length !== other.length || one === other || one.length < 5) return false;
    const counts = {};
    for (const letter of one) counts[letter] = (counts[letter] || 0) + 1;
    for (const letter of other) {
      if (!counts[letter]) return false;
      counts[letter] -= 1;
    }
    return true;
  },
  'weights-of-digits'({ account }) {
    if (!(account >= 100000 && account <= 99999999)) return false;
    let sum = 0;
    let weight = 2;
    for (const digit of digitsFromTheEnd(account)) {
      sum += digit * weight;
      weight = weight === 7 ? 2 : weight + 1;
    }
    return sum % 11 === 0 && account % 13 === 5;
  },
  'hashed-text'({ text }) {
    return createHash('sha256').update(text).digest('hex').startsWith('00000');
  },
};

module.exports = { guards };
