'use strict';
/** Regular expressions, prefixes and letters over lines of text. */

const PATTERNS = [
  ['mail', /^[\w.+-]+@[\w-]+\.[a-z]{2,}$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['version', /^v?\d+\.\d+\.\d+(-[a-z]+)?$/i],
  ['colour', /^#[0-9a-f]{6}$/i],
];
const LINES = ['ann@example.org', '2024-02-29', 'v1.20.3-beta', '#c0ffee', 'https://example.org/a?b=c', 'plain words here', 'INV-2024-000123'];

function kindOf(line) {
  for (const [kind, pattern] of PATTERNS) if (pattern.test(line)) return kind;
  if (line.startsWith('https://') || line.startsWith('http://')) return 'address';
  return line.includes('-') ? 'code' : 'text';
}

function countKinds(times) {
  const counts = {};
  for (let round = 0; round < times; round += 1) {
    for (const line of LINES) {
      const kind = kindOf(line);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

module.exports = { countKinds };
