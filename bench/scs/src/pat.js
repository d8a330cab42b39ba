// Looks for a pattern in a text, forwards and backwards.
import { BadInput } from './errors.js';

const SHORTEST = 3;

export function pat(txt, pattern) {
  if (pattern.length < SHORTEST) {
    throw new BadInput(`the pattern needs at least ${SHORTEST} characters`);
  }
  const reversed = [...pattern].reverse().join('');
  let forwards = -1;
  let backwards = -1;
  for (let at = 0; at + pattern.length <= txt.length; at++) {
    const part = txt.substring(at, at + pattern.length);
    if (forwards < 0 && part === pattern) {
      forwards = at;
    }
    if (backwards < 0 && part === reversed) {
      backwards = at;
    }
  }
  if (forwards < 0 && backwards < 0) {
    return { result: 'not there' };
  }
  if (backwards < 0) {
    return { result: 'forwards', at: forwards };
  }
  if (forwards < 0) {
    return { result: 'backwards', at: backwards };
  }
  if (pattern === reversed) {
    return { result: 'palindrome', at: forwards };
  }
  if (forwards + pattern.length === backwards) {
    return { result: 'mirrored', at: forwards };
  }
  return { result: 'both', at: Math.min(forwards, backwards) };
}
