// A calculator: constants, functions of one number, operators on two.
import { BadInput } from './errors.js';

const DEGREE = Math.PI / 180;

export function calc(op, first, second) {
  const name = op.toLowerCase();
  let result;
  if (name === 'pi') {
    result = Math.PI;
  } else if (name === 'e') {
    result = Math.E;
  } else if (name === 'sqrt') {
    if (first < 0) {
      throw new BadInput('no root of a negative number');
    }
    result = Math.sqrt(first);
  } else if (name === 'log') {
    if (first <= 0) {
      throw new BadInput('no logarithm of a number that is not positive');
    }
    result = Math.log(first);
  } else if (name === 'sine') {
    result = Math.sin(first * DEGREE);
  } else if (name === 'cosine') {
    result = Math.cos(first * DEGREE);
  } else if (name === 'tangent') {
    if (Math.abs(first % 180) === 90) {
      throw new BadInput('no tangent of a right angle');
    }
    result = Math.tan(first * DEGREE);
  } else if (name === 'plus') {
    result = first + second;
  } else if (name === 'subtract') {
    result = first - second;
  } else if (name === 'multiply') {
    result = first * second;
  } else if (name === 'divide') {
    if (second === 0) {
      throw new RangeError('division by zero');
    }
    result = first / second;
  } else {
    throw new BadInput(`no such operation: ${op}`);
  }
  return result;
}
