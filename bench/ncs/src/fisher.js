// The cumulative F distribution with (m, n) degrees of freedom: the incomplete beta function of halves of integers, from the four
// closed forms up. Equation numbers are those of the NIST Digital Library of Mathematical Functions (DLMF), chapter 8.
import { BadInput } from './errors.js';

const MAX_DEGREES = 1000;

/** The distribution function at x. */
export function fisher(m, n, x) {
  if (!Number.isInteger(m) || m < 1 || m > MAX_DEGREES) {
    throw new BadInput(`the first degrees of freedom have to be an integer from 1 to ${MAX_DEGREES}`);
  }
  if (!Number.isInteger(n) || n < 1 || n > MAX_DEGREES) {
    throw new BadInput(`the second degrees of freedom have to be an integer from 1 to ${MAX_DEGREES}`);
  }
  if (x <= 0) {
    return 0;
  }
  const z = (m * x) / (m * x + n);
  const rest = n / (m * x + n);
  let a = m % 2 === 0 ? 1 : 0.5;
  let b = n % 2 === 0 ? 1 : 0.5;
  let value;
  let step; // z^a rest^b / B(a, b)
  if (a === 1) {
    if (b === 1) {
      value = z;
      step = z * rest;
    } else {
      value = 1 - Math.sqrt(rest);
      step = (z * Math.sqrt(rest)) / 2;
    }
  } else if (b === 1) {
    value = Math.sqrt(z);
    step = (Math.sqrt(z) * rest) / 2;
  } else {
    value = (2 / Math.PI) * Math.atan(Math.sqrt(z / rest));
    step = Math.sqrt(z * rest) / Math.PI;
  }
  while (b < n / 2) {
    value += step / b; // 8.17.21
    step *= (rest * (a + b)) / b;
    b += 1;
  }
  while (a < m / 2) {
    value -= step / a; // 8.17.20
    step *= (z * (a + b)) / a;
    a += 1;
  }
  if (value < 0) {
    return 0; // what rounding leaves
  }
  return value > 1 ? 1 : value;
}
