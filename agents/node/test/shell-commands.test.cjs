'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { programsOf } = require('../src/external/shell-commands.cjs');

const CASES = [
  ['curl -s https://a.example', ['curl']],
  ['A=1 B="x y" /usr/bin/curl x | jq .a', ['curl', 'jq']],
  ['"/opt/my tools/fetch" a && wget b; echo done', ['fetch', 'wget']],
  ['python3 -c "import os; print(1) | 2 && curl"', ['python3']],
  ["sh -c 'a; b' 2>&1 >/dev/null", ['sh']],
  ['curl x >out.txt 2>&1 || wget y', ['curl', 'wget']],
  ['echo "$(date)" $(git fetch)', ['git']],
  ['cd /tmp && exec nice -n 5 rsync a b', ['rsync']],
  ['if true; then curl x; fi', ['curl']],
  ['echo `hostname`\nssh h', ['hostname', 'ssh']],
  ['node a.js', ['node']],
  ['', []],
];

for (const [command, programs] of CASES) {
  test(`programs of ${JSON.stringify(command)}`, () => assert.deepStrictEqual(programsOf(command), programs));
}
