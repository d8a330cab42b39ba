// The normalised upper incomplete gamma function Q(a, x). Equation numbers are those of the NIST Digital Library of
// Mathematical Functions (DLMF), chapters 5 and 8.
import { BadInput } from './errors.js';
import { fractionOfIncompleteGamma } from './fraction.js';

const MAX_STEPS = 500;
const PRECISION = 1e-15;

/** The logarithm of the gamma function: Stirling's series 5.11.1, after 5.5.1 has made the argument large enough. */
export function logGamma(z) {
  let shift = 0;
  let large = z;
  while (large < 15) {
    shift += Math.log(large);
    large += 1;
  }
  const inverse = 1 / (large * large);
  const corrections = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / large;
  return (large - 0.5) * Math.log(large) - large + Math.log(2 * Math.PI) / 2 + corrections - shift;
}

/** The lower function P(a, x) by its series, 8.7.1. */
function seriesOfLower(a, x) {
  if (x === 0) {
    return 0;
  }
  let term = 1 / a;
  let sum = term;
  for (let k = 1; k <= MAX_STEPS; k++) {
    term *= x / (a + k);
    sum += term;
    if (Math.abs(term) < PRECISION * Math.abs(sum)) {
      return sum * Math.exp(a * Math.log(x) - x - logGamma(a));
    }
  }
  throw new BadInput('no convergence: the first parameter is too large');
}

export function gammq(a, x) {
  if (x < 0 || a <= 0) {
    throw new BadInput('the first parameter has to be positive, the second must not be negative');
  }
  if (x < a + 1) {
    return 1 - seriesOfLower(a, x);
  }
  return Math.exp(a * Math.log(x) - x - logGamma(a)) * fractionOfIncompleteGamma(a, x);
}
