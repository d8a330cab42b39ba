/** The caller's mistake: answered with 400. */
export class BadInput extends Error {
  status = 400;
}
