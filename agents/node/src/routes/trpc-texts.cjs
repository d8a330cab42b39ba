'use strict';
/**
 * Texts of tRPC in which an expression is inserted that shows a router to the agent, together with the function that
 * serves it. An ES module's functions cannot be replaced, and most of tRPC's adapters are called as such.
 *
 * Law: as of runtime/validators/watched-texts.cjs.
 */

const { HIDDEN_END, HIDDEN_START } = require('../base/function-text.cjs');

/** The name of the function of the global object that inserted code calls. */
const SERVED = '__wimble_served__';

/** @param {string} code */
const hidden = (code) => HIDDEN_START + code + HIDDEN_END;
/** @param {string} args */
const shown = (args) => `typeof ${SERVED}==='function'&&${SERVED}(${args})`;
/**
 * Keeps an expression, and shows its value.
 * @param {string} before the expression, by numbers of groups
 * @param {string} expression
 * @param {string} args
 */
const kept = (before, expression, args) =>
  before + hidden(`(function(f){${shown(args)};return f})(`) + expression + hidden(')');

/** @type {[pattern: RegExp, text: string][]} */
const TRPC_SERVER = [
  // The middleware for Express.
  [
    /(\nfunction createExpressMiddleware\(opts\) \{\n[^]*?\breturn )((?:async )?\(req, res\) ?=> ?\{\n[^]*?\n(?:\t| {4}| {2})\})(?=;\n\})/g,
    kept('$1', '$2', "'handler',f,opts"),
  ],
  // The listener of a server.
  [
    /(\nfunction create(?:HTTP)?Handler\(opts\) \{\n[^]*?\breturn )((?:async )?\(req, res\) ?=> ?\{\n[^]*?\n(?:\t| {4}| {2})\})(?=;\n\})/g,
    kept('$1', '$2', "'listener',f,opts"),
  ],
  // Fastify binds handlers, so that the instance stands for the one of the plugin.
  [
    /(\bfastify\.all\(`\$\{prefix\}\/:path`,)/g,
    hidden(shown("'plugin',fastify,{router:opts.trpcOptions.router,prefix}") + ',') + '$1',
  ],
  [/(\basync function fetchRequestHandler\(opts\) \{)/g, '$1' + hidden(shown("'endpoint',null,opts") + ';')],
  [/(\nfunction createResolver\(\w+, resolver\) \{)/g, '$1' + hidden(shown("'resolver',resolver,null") + ';')],
]; // prettier-ignore

/** @type {[pattern: RegExp, text: string][]} */
const TRPC_HONO = [
  [
    /(\b(?:trpcServer = \(|function trpcServer\()\{[^})]*\}\) ?(?:=> ?)?\{\n[^]*?\breturn )(async \(c\) => \{\n[^]*?\n(?:\t| {2,4})\})(?=;\n\})/g,
    kept('$1', '$2', "'handler',f,{endpoint,router:rest.router}"),
  ],
]; // prettier-ignore

module.exports = { SERVED, TRPC_HONO, TRPC_SERVER };
