'use strict';

/**
 * @param {{ commands: any[] }} result of an evaluation
 * @returns {any[][]} of each command: call, text, parameters, rows returned, rows affected, error
 */
function toldCommands({ commands }) {
  return commands.map(({ call, text, params, returned, affected, error }) => [
    call,
    text,
    params,
    returned,
    affected,
    error,
  ]);
}

module.exports = { toldCommands };
