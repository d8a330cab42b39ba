'use strict';
/** Makes each text, number and truth value that a traced program reads an unknown input, under whatever name it is read. */

/** Of one call; then the next one begins, which frees what it kept. */
const MAX_NODES = 5_000;

/**
 * @param {any} handle a TraceHandle
 * @returns {() => number} counts the expressions so far
 */
function makeLive(handle) {
  const { begin } = handle;
  let nNodes = 0;
  const restart = () => {
    nNodes += handle.nodes.list.length;
    Reflect.apply(begin, handle, [[]]);
    handle.inputs.find = (/** @type {any} */ nodes, /** @type {unknown} */ name, /** @type {any} */ value) => {
      if (nodes.list.length > MAX_NODES) restart();
      return handle.nodes.input(`/${typeof name === 'string' ? name : ''}=${value}`, value);
    };
  };
  restart();
  return () => nNodes + handle.nodes.list.length;
}

module.exports = { makeLive };
