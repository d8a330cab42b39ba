/** Guards on services that fail. */
import axios from 'axios';
import express from 'express';

import { Passed, handled } from './handled.js';

export const failures = express.Router();

/** Sends a request, and passes the guard if it fails in the expected way. */
const guard = (path, url, name, isExpected) =>
  failures.get(
    path,
    handled(async () => {
      try {
        const answer = await fetch(url);
        await answer.json();
      } catch (error) {
        if (isExpected(error)) throw new Passed(name);
        throw error;
      }
    }),
  );

const codeOf = (error) => error.code ?? error.cause?.code;

guard('/refused', 'https://one.example/a', 'refused', (error) => codeOf(error) === 'ECONNREFUSED');
guard('/unknown-host', 'https://two.example/a', 'no-such-host', (error) => codeOf(error) === 'ENOTFOUND');
guard('/malformed', 'https://three.example/a', 'malformed', (error) => error instanceof SyntaxError);
failures.get('/slow', handled(async () => {
  try {
    await fetch('https://four.example/a', { signal: AbortSignal.timeout(1000) });
  } catch (error) {
    if (error.name === 'TimeoutError') throw new Passed('time-out');
    throw error;
  }
}));

failures.get('/reset', handled(async () => {
  try {
    await axios.get('http://five.example/a');
  } catch (error) {
    if (error.code === 'ECONNRESET') throw new Passed('reset');
    throw error;
  }
}));

failures.get('/deadline', handled(async () => {
  try {
    await axios.get('https://six.example/a', { timeout: 1500 });
  } catch (error) {
    if (error.code === 'ECONNABORTED') throw new Passed('client-time-out');
    throw error;
  }
}));
