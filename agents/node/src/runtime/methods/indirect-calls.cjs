'use strict';
/** Determines the receiver and arguments of a function that is called through `call`, `apply` or `Reflect.apply`. */

const { isPlainArray, ownData } = require('../../base/data-properties.cjs');

/**
 * @param {import('./replacement.cjs').Call} call of the caller; it is changed into the call of the function
 * @param {string} via
 */
function unwrapArguments(call, via) {
  const { first, second, third } = call;
  call.third = undefined;
  if (via === 'call') {
    call.receiver = first;
    call.first = second;
    call.second = third;
    return;
  }
  const list = via === 'apply' ? second : third;
  call.receiver = via === 'apply' ? first : second;
  const isList = isPlainArray(list);
  call.first = isList ? ownData(list, 0) : undefined;
  call.second = isList ? ownData(list, 1) : undefined;
  if (isList) call.third = ownData(list, 2);
}

module.exports = { unwrapArguments };
