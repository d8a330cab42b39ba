'use strict';
/** Merge sort and binary search over numbers that a small generator makes. */

function* numbers(seed, count) {
  let state = seed >>> 0;
  for (let index = 0; index < count; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state % 100000;
  }
}

function sorted(values) {
  if (values.length < 2) return values;
  const middle = values.length >> 1;
  const left = sorted(values.slice(0, middle));
  const right = sorted(values.slice(middle));
  const merged = [];
  let at = 0;
  let other = 0;
  while (at < left.length || other < right.length) {
    if (other >= right.length || (at < left.length && left[at] <= right[other])) {
      merged.push(left[at]);
      at += 1;
    } else {
      merged.push(right[other]);
      other += 1;
    }
  }
  return merged;
}

function indexIn(values, wanted) {
  let low = 0;
  let high = values.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (values[middle] === wanted) return middle;
    if (values[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function statistics(seed) {
  const values = sorted([...numbers(seed, 1000)]);
  let found = 0;
  for (let wanted = 0; wanted < 500; wanted += 1) if (indexIn(values, wanted * 7) >= 0) found += 1;
  return { smallest: values[0], largest: values[values.length - 1], found };
}

module.exports = { statistics };
