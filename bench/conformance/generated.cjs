'use strict';
/**
 * Random programs, plain and instrumented: prints those that differ, and how many there were. `node generated.cjs
 * [COUNT] [FIRST SEED]`.
 */

const { generateProgram } = require('../../agents/node/test/instrument-support/generator.cjs');
const { firstDifference } = require('../../agents/node/test/instrument-support/differences.cjs');

const MAX_SHOWN = 5;

async function main() {
  const [count, first] = [Number(process.argv[2] ?? 3000), Number(process.argv[3] ?? 1000)];
  let nDifferent = 0;
  let nEffects = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const { difference, effects } = await firstDifference(generateProgram(seed));
    nEffects += effects;
    if (difference === null) continue;
    nDifferent += 1;
    if (nDifferent <= MAX_SHOWN) console.log(`program ${seed}: ${difference}\n`);
  }
  console.log(`${count} generated programs, ${nEffects} effects; ${nDifferent} programs with differences`);
  process.exitCode = nDifferent === 0 ? 0 : 1;
}

main();
