// The same handler with a price from a service, over a kept connection, and from memory.
const http = require('node:http');
const https = require('node:https');

const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
const DIRECT = `http://127.0.0.1:${process.env.DIRECT_PORT}/v1/prices/7`;
const PRICE = JSON.stringify({ price: 7, currency: 'EUR', tags: ['new'] });

const ask = (client, agent, url) =>
  new Promise((resolve, reject) => {
    client
      .get(url, { agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => (text += part));
        answer.on('end', () => resolve(text));
      })
      .on('error', reject);
  });

const SOURCES = {
  '/memory': async () => PRICE,
  '/http': () => ask(http, agents.http, 'http://prices.example/v1/prices/7'),
  '/direct': () => ask(http, agents.http, DIRECT),
  '/direct-fetch': async () => (await fetch(DIRECT)).text(),
  '/https': () => ask(https, agents.https, 'https://prices.example/v1/prices/7'),
  '/fetch': async () => (await fetch('https://prices.example/v1/prices/7')).text(),
};

const operation = { get: { responses: { 200: { description: 'the price with tax' } } } };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'charges', version: '1' },
  paths: { [process.env.ONLY ?? '/memory']: operation },
};

http
  .createServer(async (request, response) => {
    if (request.url === '/openapi.json') return response.end(JSON.stringify(DOCUMENT));
    const source = SOURCES[request.url];
    if (source === undefined) return response.writeHead(404).end();
    response.setHeader('content-type', 'application/json');
    try {
      const { price, currency, tags } = JSON.parse(await source());
      const total = { price, currency, isNew: tags.includes('new'), charged: price > 5 ? price * 1.2 : price };
      return response.end(JSON.stringify(total));
    } catch {
      return response.writeHead(502).end('{}');
    }
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
