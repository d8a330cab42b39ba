'use strict';
/**
 * Rewrites the text of a source file to the same program with probes, and creates the table of its targets.
 *
 * It does not depend on the loader or the runtime; PROBES.md describes what the probes do. The same text gives the same
 * result.
 */

const { parse } = require('./texts/parse.cjs');
const { HANDLERS } = require('./passes/all-passes.cjs');
const { addRegions } = require('./evaluation/branch-regions.cjs');
const { Rewriter } = require('./rewriter.cjs');
const { HANDLE_NAME, handleHeader } = require('./texts/header.cjs');
const { findSourceMap } = require('./texts/source-map.cjs');

/** @typedef {import('./target-table.cjs').Table} Table */

/**
 * @param {string} text
 * @param {{path: string, isModule: boolean}} file
 * @returns {{code: string, table: Table}} `code` binds its handle in a header on the first statement's line
 *   (header.cjs)
 * @throws {SyntaxError} when the text cannot be parsed
 */
function instrument(text, file) {
  const { splicer, targets } = rewritten(text, file);
  return { code: splicer.toString(), table: targets.table };
}

/**
 * @param {string} text
 * @param {{path: string, isModule: boolean}} file
 * @returns {import('@jridgewell/sourcemap-codec').SourceMapMappings} from the instrumented text to this one, one
 *   segment for each piece that was moved as a whole
 */
function movedColumns(text, file) {
  return rewritten(text, file).splicer.generateDecodedMap({}).mappings;
}

/**
 * @param {string} text
 * @param {{path: string, isModule: boolean}} file
 */
function rewritten(text, { path, isModule }) {
  const program = parse(text, isModule);
  const handle = freeName(text);
  const sourceMap = findSourceMap(text, path);
  const rewriter = new Rewriter(text, { isModule, handle, handlers: HANDLERS, sourceMap });
  if (program.body.length > 0) {
    const { position, separator } = headerPlace(program);
    rewriter.insert(position, separator + handleHeader({ handle, text, path, isModule }));
  }
  rewriter.rewrite(program);
  rewriter.targets.settleUnprobedReads();
  rewriter.targets.settleUses();
  addRegions(program, rewriter);
  if (sourceMap !== null) {
    // Always in the text, because Node and the agent look for the places of its stacks there.
    const { start, end } = sourceMap.comment;
    rewriter.replace(start, end, sourceMap.movedComment(rewriter.splicer.generateDecodedMap({}).mappings));
  }
  return rewriter;
}

/**
 * Returns the position of the header: after the directives, which have to stay first, and before everything else.
 * @param {import('./texts/parse.cjs').Node} program
 */
function headerPlace(program) {
  /** @type {import('./texts/parse.cjs').Node[]} */
  const statements = program.body;
  const first = statements.findIndex((statement) => statement.directive === undefined);
  if (first === 0) return { position: statements[0].start, separator: '' };
  const lastDirective = statements[(first < 0 ? statements.length : first) - 1];
  return { position: lastDirective.end, separator: ';' };
}

/** @param {string} text @returns {string} a name that the text does not contain */
function freeName(text) {
  let name = HANDLE_NAME;
  for (let number = 1; text.indexOf(name) >= 0; number += 1) name = `${HANDLE_NAME}${number}_`;
  return name;
}

module.exports = { instrument, movedColumns };
