// The continued fraction of the upper incomplete gamma function, DLMF 8.9.2.
import { BadInput } from './errors.js';

const MAX_STEPS = 500;
const PRECISION = 1e-15;
const NEXT_TO_NOTHING = 1e-300;

/** The upper incomplete gamma function of (a, x) without its factor x^a e^-x, by Lentz's algorithm. */
export function fractionOfIncompleteGamma(a, x) {
  let base = x + 1 - a;
  let numerators = 1 / NEXT_TO_NOTHING;
  let denominators = 1 / base;
  let value = denominators;
  for (let k = 1; k <= MAX_STEPS; k++) {
    const partial = -k * (k - a);
    base += 2;
    denominators = 1 / (partial * denominators + base);
    numerators = base + partial / numerators;
    const change = denominators * numerators;
    value *= change;
    if (Math.abs(change - 1) < PRECISION) {
      return value;
    }
  }
  throw new BadInput('no convergence: the first parameter is too large');
}
