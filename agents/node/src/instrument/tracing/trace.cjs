'use strict';
/**
 * Rewrites the text of a source file to the same program that also tracks which expressions over the inputs its values
 * were computed from ("shadows"), and records the outcomes of its conditions.
 *
 * Law: the program computes on its own values. Each expression leaves its shadow in `$.s`, or in the companion variable
 * of its name; a shadow remembers its value and is used only for that value. So a shadow that is lost or out of date
 * costs a constraint, but never changes a result.
 */

const { parse } = require('../texts/parse.cjs');
const { handleHeader, HANDLE_NAME } = require('../texts/header.cjs');
const { findSourceMap } = require('../texts/source-map.cjs');
const { TargetTable } = require('../target-table.cjs');
const { Expressions } = require('./traced-expressions.cjs');

/**
 * @param {string} text
 * @param {{path: string, isModule: boolean}} file
 * @returns {string} code that binds its handle as in header.cjs
 * @throws {SyntaxError} when the text cannot be parsed
 */
function trace(text, { path, isModule }) {
  const program = parse(text, isModule);
  const sourceMap = findSourceMap(text, path);
  const handle = freeName(text);
  const places = new TargetTable(text, sourceMap);
  const writer = new Expressions(text, {
    handle,
    placeOf: (position) => {
      const { source, line, column } = places.placeOf(position);
      return `${source === '' ? path : source}:${line}:${column}`;
    },
  });
  return writer.program(program, handleHeader({ handle, text, path, isModule }));
}

/** @param {string} text @returns {string} a name that the text does not contain */
function freeName(text) {
  let name = HANDLE_NAME;
  for (let number = 1; text.includes(name); number += 1) name = `${HANDLE_NAME}${number}_`;
  return name;
}

module.exports = { trace };
