// The remainder of a division, by repeated subtraction: it has the sign of the dividend.
import { BadInput } from './errors.js';

const LIMIT = 10_000;

export function remainder(dividend, divisor) {
  if (!Number.isInteger(dividend) || !Number.isInteger(divisor)) {
    throw new BadInput('both numbers have to be integers');
  }
  if (Math.abs(dividend) > LIMIT || Math.abs(divisor) > LIMIT) {
    throw new BadInput(`both numbers have to be from -${LIMIT} to ${LIMIT}`);
  }
  if (divisor === 0) {
    throw new RangeError('division by zero');
  }
  let left = dividend;
  if (left === 0) {
    return 0;
  }
  if (left > 0) {
    if (divisor > 0) {
      while (left >= divisor) {
        left -= divisor;
      }
    } else {
      while (left + divisor >= 0) {
        left += divisor;
      }
    }
  } else if (divisor > 0) {
    while (left + divisor <= 0) {
      left += divisor;
    }
  } else {
    while (left <= divisor) {
      left -= divisor;
    }
  }
  return left;
}
