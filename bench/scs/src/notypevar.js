// A variable without a type: what comes in may be a number, a text, a flag, a list, or nothing, and it changes on the way.
export function notypevar(i, s) {
  let x = i;
  const seen = [];
  if (x === undefined || x === null) {
    seen.push('nothing');
    x = 0;
  }
  if (typeof x === 'number') {
    if (x + s.length === 56) {
      seen.push('sum');
    }
    x = x > 100 ? 'large' : x;
  } else if (Array.isArray(x)) {
    if (x.length === 3) {
      seen.push('three of them');
    }
    x = x[0];
  } else if (x === true) {
    seen.push('true');
    x = s;
  }
  if (x === 'large') {
    seen.push('a large number, or the word for it');
  }
  if (x === 'hello' && s === 'world') {
    seen.push('greeting');
  }
  if (typeof x === 'string' && x !== s && x.toLowerCase() === s.toLowerCase()) {
    seen.push('the same but for its case');
  }
  if (s === 'seven' && x === 7) {
    seen.push('word and number');
  }
  return { type: typeof x, seen };
}
