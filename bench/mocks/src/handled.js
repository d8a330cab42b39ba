/** A guard that was passed: the only error that the API does not handle. */
export class Passed extends Error {}

/** A handler that answers 502 to whatever goes wrong with another service. */
export const handled = (handler) => async (req, res) => {
  try {
    await handler(req, res);
    if (!res.headersSent) res.json({ ok: true });
  } catch (error) {
    if (error instanceof Passed) throw error;
    res.status(502).json({ error: 'another service has failed' });
  }
};
