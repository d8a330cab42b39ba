// Whether four words of five or six letters are in order.
function hasLength(word) {
  return word.length >= 5 && word.length <= 6;
}

export function ordered4(w, x, y, z) {
  if (!hasLength(w) || !hasLength(x) || !hasLength(y) || !hasLength(z)) {
    return 'wrong length';
  }
  if (z > y && y > x && x > w) {
    return 'increasing';
  }
  if (w > x && x > y && y > z) {
    return 'decreasing';
  }
  if (w === x && x === y && y === z) {
    return 'all the same';
  }
  return 'unordered';
}
