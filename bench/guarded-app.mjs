/**
 * The Express app of the guard benchmarks: serves the document, runs the routers with the guards, and writes down when
 * a guard is passed for the first time, so that any tool is counted from the server's side.
 *
 * A line of the file that GUARD_LOG names: process id, milliseconds since 1970, requests so far in this process, name
 * of the guard.
 */
import { appendFileSync, readFileSync } from 'node:fs';

let requests = 0;
const passed = new Set();

function log(name) {
  if (process.env.GUARD_LOG && !passed.has(name)) {
    passed.add(name);
    appendFileSync(process.env.GUARD_LOG, `${process.pid} ${Date.now()} ${requests} ${name}\n`);
  }
}

/** express: the caller's, for each benchmark has packages of its own. document: URL of the OpenAPI document. */
export function guardedApp(express, document, routers) {
  const openapi = JSON.parse(readFileSync(document, 'utf8'));
  const app = express();
  app.disable('x-powered-by');
  app.get('/openapi.json', (req, res) => res.json(openapi));
  app.use((req, res, next) => {
    requests += 1;
    log('first-request');
    next();
  });
  app.use(express.json());
  app.use(...routers);
  app.use((req, res) => res.status(404).json({ error: 'not found' }));
  app.use(answerError);
  return app;
}

// Express recognises an error handler by its four parameters.
function answerError(error, req, res, next) {
  const status = error.status ?? 500;
  if (status === 500) {
    log(error.message.replaceAll(' ', '_'));
  }
  if (res.headersSent) {
    next(error);
    return;
  }
  res.status(status).json({ error: error.message });
}

export function listen(app, port, what) {
  app.listen(port, '127.0.0.1', (error) => {
    if (error) {
      throw error; // such as a port that is taken
    }
    console.log(`${what} on http://127.0.0.1:${port}`);
  });
}
