// The Bessel function of the first kind, of integer order. Equation numbers are those of the NIST Digital Library of
// Mathematical Functions (DLMF), chapter 10.
import { BadInput } from './errors.js';

const MAX_ORDER = 1000;
const SERIES_LIMIT = 12;
const PRECISION = 1e-16;
const LARGE = 1e100;

/** The power series, 10.2.2: exact enough where x is small. */
function series(order, x) {
  let term = 1;
  for (let i = 1; i <= order; i++) {
    term *= x / 2 / i;
  }
  let sum = term;
  for (let k = 1; Math.abs(term) > PRECISION * Math.abs(sum); k++) {
    term *= -(x * x) / 4 / (k * (k + order));
    sum += term;
  }
  return sum;
}

/** Hankel's expansion for large x, 10.17.3, as long as its terms get smaller. */
function asymptotic(order, x) {
  const squared = 4 * order * order;
  let cosines = 1;
  let sines = 0;
  let term = 1;
  for (let k = 1; k < 2 * x; k++) {
    term *= (squared - (2 * k - 1) ** 2) / (k * 8 * x);
    if (Math.abs(term) < PRECISION) {
      break;
    }
    const signed = k % 4 >= 2 ? -term : term;
    if (k % 2 === 0) {
      cosines += signed;
    } else {
      sines += signed;
    }
  }
  const angle = x - (order / 2 + 0.25) * Math.PI;
  return Math.sqrt(2 / (Math.PI * x)) * (cosines * Math.cos(angle) - sines * Math.sin(angle));
}

function lowOrder(order, x) {
  return x < SERIES_LIMIT ? series(order, x) : asymptotic(order, x);
}

/** From orders 0 and 1 upwards by 10.6.1, which is stable where x is larger than the order. */
function upwards(order, x) {
  let before = lowOrder(0, x);
  let current = lowOrder(1, x);
  for (let k = 1; k < order; k++) {
    const next = ((2 * k) / x) * current - before;
    before = current;
    current = next;
  }
  return current;
}

/** Miller's algorithm: downwards from an arbitrary start, then scaled by 10.12.4, J0 + 2 J2 + 2 J4 + ... = 1. */
function downwards(order, x) {
  const start = 2 * Math.ceil((order + 20 + Math.sqrt(50 * order)) / 2);
  let after = 0;
  let current = 1;
  let sum = 0;
  let wanted = 0;
  for (let k = start; k > 0; k--) {
    const previous = ((2 * k) / x) * current - after;
    after = current;
    current = previous;
    if (Math.abs(current) > LARGE) {
      current /= LARGE;
      after /= LARGE;
      sum /= LARGE;
      wanted /= LARGE;
    }
    if (k % 2 === 1) {
      sum += k === 1 ? current : 2 * current;
    }
    if (k === order) {
      wanted = after;
    }
  }
  return wanted / sum;
}

export function bessj(order, x) {
  if (!Number.isInteger(order) || order < 0 || order > MAX_ORDER) {
    throw new BadInput(`the order has to be an integer from 0 to ${MAX_ORDER}`);
  }
  if (x === 0) {
    return order === 0 ? 1 : 0;
  }
  if (x < 0) {
    const mirrored = bessj(order, -x);
    return order % 2 === 0 ? mirrored : -mirrored;
  }
  if (order < 2) {
    return lowOrder(order, x);
  }
  return x > order ? upwards(order, x) : downwards(order, x);
}
