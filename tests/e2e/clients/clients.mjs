// Calls one service with each client library, and prints what each of them saw: a line of JSON for each.
import dns from 'node:dns';
import { createRequire } from 'node:module';
import { AxiosError } from 'axios';
import axios from 'axios';
import got from 'got';
import { GraphQLClient } from 'graphql-request';
import ky from 'ky';
import needle from 'needle';
import fetch3 from 'node-fetch';
import nodemailer from 'nodemailer';
import Stripe from 'stripe';
import superagent from 'superagent';
import * as undici from 'undici';
import WebSocket from 'ws';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const require = createRequire(import.meta.url);
const fetch2 = require('node-fetch2');
const request = require('request');

const SERVICE = 'https://api.example/v1/';

const overWebSocket = () =>
  new Promise((resolve) => {
    const socket = new WebSocket('wss://stream.example/live');
    socket.on('error', (error) => resolve(error.message));
    socket.on('message', (data) => {
      resolve(String(data));
      socket.close();
    });
  });

const inReply = () =>
  new Promise((resolve) => {
    const socket = new WebSocket('ws://calls.example/rpc', ['rpc.v2', 'rpc.v1']);
    const seen = [];
    socket.on('error', (error) => resolve(error.message));
    socket.on('open', () => socket.send('x'.repeat(300)));
    socket.on('message', (data) => {
      seen.push(String(data));
      if (seen.length === 1) socket.send('next');
    });
    socket.on('close', (code) => resolve([socket.protocol, seen, code]));
  });

const overGrpc = (credentials, address) =>
  new Promise((resolve) => {
    const client = new grpc.Client(address, credentials);
    const same = (value) => value;
    client.makeUnaryRequest('/shop.Prices/Get', same, same, Buffer.from('book'), (error, answer) => {
      client.close();
      resolve(error ? error.code : String(answer));
    });
  });

const stock = () => {
  const definition = loadSync(new URL('stock.proto', import.meta.url).pathname, { longs: String, enums: String });
  const { Stock } = grpc.loadPackageDefinition(definition).shop.v1;
  return new Stock('stock.example:50051', grpc.credentials.createInsecure());
};

const byDefinition = () =>
  new Promise((resolve) => stock().get({ sku: 'a' }, (error, item) => resolve(error ? error.message : item)));

const asStream = () =>
  new Promise((resolve) => {
    const names = [];
    const stream = stock().watch({ sku: 'a' });
    stream.on('data', (item) => names.push(item.itemName));
    stream.on('error', (error) => resolve(error.message));
    stream.on('end', () => resolve(names));
  });

const overRequest = () =>
  new Promise((resolve, reject) =>
    request(SERVICE + 'request', { json: true }, (error, _, body) => (error ? reject(error) : resolve(body))),
  );

const bySmtp = async (to = 'b@other.example') => {
  const mailer = nodemailer.createTransport({ host: 'mail.example', port: 587, requireTLS: true });
  const sent = await mailer.sendMail({ from: 'a@own.example', to, subject: 'Hello', text: 'Hi' });
  return sent.accepted;
};

const CLIENTS = {
  axios: async () => (await axios.get(SERVICE + 'axios')).data,
  'axios without a host': () => axios.get('https://gone.example/').catch((error) => [error instanceof AxiosError, error.code]),
  fetch: async () => (await fetch(SERVICE + 'fetch')).json(),
  got: async () => got(SERVICE + 'got').json(),
  'got over http2': async () => got(SERVICE + 'got2', { http2: true }).json(),
  'graphql-request': async () => new GraphQLClient('https://api.example/graphql').request('{ book { title } }'),
  ky: async () => ky(SERVICE + 'ky').json(),
  needle: async () => (await needle('get', SERVICE + 'needle')).body,
  'node-fetch': async () => (await fetch3(SERVICE + 'node-fetch')).json(),
  'node-fetch 2': async () => (await fetch2(SERVICE + 'node-fetch2')).json(),
  request: overRequest,
  superagent: async () => (await superagent.get(SERVICE + 'superagent')).body,
  undici: async () => (await undici.request(SERVICE + 'undici')).body.json(),
  'undici over http2': async () =>
    (await undici.request(SERVICE + 'undici2', { dispatcher: new undici.Agent({ allowH2: true }) })).body.json(),
  aws: async () => {
    const client = new DynamoDBClient({ region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    return (await client.send(new GetItemCommand({ TableName: 'books', Key: { id: { S: '1' } } }))).Item.title.S;
  },
  stripe: async () => (await new Stripe('sk_test_1').customers.retrieve('cus_1')).id,
  grpc: () => overGrpc(grpc.credentials.createInsecure(), 'prices.example:50051'),
  'grpc over tls': () => overGrpc(grpc.credentials.createSsl(), 'prices.example:443'),
  'grpc by definition': byDefinition,
  'grpc as a stream': asStream,
  ws: overWebSocket,
  'ws in reply': inReply,
  'mail that is refused': () => bySmtp('full@other.example').catch((error) => error.responseCode),
  nodemailer: bySmtp,
};

dns.setDefaultResultOrder('ipv4first');
for (const [name, call] of Object.entries(CLIENTS)) {
  const shown = await call().catch((error) => `${error.name}: ${error.message}`);
  process.stdout.write(JSON.stringify([name, shown]) + '\n');
}
process.exit();
