'use strict';
/** Errors that an object has emitted and nothing has listened to: `emit` throws them, with a mark that Node leaves. */

const { getOwnPropertyDescriptor, ownKeys } = Reflect;

const CODE = 'ERR_UNHANDLED_ERROR';
const MARK = 'kEnhanceStackBeforeInspector';

/** @param {unknown} error @returns {boolean} */
function isUnheard(error) {
  if (typeof error !== 'object' || error === null) return false;
  try {
    const keys = ownKeys(error);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      if (typeof key === 'symbol' && key.description === MARK) return true;
    }
    const code = getOwnPropertyDescriptor(error, 'code');
    return code !== undefined && code.value === CODE;
  } catch {
    return false; // a proxy
  }
}

module.exports = { isUnheard };
