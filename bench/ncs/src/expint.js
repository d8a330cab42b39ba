// The generalised exponential integral. Equation numbers are those of the NIST Digital Library of Mathematical
// Functions (DLMF), chapters 5 and 8.
import { BadInput } from './errors.js';
import { fractionOfIncompleteGamma } from './fraction.js';

const EULER = 0.5772156649015329;
const PRECISION = 1e-15;
const MAX_ORDER = 1000;

/** The digamma function of a positive integer, 5.4.14. */
function digamma(n) {
  let sum = -EULER;
  for (let k = 1; k < n; k++) {
    sum += 1 / k;
  }
  return sum;
}

/** The series 8.19.8, for x up to 1. */
function series(n, x) {
  let power = 1;
  let sum = 0;
  for (let k = 0; k < n || Math.abs(power) > PRECISION * Math.abs(sum); k++) {
    if (k > 0) {
      power *= -x / k;
    }
    if (k === n - 1) {
      sum += power * (digamma(n) - Math.log(x));
    } else {
      sum -= power / (1 - n + k);
    }
  }
  return sum;
}

export function expint(n, x) {
  if (!Number.isInteger(n) || n < 0 || n > MAX_ORDER) {
    throw new BadInput(`the order has to be an integer from 0 to ${MAX_ORDER}`);
  }
  if (x < 0 || (x === 0 && (n === 0 || n === 1))) {
    throw new BadInput('there is no value for this order and argument');
  }
  if (n === 0) {
    return Math.exp(-x) / x;
  }
  if (x === 0) {
    return 1 / (n - 1);
  }
  if (x > 1) {
    // 8.19.1: an incomplete gamma function, with a power of x that cancels the fraction's own.
    return Math.exp(-x) * fractionOfIncompleteGamma(1 - n, x);
  }
  return series(n, x);
}
