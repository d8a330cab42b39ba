// One comparison of each kind, on numbers and on strings: what a branch distance is needed for.
export function costfuns(i, s) {
  const word = 'ababababab';
  const reached = [];
  if (i === 5) {
    reached.push('equal');
  }
  if (i < -444) {
    reached.push('less');
  }
  if (i <= -333) {
    reached.push('less or equal');
  }
  if (i > 666) {
    reached.push('greater');
  }
  if (i >= 555) {
    reached.push('greater or equal');
  }
  if (i !== -4) {
    reached.push('unequal');
  }
  if (s === word + word) {
    reached.push('equal text');
  }
  if (s.localeCompare(word) < 0) {
    reached.push('text before');
  }
  if (s > word + 'ab') {
    reached.push('text after');
  }
  if (s >= word && s.length === 11) {
    reached.push('text after, of a length');
  }
  if (s !== word + word && s.startsWith(word)) {
    reached.push('text with a beginning');
  }
  return reached;
}
