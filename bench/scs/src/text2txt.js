// Shortens words to what is written on telephones.
const SHORT = { great: 'gr8', later: 'l8r', tonight: '2nite', please: 'pls', thanks: 'thx' };

export function text2txt(first, second, third) {
  const one = first.toLowerCase();
  const two = second.toLowerCase();
  const three = third.toLowerCase();
  if (one === 'two' || one === 'to' || one === 'too') {
    return '2';
  }
  if (one === 'for' || one === 'four') {
    return '4';
  }
  if (one === 'you') {
    return 'u';
  }
  if (one === 'and') {
    return 'n';
  }
  if (one === 'are') {
    return 'r';
  }
  if (one === 'see' && two === 'you') {
    return three === 'later' ? 'cul8r' : 'cu';
  }
  if (one === 'by' && two === 'the' && three === 'way') {
    return 'btw';
  }
  if (one === 'as' && two === 'soon' && three === 'as') {
    return 'asa';
  }
  if (Object.hasOwn(SHORT, one)) {
    return SHORT[one];
  }
  return first;
}
