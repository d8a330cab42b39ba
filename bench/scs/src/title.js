// Whether a title goes with a sex.
export function title(sex, name) {
  const kind = sex.toLowerCase();
  const word = name.toLowerCase();
  if (kind === 'male') {
    if (['mr', 'dr', 'sir', 'rev', 'rthon', 'prof'].includes(word)) {
      return 'fits';
    }
  } else if (kind === 'female') {
    if (word === 'mrs' || word === 'miss' || word === 'ms') {
      return 'fits';
    }
    switch (word) {
      case 'dr':
      case 'prof':
        return 'learned';
      case 'lady':
        return 'noble';
      case 'rev':
        return 'ordained';
    }
  } else if (kind === 'none') {
    if (word === 'dr' || word === 'prof') {
      return 'learned';
    }
  }
  return 'does not fit';
}
