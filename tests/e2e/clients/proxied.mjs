// Calls one service through the proxy that HTTPS_PROXY names, with each client that can, and prints what each of them saw.
import http from 'node:http';
import https from 'node:https';
import axios from 'axios';
import got from 'got';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { EnvHttpProxyAgent, ProxyAgent, request } from 'undici';

const proxy = process.env.HTTPS_PROXY;
const through = (dispatcher, url) => request(url, { dispatcher }).then(({ body }) => body.json());
const agent = new HttpsProxyAgent(proxy);
const awayAgent = new HttpsProxyAgent('http://away.example:8080');
const plain = (client, url) =>
  new Promise((resolve, reject) => {
    client.get(url, (answer) => answer.setEncoding('utf8').on('data', (text) => resolve(JSON.parse(text)))).on('error', reject);
  });

const statusOf = (url, by = agent) =>
  new Promise((resolve, reject) => https.get(url, { agent: by }, (answer) => resolve(answer.statusCode)).on('error', reject));

const CALLS = {
  'a host that is away': () => statusOf('https://gone.example/'),
  'a host that does not answer': () => statusOf('https://silent.example/'),
  'a host that the proxy denies': () => statusOf('https://denied.example/'),
  'undici at a host that the proxy denies': () => through(new ProxyAgent(proxy), 'https://denied.example/'),
  'a proxy that is away': () => statusOf('https://api.example/', awayAgent),
  axios: () => axios.get('https://api.example/v1/axios').then(({ data }) => data),
  'axios without TLS': () => axios.get('http://api.example/v1/axios').then(({ data }) => data),
  got: () => got('https://api.example/v1/got', { agent: { https: agent }, retry: { limit: 0 } }).json(),
  undici: () => through(new ProxyAgent(proxy), 'https://api.example/v1/undici'),
  'undici without TLS': () => through(new ProxyAgent(proxy), 'http://api.example/v1/undici'),
  'undici by environment': () => through(new EnvHttpProxyAgent(), 'https://api.example/v1/undici'),
  // Those of Node heed the variables since Node 24, if NODE_USE_ENV_PROXY is set.
  fetch: () => fetch('https://api.example/v1/fetch').then((answer) => answer.json()),
  https: () => plain(https, 'https://api.example/v1/https'),
  http: () => plain(http, 'http://api.example/v1/http'),
};

for (const [name, call] of Object.entries(CALLS)) {
  const seen = await call().catch((error) => [error.code, error.message, error.cause?.message]);
  console.log(JSON.stringify([name, seen]));
}
process.exit(0);
