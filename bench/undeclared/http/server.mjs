import http from 'node:http';
import { route } from './src/route.mjs';
import { sendJson } from './src/http.mjs';

const server = http.createServer(async (request, response) => {
  try {
    await route(request, response);
  } catch (error) {
    const status = error.status ?? 500;
    if (status >= 500) console.error(error);
    sendJson(response, status, { error: status >= 500 ? 'internal error' : error.message });
  }
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
