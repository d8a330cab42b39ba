'use strict';
/** Search in a list, without methods that the program may have replaced. */

/**
 * @template T
 * @param {ArrayLike<T>} list
 * @param {T} wanted
 */
function contains(list, wanted) {
  for (let index = 0; index < list.length; index++) if (list[index] === wanted) return true;
  return false;
}

module.exports = { contains };
