'use strict';
/** Prints what a program saw as TAP lines, so that two runs can be compared by the names of their tests. */

const { createHash } = require('node:crypto');
const { inspect } = require('node:util');

/** Letters only: what compares outcomes takes long numbers for chance. */
const LETTER_OF_A = 97;
const MAX_SHOWN_UNITS = 60;
/** Frames of the packages keep file and line; columns are those of the text that runs. */
const FRAME = /^\s+at (?:(.*) \()?(.*\/node_modules\/.*?):(\d+):\d+\)?$/;

let number = 0;

/** @param {string} text */
function lettersOf(text) {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 8);
  return [...bytes].map((byte) => String.fromCharCode(LETTER_OF_A + (byte >> 4), LETTER_OF_A + (byte & 15))).join('');
}

/**
 * Errors that come back as values show their stacks: frames of the packages are kept, without columns.
 * @param {string} text
 */
function withoutPlaces(text) {
  const lines = text.split('\n').filter((line) => !/^\s+at /.test(line) || line.includes('/node_modules/'));
  return lines.map((line) => line.replace(/(:\d+):\d+(\)?(?: \{)?)$/, '$1$2')).join('\n');
}

/**
 * @param {string} name
 * @param {unknown} result
 */
function report(name, result) {
  const text = withoutPlaces(inspect(result, { depth: 6, maxArrayLength: 200, maxStringLength: 20_000, showHidden: false, getters: false }));
  const shown = text.replace(/\s+/g, ' ').replace(/#/g, '').slice(0, MAX_SHOWN_UNITS);
  number += 1;
  console.log(`ok ${number} - ${name.replace(/\s+/g, ' ')} -> ${shown} ${lettersOf(text)}`);
}

/** @param {unknown} error */
function errorText(error) {
  if (!(error instanceof Error)) return ['thrown', error];
  const frames = String(error.stack).split('\n').map((line) => FRAME.exec(line)).filter((frame) => frame !== null);
  return ['thrown', error.name, error.message, frames.map((frame) => `${frame[1] ?? ''} ${frame[2].split('/node_modules/').pop()}:${frame[3]}`)];
}

/**
 * @param {string} name
 * @param {() => unknown} work
 */
function attempt(name, work) {
  let result;
  try {
    result = work();
  } catch (error) {
    result = errorText(error);
  }
  report(name, result);
}

module.exports = { attempt, errorText, report };
